#include "flexura/model/redundancy.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace flexura {
namespace {

constexpr double zero_share = 1e-10;      ///< of what was added up
constexpr double rounding_share = 1e-13;  ///< of the largest coefficient or constant of a combination
constexpr double constant_share = 1e-8;   ///< lengths are given with the digits of a file
constexpr double left_share = 1e-9;       ///< of a row: what other rows leave of one that follows from them, by rounding of numbers in files
constexpr std::uint64_t constant_term = 0;

std::uint64_t monomial(int a, int b) {  // −1: 1
  const auto [low, high] = std::minmax(a, b);
  return (static_cast<std::uint64_t>(high + 1) << 32) | static_cast<std::uint64_t>(low + 1);
}
double value_at(std::uint64_t m, std::span<const double> y) {
  const auto factor = [&](std::uint64_t code) { return code == 0 ? 1.0 : y[code - 1]; };
  return factor(m >> 32) * factor(m & 0xFFFFFFFFu);
}
bool is_zero(const Coefficient& c) { return std::fabs(c.value) <= zero_share * c.size; }

/// Sums up equal monomials and drops those that cancel.
QuadraticConstraint collected(std::vector<Coefficient> terms, std::span<const double> y) {
  std::stable_sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.monomial < b.monomial; });
  QuadraticConstraint out;
  Coefficient constant;
  for (size_t i = 0; i < terms.size();) {
    Coefficient sum{terms[i].monomial, 0, 0};
    for (; i < terms.size() && terms[i].monomial == sum.monomial; ++i) {
      sum.value += terms[i].value;
      sum.size += std::max(terms[i].size, std::fabs(terms[i].value));
    }
    constant.size += sum.size * std::fabs(value_at(sum.monomial, y));
    if (sum.monomial == constant_term) {
      constant.value = sum.value;
    } else if (!is_zero(sum)) {
      out.terms.push_back(sum);
    }
  }
  out.terms.insert(out.terms.begin(), constant);
  return out;
}

/// row − factor · pivot; both ascending.
std::vector<Coefficient> subtracted(const std::vector<Coefficient>& row, const std::vector<Coefficient>& pivot,
                                    double factor, std::uint64_t eliminated) {
  std::vector<Coefficient> out;
  out.reserve(row.size() + pivot.size());
  auto a = row.begin(), b = pivot.begin();
  while (a != row.end() || b != pivot.end()) {
    Coefficient c;
    if (b == pivot.end() || (a != row.end() && a->monomial < b->monomial)) {
      c = *a++;
    } else {
      c = {b->monomial, -factor * b->value, std::fabs(factor) * b->size};
      if (a != row.end() && a->monomial == b->monomial) {
        c.value += a->value;
        c.size += a->size;
        ++a;
      }
      ++b;
    }
    if (c.monomial == eliminated || (c.monomial != constant_term && is_zero(c))) continue;
    out.push_back(c);
  }
  return out;
}

double largest_of(const std::vector<Coefficient>& terms) {
  double out = 0;
  for (const Coefficient& c : terms)
    if (c.monomial != constant_term) out = std::max(out, std::fabs(c.value));
  return out;
}

/// Rows that are left when those with a monomial of their own have been set aside, again and again.
std::vector<int> entangled(std::span<const QuadraticConstraint> rows) {
  std::vector<std::pair<std::uint64_t, int>> uses;  // monomial, row
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    const double rounding = left_share * largest_of(rows[i].terms);
    for (const Coefficient& c : rows[i].terms)
      if (c.monomial != constant_term && std::fabs(c.value) > rounding) uses.emplace_back(c.monomial, i);
  }
  std::sort(uses.begin(), uses.end());
  std::vector<int> first;                             // of each monomial in `uses`
  std::vector<std::vector<int>> of_row(rows.size());  // its monomials, numbered
  for (size_t k = 0; k < uses.size(); ++k) {
    if (k == 0 || uses[k].first != uses[k - 1].first) first.push_back(static_cast<int>(k));
    of_row[uses[k].second].push_back(static_cast<int>(first.size()) - 1);
  }
  const int monomials = static_cast<int>(first.size());
  first.push_back(static_cast<int>(uses.size()));
  std::vector<int> count(monomials), single;
  for (int m = 0; m < monomials; ++m) {
    count[m] = first[m + 1] - first[m];
    if (count[m] == 1) single.push_back(m);
  }
  std::vector<char> gone(rows.size(), 0);
  while (!single.empty()) {
    const int m = single.back();
    single.pop_back();
    for (int k = first[m]; k < first[m + 1]; ++k) {
      const int row = uses[k].second;
      if (gone[row]) continue;
      gone[row] = 1;
      for (int other : of_row[row])
        if (--count[other] == 1) single.push_back(other);
    }
  }
  std::vector<int> left;
  for (int i = 0; i < static_cast<int>(rows.size()); ++i)
    if (!gone[i]) left.push_back(i);
  return left;
}

}  // namespace

namespace {

/// Gaussian elimination by rows. A row of which little is left beside those before it waits for all others: near a dependency it
/// says nearly what they say, and another one may say the rest well. Left out is then what the others say best.
class Elimination {
 public:
  explicit Elimination(std::span<const QuadraticConstraint> constraints) : constraints_(constraints) {}

  Redundancy run() {
    std::vector<Row> waiting;
    for (const int i : entangled(constraints_)) waiting.push_back({i, constraints_[i].terms, {}});
    for (const double share : {1e-1, 1e-3, 1e-6, 0.0}) {
      std::vector<Row> weak;
      for (Row& row : waiting) {
        reduce(row);
        const double size = largest_of(constraints_[row.index].terms);
        const Coefficient* pivot = pivot_of(row.terms);
        if (pivot == nullptr || std::fabs(pivot->value) < left_share * size)
          judge(row);
        else if (std::fabs(pivot->value) < share * size)
          weak.push_back(std::move(row));
        else
          keep(std::move(row), pivot->monomial, pivot->value);
      }
      waiting = std::move(weak);
    }
    std::sort(out_.implied.begin(), out_.implied.end());
    return std::move(out_);
  }

 private:
  struct Row {
    int index;
    std::vector<Coefficient> terms;
    std::vector<int> with;  ///< pivots that it was reduced by
  };
  struct Pivot {
    std::vector<Coefficient> terms;
    double value;
    std::vector<int> from;  ///< constraints
  };

  /// Earlier rows first: what they bring in belongs to later ones.
  void reduce(Row& row) {
    while (true) {
      const Coefficient* next = nullptr;
      int first = static_cast<int>(pivots_.size());
      out_.work += static_cast<std::int64_t>(row.terms.size());
      for (const Coefficient& c : row.terms)
        if (const auto it = pivot_of_.find(c.monomial); it != pivot_of_.end() && it->second < first)
          first = it->second, next = &c;
      if (next == nullptr) return;
      const std::uint64_t eliminated = next->monomial;
      row.with.push_back(first);
      out_.work += static_cast<std::int64_t>(pivots_[first].terms.size());
      row.terms = subtracted(row.terms, pivots_[first].terms, next->value / pivots_[first].value, eliminated);
    }
  }

  /// The largest coefficient, and not what cancellation left of something larger; null: none is left.
  static const Coefficient* pivot_of(const std::vector<Coefficient>& terms) {
    const Coefficient* largest = nullptr;
    const auto worth = [](const Coefficient& c) { return std::fabs(c.value) * (std::fabs(c.value) / c.size); };
    for (const Coefficient& c : terms)
      if (c.monomial != constant_term && (largest == nullptr || worth(c) > worth(*largest))) largest = &c;
    return largest;
  }

  void keep(Row row, std::uint64_t monomial, double value) {
    pivot_of_[monomial] = static_cast<int>(pivots_.size());
    pivots_.push_back({std::move(row.terms), value, {row.index}});
    for (const int k : row.with)
      pivots_.back().from.insert(pivots_.back().from.end(), pivots_[k].from.begin(), pivots_[k].from.end());
  }

  /// Nothing but a constant is left, or what rounding has left.
  void judge(const Row& row) {
    const Coefficient constant = row.terms.empty() ? Coefficient{} : row.terms.front();
    if (std::fabs(constant.value) <= constant_share * constant.size) return out_.implied.push_back(row.index);
    Redundancy::Contradiction found{row.index, std::fabs(constant.value), {}};
    for (const int k : row.with)
      found.with.insert(found.with.end(), pivots_[k].from.begin(), pivots_[k].from.end());
    std::sort(found.with.begin(), found.with.end());
    found.with.erase(std::unique(found.with.begin(), found.with.end()), found.with.end());
    out_.contradictions.push_back(std::move(found));
  }

  std::span<const QuadraticConstraint> constraints_;
  Redundancy out_;
  std::vector<Pivot> pivots_;
  std::map<std::uint64_t, int> pivot_of_;  ///< monomial → pivot
};

}  // namespace

Redundancy find_redundancy(std::span<const QuadraticConstraint> constraints) { return Elimination(constraints).run(); }

AffineVector affine_vector(const LinearForm& form, std::span<const int> first, int signals) {
  AffineVector out;
  out.parts.resize(form.rows);
  out.constant = form.constant.empty() ? std::vector<double>(form.rows, 0.0) : form.constant;
  // The components of a turned vector are as exact as its length.
  double size = 0;
  for (double c : out.constant) size = std::max(size, std::fabs(c));
  out.size.assign(form.rows, size);
  double largest = size;
  for (const LinearTerm& term : form.terms)
    for (double x : term.matrix) largest = std::max(largest, std::fabs(x));
  for (const LinearTerm& term : form.terms) {
    const int columns = static_cast<int>(term.matrix.size()) / form.rows;
    for (int i = 0; i < form.rows; ++i)
      for (int j = 0; j < columns; ++j)
        if (std::fabs(term.matrix[i * columns + j]) > rounding_share * largest)
          out.parts[i].push_back({first[term.slot] + j, term.matrix[i * columns + j]});
  }
  for (const auto& [signal, direction] : form.drives)
    for (int i = 0; i < form.rows; ++i)
      if (direction[i] != 0) out.parts[i].push_back({signals + signal, direction[i]});
  return out;
}

namespace {

/// A rigid truss is a distance with a mass.
std::string_view kind_of(std::string_view term) {
  const std::string_view kind = term.substr(0, term.rfind('_'));
  return kind == "rigid_truss" ? "distance" : kind;
}

}  // namespace

bool is_quadratic(std::string_view term) {
  const std::string_view kind = kind_of(term);
  return kind == "distance" || kind == "vector_length" || kind == "inner_product" || kind == "offset";
}

QuadraticConstraint quadratic_constraint(std::string_view term, std::span<const AffineVector> slots,
                                         std::span<const double> parameters, std::span<const double> y) {
  const std::string_view kind = kind_of(term);
  std::vector<Coefficient> terms;
  const auto add = [&](int a, int b, double factor, double size = 0) {
    if (factor != 0 || size != 0) terms.push_back({monomial(a, b), factor, size});
  };
  // Rounding is of the size of the vectors, also of those that are perpendicular along the axes.
  const auto length = [&](const AffineVector& a) {
    double sum = 0;
    for (size_t i = 0; i < a.parts.size(); ++i) {
      double x = a.size[i];
      for (const auto& p : a.parts[i]) x += std::fabs(p.factor * y[p.variable]);
      sum += x * x;
    }
    return std::sqrt(sum);
  };
  const auto add_product = [&](const AffineVector& a, const AffineVector& b, double factor) {
    add(-1, -1, 0, std::fabs(factor) * length(a) * length(b));
    for (size_t i = 0; i < a.parts.size(); ++i) {
      const double scale = std::fabs(factor);
      add(-1, -1, factor * a.constant[i] * b.constant[i], scale * a.size[i] * b.size[i]);
      for (const auto& p : a.parts[i]) {
        add(p.variable, -1, factor * p.factor * b.constant[i], scale * std::fabs(p.factor) * b.size[i]);
        for (const auto& q : b.parts[i]) add(p.variable, q.variable, factor * p.factor * q.factor);
      }
      for (const auto& q : b.parts[i])
        add(q.variable, -1, factor * a.constant[i] * q.factor, scale * a.size[i] * std::fabs(q.factor));
    }
  };
  // A difference is formed before it is squared: what two points share cancels exactly.
  const auto difference = [&](const AffineVector& a, const AffineVector& b) {
    AffineVector d = a;
    for (size_t i = 0; i < d.parts.size(); ++i) {
      d.constant[i] -= b.constant[i];
      d.size[i] += b.size[i];
      for (const auto& q : b.parts[i]) d.parts[i].push_back({q.variable, -q.factor});
    }
    return d;
  };
  const double value = parameters.empty() ? 0 : parameters[0];
  if (kind == "distance" || kind == "vector_length") {
    const AffineVector d = kind == "distance" ? difference(slots[1], slots[0]) : slots[0];
    add_product(d, d, 0.5 / value);
    add(-1, -1, -0.5 * value);
  } else if (kind == "inner_product") {
    add_product(slots[0], slots[1], 1);
    add(-1, -1, -value);
  } else {
    add_product(difference(slots[1], slots[0]), slots[2], 1);
    add(-1, -1, -value);
  }
  return collected(std::move(terms), y);
}

}  // namespace flexura
