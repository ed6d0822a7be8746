#include "flexura/model/redundancy.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace flexura {
namespace {

constexpr double zero_share = 1e-14;      ///< of what was added up
constexpr double rounding_share = 1e-13;  ///< of the largest coefficient or constant of a combination
constexpr double constant_share = 1e-8;   ///< lengths are given with the digits of a file
constexpr double left_share =
    1e-9;  ///< of a row: what others leave of one that follows from them, by rounding of numbers in files
constexpr double own_share = 1e-3;      ///< of a row: a monomial that no other row has makes it independent
constexpr double weakest_share = 1e-6;  ///< the factorisation takes a pivot of a row of which less is left for none
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
    Coefficient sum{terms[i].monomial, 0, 0, 0};
    for (; i < terms.size() && terms[i].monomial == sum.monomial; ++i) {
      sum.value += terms[i].value;
      sum.size += std::max(terms[i].size, std::fabs(terms[i].value));
    }
    sum.at = value_at(sum.monomial, y);
    constant.size += sum.size * std::fabs(sum.at);
    if (sum.monomial == constant_term || is_zero(sum)) {
      constant.value += sum.value * sum.at;
    } else {
      out.terms.push_back(sum);
    }
  }
  out.terms.insert(out.terms.begin(), constant);
  return out;
}

/// row − factor · pivot; both ascending. What is dropped as zero is what it is in the reference: it may be divided by something small.
std::vector<Coefficient> subtracted(const std::vector<Coefficient>& row, const std::vector<Coefficient>& pivot,
                                    double factor, std::uint64_t eliminated) {
  std::vector<Coefficient> out;
  out.reserve(row.size() + pivot.size());
  double dropped = 0;
  auto a = row.begin(), b = pivot.begin();
  while (a != row.end() || b != pivot.end()) {
    Coefficient c;
    if (b == pivot.end() || (a != row.end() && a->monomial < b->monomial)) {
      c = *a++;
    } else {
      c = {b->monomial, -factor * b->value, std::fabs(factor) * b->size, b->at};
      if (a != row.end() && a->monomial == b->monomial) {
        c.value += a->value;
        c.size += a->size;
        ++a;
      }
      ++b;
    }
    if (c.monomial == eliminated || (c.monomial != constant_term && is_zero(c))) {
      dropped += c.value * c.at;
      continue;
    }
    out.push_back(c);
  }
  if (!out.empty() && out.front().monomial == constant_term) out.front().value += dropped;
  return out;
}

double largest_of(const std::vector<Coefficient>& terms) {
  double out = 0;
  for (const Coefficient& c : terms)
    if (c.monomial != constant_term) out = std::max(out, std::fabs(c.value));
  return out;
}

/// Rows that are left when those with a monomial of their own have been set aside, again and again. Small ones do not count: the same may
/// have been dropped from another row, with the share of this one that is in it.
std::vector<int> entangled(std::span<const QuadraticConstraint> rows) {
  struct Use {
    std::uint64_t monomial;
    int row;
    bool counts;
  };
  std::vector<Use> uses;
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    const double least = own_share * largest_of(rows[i].terms);
    for (const Coefficient& c : rows[i].terms)
      if (c.monomial != constant_term) uses.push_back({c.monomial, i, std::fabs(c.value) >= least});
  }
  std::sort(uses.begin(), uses.end(),
            [](const Use& a, const Use& b) { return std::pair(a.monomial, a.row) < std::pair(b.monomial, b.row); });
  std::vector<int> first;                             // of each monomial in `uses`
  std::vector<std::vector<int>> of_row(rows.size());  // its monomials, numbered
  for (size_t k = 0; k < uses.size(); ++k) {
    if (k == 0 || uses[k].monomial != uses[k - 1].monomial) first.push_back(static_cast<int>(k));
    of_row[uses[k].row].push_back(static_cast<int>(first.size()) - 1);
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
      const int row = uses[k].row;
      if (gone[row] || !uses[k].counts) continue;
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

/// Gaussian elimination with the largest pivots first. By the order of rows little may be left of one that is needed where several
/// nearly agree: axes that are perpendicular but for some millionths, as files have them.
class Elimination {
 public:
  explicit Elimination(std::span<const QuadraticConstraint> constraints) {
    for (const int i : entangled(constraints)) {
      Row& row = rows_.emplace_back(Row{i, constraints[i].terms, {}});
      const double size = largest_of(row.terms);
      for (Coefficient& c : row.terms) c.value /= size > 0 ? size : 1, c.size /= size > 0 ? size : 1;
      row.largest = size > 0 ? 1 : 0;
      note_uses(static_cast<int>(rows_.size()) - 1);
    }
  }

  Redundancy run() {
    for (const std::vector<int>& rows : components()) eliminate(rows);
    std::sort(out_.implied.begin(), out_.implied.end());
    std::sort(out_.contradictions.begin(), out_.contradictions.end(),
              [](const auto& a, const auto& b) { return a.constraint < b.constraint; });
    return std::move(out_);
  }

 private:
  struct Row {
    int index;
    std::vector<Coefficient> terms;
    std::vector<int> with;  ///< constraints that it was reduced by, ascending
    double largest = 0;     ///< coefficient that is left; 1 at first
    bool is_done = false;
  };

  void note_uses(int row) {
    for (const Coefficient& c : rows_[row].terms)
      if (c.monomial != constant_term) uses_[c.monomial].push_back(row);
  }

  /// Rows that have to do with each other, ascending.
  std::vector<std::vector<int>> components() const {
    std::vector<int> parent(rows_.size());
    for (size_t i = 0; i < parent.size(); ++i) parent[i] = static_cast<int>(i);
    const auto root = [&](int i) {
      while (parent[i] != i) i = parent[i] = parent[parent[i]];
      return i;
    };
    for (const auto& [monomial, rows] : uses_)
      for (const int row : rows) {
        const int a = root(rows.front()), b = root(row);
        parent[std::max(a, b)] = std::min(a, b);
      }
    std::map<int, std::vector<int>> found;
    for (size_t i = 0; i < parent.size(); ++i) found[root(static_cast<int>(i))].push_back(static_cast<int>(i));
    std::vector<std::vector<int>> out;
    for (auto& [first, rows] : found) out.push_back(std::move(rows));
    return out;
  }

  void eliminate(std::vector<int> left) {
    constexpr double as_good = 0.1;  // of the best: then the earlier one is kept
    while (true) {
      double most = 0;
      for (const int k : left) {
        Row& row = rows_[k];
        if (row.largest > left_share)
          most = std::max(most, row.largest);
        else
          judge(row);
      }
      std::erase_if(left, [&](int k) { return rows_[k].is_done; });
      if (left.empty()) return;
      if (most < weakest_share) {
        for (const int k : left) out_.implied.push_back(rows_[k].index);
        return;
      }
      const auto kept =
          std::find_if(left.begin(), left.end(), [&](int k) { return rows_[k].largest >= as_good * most; });
      pivot(*kept);
      left.erase(kept);
    }
  }

  /// The row is kept, and its largest coefficient, which is not what cancellation left of something larger, eliminated from all others.
  void pivot(int kept) {
    Row& row = rows_[kept];
    row.is_done = true;
    const Coefficient* best = nullptr;
    const auto worth = [](const Coefficient& c) { return std::fabs(c.value) * (std::fabs(c.value) / c.size); };
    for (const Coefficient& c : row.terms)
      if (c.monomial != constant_term && (best == nullptr || worth(c) > worth(*best))) best = &c;
    const Coefficient pivot = *best;
    const std::vector<int> users = uses_[pivot.monomial];
    for (const int k : users) {
      Row& other = rows_[k];
      if (other.is_done) continue;
      const auto at =
          std::lower_bound(other.terms.begin(), other.terms.end(), pivot.monomial,
                           [](const Coefficient& c, std::uint64_t monomial) { return c.monomial < monomial; });
      if (at == other.terms.end() || at->monomial != pivot.monomial) continue;
      out_.work += static_cast<std::int64_t>(other.terms.size() + row.terms.size() + row.with.size());
      other.terms = subtracted(other.terms, row.terms, at->value / pivot.value, pivot.monomial);
      other.largest = largest_of(other.terms);
      note_reduction(other, row);
      note_fill(k, row.terms);
    }
  }

  /// Both may have been reduced by the same: each is noted once.
  static void note_reduction(Row& row, const Row& by) {
    row.with.push_back(by.index);
    row.with.insert(row.with.end(), by.with.begin(), by.with.end());
    std::sort(row.with.begin(), row.with.end());
    row.with.erase(std::unique(row.with.begin(), row.with.end()), row.with.end());
  }

  void note_fill(int k, const std::vector<Coefficient>& from) {
    const std::vector<Coefficient>& terms = rows_[k].terms;
    for (const Coefficient& c : from) {
      if (c.monomial == constant_term) continue;
      const auto at =
          std::lower_bound(terms.begin(), terms.end(), c.monomial,
                           [](const Coefficient& t, std::uint64_t monomial) { return t.monomial < monomial; });
      if (at == terms.end() || at->monomial != c.monomial) continue;
      std::vector<int>& users = uses_[c.monomial];
      if (std::find(users.begin(), users.end(), k) == users.end()) users.push_back(k);
    }
  }

  /// Nothing but a constant is left, or what rounding has left.
  void judge(Row& row) {
    row.is_done = true;
    const Coefficient constant = row.terms.empty() ? Coefficient{} : row.terms.front();
    if (std::fabs(constant.value) <= constant_share * constant.size) return out_.implied.push_back(row.index);
    out_.contradictions.push_back({row.index, std::fabs(constant.value), std::move(row.with)});
  }

  Redundancy out_;
  std::vector<Row> rows_;
  std::map<std::uint64_t, std::vector<int>> uses_;  ///< monomial → rows that may hold it
};

}  // namespace

Redundancy find_redundancy(std::span<const QuadraticConstraint> constraints) { return Elimination(constraints).run(); }

AffineVector affine_vector(const LinearForm& form, std::span<const int> first, int signals,
                           std::span<const double> unit) {
  AffineVector out;
  const auto unit_of = [&](int slot) { return unit.empty() ? 1.0 : unit[static_cast<size_t>(first[slot])]; };
  out.parts.resize(form.rows);
  out.constant = form.constant.empty() ? std::vector<double>(form.rows, 0.0) : form.constant;
  // The components of a turned vector are as exact as its length.
  double size = 0;
  for (double c : out.constant) size = std::max(size, std::fabs(c));
  out.size.assign(form.rows, size);
  double largest = size;
  for (const LinearTerm& term : form.terms)
    for (double x : term.matrix) largest = std::max(largest, std::fabs(x) * unit_of(term.slot));
  for (const LinearTerm& term : form.terms) {
    const int columns = static_cast<int>(term.matrix.size()) / form.rows;
    for (int i = 0; i < form.rows; ++i)
      for (int j = 0; j < columns; ++j)
        if (const double x = term.matrix[i * columns + j] * unit_of(term.slot); std::fabs(x) > rounding_share * largest)
          out.parts[i].push_back({first[term.slot] + j, x});
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
