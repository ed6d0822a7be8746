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

/// The groups as fronts in postorder.
struct Forest {
  std::vector<std::vector<int>> blocks;    ///< eliminated in the front, ascending
  std::vector<std::vector<int>> later;     ///< coupled with them and eliminated later, in the order of elimination
  std::vector<std::vector<int>> children;  ///< fronts
  std::vector<int> parent, depth;          ///< −1: none; 0: a root

  explicit Forest(const ValueLayout& layout) {
    const FactorStructure structure(layout.graph());
    const std::vector<int> parent_block = parents(structure, layout.rows());
    std::vector<Group> groups = amalgamate(layout, structure);
    std::vector<int> roots;
    for (int k = 0; k < layout.rows(); ++k)
      if (parent_block[k] < 0) roots.push_back(k);
    const std::vector<int> tops = postorder(groups, roots);

    std::vector<int> front_of(layout.rows()), turn(layout.rows());  // of a block; when it is eliminated
    int next = 0;
    for (int top : tops) {
      for (int k : groups[top].blocks) {
        front_of[k] = size();
        turn[k] = next++;
      }
      blocks.push_back(groups[top].blocks);
    }
    for (int top : tops) {
      auto& coupled = later.emplace_back(structure.column.begin() + structure.start[top],
                                         structure.column.begin() + structure.start[top + 1]);
      std::sort(coupled.begin(), coupled.end(), [&](int a, int b) { return turn[a] < turn[b]; });
      for (int& child : groups[top].children) child = front_of[child];
      children.push_back(groups[top].children);
      parent.push_back(parent_block[top] < 0 ? -1 : front_of[parent_block[top]]);
    }
    depth.resize(size());
    for (int f = size() - 1; f >= 0; --f) depth[f] = parent[f] < 0 ? 0 : depth[parent[f]] + 1;
  }
  int size() const { return static_cast<int>(blocks.size()); }
};

void append_run(std::vector<Supernodes::Run>& runs, std::size_t first, Supernodes::Run run) {
  if (runs.size() > first && runs.back().from + runs.back().length == run.from &&
      runs.back().to + runs.back().length == run.to) {
    runs.back().length += run.length;
  } else {
    runs.push_back(run);
  }
}

std::ptrdiff_t update_size(const Supernodes::Front& front) {
  return front.halves * std::ptrdiff_t{front.later_rows()} * front.later_rows();
}

/// Fills the lists of Supernodes, front by front.
class Construction {
  using Front = Supernodes::Front;

 public:
  Construction(const ValueLayout& layout, Supernodes& out)
      : layout_(layout), forest_(layout), out_(out), row_of_(layout.rows()) {}

  int fronts() const { return forest_.size(); }

  /// The order of elimination, and where its diagonal and its multipliers are.
  void number_unknowns() {
    out_.first_of_block.resize(layout_.rows());
    for (const std::vector<int>& blocks : forest_.blocks)
      for (int k : blocks) {
        out_.first_of_block[k] = unknowns_;
        unknowns_ += layout_.sizes[k];
      }
    out_.diagonal.resize(unknowns_);
    out_.scale.assign(unknowns_, -1);
    for (int k = 0; k < layout_.rows(); ++k)
      for (int m = 0; m < layout_.sizes[k]; ++m) {
        const int i = out_.first_of_block[k] + m;
        out_.diagonal[i] = layout_.diagonal_offset(k) + m * (layout_.stride + 1);
        if (layout_.constraint[k]) out_.scale[i] = out_.multiplier_count++;
      }
  }

  void add_front(int f) {
    Front front = begin_lists();
    front.parent = forest_.parent[f];
    front.first = out_.first_of_block[forest_.blocks[f][0]];
    number_rows(f, front);
    list_sources(f);
    choose_halves(f, front);
    place_panels(front);
    list_later_rows(f, front);
    list_children(f);
    place_update(f, front);
    out_.fronts.push_back(front);
  }

  /// The stacks of even and odd depth lie one behind the other.
  void join_stacks() {
    for (int f = 0; f < fronts(); ++f)
      if (forest_.depth[f] % 2 == 1) out_.fronts[f].update += most_[0];
    out_.update_values = most_[0] + most_[1];
  }

  void end_lists() {
    Front end = begin_lists();
    end.first = unknowns_;
    out_.fronts.push_back(end);
  }

 private:
  Front begin_lists() const {
    Front front{};
    front.children = static_cast<int>(out_.child.size());
    front.first_source = static_cast<int>(out_.sources.size());
    front.first_multiplier = static_cast<int>(out_.multipliers.size());
    front.first_row = static_cast<int>(out_.to_order.size());
    return front;
  }

  /// Pivots, padding, later rows.
  void number_rows(int f, Front& front) {
    const auto number = [&](const std::vector<int>& blocks, int row) {
      for (int k : blocks) {
        row_of_[k] = row;
        row += layout_.sizes[k];
      }
      return row;
    };
    front.pivots = number(forest_.blocks[f], 0);
    front.rows = number(forest_.later[f], front.pivot_rows()) - front.pivot_rows();
    out_.largest_panel = std::max(out_.largest_panel, front.height() * front.pivot_rows());
    out_.most_pivots = std::max(out_.most_pivots, front.pivot_rows());
    out_.most_rows = std::max(out_.most_rows, front.later_rows());
  }

  /// Blocks of A in the columns of the pivots.
  void list_sources(int f) {
    for (int k : forest_.blocks[f]) {
      const int size = layout_.sizes[k];
      out_.sources.push_back({layout_.diagonal_offset(k), -1, row_of_[k], row_of_[k], size, size});
      for (int b = layout_.start[k]; b < layout_.start[k + 1]; ++b) {
        const int j = layout_.column[b];
        out_.sources.push_back(
            {layout_.upper_offset(k, b), layout_.lower_offset(b), row_of_[j], row_of_[k], layout_.sizes[j], size});
      }
    }
  }

  void choose_halves(int f, Front& front) const {
    const std::vector<int>&blocks = forest_.blocks[f], &children = forest_.children[f];
    const bool skew = std::any_of(blocks.begin(), blocks.end(), [&](int k) { return layout_.skew[k]; }) ||
                      std::any_of(children.begin(), children.end(), [&](int c) { return out_.fronts[c].halves == 2; });
    front.halves = skew ? 2 : 1;
  }

  void place_panels(Front& front) {
    front.panel = front.upper_panel = out_.panel_values;
    out_.panel_values += front.height() * front.pivots;
    if (front.halves == 1) return;
    front.upper_panel = out_.panel_values;
    out_.panel_values += front.height() * front.pivots;
  }

  void list_later_rows(int f, const Front& front) {
    for (int k : forest_.later[f]) {
      append_run(out_.to_order, front.first_row, {row_of_[k], out_.first_of_block[k], layout_.sizes[k]});
      for (int m = 0; layout_.constraint[k] && m < layout_.sizes[k]; ++m)
        out_.multipliers.push_back({row_of_[k] + m, out_.scale[out_.first_of_block[k] + m]});
    }
  }

  /// With the way of each one's later rows into this front.
  void list_children(int f) {
    for (int c : forest_.children[f]) {
      Front& child = out_.fronts[c];
      out_.child.push_back(c);
      child.first_run = static_cast<int>(out_.to_parent.size());
      int from = 0;
      for (int k : forest_.later[c]) {
        append_run(out_.to_parent, child.first_run, {from, row_of_[k], layout_.sizes[k]});
        from += layout_.sizes[k];
      }
      out_.to_parent.push_back({from, 0, 0});  // ends the list
    }
  }

  /// On top of the stack of its depth; its children leave that of theirs.
  void place_update(int f, Front& front) {
    const int own = forest_.depth[f] % 2;
    front.update = stacked_[own];
    stacked_[own] += update_size(front);
    most_[own] = std::max(most_[own], stacked_[own]);
    for (int c : forest_.children[f]) stacked_[1 - own] -= update_size(out_.fronts[c]);
  }

  const ValueLayout& layout_;
  const Forest forest_;
  Supernodes& out_;
  std::vector<int> row_of_;  ///< of a block in the front at hand
  int unknowns_ = 0;
  std::ptrdiff_t stacked_[2] = {0, 0}, most_[2] = {0, 0};  ///< values on the stacks of even and odd depth
};

}  // namespace

Supernodes::Supernodes(const ValueLayout& layout) {
  Construction construction(layout, *this);
  construction.number_unknowns();
  for (int f = 0; f < construction.fronts(); ++f) construction.add_front(f);
  construction.join_stacks();
  construction.end_lists();
}

}  // namespace flexura::detail
