#include "flexura/study/fit_material.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/base/nearest_name.hpp"
#include "flexura/study/least_squares.hpp"

namespace flexura {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double undetermined = std::numeric_limits<double>::quiet_NaN();

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
    case ElasticLaw::ogden:
      // Signs with which every term is stable by itself [ogden1972].
      return {{0, 0.1, 0, 1, -free, -20},
              {free, 6, free, 30, 0, -0.1},
              {{1, 1.3, 0.01, 5, -0.02, -2},
               {0.8, 2, 1e-3, 8, -0.1, -2},
               {1.2, 0.8, 0.1, 3, -1e-3, -4},
               {1, 1.6, 1e-4, 10, -0.2, -1}}};
    case ElasticLaw::st_venant_kirchhoff:
    case ElasticLaw::yeoh_paper:
      break;
  }
  return {};
}

class LawFitter {
 public:
  LawFitter(const std::vector<TensionData>& data, const ElasticLawRow& row, const FitMaterialOptions& options)
      : data_(data), row_(row), options_(options) {
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
  }

  LawFit fit() && {
    choose_parameters();
    search();
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
        sought_.push_back(k);
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
    for (std::size_t j = 0; j < sought_.size(); ++j) c.c[sought_[j]] = x[j] * scale(sought_[j]);
    return c;
  }

  /// From each start; the least sum of squares counts.
  void search() {
    if (sought_.empty()) {
      fit_.converged = true;
      return;
    }
    LeastSquaresReport best;
    best.sum_of_squares = infinity;
    for (const std::vector<double>& start : space_.starts) {
      std::vector<SoughtParameter> parameters;
      for (const std::size_t k : sought_)
        parameters.push_back(
            {fit_.fitted[k].name, start[k], space_.low[k], space_.high[k], std::max(std::abs(start[k]), 0.01)});
      LeastSquaresReport report = least_squares(
          parameters, relative_.size(),
          [&](std::span<const double> x, std::span<double> r) { return misses(constants_of(x), options_.relative, r); },
          {.max_iterations = 1000});
      if (report.sum_of_squares < best.sum_of_squares) best = std::move(report);
    }
    if (best.x.empty()) {
      fit_.notes.emplace_back("no start leads to a stress everywhere");
      return;
    }
    take(best);
  }

  void take(const LeastSquaresReport& report) {
    fit_.constants = constants_of(report.x);
    fit_.converged = report.converged;
    if (!report.message.empty()) fit_.notes.push_back(report.message);
    fit_.correlation.assign(constants() * constants(), undetermined);
    for (std::size_t j = 0; j < sought_.size(); ++j) {
      FittedConstant& c = fit_.fitted[sought_[j]];
      c.value = fit_.constants.c[sought_[j]];
      c.standard_error = report.standard_error[j] * scale(sought_[j]);
      c.at_bound = report.at_bound[j];
      if (c.at_bound) fit_.notes.push_back(fmt::format("{} = {:.4g} is the bound of the search", c.name, c.value));
      for (std::size_t i = 0; i < sought_.size(); ++i)
        fit_.correlation[sought_[j] * constants() + sought_[i]] = report.correlation[j * sought_.size() + i];
    }
  }

  void judge() {
    std::vector<double> r(relative_.size());
    if (!misses(fit_.constants, false, r)) {
      fit_.aicc = fit_.rms = infinity;
      fit_.converged = false;
      return;
    }
    const auto m = static_cast<double>(r.size()), k = static_cast<double>(sought_.size()) + 1;
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
    const double counted = options_.relative ? sum_relative : sum / (unit_ * unit_);
    fit_.aicc =
        m * std::log(std::max(counted, 1e-300) / m) + 2 * k + (m > k + 1 ? 2 * k * (k + 1) / (m - k - 1) : infinity);
    judge_stability();
    fit_.constants.bulk = nearly_incompressible * moduli_at_rest(fit_.choice, fit_.constants).shear;
  }

  void judge_stability() {
    for (int test = 0; test < 3; ++test)
      fit_.stable[test] = stable_range(static_cast<TensionTest>(test), fit_.choice, fit_.constants);
    fit_.is_stable = true;
    for (const TensionData& test : data_) {
      const StableRange& range = fit_.stable[static_cast<int>(test.test)];
      const auto [low, high] = std::ranges::minmax(test.stretch);
      if (low >= range.low && high <= range.high) continue;
      fit_.is_stable = false;
      fit_.notes.push_back(fmt::format("unstable in {} tension beyond a stretch of {:.4g}; {} goes to {:.4g}",
                                       tension_test_names[static_cast<int>(test.test)],
                                       high > range.high ? range.high : range.low, test.name,
                                       high > range.high ? high : low));
    }
  }

  const std::vector<TensionData>& data_;
  const ElasticLawRow& row_;
  const FitMaterialOptions& options_;
  SearchSpace space_;
  double unit_ = 1;               ///< of stress and moduli [Pa]
  std::vector<double> relative_;  ///< w of each point
  std::vector<std::size_t> sought_;
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
  const LawFit& best = fit.laws[fit.best];
  if (!best.is_stable)
    fit.warnings.push_back(
        fmt::format("no law is stable over all stretches that were measured; {} is least far off", best.row().name));
  for (const std::string& note : best.notes) fit.warnings.push_back(fmt::format("{}: {}", best.row().name, note));
}

}  // namespace

MaterialFit fit_material(std::vector<TensionData> data, const FitMaterialOptions& options) {
  MaterialFit out;
  const std::vector<const ElasticLawRow*> rows = chosen_laws(data, options);
  out.data = std::move(data);
  out.relative = options.relative;
  for (const ElasticLawRow* row : rows) out.laws.push_back(LawFitter(out.data, *row, options).fit());
  const auto better = [](const LawFit& a, const LawFit& b) {
    return a.is_stable != b.is_stable ? a.is_stable : a.aicc < b.aicc;
  };
  out.best = static_cast<std::size_t>(std::ranges::min_element(out.laws, better) - out.laws.begin());
  warn_about(out);
  return out;
}

}  // namespace flexura
