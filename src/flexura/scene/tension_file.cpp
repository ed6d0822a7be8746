#include "flexura/scene/tension_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "flexura/base/file.hpp"
#include "flexura/base/nearest_name.hpp"
#include "flexura/scene/units.hpp"
#include "flexura/signal/csv.hpp"

namespace flexura {
namespace {

constexpr std::size_t most_rows_named = 10;  ///< problems of one kind in one file
constexpr std::string_view if_strain = "if this is strain, name the column \"strain\"";
constexpr double longest = 1000;                ///< stretch that is taken for one
constexpr double softest = 5e3, hardest = 2e7;  ///< shear moduli of gels and of hard rubber [Pa]

struct KnownColumn {
  std::string_view name;
  bool is_stress, is_strain, is_true;
};
constexpr KnownColumn known_columns[] = {
    {"stretch", false, false, false},           {"strain", false, true, false},
    {"engineering_strain", false, true, false}, {"stress", true, false, false},
    {"nominal_stress", true, false, false},     {"engineering_stress", true, false, false},
    {"true_stress", true, false, true},         {"cauchy_stress", true, false, true},
};

std::string trimmed_text(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

/// "Nominal stress [MPa]" → nominal_stress, MPa
struct HeaderCell : CsvHeading {
  explicit HeaderCell(const std::string& text) : CsvHeading(text) {
    for (char& c : name)
      c = c == ' ' || c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
};

const KnownColumn* find_known(const std::string& name) {
  const auto found = std::ranges::find(known_columns, name, &KnownColumn::name);
  return found == std::end(known_columns) ? nullptr : &*found;
}

std::vector<std::string> names_of_tests() { return {std::begin(tension_test_names), std::end(tension_test_names)}; }

class TensionReader {
 public:
  TensionReader(const TensionFile& file, const std::string& text, const std::string& unit,
                std::vector<Problem>& problems)
      : file_(file), text_(text), default_unit_(unit), problems_(problems) {
    data_.name = file.path;
  }

  std::optional<TensionData> read() {
    const size_t before = problems_.size();
    look_at_comments();
    const CsvTable csv = parse_csv(text_);
    for (const CsvError& error : csv.errors) say(error.line, error.column, error.message);
    take_test();
    choose_columns(csv);
    if (problems_.size() > before || !stress_) return {};
    convert(csv);
    if (problems_.size() > before) return {};
    return std::move(data_);
  }

 private:
  struct Chosen {
    std::size_t column;
    KnownColumn known;
    Unit unit;
  };

  void say(int line, int column, const std::string& message, const std::string& nearest = {}, int length = 1) {
    problems_.push_back({{file_.path, line, column, length}, {}, message, nearest});
  }

  /// Comments `# key: value`, and where the header is.
  void look_at_comments() {
    int number = 0;
    for (size_t at = 0; at <= text_.size() && header_line_ == 0;) {
      const size_t end = std::min(text_.find('\n', at), text_.size());
      const std::string line = text_.substr(at, end - at);
      ++number;
      const std::string content = trimmed_text(line);
      if (content.starts_with('#')) {
        const auto colon = line.find(':');
        if (colon != std::string::npos &&
            trimmed_text(line.substr(line.find('#') + 1, colon - line.find('#') - 1)) == "test") {
          test_text_ = trimmed_text(line.substr(colon + 1));
          test_line_ = number;
          test_column_ = static_cast<int>(line.find(test_text_, colon)) + 1;
        }
      } else if (!content.empty()) {
        header_line_ = number;
        header_text_ = line;
      }
      at = end + 1;
    }
  }

  void take_test() {
    if (file_.test) {
      data_.test = *file_.test;
      return;
    }
    const std::vector<std::string> names = names_of_tests();
    if (test_line_ == 0) {
      say(0, 0,
          fmt::format("nothing says which test this is: a line \"# test: uniaxial\" ({}), or the option of that name",
                      list_of(names)));
      return;
    }
    const auto found = std::ranges::find(names, test_text_);
    if (found == names.end())
      say(test_line_, test_column_, fmt::format("there is no test \"{}\", but {}", test_text_, list_of(names, "and")),
          nearest_name(test_text_, names), static_cast<int>(std::max<size_t>(1, test_text_.size())));
    else
      data_.test = static_cast<TensionTest>(found - names.begin());
  }

  int place_of(const std::string& cell) const {
    const auto at = header_text_.find(cell);
    return at == std::string::npos ? 1 : static_cast<int>(at) + 1;
  }

  void choose_columns(const CsvTable& csv) {
    if (csv.columns.empty()) return;
    if (csv.names.empty()) {
      if (csv.columns.size() != 2) {
        say(header_line_, 1, "without a header there are two columns, stretch and nominal stress; name them");
        return;
      }
      choose(0, HeaderCell("stretch"), "stretch");
      choose(1, HeaderCell("stress"), "stress");
      return;
    }
    for (std::size_t c = 0; c < csv.names.size(); ++c)
      if (const HeaderCell cell(csv.names[c]); find_known(cell.name)) choose(c, cell, csv.names[c]);
    if (stress_ && deformation_) return;
    std::vector<std::string> known;
    for (const KnownColumn& column : known_columns) known.emplace_back(column.name);
    for (const bool is_stress : {false, true}) {
      if (is_stress ? stress_.has_value() : deformation_.has_value()) continue;
      std::string nearest;
      int place = 1;
      for (const std::string& name : csv.names)
        if (const std::string near = nearest_name(HeaderCell(name).name, known);
            !near.empty() && find_known(near)->is_stress == is_stress)
          nearest = near, place = place_of(name);
      say(header_line_, place,
          is_stress ? "there is no column of stress: stress, nominal_stress or true_stress, with its unit, as in "
                      "\"stress [MPa]\""
                    : "there is no column of deformation: stretch or strain",
          nearest);
    }
  }

  void choose(std::size_t column, const HeaderCell& cell, const std::string& name) {
    const KnownColumn& known = *find_known(cell.name);
    const int place = place_of(name), length = static_cast<int>(name.size());
    std::optional<Chosen>& chosen = known.is_stress ? stress_ : deformation_;
    if (chosen) {
      say(header_line_, place, fmt::format("a second column of {}", known.is_stress ? "stress" : "deformation"), {},
          length);
      return;
    }
    chosen = Chosen{column, known, {}};
    std::string text = cell.unit;
    if (known.is_stress && text.empty()) text = default_unit_;
    if (text.empty() && known.is_stress) {
      say(header_line_, place, "the stress has no unit: write it as in \"stress [MPa]\", or give --unit", {}, length);
      return;
    }
    if (text.empty() || text == "-" || text == "1") return;
    std::string unknown;
    const std::optional<Unit> unit = parse_unit(text, &unknown), wanted = parse_unit(known.is_stress ? "Pa" : "%");
    if (!unit) {
      say(header_line_, place, fmt::format("\"{}\" is not a unit", text), nearest_unit(unknown, &wanted->dimension),
          length);
    } else if (!fits(unit->dimension, wanted->dimension)) {
      say(header_line_, place, fmt::format("\"{}\" is not a unit of {}", text, known.is_stress ? "stress" : "a ratio"),
          {}, length);
    } else {
      chosen->unit = *unit;
    }
  }

  void convert(const CsvTable& csv) {
    std::size_t named = 0;
    for (std::size_t row = 0; row < csv.lines.size(); ++row) {
      const double read = deformation_->unit.to_si(csv.columns[deformation_->column][row]);
      const double stretch = deformation_->known.is_strain ? 1 + read : read;
      if (!(stretch > 0) && ++named <= most_rows_named)
        say(csv.lines[row], csv.places[deformation_->column][row],
            deformation_->known.is_strain ? "a strain is more than −1"
                                          : fmt::format("a stretch is more than 0; {}", if_strain));
      const double stress = stress_->unit.to_si(csv.columns[stress_->column][row]);
      data_.stretch.push_back(stretch);
      data_.stress.push_back(stress_->known.is_true ? stress / stretch : stress);
    }
    if (named > most_rows_named) say(0, 0, fmt::format("{} further rows are like that", named - most_rows_named));
    if (named == 0)
      for (Problem& problem : tension_problems(data_)) problems_.push_back(std::move(problem));
  }

  const TensionFile& file_;
  const std::string& text_;
  const std::string& default_unit_;
  std::vector<Problem>& problems_;
  TensionData data_;
  std::string test_text_, header_text_;
  int test_line_ = 0, test_column_ = 0, header_line_ = 0;
  std::optional<Chosen> stress_, deformation_;
};

/// λ − λ^(−n): P of a neo-Hookean body of μ = 1.
double neo_hookean(TensionTest test, double stretch) {
  constexpr double power[] = {-2, -5, -3};
  return stretch - std::pow(stretch, power[static_cast<int>(test)]);
}

bool looks_like_strain(const TensionData& data) {
  const auto [least, largest] = std::ranges::minmax(data.stretch);
  return least < 0.3 && largest < 2;
}

Problem warning_of(const TensionData& data, std::string message) {
  return {{data.name, 0, 0, 1}, {}, std::move(message), {}, true};
}

}  // namespace

double rough_shear_modulus(const TensionData& data) {
  double top = 0, bottom = 0;
  for (std::size_t i = 0; i < data.stretch.size(); ++i) {
    const double shape = neo_hookean(data.test, data.stretch[i]);
    top += shape * data.stress[i];
    bottom += shape * shape;
  }
  return top / bottom;
}

std::vector<Problem> tension_problems(const TensionData& data) {
  std::vector<Problem> out;
  const auto say = [&](std::string message) { out.push_back({{data.name, 0, 0, 1}, {}, std::move(message), {}}); };
  if (data.stretch.size() != data.stress.size()) {
    say(fmt::format("{} stretches and {} stresses; there is one of each to a point", data.stretch.size(),
                    data.stress.size()));
    return out;
  }
  for (std::size_t i = 0; i < data.stretch.size(); ++i) {
    if (!(data.stretch[i] > 0) || !std::isfinite(data.stress[i]))
      say(fmt::format("point {}: a stretch is more than 0 and a stress finite", i + 1));
    else if (data.stretch[i] < 1 / longest || data.stretch[i] > longest)
      say(fmt::format("point {}: a stretch of {:.4g}; no rubber comes to 1/{:g} or {:g}", i + 1, data.stretch[i],
                      longest, longest));
    if (!out.empty()) return out;
  }
  const auto moved = std::ranges::count_if(data.stretch, [](double l) { return std::abs(l - 1) > 1e-6; });
  if (moved < 3)
    say(fmt::format("{} points with a stretch other than 1; a fit takes three at least", moved));
  else if (!(rough_shear_modulus(data) > 0))
    say(looks_like_strain(data)
            ? fmt::format("the stresses do not grow with the stretch; {}", if_strain)
            : "the stresses do not grow with the stretch: tension is positive, compression negative");
  return out;
}

std::vector<Problem> tension_warnings(const std::vector<TensionData>& all) {
  std::vector<Problem> out;
  double low = INFINITY, high = 0;
  for (const TensionData& data : all) {
    const double largest = *std::ranges::max_element(data.stretch);
    if (largest > 20)
      out.push_back(
          warning_of(data, fmt::format("stretches up to {:.4g}: are they percents? Write \"strain [%]\"", largest)));
    double most = 0;
    for (const double stress : data.stress) most = std::max(most, std::abs(stress));
    const auto wrong = [&](std::size_t i) {
      return std::abs(data.stretch[i] - 1) > 0.02 && (data.stretch[i] - 1) * data.stress[i] < 0 &&
             std::abs(data.stress[i]) > 0.02 * most;
    };
    std::size_t count = 0;
    for (std::size_t i = 0; i < data.stretch.size(); ++i) count += wrong(i);
    if (count > 0)
      out.push_back(
          warning_of(data, fmt::format("{} of {} points push where they should pull, or pull where they should push",
                                       count, data.stretch.size())));
    const double mu = rough_shear_modulus(data);
    low = std::min(low, mu), high = std::max(high, mu);
    if (!(mu > softest && mu < hardest))
      out.push_back(warning_of(
          data, fmt::format("the shear modulus comes out at {:.3g} MPa; rubber has 0.005 to 20 MPa. Is the unit "
                            "of stress right?",
                            1e-6 * mu)));
  }
  if (all.size() > 1 && high > 30 * low)
    out.push_back(warning_of(
        all.front(), fmt::format("the tests differ by a factor of {:.3g} in their shear moduli: are they of one "
                                 "material, and in the units that they say?",
                                 high / low)));
  return out;
}

TensionReading read_tension_files(const std::vector<TensionFile>& files, const std::string& unit) {
  TensionReading out;
  std::vector<Problem> problems;
  bool only_unreadable = true;
  for (const TensionFile& file : files) {
    const Outcome<std::string> text = read_file(file.path);
    if (!text) {
      problems.push_back({{file.path, 0, 0, 1}, {}, text.error(), {}});
      continue;
    }
    out.texts.add(file.path, *text);
    const size_t before = problems.size();
    if (std::optional<TensionData> data = TensionReader(file, *text, unit, problems).read())
      out.data.push_back(std::move(*data));
    only_unreadable = only_unreadable && problems.size() == before;
  }
  if (!problems.empty()) {
    sort_problems(problems);
    if (only_unreadable) throw UnreadableFiles(std::move(problems), out.texts);
    throw SceneError(std::move(problems), out.texts);
  }
  out.warnings = tension_warnings(out.data);
  return out;
}

}  // namespace flexura
