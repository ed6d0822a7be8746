// What sensors feel of numbers of a scene.

#include "flexura/study/gradient.hpp"

#include <limits>

#include "binding.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/scene/scene_number.hpp"
#include "functions.hpp"
#include "interpreter.hpp"

namespace flexura::python {
namespace {

ReadScene reader_of(const PyDocument& document) {
  SceneOptions options;
  options.functions = document.functions().external();
  return read_again(document.scene, options);
}

/// What `work` returns, done without the interpreter's lock.
template <class Work>
auto ask(const PyDocument& document, Work&& work) {
  try {
    auto made = [&] {
      const Unlocked unlocked;
      return work();
    }();
    document.functions().raise();
    return made;
  } catch (const InputError& error) {
    document.functions().raise();
    raise_scene_error(error.problems(), document.scene.texts);
  } catch (const GradientError& error) {
    document.functions().raise();
    raise_error("SolverError", error.what());
  }
}

GradientQuestion question_of(const std::vector<Text>& wrt, const std::vector<Text>& of,
                             const std::vector<double>& times, const std::vector<Text>& after, double relative_step) {
  return {.wrt = all_bytes(wrt),
          .of = all_bytes(of),
          .times = times,
          .after = all_bytes(after),
          .relative_step = relative_step};
}

nb::list texts_of(const std::vector<std::string>& texts) {
  nb::list out;
  for (const std::string& text : texts) out.append(text_of(text));
  return out;
}

/// Analysis, frequencies, the first mode that shares each, slopes (mode, number), or why there are none.
nb::tuple modes_of(ModeDerivatives&& modes, size_t numbers) {
  const size_t count = modes.frequencies.size();
  if (modes.slopes.empty()) modes.slopes.assign(count * numbers, std::numeric_limits<double>::quiet_NaN());
  return nb::make_tuple(text_of(modes.analysis), owned_array(std::move(modes.frequencies), {count}), modes.first,
                        owned_array(std::move(modes.slopes), {count, numbers}), text_of(modes.problem));
}

nb::tuple forwards(const PyDocument& document, const std::vector<Text>& wrt, const std::vector<Text>& of,
                   const std::vector<double>& times, const std::vector<Text>& after, double relative_step) {
  const GradientQuestion question = question_of(wrt, of, times, after, relative_step);
  Derivatives d = ask(document, [&] { return differentiate(document.scene, reader_of(document), question); });
  const size_t rows = d.times.size(), columns = d.columns.size(), numbers = d.numbers.size();
  nb::list modes;
  for (ModeDerivatives& of_analysis : d.modes) modes.append(modes_of(std::move(of_analysis), numbers));
  return nb::make_tuple(texts_of(d.columns), texts_of(d.units), owned_array(std::move(d.times), {rows}),
                        owned_array(std::move(d.numbers), {numbers}), owned_array(std::move(d.values), {rows, columns}),
                        owned_array(std::move(d.jacobian), {rows, columns, numbers}), texts_of(d.analyses), modes);
}

nb::tuple backwards(const PyDocument& document, const std::vector<Text>& wrt, const std::vector<Text>& of,
                    const std::vector<double>& times, const std::vector<Text>& after, double relative_step,
                    const std::vector<double>& weights) {
  const GradientQuestion question = question_of(wrt, of, times, after, relative_step);
  WeightedGradient g = ask(document, [&] {
    return differentiate_backwards(document.scene, reader_of(document), question,
                                   [&](const Derivatives&) { return weights; });
  });
  const size_t rows = g.values.times.size(), columns = g.values.columns.size(), numbers = g.gradient.size();
  return nb::make_tuple(owned_array(std::move(g.values.values), {rows, columns}),
                        owned_array(std::move(g.gradient), {numbers}), g.run_seconds, g.back_seconds);
}

nb::tuple numbers(const PyDocument& document, const std::vector<Text>& wrt, const std::vector<double>& values) {
  const std::vector<SceneNumber> found =
      ask(document, [&] { return find_scene_numbers(document.scene, all_bytes(wrt)); });
  std::vector<double> now;
  for (const SceneNumber& number : found) now.push_back(number.value);
  const size_t count = now.size();
  const std::vector<std::string> settings =
      values.empty() ? std::vector<std::string>() : SceneNumber::settings(found, values);
  return nb::make_tuple(owned_array(std::move(now), {count}), texts_of(settings));
}

}  // namespace

void bind_gradient(nb::module_& m) {
  m.def(
      "differentiate", &forwards, nb::arg("document"), nb::arg("wrt"), nb::arg("of"), nb::arg("times"),
      nb::arg("after"), nb::arg("relative_step"),
      nb::sig("def differentiate(document: Document, wrt: list[str], of: list[str], times: list[float], after: "
              "list[str], relative_step: float) -> tuple[list[str], list[str], object, object, object, object, "
              "list[str], list[tuple[str, object, list[int], object, str]]]"),
      "Columns, units, times, numbers, values (time, column), slopes (time, column, number), analyses (time), and of "
      "each "
      "analysis of modes its name, frequencies, first modes of equals, slopes (mode, number) and why there are none.");
  m.def("differentiate_backwards", &backwards, nb::arg("document"), nb::arg("wrt"), nb::arg("of"), nb::arg("times"),
        nb::arg("after"), nb::arg("relative_step"), nb::arg("weights"),
        nb::sig("def differentiate_backwards(document: Document, wrt: list[str], of: list[str], times: list[float], "
                "after: list[str], relative_step: float, weights: list[float]) -> tuple[object, object, float, float]"),
        "Values, the gradient of their weighted sum, and seconds of the run and of the way back.");
  m.def(
      "scene_numbers", &numbers, nb::arg("document"), nb::arg("wrt"), nb::arg("values"),
      nb::sig("def scene_numbers(document: Document, wrt: list[str], values: list[float]) -> tuple[object, list[str]]"),
      "Numbers of the scene, and the settings that give them these values.");
}

}  // namespace flexura::python
