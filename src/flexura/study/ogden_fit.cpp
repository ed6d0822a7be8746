#include "flexura/study/ogden_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <ranges>

#include "flexura/math/singular_values.hpp"
#include "flexura/study/least_squares.hpp"

namespace flexura {

OgdenShape ogden_shape(TensionTest test, double stretch, double alpha) {
  const auto [l1, l2, l3] = incompressible_stretches(test, stretch).of;
  const double a = std::log(l1), b = std::log(l3);
  if (std::abs(alpha) * (std::abs(a) + std::abs(b)) < 1e-2) {
    // Σ αⁿ⁻¹ (aⁿ − bⁿ)/n!
    double value = 0, derivative = 0, an = 1, bn = 1, factor = 1, power = 1, before = 0;
    for (int n = 1; n <= 8; ++n) {
      an *= a, bn *= b, factor *= n;
      value += power * (an - bn) / factor;
      derivative += (n - 1) * before * (an - bn) / factor;
      before = power, power *= alpha;
    }
    return {value / l1, derivative / l1};
  }
  const double ea = std::exp(alpha * a), eb = std::exp(alpha * b);
  const double value = eb * std::expm1(alpha * (a - b)) / alpha;
  return {value / l1, ((a * ea - b * eb) - value) / alpha / l1};
}

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr double no_error_known = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t starts_improved = 4;
constexpr int starts_apart = 3;  ///< in grid points of one exponent at least

/// Exponents of either sign, closer together where they are small.
std::vector<double> exponent_grid() {
  std::vector<double> up;
  for (double x = min_ogden_exponent + 0.15; x < max_ogden_exponent; x += std::max(0.25, 0.07 * x)) up.push_back(x);
  std::vector<double> out;
  for (const double x : std::ranges::reverse_view(up)) out.push_back(-x);
  out.insert(out.end(), up.begin(), up.end());
  return out;
}

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// c of the smallest |Σ cₖ aₖ − b|² from products aₖ·aₗ and aₖ·b, by Cholesky's factor; false where the aₖ are nearly dependent.
bool solve_products(int n, const double (&G)[3][3], const double (&g)[3], double (&c)[3]) {
  double L[3][3] = {};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = G[i][j];
      for (int k = 0; k < j; ++k) sum -= L[i][k] * L[j][k];
      if (i == j && !(sum > 1e-12 * G[i][i])) return false;
      L[i][j] = i == j ? std::sqrt(sum) : sum / L[j][j];
    }
  for (int i = 0; i < n; ++i) {
    c[i] = g[i];
    for (int k = 0; k < i; ++k) c[i] -= L[i][k] * c[k];
    c[i] /= L[i][i];
  }
  for (int i = n; i-- > 0;) {
    for (int k = i + 1; k < n; ++k) c[i] -= L[k][i] * c[k];
    c[i] /= L[i][i];
  }
  return true;
}

class OgdenSearch {
 public:
  OgdenSearch(std::span<const OgdenPointOfTest> points, const std::vector<OgdenTermInput>& terms)
      : points_(points), terms_(terms) {
    for (const OgdenPointOfTest& point : points) target_.push_back(point.weight * point.stress);
  }

  OgdenFit run() {
    search_grid();
    if (starts_.empty()) {
      out_.message = "no exponents give every term a positive coefficient";
      return std::move(out_);
    }
    double best = unbounded;
    std::vector<double> exponents;
    for (const Start& start : starts_) {
      const auto [sum, improved] = improve(start.exponents);
      if (sum < best) best = sum, exponents = improved;
    }
    finish(exponents);
    return std::move(out_);
  }

 private:
  struct Start {
    double sum;
    std::array<int, 3> at;  ///< columns of the grid
    std::vector<double> exponents;
  };
  struct Column {
    std::vector<double> value, derivative;
  };

  std::size_t count() const { return terms_.size(); }
  bool is_free(std::size_t k) const { return !terms_[k].alpha && !terms_[k].mu; }

  /// w φ and w ∂φ/∂α at all points.
  Column column(double alpha) {
    ++out_.evaluations;
    Column out;
    out.value.reserve(points_.size()), out.derivative.reserve(points_.size());
    for (const OgdenPointOfTest& point : points_) {
      const OgdenShape shape = ogden_shape(point.test, point.stretch, alpha);
      out.value.push_back(point.weight * shape.value);
      out.derivative.push_back(point.weight * shape.derivative);
    }
    return out;
  }

  // Products of the columns of the grid, each column of length 1; then all sets of exponents without further work on points.
  void search_grid() {
    exponents_ = exponent_grid();
    const int grid = static_cast<int>(exponents_.size());
    for (const OgdenTermInput& term : terms_)
      if (term.alpha) exponents_.push_back(*term.alpha);
    std::vector<std::vector<double>> columns;
    for (const double alpha : exponents_) {
      columns.push_back(column(alpha).value);
      const double size = std::sqrt(dot(columns.back(), columns.back()));
      length_.push_back(size);
      for (double& x : columns.back()) x /= size;
    }
    const std::size_t n = columns.size();
    products_.assign(n * n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      with_target_.push_back(dot(columns[i], target_));
      for (std::size_t j = 0; j <= i; ++j) products_[i * n + j] = products_[j * n + i] = dot(columns[i], columns[j]);
    }
    std::array<int, 3> at{};
    int fixed = grid;
    visit(0, grid, fixed, at);
    std::ranges::sort(starts_, {}, &Start::sum);
    keep_distinct();
  }

  void visit(std::size_t k, int grid, int fixed, std::array<int, 3>& at) {
    if (k == count()) {
      rate(at);
      return;
    }
    if (terms_[k].alpha) {
      at[k] = fixed;
      visit(k + 1, grid, fixed + 1, at);
      return;
    }
    int first = 0;
    for (std::size_t j = 0; j < k; ++j)
      if (is_free(j) && is_free(k)) first = std::max(first, at[j] + 1);
    for (at[k] = first; at[k] < grid; ++at[k]) {
      const double alpha = exponents_[static_cast<std::size_t>(at[k])];
      if (!terms_[k].mu || *terms_[k].mu * alpha > 0) visit(k + 1, grid, fixed, at);
    }
  }

  void rate(const std::array<int, 3>& at) {
    const std::size_t n = exponents_.size();
    const auto product = [&](std::size_t i, std::size_t j) {
      return products_[static_cast<std::size_t>(at[i]) * n + static_cast<std::size_t>(at[j])];
    };
    double G[3][3], g[3], c[3], known[3] = {}, sum = dot(target_, target_);
    int unknown = 0;
    std::size_t of[3];
    for (std::size_t k = 0; k < count(); ++k)
      if (terms_[k].mu)
        known[k] =
            *terms_[k].mu * exponents_[static_cast<std::size_t>(at[k])] * length_[static_cast<std::size_t>(at[k])];
      else
        of[unknown++] = k;
    for (std::size_t j = 0; j < count(); ++j) {
      sum -= 2 * known[j] * with_target_[static_cast<std::size_t>(at[j])];
      for (std::size_t k = 0; k < count(); ++k) sum += known[j] * known[k] * product(j, k);
    }
    for (int i = 0; i < unknown; ++i) {
      g[i] = with_target_[static_cast<std::size_t>(at[of[i]])];
      for (std::size_t j = 0; j < count(); ++j) g[i] -= known[j] * product(of[i], j);
      for (int j = 0; j < unknown; ++j) G[i][j] = product(of[i], of[j]);
    }
    if (!solve_products(unknown, G, g, c)) return;
    for (int i = 0; i < unknown; ++i) {
      if (!(c[i] > 0)) return;  // fewer terms are better then
      sum -= c[i] * g[i];
    }
    if (starts_.size() >= 4096) {
      if (sum >= starts_worst_) return;
      std::ranges::nth_element(starts_, starts_.begin() + 1024, {}, &Start::sum);
      starts_.resize(1024);
      starts_worst_ = std::ranges::max_element(starts_, {}, &Start::sum)->sum;
    }
    Start start{sum, at, {}};
    for (std::size_t k = 0; k < count(); ++k) start.exponents.push_back(exponents_[static_cast<std::size_t>(at[k])]);
    starts_.push_back(std::move(start));
  }

  void keep_distinct() {
    std::vector<Start> kept;
    for (Start& start : starts_) {
      const bool is_near = std::ranges::any_of(kept, [&](const Start& other) {
        for (std::size_t k = 0; k < count(); ++k)
          if (std::abs(start.at[k] - other.at[k]) >= starts_apart) return false;
        return true;
      });
      if (!is_near) kept.push_back(std::move(start));
      if (kept.size() == starts_improved) break;
    }
    starts_ = std::move(kept);
  }

  /// Coefficients c ≥ 0 of the smallest sum for given columns; `active`: those above 0. Returns A c − b.
  std::vector<double> project(const std::vector<Column>& columns, const std::vector<double>& alpha,
                              std::vector<double>& c, std::vector<std::size_t>& active) const {
    std::vector<double> rest = target_;
    c.assign(count(), 0);
    active.clear();
    for (std::size_t k = 0; k < count(); ++k)
      if (terms_[k].mu) {
        c[k] = *terms_[k].mu * alpha[k];
        for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= c[k] * columns[k].value[i];
      } else {
        active.push_back(k);
      }
    std::vector<double> best;
    while (!active.empty()) {
      best = solve(columns, active, rest);
      const auto least = std::ranges::min_element(best);
      if (*least >= 0) break;
      active.erase(active.begin() + (least - best.begin()));
    }
    for (double& x : rest) x = -x;
    for (std::size_t j = 0; j < active.size(); ++j) {
      c[active[j]] = best[j];
      for (std::size_t i = 0; i < rest.size(); ++i) rest[i] += best[j] * columns[active[j]].value[i];
    }
    return rest;
  }

  static std::vector<double> solve(const std::vector<Column>& columns, const std::vector<std::size_t>& active,
                                   std::span<const double> b) {
    std::vector<double> A, length;
    for (const std::size_t k : active) {
      length.push_back(std::sqrt(dot(columns[k].value, columns[k].value)));
      for (const double x : columns[k].value) A.push_back(x / length.back());
    }
    std::vector<double> out = SingularValues(A, static_cast<int>(active.size())).solve(b);
    for (std::size_t j = 0; j < out.size(); ++j) out[j] /= length[j];
    return out;
  }

  /// The exponents that are not fixed, with their bounds.
  std::vector<std::size_t> unknown_exponents() const {
    std::vector<std::size_t> out;
    for (std::size_t k = 0; k < count(); ++k)
      if (!terms_[k].alpha) out.push_back(k);
    return out;
  }
  static SoughtParameter exponent(std::size_t k, double start) {
    const double low = start > 0 ? min_ogden_exponent : -max_ogden_exponent,
                 high = start > 0 ? max_ogden_exponent : -min_ogden_exponent;
    return {"alpha" + std::to_string(k + 1), std::clamp(start, low, high), low, high, 1};
  }

  std::vector<Column> columns_of(const std::vector<double>& alpha) {
    std::vector<Column> out;
    for (const double a : alpha) out.push_back(column(a));
    return out;
  }

  /// Exponents alone. Jacobian of the projected residuals after Kaufman: (I − A A⁺) ∂A/∂α c.
  std::pair<double, std::vector<double>> improve(std::vector<double> alpha) {
    const std::vector<std::size_t> unknown = unknown_exponents();
    std::vector<double> c;
    std::vector<std::size_t> active;
    if (unknown.empty()) {
      const std::vector<double> r = project(columns_of(alpha), alpha, c, active);
      return {dot(r, r), alpha};
    }
    std::vector<SoughtParameter> parameters;
    for (const std::size_t k : unknown) parameters.push_back(exponent(k, alpha[k]));
    std::vector<Column> columns;
    const auto at = [&](std::span<const double> x) {
      for (std::size_t j = 0; j < unknown.size(); ++j) alpha[unknown[j]] = x[j];
      columns = columns_of(alpha);
      return project(columns, alpha, c, active);
    };
    const Residuals residuals = [&](std::span<const double> x, std::span<double> r) {
      std::ranges::copy(at(x), r.begin());
      return true;
    };
    const ResidualSlopes jacobian = [&](std::span<const double> x, std::span<double> J) {
      at(x);
      for (std::size_t j = 0; j < unknown.size(); ++j) {
        const std::size_t k = unknown[j];
        std::vector<double> v(points_.size());
        for (std::size_t i = 0; i < v.size(); ++i)
          v[i] = c[k] * columns[k].derivative[i] + (terms_[k].mu ? *terms_[k].mu * columns[k].value[i] : 0);
        if (!active.empty()) {
          const std::vector<double> part = solve(columns, active, v);
          for (std::size_t a = 0; a < active.size(); ++a)
            for (std::size_t i = 0; i < v.size(); ++i) v[i] -= part[a] * columns[active[a]].value[i];
        }
        std::ranges::copy(v, J.begin() + static_cast<std::ptrdiff_t>(j * v.size()));
      }
      return true;
    };
    const LeastSquaresReport report =
        least_squares(parameters, points_.size(), residuals, {.max_iterations = 400, .least_gain = 1e-12}, jacobian);
    for (std::size_t j = 0; j < unknown.size(); ++j) alpha[unknown[j]] = report.x[j];
    return {report.sum_of_squares, alpha};
  }

  /// Terms without fixed values in the order of their exponents, the positive ones first.
  void order(std::vector<double>& alpha) const {
    std::vector<double> free;
    for (std::size_t k = 0; k < count(); ++k)
      if (is_free(k)) free.push_back(alpha[k]);
    std::ranges::sort(free, [](double a, double b) { return (a > 0) != (b > 0) ? a > 0 : std::abs(a) < std::abs(b); });
    std::size_t at = 0;
    for (std::size_t k = 0; k < count(); ++k)
      if (is_free(k)) alpha[k] = free[at++];
  }

  /// Coefficients and exponents together, for the last digits and the errors.
  void finish(std::vector<double> alpha) {
    order(alpha);
    std::vector<double> c;
    std::vector<std::size_t> active;
    project(columns_of(alpha), alpha, c, active);
    std::vector<double> value(2 * count());
    std::vector<std::size_t> unknown;
    std::vector<SoughtParameter> parameters;
    for (std::size_t k = 0; k < count(); ++k) {
      const double mu = c[k] / alpha[k];
      value[2 * k] = mu, value[2 * k + 1] = alpha[k];
      if (!(c[k] > 0)) {
        out_.message = "a term has no positive coefficient";
        return;
      }
      if (!terms_[k].mu) {
        unknown.push_back(2 * k);
        parameters.push_back({"mu" + std::to_string(k + 1), mu, alpha[k] > 0 ? 0 : -unbounded,
                              alpha[k] > 0 ? unbounded : 0, std::abs(mu)});
      }
      if (!terms_[k].alpha) {
        unknown.push_back(2 * k + 1);
        parameters.push_back(exponent(k, alpha[k]));
      }
    }
    std::vector<bool> at_bound;
    out_.standard_error.assign(2 * count(), no_error_known);
    out_.correlation.assign(4 * count() * count(), no_error_known);
    if (unknown.empty()) {
      out_.converged = true;
    } else {
      const LeastSquaresReport report = improve_all(value, unknown, parameters);
      out_.sum_of_squares = report.sum_of_squares;
      out_.converged = report.converged;
      out_.message = report.message;
      at_bound = report.at_bound;
      for (std::size_t j = 0; j < unknown.size(); ++j) {
        value[unknown[j]] = report.x[j];
        out_.standard_error[unknown[j]] = report.standard_error[j];
        for (std::size_t i = 0; i < unknown.size(); ++i)
          out_.correlation[unknown[j] * value.size() + unknown[i]] = report.correlation[j * unknown.size() + i];
      }
    }
    for (std::size_t k = 0; k < count(); ++k) out_.mu.push_back(value[2 * k]), out_.alpha.push_back(value[2 * k + 1]);
    out_.found = std::ranges::none_of(at_bound, [](bool b) { return b; });
    if (!out_.found) out_.message = "an exponent ends at the bound of the search";
  }

  LeastSquaresReport improve_all(std::vector<double> value, const std::vector<std::size_t>& unknown,
                                 const std::vector<SoughtParameter>& parameters) {
    std::vector<Column> columns;
    const auto at = [&](std::span<const double> x) {
      for (std::size_t j = 0; j < unknown.size(); ++j) value[unknown[j]] = x[j];
      columns.clear();
      for (std::size_t k = 0; k < count(); ++k) columns.push_back(column(value[2 * k + 1]));
    };
    const Residuals residuals = [&](std::span<const double> x, std::span<double> r) {
      at(x);
      for (std::size_t i = 0; i < r.size(); ++i) {
        r[i] = -target_[i];
        for (std::size_t k = 0; k < count(); ++k) r[i] += value[2 * k] * value[2 * k + 1] * columns[k].value[i];
      }
      return true;
    };
    const ResidualSlopes jacobian = [&](std::span<const double> x, std::span<double> J) {
      at(x);
      for (std::size_t j = 0; j < unknown.size(); ++j)
        for (std::size_t i = 0; i < points_.size(); ++i) {
          const std::size_t k = unknown[j] / 2;
          const double mu = value[2 * k], alpha = value[2 * k + 1];
          const Column& of = columns[k];
          J[j * points_.size() + i] =
              unknown[j] % 2 == 0 ? alpha * of.value[i] : mu * (of.value[i] + alpha * of.derivative[i]);
        }
      return true;
    };
    return least_squares(parameters, points_.size(), residuals, {.max_iterations = 400, .least_gain = 1e-14}, jacobian);
  }

  std::span<const OgdenPointOfTest> points_;
  const std::vector<OgdenTermInput>& terms_;
  std::vector<double> target_;                  ///< w P̂
  std::vector<double> exponents_, length_;      ///< of the grid's columns
  std::vector<double> products_, with_target_;  ///< of the same
  std::vector<Start> starts_;
  double starts_worst_ = unbounded;
  OgdenFit out_;
};

}  // namespace

OgdenFit fit_ogden(std::span<const OgdenPointOfTest> points, const std::vector<OgdenTermInput>& terms) {
  return OgdenSearch(points, terms).run();
}

}  // namespace flexura
