#include "flexura/model/linear_relations.hpp"

#include <algorithm>
#include <cmath>

namespace flexura {
namespace {

void add_scaled(std::vector<double>& into, const std::vector<double>& from, double factor) {
  if (into.empty()) into.assign(from.size(), 0.0);
  for (size_t i = 0; i < from.size(); ++i) into[i] += factor * from[i];
}

/// C (rows × n) += A (rows × m) B (m × n)
void add_product(std::vector<double>& c, const std::vector<double>& a, const std::vector<double>& b, int rows, int m) {
  const int n = static_cast<int>(b.size()) / m;
  if (c.empty()) c.assign(static_cast<size_t>(rows) * n, 0.0);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < m; ++k)
      for (int j = 0; j < n; ++j) c[i * n + j] += a[i * m + k] * b[k * n + j];
}

LinearTerm& term_of(LinearForm& form, int slot) {
  for (LinearTerm& term : form.terms)
    if (term.slot == slot) return term;
  return form.terms.emplace_back(LinearTerm{slot, {}});
}

bool is_zero(const std::vector<double>& x) {
  return std::all_of(x.begin(), x.end(), [](double v) { return v == 0.0; });
}

}  // namespace

LinearForm LinearRelations::expand(const LinearForm& form) const {
  LinearForm out{form.rows, {}, form.constant, form.drives};
  if (out.constant.empty()) out.constant.assign(form.rows, 0.0);
  for (const LinearTerm& term : form.terms) {
    const auto known = defined_.find(term.slot);
    if (known == defined_.end()) {
      add_scaled(term_of(out, term.slot).matrix, term.matrix, 1.0);
      continue;
    }
    const LinearForm& inner = known->second;
    for (const LinearTerm& t : inner.terms)
      add_product(term_of(out, t.slot).matrix, term.matrix, t.matrix, form.rows, inner.rows);
    add_product(out.constant, term.matrix, inner.constant, form.rows, inner.rows);
    for (const auto& [signal, direction] : inner.drives)
      add_product(out.drives[signal], term.matrix, direction, form.rows, inner.rows);
  }
  std::erase_if(out.terms, [](const LinearTerm& t) { return is_zero(t.matrix); });
  std::erase_if(out.drives, [](const auto& d) { return is_zero(d.second); });
  return out;
}

LinearForm LinearRelations::expand(int slot) const {
  const int n = sizes_[slot];
  LinearForm self{n, {{slot, std::vector<double>(static_cast<size_t>(n) * n, 0.0)}}, {}, {}};
  for (int i = 0; i < n; ++i) self.terms[0].matrix[i * n + i] = 1.0;
  return expand(self);
}

void LinearRelations::define(int slot, LinearForm form, const std::string& author) {
  store(slot, std::move(form));
  authors_[slot].push_back(author);
  const auto users = users_.find(slot);
  if (users == users_.end()) return;
  const std::set<int> referring = std::move(users->second);
  users_.erase(users);
  for (int dependent : referring) {  // flatten what referred to the slot
    store(dependent, expand(defined_[dependent]));
    authors_[dependent].push_back(author);
  }
}

void LinearRelations::store(int slot, LinearForm form) {
  LinearForm& known = defined_[slot];
  for (const LinearTerm& t : known.terms)
    if (const auto users = users_.find(t.slot); users != users_.end()) users->second.erase(slot);
  for (const LinearTerm& t : form.terms) users_[t.slot].insert(slot);
  known = std::move(form);
}

void LinearRelations::split(int slot, const std::string& author) {
  const int n = sizes_[slot];
  LinearForm form{n, {}, std::vector<double>(n, 0.0), {}};
  for (int i = 0; i < n; ++i) {
    const int coordinate = static_cast<int>(sizes_.size());
    sizes_.push_back(1);
    split_from_[coordinate] = slot;
    std::vector<double> column(n, 0.0);
    column[i] = 1.0;
    form.terms.push_back({coordinate, column});
  }
  define(slot, std::move(form), author);
}

std::optional<LinearRelations::Conflict> LinearRelations::impose(const LinearForm& relation, const std::string& author,
                                                                 double scale,
                                                                 const std::function<double(int)>& weight) {
  const LinearForm form = expand(relation);
  // Columns: coordinates of the free slots involved, then 1, then the signals.
  std::vector<std::pair<int, int>> columns;  // slot, component
  for (const LinearTerm& term : form.terms)
    for (int j = 0; j < sizes_[term.slot]; ++j) columns.emplace_back(term.slot, j);
  std::vector<double> weights;
  for (const auto& [slot, component] : columns) {
    int origin = slot;
    while (split_from_.contains(origin)) origin = split_from_.at(origin);
    weights.push_back(weight(origin));
  }
  const int n = static_cast<int>(columns.size());
  const int width = n + 1 + static_cast<int>(form.drives.size());
  std::vector<std::vector<double>> rows(form.rows, std::vector<double>(width, 0.0));
  for (int i = 0; i < form.rows; ++i) {
    // What counts as zero is measured on the equation as given: of a redundant one only rounding is left by now.
    double size = 0;
    for (const LinearTerm& term : relation.terms)
      for (int j = 0; j < sizes_[term.slot]; ++j)
        size = std::max(size, std::fabs(term.matrix[i * sizes_[term.slot] + j]));
    const double factor = size > 0 ? 1 / size : 1.0;
    int column = 0;
    for (const LinearTerm& term : form.terms)
      for (int j = 0; j < sizes_[term.slot]; ++j, ++column)
        rows[i][column] = factor * term.matrix[i * sizes_[term.slot] + j];
    rows[i][column++] = factor * form.constant[i];
    for (const auto& [signal, direction] : form.drives) rows[i][column++] = factor * direction[i];
  }
  // Reduced row echelon form, the largest entry first.
  std::vector<int> pivot_of_row;
  int done = 0;
  while (done < form.rows) {
    int best_row = -1, best_column = -1;
    double best = 0;
    for (int i = done; i < form.rows; ++i)
      for (int j = 0; j < n; ++j)
        if (const double size = weights[j] * std::fabs(rows[i][j]);
            std::fabs(rows[i][j]) > 1e-10 && size > best * (1 + 1e-9))
          best = size, best_row = i, best_column = j;
    if (best_row < 0) break;
    std::swap(rows[done], rows[best_row]);
    const double pivot = rows[done][best_column];
    for (double& x : rows[done]) x /= pivot;
    for (int i = 0; i < form.rows; ++i) {
      if (i == done || rows[i][best_column] == 0.0) continue;
      const double factor = rows[i][best_column];
      for (int j = 0; j < width; ++j) rows[i][j] -= factor * rows[done][j];
      rows[i][best_column] = 0.0;
    }
    pivot_of_row.push_back(best_column);
    ++done;
  }
  for (int i = done; i < form.rows; ++i) {  // equations without unknowns: they hold or contradict
    double mismatch = 0;
    for (int j = n; j < width; ++j) mismatch = std::max(mismatch, std::fabs(rows[i][j]));
    if (mismatch <= 1e-9 * scale) continue;
    std::set<std::string> with;
    for (const LinearTerm& term : relation.terms)
      if (const auto it = authors_.find(term.slot); it != authors_.end())
        with.insert(it->second.begin(), it->second.end());
    return Conflict{{with.begin(), with.end()}, mismatch, std::fabs(rows[i][n]) <= 1e-9 * scale};
  }
  // A slot of which only some coordinates are pivots is split, and the relation imposed again.
  std::map<int, int> pivots;
  for (int column : pivot_of_row) ++pivots[columns[column].first];
  bool again = false;
  for (const auto& [slot, count] : pivots)
    if (count < sizes_[slot]) split(slot, author), again = true;
  if (again) return impose(relation, author, scale, weight);

  std::vector<std::pair<int, LinearForm>> solved;
  for (const auto& [slot, count] : pivots) {
    const int size = sizes_[slot];
    LinearForm out{size, {}, std::vector<double>(size, 0.0), {}};
    for (int r = 0; r < done; ++r) {
      if (columns[pivot_of_row[r]].first != slot) continue;
      const int component = columns[pivot_of_row[r]].second;
      for (int j = 0; j < n; ++j) {
        if (rows[r][j] == 0.0 || j == pivot_of_row[r]) continue;
        LinearTerm& term = term_of(out, columns[j].first);
        const int m = sizes_[columns[j].first];
        if (term.matrix.empty()) term.matrix.assign(static_cast<size_t>(size) * m, 0.0);
        term.matrix[component * m + columns[j].second] = -rows[r][j];
      }
      out.constant[component] = -rows[r][n];
      int column = n + 1;
      for (const auto& [signal, direction] : form.drives) {
        if (rows[r][column] != 0.0) {
          std::vector<double>& drive = out.drives[signal];
          if (drive.empty()) drive.assign(size, 0.0);
          drive[component] = -rows[r][column];
        }
        ++column;
      }
    }
    solved.emplace_back(slot, std::move(out));
  }
  for (auto& [slot, out] : solved) define(slot, std::move(out), author);
  return std::nullopt;
}

}  // namespace flexura
