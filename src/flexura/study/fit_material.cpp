#include "flexura/study/fit_material.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/base/nearest_name.hpp"
#include "flexura/study/least_squares.hpp"
#include "flexura/study/ogden_fit.hpp"

namespace flexura {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double undetermined = std::numeric_limits<double>::quiet_NaN();

/// Residuals below this part of the stresses are rounding: no criterion prefers one law to another by them.
constexpr double rounding = 1e-8;

double largest_of(const std::vector<double>& values) {
  double out = 0;
  for (const double x : values) out = std::max(out, std::abs(x));
  return out;
}

/// Starts and bounds of the constants of a law, in units of a rough shear modulus.
struct SearchSpace {
  std::vector<double> low, high;
  std::vector<std::vector<double>> starts;
};

/// `I1`: the largest in the data.
SearchSpace search_space(ElasticLaw law, double I1) {
  const double free = infinity;
  switch (law) {
    case ElasticLaw::neo_hooke:
      return {{1e-9}, {free}, {{1}}};
    case ElasticLaw::mooney_rivlin:
      return {{-free, -free}, {free, free}, {{0.4, 0.1}}};
    case ElasticLaw::yeoh:
      return {{1e-9, -free, -free}, {free, free, free}, {{0.5, 0, 0}}};
    case ElasticLaw::gent: {
      const double least = I1 - 3;
      return {{1e-9, least * (1 + 1e-9)}, {free, 1e4 * least}, {{1, 1.05 * least}, {1, 1.5 * least}, {1, 10 * least}}};
    }
    case ElasticLaw::arruda_boyce: {
      const double full = std::sqrt(I1 / 3);
      return {{1e-9, 1 + 1e-9}, {free, 100 * full}, {{0.8, 1.02 * full}, {0.9, 1.5 * full}, {1, 4 * full}}};
    }
    case ElasticLaw::ogden:  // fit_ogden
    case ElasticLaw::st_venant_kirchhoff:
    case ElasticLaw::yeoh_paper:
      break;
  }
  return {};
}

class LawFitter {
 public:
  LawFitter(const std::vector<TensionData>& data, const ElasticLawRow& row, const FitMaterialOptions& options,
            const StretchRange& searched)
      : data_(data), row_(row), options_(options), searched_(searched) {
    fit_.choice = {row.law, VolumeForm::isochoric};
    double I1 = 3;
    std::vector<double> rough;
    for (const TensionData& test : data_) {
      rough.push_back(std::abs(rough_shear_modulus(test)));
      const double floor = largest_of(test.stress) / 20;
      for (std::size_t i = 0; i < test.stretch.size(); ++i) {
        const auto [a, b, c] = incompressible_stretches(test.test, test.stretch[i]).of;
        I1 = std::max(I1, a * a + b * b + c * c);
        relative_.push_back(1 / std::max(std::abs(test.stress[i]), std::max(floor, 1e-300)));
      }
    }
    std::ranges::sort(rough);
    unit_ = std::max(rough[rough.size() / 2], 1e-300);
    space_ = search_space(row.law, I1);
    largest_I1_ = I1;
  }

  LawFit fit() && {
    choose_parameters();
    row_.law == ElasticLaw::ogden ? search_ogden() : search();
    judge();
    return std::move(fit_);
  }

 private:
  std::size_t constants() const { return row_.fields.size(); }
  double scale(std::size_t k) const { return row_.fields[k].unit == "Pa" ? unit_ : 1; }

  void choose_parameters() {
    for (std::size_t k = 0; k < constants(); ++k) {
      const auto fixed = options_.fixed.find(std::string(row_.fields[k].name));
      fit_.fitted.push_back({std::string(row_.fields[k].name), std::string(row_.fields[k].unit), 0, undetermined,
                             fixed != options_.fixed.end(), false});
      if (fixed != options_.fixed.end()) {
        fit_.fitted[k].value = fit_.constants.c[k] = fixed->second;
      } else {
        unknown_.push_back(k);
      }
    }
  }

  bool misses(const ElasticConstants<double>& c, bool weighted, std::span<double> r) const {
    std::size_t at = 0;
    for (const TensionData& test : data_)
      for (std::size_t i = 0; i < test.stretch.size(); ++i, ++at) {
        r[at] = incompressible_tension(test.test, fit_.choice, c, test.stretch[i]) - test.stress[i];
        r[at] *= weighted ? relative_[at] : 1 / unit_;
        if (!std::isfinite(r[at])) return false;
      }
    return true;
  }

  ElasticConstants<double> constants_of(std::span<const double> x) const {
    ElasticConstants<double> c = fit_.constants;
    for (std::size_t j = 0; j < unknown_.size(); ++j) c.c[unknown_[j]] = x[j] * scale(unknown_[j]);
    return c;
  }

  double weight(std::size_t point) const { return options_.relative ? relative_[point] : 1 / unit_; }

  /// Akaike's criterion of a sum of weighted squares and its number of unknowns.
  double criterion(double sum, std::size_t unknowns) const {
    double least = 0;
    std::size_t at = 0;
    for (const TensionData& test : data_)
      for (const double stress : test.stress) least += std::pow(rounding * weight(at++) * stress, 2);
    const auto m = static_cast<double>(relative_.size()), k = static_cast<double>(unknowns) + 1;
    return m * std::log(std::max({sum, least, 1e-300}) / m) + 2 * k +
           (m > k + 1 ? 2 * k * (k + 1) / (m - k - 1) : infinity);
  }

  /// One to three terms: as many as the criterion prefers among those with exponents within the bounds.
  void search_ogden() {
    std::vector<OgdenPointOfTest> points;
    for (const TensionData& test : data_)
      for (std::size_t i = 0; i < test.stretch.size(); ++i)
        points.push_back({test.test, test.stretch[i], test.stress[i], weight(points.size())});
    std::vector<OgdenTermInput> terms;
    OgdenFit best;
    double least = infinity;
    std::string why;
    const std::size_t known = last_fixed_term();
    for (std::size_t n = 1; 2 * n <= constants(); ++n) {
      terms.push_back({fixed_value(2 * n - 2), fixed_value(2 * n - 1)});
      std::size_t unknowns = 0;
      for (const OgdenTermInput& term : terms) unknowns += !term.mu + !term.alpha;
      if (n < known || points.size() < unknowns) continue;
      OgdenFit fit = fit_ogden(points, terms);
      fit_.evaluations += fit.evaluations;
      if (!fit.found) {
        why = fit.message;
        continue;
      }
      if (const double value = criterion(fit.sum_of_squares, unknowns); value < least || best.mu.empty())
        least = value, best = std::move(fit);
    }
    if (best.mu.empty()) {
      fit_.failure = why.empty() ? "there are fewer points than constants" : why;
      return;
    }
    take_ogden(best);
  }

  std::optional<double> fixed_value(std::size_t k) const {
    return fit_.fitted[k].fixed ? std::optional(fit_.fitted[k].value) : std::nullopt;
  }
  std::size_t last_fixed_term() const {
    std::size_t out = 0;
    for (std::size_t k = 0; k < constants(); ++k)
      if (fit_.fitted[k].fixed) out = k / 2 + 1;
    return out;
  }

  void take_ogden(const OgdenFit& found) {
    const std::size_t n = 2 * found.mu.size();
    for (std::size_t k = 0; k < constants(); ++k)
      fit_.constants.c[k] = k >= n ? row_.fields[k].value : k % 2 == 0 ? found.mu[k / 2] : found.alpha[k / 2];
    fit_.fitted.resize(n);
    std::erase_if(unknown_, [&](std::size_t k) { return k >= n; });
    for (std::size_t k = 0; k < n; ++k) {
      fit_.fitted[k].value = fit_.constants.c[k];
      fit_.fitted[k].standard_error = found.standard_error[k];
    }
    fit_.correlation = found.correlation;
    fit_.converged = found.converged;
    if (!found.message.empty()) fit_.notes.push_back(found.message);
  }

  /// From each start; the least sum of squares counts.
  void search() {
    if (unknown_.empty()) {
      fit_.converged = true;
      return;
    }
    LeastSquaresReport best;
    best.sum_of_squares = infinity;
    for (const std::vector<double>& start : space_.starts) {
      std::vector<SoughtParameter> parameters;
      for (const std::size_t k : unknown_)
        parameters.push_back(
            {fit_.fitted[k].name, start[k], space_.low[k], space_.high[k], std::max(std::abs(start[k]), 0.01)});
      LeastSquaresReport report = least_squares(
          parameters, relative_.size(),
          [&](std::span<const double> x, std::span<double> r) { return misses(constants_of(x), options_.relative, r); },
          {.max_iterations = 1000});
      fit_.evaluations += report.evaluations;
      if (report.sum_of_squares < best.sum_of_squares) best = std::move(report);
    }
    if (best.x.empty()) {
      fit_.failure = "no start leads to a stress everywhere";
      return;
    }
    take(best);
  }

  void take(const LeastSquaresReport& report) {
    fit_.constants = constants_of(report.x);
    fit_.converged = report.converged;
    if (!report.message.empty()) fit_.notes.push_back(report.message);
    fit_.correlation.assign(constants() * constants(), undetermined);
    for (std::size_t j = 0; j < unknown_.size(); ++j) {
      FittedConstant& c = fit_.fitted[unknown_[j]];
      c.value = fit_.constants.c[unknown_[j]];
      c.standard_error = report.standard_error[j] * scale(unknown_[j]);
      c.at_bound = report.at_bound[j];
      if (c.at_bound) fit_.failure = bound_text(unknown_[j], report.x[j]);
      for (std::size_t i = 0; i < unknown_.size(); ++i)
        fit_.correlation[unknown_[j] * constants() + unknown_[i]] = report.correlation[j * unknown_.size() + i];
    }
  }

  std::string bound_text(std::size_t k, double value) const {
    const bool is_limit = row_.law == ElasticLaw::gent || row_.law == ElasticLaw::arruda_boyce;
    const std::string name(row_.fields[k].name);
    if (is_limit && k == 1)
      return value > space_.low[k] * 2
                 ? fmt::format("{} grows without bound: the tests show no largest stretch, as neo-hooke has none", name)
                 : fmt::format("{} would put the largest stretch at the last point of the tests", name);
    return fmt::format("{} ends at the bound of the search", name);
  }

  void judge() {
    std::vector<double> r(relative_.size());
    if (!misses(fit_.constants, false, r) || !fit_.failure.empty()) {
      if (fit_.failure.empty()) fit_.failure = "the stress is not finite at all points";
      fit_.aicc = fit_.rms = infinity;
    }
    if (!std::ranges::all_of(r, [](double x) { return std::isfinite(x); })) {
      fit_.converged = false;
      return;
    }
    const auto m = static_cast<double>(r.size());
    double sum = 0, sum_relative = 0, mean = 0, spread = 0;
    std::size_t at = 0;
    for (const TensionData& test : data_)
      for (std::size_t i = 0; i < test.stress.size(); ++i, ++at) {
        const double miss = r[at] * unit_;
        sum += miss * miss;
        sum_relative += std::pow(miss * relative_[at], 2);
        mean += test.stress[i] / m;
      }
    for (const TensionData& test : data_)
      for (const double stress : test.stress) spread += (stress - mean) * (stress - mean);
    fit_.rms = std::sqrt(sum / m);
    fit_.rms_relative = std::sqrt(sum_relative / m);
    fit_.r_squared = 1 - sum / spread;
    fit_.aicc = criterion(options_.relative ? sum_relative : sum / (unit_ * unit_), unknown_.size());
    if (fit_.failure.empty() && !fit_.converged) fit_.failure = "the search did not converge";
    const double shear = moduli_at_rest(fit_.choice, fit_.constants).shear;
    if (fit_.failure.empty() && !(shear > 0))
      fit_.failure = fmt::format("the shear modulus at rest comes out at {:.4g} Pa; it must be positive", shear);
    judge_stability();
    fit_.constants.bulk = nearly_incompressible * shear;
  }

  /// Stretches of a test over which a law is to be stable: those measured and a little more, and up to the largest I₁ of all tests.
  StretchRange required(TensionTest test) const {
    double low = 1, high = 1;
    for (const TensionData& data : data_)
      if (data.test == test)
        for (const double stretch : data.stretch) low = std::min(low, stretch), high = std::max(high, stretch);
    low = std::pow(low, 1 + stability_margin), high = std::pow(high, 1 + stability_margin);
    double same = 1, beyond = 2 * searched_.high;
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = 0.5 * (same + beyond);
      const auto [a, b, c] = incompressible_stretches(test, middle).of;
      (a * a + b * b + c * c < largest_I1_ ? same : beyond) = middle;
    }
    return {low, std::max(high, same)};
  }

  void judge_stability() {
    fit_.is_stable = true;
    for (int k = 0; k < 3; ++k) {
      const auto test = static_cast<TensionTest>(k);
      fit_.stable[k] = stable_range(test, fit_.choice, fit_.constants, searched_);
      const StretchRange needed = required(test);
      if (fit_.stable[k].includes(needed.low) && fit_.stable[k].includes(needed.high)) continue;
      const bool in_tension = !fit_.stable[k].includes(needed.high);
      if (fit_.stable[k].low < fit_.stable[k].high)
        fit_.notes.push_back(fmt::format("unstable in {} tension beyond a stretch of {:.4g}; the tests need {:.4g}",
                                         tension_test_names[k], in_tension ? fit_.stable[k].high : fit_.stable[k].low,
                                         in_tension ? needed.high : needed.low));
      else if (fit_.is_stable)
        fit_.notes.emplace_back("unstable at rest");
      fit_.is_stable = false;
    }
  }

  const std::vector<TensionData>& data_;
  const ElasticLawRow& row_;
  const FitMaterialOptions& options_;
  const StretchRange& searched_;
  SearchSpace space_;
  double largest_I1_ = 3;
  double unit_ = 1;               ///< of stress and moduli [Pa]
  std::vector<double> relative_;  ///< w of each point
  std::vector<std::size_t> unknown_;
  LawFit fit_;
};

std::vector<const ElasticLawRow*> chosen_laws(const std::vector<TensionData>& data, const FitMaterialOptions& options) {
  std::vector<Problem> problems;
  const std::vector<std::string> names = options.laws.empty() ? fittable_laws() : options.laws;
  std::vector<const ElasticLawRow*> rows;
  std::size_t points = 0;
  for (const TensionData& test : data) points += test.stretch.size();
  for (const std::string& name : names) {
    const ElasticLawRow* row = find_elastic_law(name);
    const std::vector<std::string> known = fittable_laws();
    if (row == nullptr)
      problems.push_back({{},
                          "law",
                          fmt::format("there is no law \"{}\", but {}", name, list_of(known, "and")),
                          nearest_name(name, known)});
    else if (!row->can_be_fitted())
      problems.push_back(
          {{}, "law", fmt::format("tension of an incompressible body does not tell the constants of {}", name), {}});
    else
      rows.push_back(row);
  }
  for (const auto& [constant, value] : options.fixed) {
    std::vector<std::string> known;
    const ElasticField* field = nullptr;
    for (const ElasticLawRow* row : rows)
      for (const ElasticField& of : row->fields) {
        known.emplace_back(of.name);
        if (of.name == constant) field = &of;
      }
    if (field == nullptr)
      problems.push_back({{},
                          "fix",
                          fmt::format("none of these laws has a constant \"{}\"", constant),
                          nearest_name(constant, known)});
    else if (!field->allows(value))
      problems.push_back({{}, "fix", fmt::format("{} = {:g} is out of bounds", constant, value), {}});
  }
  if (data.empty()) problems.push_back({{}, "data", "a fit takes one test at least", {}});
  for (const ElasticLawRow* row : rows) {
    const auto fixed = std::ranges::count_if(
        row->fields, [&](const ElasticField& f) { return options.fixed.contains(std::string(f.name)); });
    if (!options.laws.empty() && points < row->fields.size() - static_cast<std::size_t>(fixed))
      problems.push_back(
          {{}, "law", fmt::format("{} has more constants than there are points ({})", row->name, points), {}});
  }
  if (!problems.empty()) throw InputError(problems);
  std::erase_if(rows,
                [&](const ElasticLawRow* row) { return options.laws.empty() && points <= row->fields.size() + 1; });
  return rows;
}

void warn_about(MaterialFit& fit) {
  bool seen[3] = {};
  for (const TensionData& test : fit.data) seen[static_cast<int>(test.test)] = true;
  if (seen[0] + seen[1] + seen[2] == 1)
    fit.warnings.push_back(
        fmt::format("only {} tension was measured: what a law says of other states is a guess, and the more so the "
                    "more constants it has",
                    seen[0]   ? "uniaxial"
                    : seen[1] ? "equibiaxial"
                              : "planar"));
  const LawFit& best = fit.best_law();
  const std::string_view name = best.row().name;
  if (!fit.has_result()) {
    fit.warnings.push_back(fmt::format("{}: no result: {}", name, best.failure));
    return;
  }
  if (!best.is_stable)
    fit.warnings.push_back(
        fmt::format("no law is stable over all stretches that were measured; {} is least far off", name));
  for (const std::string& note : best.notes) fit.warnings.push_back(fmt::format("{}: {}", name, note));
  for (const LawFit& law : fit.laws)
    if (best.is_stable && law.failure.empty() && !law.is_stable && law.aicc < best.aicc && law.rms < 0.5 * best.rms)
      fit.warnings.push_back(fmt::format("{} fits closer ({:.3g} kPa rms, {} {:.3g} kPa) and is not chosen: {}",
                                         law.row().name, 1e-3 * law.rms, name, 1e-3 * best.rms, law.notes.back()));
}

/// At least the default, and beyond what any test needs.
StretchRange searched_range(const std::vector<TensionData>& data) {
  StretchRange out;
  for (const TensionData& test : data)
    for (const double stretch : test.stretch) {
      out.low = std::min(out.low, std::pow(stretch, 1.2));
      out.high = std::max(out.high, std::pow(stretch, 1.2));
    }
  return out;
}

}  // namespace

MaterialFit fit_material(std::vector<TensionData> data, const FitMaterialOptions& options) {
  MaterialFit out;
  const std::vector<const ElasticLawRow*> rows = chosen_laws(data, options);
  out.data = std::move(data);
  out.relative = options.relative;
  out.searched = searched_range(out.data);
  for (const ElasticLawRow* row : rows) out.laws.push_back(LawFitter(out.data, *row, options, out.searched).fit());
  const auto better = [](const LawFit& a, const LawFit& b) {
    if (a.failure.empty() != b.failure.empty()) return a.failure.empty();
    return a.is_stable != b.is_stable ? a.is_stable : a.aicc < b.aicc;
  };
  out.best = static_cast<std::size_t>(std::ranges::min_element(out.laws, better) - out.laws.begin());
  warn_about(out);
  return out;
}

}  // namespace flexura
