// Reading results files.

#include "binding.hpp"
#include "flexura/output/hdf5_reader.hpp"
#include "flexura/output/hdf5_results.hpp"
#include "flexura/output/journal_reader.hpp"
#include "flexura/report/report.hpp"
#include "interpreter.hpp"

namespace flexura::python {
namespace {

template <class T>
T value_of(Outcome<T>&& outcome) {
  if (!outcome) raise_error("ResultsError", outcome.error());
  return std::move(*outcome);
}

const char* type_name(DatasetInfo::Type type) {
  constexpr const char* names[] = {"real", "integer", "text", "bytes", "other"};
  return names[static_cast<int>(type)];
}

/// Of a damaged file they need not be UTF-8.
nb::list texts_of(const std::vector<std::string>& texts) {
  nb::list list;
  for (const std::string& text : texts) list.append(text_of(text));
  return list;
}

nb::list datasets(const Text& file) {
  nb::list list;
  for (const DatasetInfo& d : value_of(list_datasets(file)))
    list.append(nb::make_tuple(text_of(d.path), type_name(d.type), nb::tuple(nb::cast(d.shape)), text_of(d.unit),
                               text_of(d.doc), text_of(d.axis)));
  return list;
}

nb::object dataset(const Text& file, const Text& path) {
  Dataset d = value_of(read_dataset(file, path));
  const std::vector<std::size_t> shape(d.info.shape.begin(), d.info.shape.end());
  switch (d.info.type) {
    case DatasetInfo::Type::real:
      return owned_array(std::move(d.reals), shape);
    case DatasetInfo::Type::integer:
      return owned_array(std::move(d.integers), shape);
    case DatasetInfo::Type::text:
      return text_of(d.text);
    default:
      return nb::bytes(d.text.data(), d.text.size());
  }
}

nb::dict attributes(const Text& file) {
  nb::dict dict;
  for (const Attribute& a : value_of(list_attributes(file))) {
    const nb::object key = nb::make_tuple(text_of(a.path), text_of(a.name));
    dict[key] = a.kind == Attribute::Kind::real      ? nb::cast(a.real)
                : a.kind == Attribute::Kind::integer ? nb::cast(a.integer)
                                                     : text_of(a.text);
  }
  return dict;
}

void convert_journal(const Text& journal, const Text& file) {
  const auto reader = value_of(JournalReader::open(journal));
  if (const std::string error = write_results(reader, file); !error.empty()) raise_error("ResultsError", error);
}

nb::list report(const std::vector<Text>& results, const Text& path) {
  ReportOutcome made;
  {
    const Unlocked unlocked;
    made = write_report(all_bytes(results), path);
  }
  if (!made.error.empty()) raise_error("ResultsError", made.error);
  return texts_of(made.warnings);
}

}  // namespace

void bind_results(nb::module_& m) {
  m.def("list_datasets", &datasets, nb::arg("file"),
        nb::sig("def list_datasets(file: str) -> list[tuple[str, str, tuple[int, ...], str, str, str]]"),
        "Path, type (real, integer, text, bytes), shape, unit, description and axis of each dataset.");
  m.def("read_dataset", &dataset, nb::arg("file"), nb::arg("path"),
        nb::sig("def read_dataset(file: str, path: str) -> typing.Any"),
        "An array that owns its values (float64 or int64, C order), str or bytes.");
  m.def("attributes", &attributes, nb::arg("file"),
        nb::sig("def attributes(file: str) -> dict[tuple[str, str], float | int | str]"),
        "Attributes of groups and datasets by path and name.");
  m.def(
      "compare_results", [](const Text& a, const Text& b) { return texts_of(value_of(compare_results(a, b))); },
      nb::arg("a"), nb::arg("b"), nb::sig("def compare_results(a: str, b: str) -> list[str]"),
      "One line per difference of two results files, by their bits; times of the clock are left out.");
  m.def("write_report", &report, nb::arg("results"), nb::arg("path"),
        nb::sig("def write_report(results: collections.abc.Sequence[str], path: str) -> list[str]"),
        "Writes the report of one or two results files. Returns what it lacks.");
  m.def("convert_journal", &convert_journal, nb::arg("journal"), nb::arg("file"),
        "Makes the results file of a journal, also of a run that was killed.");
}

}  // namespace flexura::python
