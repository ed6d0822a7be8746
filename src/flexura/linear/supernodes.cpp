#include "flexura/linear/supernodes.hpp"

#include <algorithm>
#include <numeric>

#include "flexura/linear/front_forest.hpp"

namespace flexura::detail {

namespace {

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
    out_.fronts.push_back(front);
  }

  /// Cells of each multiplier, in the order of the fronts.
  void list_cells() {
    out_.first_cell.assign(out_.multiplier_count + 1, 0);
    out_.cell.resize(out_.multipliers.size());
    for (const auto& multiplier : out_.multipliers) ++out_.first_cell[multiplier.scale + 1];
    std::partial_sum(out_.first_cell.begin(), out_.first_cell.end(), out_.first_cell.begin());
    std::vector<int> next(out_.first_cell);
    for (int i = 0; i < static_cast<int>(out_.multipliers.size()); ++i)
      out_.cell[next[out_.multipliers[i].scale]++] = i;
  }

  /// Fronts on whose subtrees much of the work lies are for all threads, one after the other; below them each subtree is for
  /// one thread, small ones side by side together.
  void plan() {
    constexpr double worthwhile = 6e7, large = 1.0 / 16, range = 1.0 / 64;
    std::vector<double> flops(fronts());
    double total = 0;
    for (int f = 0; f < fronts(); ++f) {
      const double own = out_.fronts[f].flops();
      flops[f] += own;
      total += own;
      if (forest_.parent[f] >= 0) flops[forest_.parent[f]] += flops[f];
    }
    std::size_t first = 0;
    double sum = 0;
    const auto end_ranges = [&] {
      if (first == out_.ranges.size()) return;
      std::stable_sort(
          out_.ranges.begin() + static_cast<std::ptrdiff_t>(first), out_.ranges.end(),
          [&](const Supernodes::Range& a, const Supernodes::Range& b) { return flops_of(a) > flops_of(b); });
      out_.phases.push_back(
          {Supernodes::Work::ranges, static_cast<int>(first), 0, static_cast<int>(out_.ranges.size() - first)});
      first = out_.ranges.size();
    };
    bool open = false;
    for (int f = 0; f < fronts(); ++f) {
      Front& front = out_.fronts[f];
      front.shared = total > worthwhile && flops[f] > large * total;
      const int parent = forest_.parent[f];
      front.common = front.shared || (parent >= 0 && total > worthwhile && flops[parent] > large * total);
      if (front.shared) {
        end_ranges();
        open = false;
        list_phases(f);
        continue;
      }
      if (!open) {
        out_.ranges.push_back({f, f});
        sum = 0;
      }
      ++out_.ranges.back().end;
      sum += front.flops();
      open = !(front.common || parent < 0) || total <= worthwhile || sum < range * total;
    }
    end_ranges();
  }

  double flops_of(const Supernodes::Range& range) const {
    double sum = 0;
    for (int f = range.first; f < range.end; ++f) sum += out_.fronts[f].flops();
    return sum;
  }

  void place_updates() {
    Stacks common, own;
    for (int f = 0; f < fronts(); ++f) {
      Front& front = out_.fronts[f];
      (front.common ? common : own).push(front, forest_.depth[f]);
      for (int c : forest_.children[f]) {
        const Front& child = out_.fronts[c];
        (child.common ? common : own).pop(child, forest_.depth[c]);
      }
      Supernodes::Sizes& sizes = front.shared ? out_.common : out_.own;
      sizes.panel = std::max(sizes.panel, front.height() * front.pivot_rows());
      if (!Supernodes::is_small(front) || front.shared)
        sizes.rows = std::max(sizes.rows, front.height() - Supernodes::block_end(front, 0));
    }
    for (int f = 0; f < fronts(); ++f) {
      Front& front = out_.fronts[f];
      if (forest_.depth[f] % 2 == 1) front.update += (front.common ? common : own).most[0];
    }
    out_.common.updates = common.most[0] + common.most[1];
    out_.own.updates = own.most[0] + own.most[1];
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

  void list_phases(int f) {
    using enum Supernodes::Work;
    const Front& front = out_.fronts[f];
    out_.phases.push_back({assembly, f, 0, Supernodes::columns_of(front).count()});
    for (int k = 0; k < front.pivots; k += Supernodes::block) {
      const int strips = Supernodes::strips_behind(front, k).count();
      out_.phases.push_back({pivots, f, k, 1});
      if (strips == 0) continue;
      out_.phases.push_back({rows, f, k, strips});
      out_.phases.push_back({update, f, k, strips});
    }
  }

  /// Of even and of odd depth, which come to lie one behind the other.
  struct Stacks {
    std::ptrdiff_t filled[2] = {0, 0}, most[2] = {0, 0};

    void push(Front& front, int depth) {
      front.update = filled[depth % 2];
      filled[depth % 2] += update_size(front);
      most[depth % 2] = std::max(most[depth % 2], filled[depth % 2]);
    }
    void pop(const Front& front, int depth) { filled[depth % 2] -= update_size(front); }
  };

  const ValueLayout& layout_;
  const FrontForest forest_;
  Supernodes& out_;
  std::vector<int> row_of_;  ///< of a block in the front at hand
  int unknowns_ = 0;
};

}  // namespace

Supernodes::Supernodes(const ValueLayout& layout) {
  Construction construction(layout, *this);
  construction.number_unknowns();
  for (int f = 0; f < construction.fronts(); ++f) construction.add_front(f);
  construction.list_cells();
  construction.plan();
  construction.place_updates();
  construction.end_lists();
}

}  // namespace flexura::detail
