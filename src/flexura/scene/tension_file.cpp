#include "flexura/scene/tension_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "flexura/base/file.hpp"
#include "flexura/base/nearest_name.hpp"
#include "flexura/scene/column_unit.hpp"

namespace flexura {
namespace {

constexpr std::size_t most_rows_named = 5;  ///< problems of one kind in one file
constexpr std::string_view if_strain = "if this is strain, name the column \"strain\", or give --column strain=COLUMN";
constexpr double longest = 1000;                ///< stretch that is taken for one
constexpr double softest = 5e3, hardest = 2e7;  ///< shear moduli of gels and of hard rubber [Pa]

struct KnownColumn {
  std::string_view name;
  bool is_stress, is_strain, is_true;
};
constexpr KnownColumn known_columns[] = {
    {"stretch", false, false, false},
    {"strain", false, true, false},
    {"engineering_strain", false, true, false},
    {"nominal_strain", false, true, false},
    {"true_strain", false, true, true},
    {"logarithmic_strain", false, true, true},
    {"log_strain", false, true, true},
    {"hencky_strain", false, true, true},
    {"stress", true, false, false},
    {"nominal_stress", true, false, false},
    {"engineering_stress", true, false, false},
    {"true_stress", true, false, true},
    {"cauchy_stress", true, false, true},
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

const KnownColumn* find_known(std::string_view name) {
  const auto found = std::ranges::find(known_columns, name, &KnownColumn::name);
  return found == std::end(known_columns) ? nullptr : &*found;
}

bool has_any(const std::vector<std::string>& words, std::initializer_list<std::string_view> of) {
  return std::ranges::any_of(words, [&](const std::string& word) { return std::ranges::find(of, word) != of.end(); });
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text)
    if (std::isalpha(static_cast<unsigned char>(c)))
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!words.back().empty())
      words.emplace_back();
  return words;
}

bool says_true(const std::vector<std::string>& words) {
  return has_any(words, {"true", "log", "logarithmic", "hencky", "natural", "cauchy"});
}

/// Text in brackets that is no unit: "Strain (true)", "Tensile strain (Extension)".
bool is_remark(const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  return says_true(words) ||
         has_any(words, {"engineering", "nominal", "extension", "displacement", "extensometer", "crosshead", "video",
                         "axial", "tensile", "gauge", "gage", "corrected", "measured"});
}

/// "Tensile strain (Extension)": a strain, by its words; null: none of the measures. Stress at break, strain rates and the like are none.
const KnownColumn* measure_by_words(const std::string& heading) {
  const std::vector<std::string> words = words_of(heading);
  if (has_any(words, {"rate", "transverse", "lateral", "width", "thickness", "break", "yield", "max", "maximum", "peak",
                      "energy", "shear", "offset", "modulus", "residual", "plastic"}))
    return nullptr;
  const bool stretch = has_any(words, {"stretch"}), strain = has_any(words, {"strain"}),
             stress = has_any(words, {"stress"});
  if (stretch + strain + stress != 1) return nullptr;
  if (stretch) return find_known("stretch");
  if (strain) return find_known(says_true(words) ? "true_strain" : "strain");
  return find_known(says_true(words) ? "true_stress" : "stress");
}

/// The text in the last brackets of a heading.
std::string last_brackets(const std::string& heading) {
  const auto end = heading.find_last_of(")]"), begin = heading.find_last_of("([", end);
  if (end == std::string::npos || begin == std::string::npos) return {};
  return trimmed_text(std::string_view(heading).substr(begin + 1, end - begin - 1));
}

/// "1 \"Time\", 2 \"Load\""
std::string numbered_columns(const TensionTable& table) {
  std::string out;
  for (std::size_t c = 0; c < std::min<std::size_t>(table.width(), 12); ++c)
    out += fmt::format("{}{}{}", c > 0 ? ", " : "", c + 1,
                       table.csv.names.empty() ? std::string() : fmt::format(" \"{}\"", table.csv.names[c]));
  return out + (table.width() > 12 ? ", …" : "");
}

std::vector<std::string> names_of_tests() { return {std::begin(tension_test_names), std::end(tension_test_names)}; }

class TensionReader {
 public:
  TensionReader(const TensionFile& file, const std::string& text, const TensionFormat& format,
                std::vector<Problem>& problems, std::vector<Problem>& warnings)
      : file_(file), text_(text), format_(format), problems_(problems), warnings_(warnings) {
    data_.name = file.path;
  }

  std::optional<TensionData> read() {
    const size_t before = problems_.size();
    look_at_comments();
    const TensionTable table = parse_tension_table(text_, format_.decimal);
    header_text_ = table.header_text;
    header_line_ = table.first_line > 0 && table.header_line == 0 ? table.first_line : table.header_line;
    for (const CsvError& error : table.csv.errors) say(error.line, error.column, error.message);
    take_test();
    choose_columns(table);
    if (problems_.size() > before || !stress_ || !deformation_) return {};
    convert(table);
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

  /// Comments `# key: value` anywhere in the file; the first of a test counts.
  void look_at_comments() {
    int number = 0;
    for (size_t at = text_.starts_with("\xef\xbb\xbf") ? 3 : 0; at <= text_.size() && test_line_ == 0;) {
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

  void choose_columns(const TensionTable& table) {
    if (table.width() == 0) return;
    for (const auto& [measure, column] : format_.columns) choose_named(table, measure, column);
    if (stress_ && deformation_) return;
    if (table.csv.names.empty()) {
      choose_without_header(table);
      return;
    }
    for (const bool is_stress : {false, true})
      if (const std::optional<Chosen>& chosen = is_stress ? stress_ : deformation_; !chosen)
        choose_by_heading(table, is_stress);
  }

  /// As --column says.
  void choose_named(const TensionTable& table, const std::string& measure, const std::string& column) {
    const KnownColumn* known = find_known(measure);
    if (known == nullptr) return;  // an error of the option, not of this file
    const int by_name = find_heading(table.csv, column);
    std::size_t number = 0;
    for (const char c : column)
      number = std::isdigit(static_cast<unsigned char>(c)) ? 10 * number + static_cast<std::size_t>(c - '0')
                                                           : table.width() + 1;
    if (by_name >= 0) number = static_cast<std::size_t>(by_name) + 1;
    if (number < 1 || number > table.width()) {
      say(header_line_, 1,
          fmt::format("there is no column \"{}\" as --column {}={} says; there are {}", column, measure, column,
                      numbered_columns(table)));
      chosen_badly_ = true;
      return;
    }
    choose(table, number - 1, *known);
  }

  void choose_without_header(const TensionTable& table) {
    if (chosen_badly_) return;
    if (stress_ || deformation_ || table.width() != 2) {
      say(header_line_, 1,
          fmt::format(
              "without a header there are two columns, stretch and nominal stress; name them, or choose two of the {} "
              "with --column stretch=NUMBER and --column stress=NUMBER",
              table.width()));
      return;
    }
    const std::vector<double>&first = table.csv.columns[0], &second = table.csv.columns[1];
    if (!are_stretch_and_stress(first, second) && are_stretch_and_stress(second, first)) {
      say(header_line_, 1,
          fmt::format(
              "column 2 looks like the stretch and column 1 like the stress: give --column stretch=2 and --column "
              "stress=1{}",
              format_.unit.empty() ? ", and the unit of stress as in --unit MPa" : ""));
      return;
    }
    choose(table, 0, *find_known("stretch"));
    choose(table, 1, *find_known("stress"));
  }

  bool are_stretch_and_stress(const std::vector<double>& stretch, const std::vector<double>& stress) const {
    const bool positive = std::ranges::all_of(stretch, [](double l) { return l > 0; });
    return positive && rough_shear_modulus({.name = {}, .test = data_.test, .stretch = stretch, .stress = stress}) > 0;
  }

  void choose_by_heading(const TensionTable& table, bool is_stress) {
    std::vector<std::pair<std::size_t, const KnownColumn*>> exact, by_words;
    for (std::size_t c = 0; c < table.width(); ++c) {
      const KnownColumn *known = find_known(HeaderCell(table.csv.names[c]).name),
                        *like = measure_by_words(table.csv.names[c]);
      if (known != nullptr && known->is_stress == is_stress)
        exact.emplace_back(c, like != nullptr && like->is_true ? like : known);
      if (like != nullptr && like->is_stress == is_stress) by_words.emplace_back(c, like);
    }
    const auto& found = exact.empty() ? by_words : exact;
    if (found.size() == 1) {
      choose(table, found[0].first, *found[0].second);
      return;
    }
    const std::string_view role = is_stress ? "stress" : "deformation", example = is_stress ? "stress" : "strain";
    if (found.size() > 1) {
      std::string list;
      for (const auto& [c, known] : found)
        list += fmt::format("{}{} \"{}\"", list.empty() ? "" : ", ", c + 1, table.csv.names[c]);
      const std::string& second = table.csv.names[found[1].first];
      say(header_line_, place_of(second),
          fmt::format("a second column of {}: {}; choose one, as in --column {}={}", role, list, found[0].second->name,
                      found[0].first + 1),
          {}, static_cast<int>(second.size()));
      return;
    }
    std::vector<std::string> known;
    for (const KnownColumn& column : known_columns) known.emplace_back(column.name);
    std::string nearest;
    int place = 1;
    for (const std::string& name : table.csv.names)
      if (const std::string near = nearest_name(HeaderCell(name).name, known);
          !near.empty() && find_known(near)->is_stress == is_stress)
        nearest = near, place = place_of(name);
    say(header_line_, place,
        fmt::format(
            "there is no column of {}: {}; the columns are {}: choose one, as in --column {}=2", role,
            is_stress ? "stress, nominal_stress (force per area before the test) or true_stress, with its unit, as in "
                        "\"stress [MPa]\""
                      : "stretch, strain or true_strain",
            numbered_columns(table), example),
        nearest);
  }

  /// The unit as the heading, the row of units or --unit has it.
  std::string unit_of(const TensionTable& table, std::size_t column, const KnownColumn& known) const {
    const std::string heading = table.csv.names.empty() ? std::string() : table.csv.names[column];
    const std::string expected = known.is_stress ? "Pa" : "1";
    for (const std::string& text : {CsvHeading(heading).unit, last_brackets(heading)})
      if (!text.empty() && column_unit(text, expected).problem.empty()) return text;
    if (!table.units.empty() && !table.units[column].empty()) return table.units[column];
    std::string text = last_brackets(heading).empty() ? CsvHeading(heading).unit : last_brackets(heading);
    const bool has_measure_alone = find_known(HeaderCell(heading).name) != nullptr;
    const bool is_description = is_remark(text) || (!has_measure_alone && !parse_unit(text) && text.size() > 4);
    if (!text.empty() && !is_description) return text;
    return known.is_stress ? format_.unit : "";
  }

  void choose(const TensionTable& table, std::size_t column, const KnownColumn& known) {
    const std::string name = table.csv.names.empty() ? std::string(known.name) : table.csv.names[column];
    const int place = place_of(name), length = static_cast<int>(std::max<std::size_t>(1, name.size()));
    std::optional<Chosen>& chosen = known.is_stress ? stress_ : deformation_;
    chosen = Chosen{column, known, {}};
    const std::string text = unit_of(table, column, known);
    if (text.empty() && known.is_stress) {
      say(header_line_, place, "the stress has no unit: write it as in \"stress [MPa]\", or give --unit", {}, length);
      return;
    }
    const ColumnUnit unit = column_unit(text, known.is_stress ? "Pa" : "1");
    if (!unit.problem.empty())
      say(header_line_, place, unit.problem, unit.nearest, length);
    else
      chosen->unit = unit.unit;
  }

  double stretch_of(double read) const {
    const KnownColumn& measure = deformation_->known;
    if (!measure.is_strain) return read;
    return measure.is_true ? std::exp(read) : 1 + read;
  }

  void convert(const TensionTable& table) {
    std::size_t wrong = 0;
    const auto say_of_row = [&](std::size_t column, std::size_t row, const std::string& message) {
      if (++wrong <= most_rows_named) say(table.csv.lines[row], table.csv.places[column][row], message);
    };
    for (std::size_t row = 0; row < table.csv.lines.size(); ++row) {
      bool is_read = true;
      for (const std::size_t column : {deformation_->column, stress_->column})
        if (const std::string& problem = table.cell_problem[column][row]; !problem.empty()) {
          say_of_row(column, row, problem);
          is_read = false;
        }
      if (!is_read) continue;
      const double stretch = stretch_of(deformation_->unit.to_si(table.csv.columns[deformation_->column][row]));
      if (!(stretch > 0))
        say_of_row(deformation_->column, row,
                   deformation_->known.is_strain ? "a strain is more than −1"
                                                 : fmt::format("a stretch is more than 0; {}", if_strain));
      const double stress = stress_->unit.to_si(table.csv.columns[stress_->column][row]);
      data_.stretch.push_back(stretch);
      data_.stress.push_back(stress_->known.is_true ? stress / stretch : stress);
    }
    if (wrong > most_rows_named) say(0, 0, fmt::format("{} further cells are like that", wrong - most_rows_named));
    if (wrong > 0) return;
    if (std::optional<Problem> left_out = keep_branch(data_, format_.branch)) warnings_.push_back(std::move(*left_out));
    for (Problem& problem : tension_problems(data_)) problems_.push_back(std::move(problem));
  }

  const TensionFile& file_;
  const std::string& text_;
  const TensionFormat& format_;
  std::vector<Problem>&problems_, &warnings_;
  TensionData data_;
  std::string test_text_, header_text_;
  int test_line_ = 0, test_column_ = 0, header_line_ = 0;
  bool chosen_badly_ = false;
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

/// Keys of TensionFormat::columns that are no measures, and two of one kind.
std::vector<Problem> column_problems(const TensionFormat& format) {
  std::vector<Problem> out;
  const KnownColumn* seen[2] = {};
  for (const auto& [measure, column] : format.columns) {
    const KnownColumn* known = find_known(measure);
    if (known == nullptr)
      out.push_back({{},
                     "column",
                     fmt::format("there is no measure \"{}\", but {}", measure, list_of(tension_measures(), "and")),
                     nearest_name(measure, tension_measures())});
    else if (seen[known->is_stress] != nullptr)
      out.push_back({{},
                     "column",
                     fmt::format("{} and {} are both {}; one of them is needed", seen[known->is_stress]->name, measure,
                                 known->is_stress ? "stresses" : "deformations"),
                     {}});
    else
      seen[known->is_stress] = known;
  }
  return out;
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

std::vector<std::string> tension_measures() {
  std::vector<std::string> out;
  for (const KnownColumn& column : known_columns) out.emplace_back(column.name);
  return out;
}

TensionReading read_tension_files(const std::vector<TensionFile>& files, const TensionFormat& format) {
  TensionReading out;
  std::vector<Problem> problems = column_problems(format);
  bool only_unreadable = problems.empty();
  for (const TensionFile& file : files) {
    const Outcome<std::string> text = read_file(file.path);
    if (!text) {
      problems.push_back({{file.path, 0, 0, 1}, {}, text.error(), {}});
      continue;
    }
    out.texts.add(file.path, *text);
    const size_t before = problems.size();
    if (std::optional<TensionData> data = TensionReader(file, *text, format, problems, out.warnings).read())
      out.data.push_back(std::move(*data));
    only_unreadable = only_unreadable && problems.size() == before;
  }
  if (!problems.empty()) {
    sort_problems(problems);
    if (only_unreadable) throw UnreadableFiles(std::move(problems), out.texts);
    throw SceneError(std::move(problems), out.texts);
  }
  for (Problem& warning : tension_warnings(out.data)) out.warnings.push_back(std::move(warning));
  return out;
}

}  // namespace flexura
