#include "flexura/run/motion_cut.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace flexura {
namespace {

constexpr double rounding = 1e-12;  ///< of what is compared, relative to the largest

double largest(const std::vector<double>& x, int first, int end) {
  double size = 0;
  for (int i = first; i < end; ++i) size = std::max(size, std::fabs(x[i]));
  return size;
}

bool are_finite(const std::vector<double>& x) {
  return std::ranges::all_of(x, [](double value) { return std::isfinite(value); });
}

/// The jump of a state at a cut.
class Jump {
 public:
  Jump(ActiveModel& active, const MotionEnd& end, const SceneModel& before, double h)
      : active_(active), topology_(active.topology()), state_(active.state), h_(h), left_(end) {
    if (end.model != active.index()) take_over(end, *before.model.topology);
  }

  bool make() {
    expand();
    active_.constraints().solve_scalars(state_);
    return jump_velocities() && jump_accelerations();
  }

 private:
  Assembler<double>& assembler() { return active_.system().assembler; }
  void expand() { assembler().expand(state_.q.data(), state_.v.data(), state_.a.data()); }

  /// What the end leaves of equations that are still there; others leave nothing.
  void take_over(const MotionEnd& end, const Topology& before) {
    const std::vector<int> origin = slots_by_name(before, topology_);
    for (auto* x : {&left_.rate, &left_.second, &left_.force}) x->assign(topology_.ny, 0.0);
    for (size_t s = 0; s < topology_.slots.size(); ++s) {
      if (origin[s] < 0) continue;
      const Slot &from = before.slots[origin[s]], &to = topology_.slots[s];
      for (int i = 0; i < to.size; ++i) {
        if (to.block < 0 || from.block < 0) continue;
        left_.rate[to.offset + i] = end.rate[from.offset + i];
        left_.second[to.offset + i] = end.second[from.offset + i];
      }
    }
  }

  /// a − b, and whether it is more than rounding.
  bool differs(const std::vector<double>& a, const std::vector<double>& b, int first, std::vector<double>& out) const {
    const double size = std::max(largest(a, first, topology_.ny), largest(b, first, topology_.ny));
    bool any = false;
    for (int i = first; i < topology_.ny; ++i) {
      out[i] = a[i] - b[i];
      any = any || std::fabs(out[i]) > rounding * size;
    }
    return any;
  }

  bool jump_velocities() {
    std::vector<double> y(topology_.ny, 0.0);
    if (!differs(end_of_motion(active_).rate, left_.rate, topology_.ncoord, y)) return true;
    for (int i = topology_.ncoord; i < topology_.ny; ++i) y[i] = -y[i];
    if (!solve_damped(y)) return false;
    for (int i = 0; i < topology_.ncoord; ++i) state_.v[i] += y[i];
    expand();
    return are_finite(state_.v);
  }

  bool jump_accelerations() {
    Constraints& constraints = active_.constraints();
    std::vector<double> y(topology_.ny, 0.0);
    for (int pass = 0; pass < 2; ++pass) {  // the second removes what rounding left
      const MotionEnd now = end_of_motion(active_);
      const bool any = differs(now.second, left_.second, topology_.ncoord, y);
      for (int i = topology_.ncoord; i < topology_.ny; ++i) y[i] = -y[i];
      std::vector<double> force(topology_.ny, 0.0);
      const bool pushes = differs(now.force, left_.force, 0, force);
      if (!any && !pushes) return true;
      std::copy_n(force.begin(), topology_.ncoord, y.begin());
      if (pass == 0) {
        std::vector<double> slow = y;
        if (!solve_damped(slow)) return false;
        for (int i = 0; i < topology_.ncoord; ++i) state_.a_alg[i] += slow[i];
        if (!constraints.factor(state_)) return false;
      }
      constraints.solve(y);
      for (int i = 0; i < topology_.ncoord; ++i) state_.a[i] += y[i];
      for (const int row : constraints.rows()) state_.q[row] += y[row];
      expand();
      if (!are_finite(state_.a) || !are_finite(state_.a_alg) || !are_finite(state_.q)) return false;
    }
    return true;
  }

  /// In place, with S; M where S cannot be solved.
  bool solve_damped(std::vector<double>& y) {
    Constraints& constraints = active_.constraints();
    std::vector<double> x = y;
    if (constraints.factor_damped(state_, h_)) constraints.solve(x);
    if (!are_finite(x)) {
      if (!constraints.factor(state_)) return false;
      x = y;
      constraints.solve(x);
    }
    y = std::move(x);
    return true;
  }

  ActiveModel& active_;
  const Topology& topology_;
  State<double>& state_;
  double h_;
  MotionEnd left_;
};

}  // namespace

MotionEnd end_of_motion(ActiveModel& active) {
  const Topology& topology = active.topology();
  Assembler<double>& assembler = active.system().assembler;
  State<double>& state = active.state;
  MotionEnd end{active.index(), std::vector<double>(topology.ny), {}, {}};
  end.second = end.rate;
  assembler.expand(state.q.data(), state.v.data(), state.a.data());
  active.system().look_back(state);
  const ConstraintMotion<double>& motion = active.constraints().motion(state);
  for (const int row : active.constraints().rows()) {
    end.rate[row] = motion.rate[row];
    end.second[row] = motion.second[row];
  }
  end.force.assign(static_cast<size_t>(assembler.residual_size()), 0.0);
  assembler.residual(state.t, state.q.data(), state.v.data(), end.force.data());
  assembler.subtract_mass_times(state.a.data(), 1.0, end.force.data());
  assembler.subtract_damping(state.v.data(), end.force.data());
  assembler.reduce(end.force.data());
  end.force.resize(static_cast<size_t>(topology.ny));
  std::fill(end.force.begin() + topology.ncoord, end.force.end(), 0.0);
  return end;
}

bool go_on_behind_cut(ActiveModel& active, const MotionEnd& end, const SceneModel& before, double h) {
  const State<double> state = active.state;
  if (Jump(active, end, before, h).make()) return true;
  active.state = state;
  return false;
}

}  // namespace flexura
