#include "flexura/linear/supernodes.hpp"

#include <algorithm>
#include <numeric>

namespace flexura::detail {

namespace {

/// Estimated processor cycles of a front with s pivots and r later rows: arithmetic, tiles, assembly of the panel and
/// of the update and its way to the parent, and what a solve reads. Measured on fronts of 9 … 400 rows with AVX2.
double front_cost(double s, double r) {
  const double arithmetic = s * s * s / 6 + s * s * r / 2 + s * r * r / 2;
  const double tiles = (s + r) * s / 48 + r * r / 96;
  return 300 + arithmetic / 7 + 12 * tiles + 0.6 * s * (s + r) + 0.8 * r * r;
}

/// Blocks that are eliminated in one front.
struct Group {
  std::vector<int> blocks;    ///< positions, ascending
  std::vector<int> children;  ///< tops of their groups
  double pivots = 0, rows = 0;
};

std::vector<int> parents(const FactorStructure& structure, int n) {
  std::vector<int> out(n, -1);
  for (int k = 0; k < n; ++k)
    if (structure.start[k] < structure.start[k + 1]) out[k] = structure.column[structure.start[k]];
  return out;
}

/// Merges each block's front with those of its children where that makes the whole cheaper. A group is named by its
/// last block, its top; groups that went into another are left empty.
std::vector<Group> amalgamate(const ValueLayout& layout, const FactorStructure& structure) {
  const int n = layout.rows();
  const std::vector<int> parent = parents(structure, n);
  std::vector<Group> groups(n);
  for (int k = 0; k < n; ++k) {
    Group& own = groups[k];
    own.blocks = {k};
    own.pivots = layout.sizes[k];
    for (auto b = structure.start[k]; b < structure.start[k + 1]; ++b) own.rows += layout.sizes[structure.column[b]];
    const auto height = [&](int c) { return groups[c].pivots + groups[c].rows; };
    // Children have smaller positions: their groups are complete. The largest first, its own children after it.
    std::vector<int> open = std::move(own.children), kept;
    own.children.clear();
    while (!open.empty()) {
      const auto largest = std::max_element(open.begin(), open.end(), [&](int a, int b) {
        return height(a) != height(b) ? height(a) < height(b) : a < b;
      });
      const int c = *largest;
      open.erase(largest);
      Group& other = groups[c];
      const double together = front_cost(own.pivots + other.pivots, own.rows);
      if (together > front_cost(own.pivots, own.rows) + front_cost(other.pivots, other.rows)) {
        kept.push_back(c);
        continue;
      }
      own.blocks.insert(own.blocks.end(), other.blocks.begin(), other.blocks.end());
      own.pivots += other.pivots;
      open.insert(open.end(), other.children.begin(), other.children.end());
      other = {};
    }
    std::sort(own.blocks.begin(), own.blocks.end());
    std::sort(kept.begin(), kept.end());
    own.children = std::move(kept);
    if (parent[k] >= 0) groups[parent[k]].children.push_back(k);
  }
  return groups;
}

/// Tops of the groups, children before their parents.
std::vector<int> postorder(const std::vector<Group>& groups, const std::vector<int>& roots) {
  std::vector<int> out, open(roots);
  while (!open.empty()) {  // parents first, children backwards; then reversed
    const int k = open.back();
    open.pop_back();
    out.push_back(k);
    open.insert(open.end(), groups[k].children.begin(), groups[k].children.end());
  }
  std::reverse(out.begin(), out.end());
  return out;
}

void append_run(std::vector<Supernodes::Run>& runs, std::size_t first, Supernodes::Run run) {
  if (runs.size() > first && runs.back().from + runs.back().length == run.from &&
      runs.back().to + runs.back().length == run.to) {
    runs.back().length += run.length;
  } else {
    runs.push_back(run);
  }
}

}  // namespace

Supernodes::Supernodes(const ValueLayout& layout) {
  const int n = layout.rows();
  const FactorStructure structure(layout.graph());
  const std::vector<int> parent = parents(structure, n);
  const std::vector<Group> groups = amalgamate(layout, structure);
  std::vector<int> roots;
  for (int k = 0; k < n; ++k)
    if (parent[k] < 0) roots.push_back(k);
  const std::vector<int> tops = postorder(groups, roots);

  // Order of elimination.
  first_of_block.resize(n);
  std::vector<int> front_of(n);
  int next = 0;
  for (std::size_t f = 0; f < tops.size(); ++f) {
    for (int k : groups[tops[f]].blocks) {
      front_of[k] = static_cast<int>(f);
      first_of_block[k] = next;
      next += layout.sizes[k];
    }
  }
  diagonal.resize(next);
  scale.assign(next, -1);
  for (int k = 0; k < n; ++k) {
    for (int m = 0; m < layout.sizes[k]; ++m) {
      diagonal[first_of_block[k] + m] = layout.diagonal_offset(k) + m * (layout.stride + 1);
      if (layout.constraint[k]) scale[first_of_block[k] + m] = multiplier_count++;
    }
  }

  std::vector<int> row_of(n);  // of a block in the front at hand
  std::vector<std::vector<int>> later(tops.size());
  std::vector<int> depth(tops.size(), 0);
  for (std::size_t f = 0; f < tops.size(); ++f) {
    const int top = tops[f];
    later[f].assign(structure.column.begin() + structure.start[top],
                    structure.column.begin() + structure.start[top + 1]);
    std::sort(later[f].begin(), later[f].end(), [&](int a, int b) { return first_of_block[a] < first_of_block[b]; });
  }
  for (std::size_t f = tops.size(); f-- > 0;) {
    const int p = parent[tops[f]];
    depth[f] = p < 0 ? 0 : depth[front_of[p]] + 1;
  }
  std::ptrdiff_t stacked[2] = {0, 0}, most[2] = {0, 0};
  const auto update_size = [](const Front& f) { return f.halves * std::ptrdiff_t{f.later_rows()} * f.later_rows(); };

  for (std::size_t f = 0; f < tops.size(); ++f) {
    const Group& group = groups[tops[f]];
    Front front{};
    front.parent = parent[tops[f]] < 0 ? -1 : front_of[parent[tops[f]]];
    front.first = first_of_block[group.blocks[0]];
    int row = 0;
    for (int k : group.blocks) {
      row_of[k] = row;
      row += layout.sizes[k];
    }
    front.pivots = row;
    row = front.pivot_rows();
    for (int k : later[f]) {
      row_of[k] = row;
      row += layout.sizes[k];
    }
    front.rows = row - front.pivot_rows();
    front.children = static_cast<int>(child.size());
    front.first_source = static_cast<int>(sources.size());
    front.first_multiplier = static_cast<int>(multipliers.size());
    front.first_row = static_cast<int>(to_order.size());
    largest_panel = std::max(largest_panel, front.height() * front.pivot_rows());
    most_pivots = std::max(most_pivots, front.pivot_rows());
    most_rows = std::max(most_rows, front.later_rows());

    for (int k : group.blocks) {
      const int size = layout.sizes[k];
      sources.push_back({layout.diagonal_offset(k), -1, row_of[k], row_of[k], size, size});
      for (int b = layout.start[k]; b < layout.start[k + 1]; ++b) {
        const int j = layout.column[b];
        sources.push_back(
            {layout.upper_offset(k, b), layout.lower_offset(b), row_of[j], row_of[k], layout.sizes[j], size});
      }
    }
    front.halves = 1;
    for (int k : group.blocks) {
      if (layout.skew[k]) front.halves = 2;
    }
    for (int c : group.children) front.halves = std::max(front.halves, fronts[front_of[c]].halves);
    front.panel = front.upper_panel = panel_values;
    panel_values += front.height() * front.pivots;
    if (front.halves == 2) {
      front.upper_panel = panel_values;
      panel_values += front.height() * front.pivots;
    }
    for (int k : later[f]) {
      append_run(to_order, front.first_row, {row_of[k], first_of_block[k], layout.sizes[k]});
      for (int m = 0; layout.constraint[k] && m < layout.sizes[k]; ++m)
        multipliers.push_back({row_of[k] + m, scale[first_of_block[k] + m]});
    }
    for (int c : group.children) {
      Front& other = fronts[front_of[c]];
      child.push_back(front_of[c]);
      other.first_run = static_cast<int>(to_parent.size());
      int from = 0;
      for (int k : later[front_of[c]]) {
        append_run(to_parent, other.first_run, {from, row_of[k], layout.sizes[k]});
        from += layout.sizes[k];
      }
      to_parent.push_back({from, 0, 0});  // ends the list
    }
    // The update's place; a front's children have the tops of the other stack.
    std::ptrdiff_t& own = stacked[depth[f] % 2];
    front.update = own;
    own += update_size(front);
    most[depth[f] % 2] = std::max(most[depth[f] % 2], own);
    for (int c : group.children) stacked[(depth[f] + 1) % 2] -= update_size(fronts[front_of[c]]);
    fronts.push_back(front);
  }
  for (std::size_t f = 0; f < fronts.size(); ++f) fronts[f].update += depth[f] % 2 == 0 ? 0 : most[0];
  update_values = most[0] + most[1];
  Front end{};
  end.first = next;
  end.children = static_cast<int>(child.size());
  end.first_row = static_cast<int>(to_order.size());
  end.first_source = static_cast<int>(sources.size());
  end.first_multiplier = static_cast<int>(multipliers.size());
  fronts.push_back(end);
}

}  // namespace flexura::detail
