#include "flexura/study/steered_statics.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "flexura/base/nearest_name.hpp"
#include "flexura/run/active_model.hpp"
#include "flexura/solve/constraint_matrix.hpp"
#include "flexura/solve/extent.hpp"
#include "flexura/solve/state_tangents.hpp"
#include "flexura/solve/statics.hpp"
#include "flexura/solve/tangent_factor.hpp"

namespace flexura {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& message, const std::string& nearest = {}) {
  throw InputError({{{}, what, message, nearest}});
}

}  // namespace

struct SteeredStatics::Impl {
  Impl(SceneDocument scene_document, int threads)
      : document(std::move(scene_document)), scene(interpret_scene(document)), active(scene, threads) {
    if (document.signals)
      for (const int signal : document.signals->inputs()) {
        signals.push_back(signal);
        names.push_back(document.signals->name(signal));
        places.push_back(document.signals->input_state(signal));
      }
    if (names.empty()) refuse("scene", "it has no input: a signal of type \"input\"");
    for (const SensorSpec& sensor : scene.models.front().sensors) sensors.push_back(sensor.name);
    active.enter(0);
    first = active.state;
  }

  bool equilibrium(double first_step, bool must_be_stable = true) {
    // What is not found in a few even steps has buckled or snapped: that is for others to follow.
    StaticOptions options;
    options.must_be_stable = must_be_stable;
    options.first_step = options.largest_step = first_step;
    options.smallest_step = 0.1;
    options.newton.max_iterations = 12;
    options.max_pseudo_steps = 0;
    ++sought;
    return StaticSolver(active.system(), options).solve(active.state).converged;
  }

  /// Where motions are prescribed and nothing pulls, statics has no stiffness to go by: constraints alone say where everything is.
  bool brought_without_force() {
    if (!active.has_constraints()) return false;
    State<double>& state = active.state;
    active.set_signals(state.t);
    if (!active.constraints().project_positions(state).converged) return false;
    for (const int row : active.constraints().rows()) state.q[static_cast<size_t>(row)] = 0;
    const std::vector<double> left = active.system().unbalanced(state);
    active.system().drives.values(state.loads);
    return std::ranges::all_of(left, [](double r) { return std::fabs(r) < 1e-12; });
  }

  bool is_small() {
    constexpr int most = 400;
    return active.topology().ny <= most && active.system().symmetric;
  }
  /// Whether K has no negative eigenvalue among the motions that constraints allow, by a dense null space: pivots tell nothing of
  /// what only constraints hold.
  bool is_stable() {
    using Eigen::Index;
    constexpr double rounding = 1e-9;
    const Index ny = active.topology().ny;
    ConstraintMatrix<double> constraints(active.system());
    std::vector<char> is_row(static_cast<size_t>(ny), 0);
    for (const int row : constraints.rows()) is_row[static_cast<size_t>(row)] = 1;
    std::vector<int> rows, columns;
    for (int i = 0; i < ny; ++i) (is_row[static_cast<size_t>(i)] ? rows : columns).push_back(i);
    active.set_signals(active.state.t);
    const std::span<const SignalValue> signals = active.system().drives.at(active.state.t, active.state.lags);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(ny, ny);
    for (const TangentEntry& e : state_tangents(active.system(), active.state, signals))
      K(e.row, e.column) = e.stiffness;
    const Eigen::MatrixXd H = K(columns, columns);
    Eigen::MatrixXd G = K(rows, columns), Z = Eigen::MatrixXd::Identity(H.rows(), H.rows());
    if (!rows.empty()) {
      for (Index i = 0; i < G.rows(); ++i)
        if (const double length = G.row(i).norm(); length > 0) G.row(i) /= length;
      Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(Eigen::MatrixXd(G.transpose()));
      qr.setThreshold(rounding);
      Z = (qr.householderQ() * Z).rightCols(H.rows() - qr.rank()).eval();
    }
    if (Z.cols() == 0) return true;
    const Eigen::MatrixXd S = Z.transpose() * H * Z;
    const Eigen::VectorXd values =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (S + S.transpose()), Eigen::EigenvaluesOnly).eigenvalues();
    return values.minCoeff() >= -rounding * values.cwiseAbs().maxCoeff();
  }

  /// A copy of the scene at the state, under its inputs.
  SceneCopy& copy() {
    if (!copy_) {
      copy_ = std::make_unique<SceneCopy>(document);
      copy_->enter(0, copy_->scene().timeline.analyses.front());
    }
    copy_->follow(active.state);
    copy_->rest();
    copy_->expand();
    return *copy_;
  }

  /// Effective signals [signals of the model] and states of inputs and lags, or what they change by.
  struct SignalChange {
    std::vector<double> effective, states;
  };
  /// With an input, when all lags have come to rest.
  SignalChange signal_slopes(SceneCopy& at, int input) {
    SignalChange out;
    std::vector<double>&effective = out.effective, &states = out.states;
    using Eigen::Index;
    const SignalSet& set = *document.signals;
    const double t = at.state().t;
    std::vector<int> lags;
    for (int k = 0; k < set.size(); ++k)
      if (set.lag_source(k) >= 0) lags.push_back(k);
    const auto n = static_cast<Index>(lags.size());
    const auto source = [&](Index l) { return static_cast<size_t>(set.lag_source(lags[static_cast<size_t>(l)])); };
    Eigen::MatrixXd within = Eigen::MatrixXd::Identity(n, n);
    Eigen::VectorXd felt(n);
    const std::vector<double> direct = set.slopes(t, at.lags(), signals[static_cast<size_t>(input)]);
    // A lag with a value of its own at the start stays there.
    std::vector<double> aside = at.lags(), here = at.lags();
    aside[static_cast<size_t>(places[static_cast<size_t>(input)])] += 1 + std::fabs(aside.front());
    at.system().drives.restart_lags(t, here);
    at.system().drives.restart_lags(t, aside);
    std::vector<char> stays(static_cast<size_t>(n), 0);
    for (Index l = 0; l < n; ++l) {
      const auto state = static_cast<size_t>(set.state_of(lags[static_cast<size_t>(l)]));
      stays[static_cast<size_t>(l)] = here[state] == aside[state];
      felt[l] = stays[static_cast<size_t>(l)] ? 0 : direct[source(l)];
    }
    for (Index j = 0; j < n; ++j) {
      const std::vector<double> of = set.slopes(t, at.lags(), lags[static_cast<size_t>(j)]);
      for (Index l = 0; l < n; ++l)
        if (!stays[static_cast<size_t>(l)]) within(l, j) -= of[source(l)];
    }
    const Eigen::VectorXd moved = n > 0 ? Eigen::VectorXd(within.partialPivLu().solve(felt)) : felt;
    effective = at.system().drives.slopes(t, at.lags(), signals[static_cast<size_t>(input)]);
    states.assign(at.lags().size(), 0.0);
    states[static_cast<size_t>(places[static_cast<size_t>(input)])] = 1;
    for (Index j = 0; j < n; ++j) {
      const std::vector<double> more = at.system().drives.slopes(t, at.lags(), lags[static_cast<size_t>(j)]);
      for (size_t i = 0; i < effective.size(); ++i) effective[i] += more[i] * moved[j];
      states[static_cast<size_t>(set.state_of(lags[static_cast<size_t>(j)]))] = moved[j];
    }
    return out;
  }

  /// A copy of the scene at the equilibrium, where only rounding is left, and the factor there. Null: there is none.
  SceneCopy* prepare() {
    const Model& model = scene.models.front().model;
    if (model.topology->contacts != nullptr) return nullptr;
    SceneCopy& at = copy();
    if (!factor) {
      factor = std::make_unique<TangentFactor>(model.topology, model.values);
      residual = std::make_unique<DualResidual>(model.topology, model.values, no_direction(model.values));
    }
    State<double> state = at.state();
    std::fill(state.v.begin(), state.v.end(), 0.0);
    std::fill(state.a.begin(), state.a.end(), 0.0);
    if (!factor->polish(state, at.signals())) return nullptr;
    at.set_state(state);
    at.expand();
    return &at;
  }
  /// How the equilibrium moves with the signals; false: it is singular.
  bool follow(SceneCopy& at, const SignalChange& change, State<Tangent>& next) {
    std::vector<Tangent> u, still(at.signals().size(), Tangent(0.0));
    for (size_t i = 0; i < change.effective.size(); ++i) {
      u.push_back(Tangent(at.signals()[i].u));
      u.back().d = change.effective[i];
    }
    next = unchanging(at.state());
    residual->assembler.set_signals(u, still, still);
    residual->assembler.set_history(next.history, forever);
    if (!factor->solve_tangent(*residual, next, {.inertia = false})) return false;
    if (residual->assembler.has_history())
      residual->assembler.remember(next.t, next.q.data(), next.v.data(), next.history.data());
    return true;
  }
  /// dq of free coordinates along a change of all inputs; empty: not known.
  std::vector<double> predicted(std::span<const double> change) {
    SceneCopy* at = prepare();
    if (at == nullptr) return {};
    SignalChange all;
    for (size_t k = 0; k < names.size(); ++k) {
      if (change[k] == 0) continue;
      const SignalChange one = signal_slopes(*at, static_cast<int>(k));
      all.effective.resize(one.effective.size(), 0.0);
      for (size_t i = 0; i < one.effective.size(); ++i) all.effective[i] += change[k] * one.effective[i];
    }
    State<Tangent> next;
    if (!follow(*at, all, next)) return {};
    std::vector<double> out;
    for (int i = 0; i < active.topology().ncoord; ++i) out.push_back(next.q[static_cast<size_t>(i)].d);
    return out;
  }

  /// Whether the state has moved from there about as its tangent says: what has snapped over, or turned by half a turn too many,
  /// has not.
  bool is_straight(const State<double>& from, const std::vector<double>& tangent, double share, double allowed,
                   double negligible) const {
    double off = 0, moved = 0, told = 0;
    for (size_t i = 0; i < tangent.size(); ++i) {
      const double d = active.state.q[i] - from.q[i], t = share * tangent[i];
      off += (d - t) * (d - t);
      moved += d * d;
      told += t * t;
    }
    return std::sqrt(off) <= allowed * std::sqrt(std::max(moved, told)) + negligible;
  }

  SceneDocument document;
  SceneModels scene;
  ActiveModel active;
  State<double> first;
  bool stands = false;  ///< the state is an equilibrium
  std::vector<std::string> names, sensors;
  std::vector<int> places, signals;
  long sought = 0;
  std::unique_ptr<SceneCopy> copy_;
  std::unique_ptr<TangentFactor> factor;
  std::unique_ptr<DualResidual> residual;
};

SteeredStatics::SteeredStatics(SceneDocument document, int threads)
    : impl_(std::make_unique<Impl>(std::move(document), threads)) {}
SteeredStatics::~SteeredStatics() = default;
SteeredStatics::SteeredStatics(SteeredStatics&&) noexcept = default;
SteeredStatics& SteeredStatics::operator=(SteeredStatics&&) noexcept = default;

const std::vector<std::string>& SteeredStatics::inputs() const { return impl_->names; }
const SceneModel& SteeredStatics::model() const { return impl_->active.scene(); }
const SceneDocument& SteeredStatics::document() const { return impl_->document; }
const State<double>& SteeredStatics::state() const { return impl_->active.state; }
bool SteeredStatics::stands() const { return impl_->stands; }
long SteeredStatics::equilibria() const { return impl_->sought; }
void SteeredStatics::restart() {
  impl_->active.state = impl_->first;
  impl_->stands = false;
}
void SteeredStatics::return_to(const State<double>& state) {
  impl_->active.state = state;
  impl_->stands = true;
}

std::vector<double> SteeredStatics::values() const {
  std::vector<double> out;
  for (const int place : impl_->places) out.push_back(state().lags[static_cast<size_t>(place)]);
  return out;
}

bool SteeredStatics::move_to(const std::vector<double>& values) {
  Impl& s = *impl_;
  const State<double> before = s.active.state;
  std::vector<double> lags = before.lags;
  for (size_t k = 0; k < s.places.size(); ++k) {
    if (!std::isfinite(values[k])) refuse(s.names[k], "an input must be a finite number");
    lags[static_cast<size_t>(s.places[k])] = values[k];
  }
  s.active.system().drives.restart_lags(before.t, lags);
  for (const double step : {1.0, 0.25}) {
    s.active.state = before;
    s.active.state.lags = lags;
    if (s.equilibrium(step)) return s.stands = true;
  }
  s.active.state = before;
  s.active.state.lags = lags;
  if (s.is_small() && s.equilibrium(0.25, false) && s.is_stable()) return s.stands = true;
  s.active.state = before;
  s.active.state.lags = lags;
  if (s.brought_without_force()) return s.stands = true;
  s.active.state = before;
  return false;
}

bool SteeredStatics::follow_to(const std::vector<double>& values, SensorRow* turns) {
  constexpr double least = 1.0 / 1024, unseen = 1.0 / 16;  // of the way, and where no tangent tells how far is too far
  constexpr double straight = 0.5;
  Impl& s = *impl_;
  const State<double> before = state();
  const bool stood = s.stands;
  const SensorRow row_before = turns == nullptr ? SensorRow{} : *turns;
  const auto count_turns = [&] {
    if (turns != nullptr) turns->remember(s.copy());
  };
  if (!s.stands) {
    StaticSolver solver(s.active.system(), {});
    ++s.sought;
    s.active.system().drives.restart_lags(state().t, s.active.state.lags);
    if (!solver.solve(s.active.state).converged) {
      s.active.state = before;
      return false;
    }
    s.stands = true;
    count_turns();
  }
  const std::vector<double> from = this->values();
  if (from == values) return true;
  const double size = extent(s.active.topology(), state().q);
  for (double done = 0, step = 1; done < 1;) {
    const State<double> here = state();
    std::vector<double> to = from, change = from;
    double next = std::min(1.0, done + step);
    std::vector<double> tangent;
    const auto aim = [&] {
      for (size_t k = 0; k < to.size(); ++k) {
        to[k] = next == 1 ? values[k] : from[k] + next * (values[k] - from[k]);
        change[k] = (next - done) * (values[k] - from[k]);
      }
    };
    aim();
    tangent = s.predicted(change);
    if (tangent.empty() && next - done > unseen) {
      next = done + unseen;
      aim();
    }
    const double whole = next - done;
    while (true) {
      const double share = (next - done) / whole;
      if (move_to(to) && (tangent.empty() || s.is_straight(here, tangent, share, straight, 1e-6 * size))) break;
      return_to(here);
      step = (next - done) / 2;
      if (step < least) {
        return_to(before);
        s.stands = stood;
        if (turns != nullptr) *turns = row_before;
        return false;
      }
      next = done + step;
      aim();
    }
    count_turns();
    step = 2 * (next - done);
    done = next;
  }
  return true;
}

std::vector<double> SteeredStatics::read(std::string_view name) {
  Impl& s = *impl_;
  const auto at = std::find(s.sensors.begin(), s.sensors.end(), name);
  if (at == s.sensors.end())
    refuse(std::string(name), "the scene has no sensor of this name", nearest_name(std::string(name), s.sensors));
  const int sensor = static_cast<int>(at - s.sensors.begin());
  SensorProbe& probe = s.active.probe();
  std::vector<double> out(
      static_cast<size_t>(number_count(model().sensors[static_cast<size_t>(sensor)], model().model.topology->dim)),
      0.0);
  const std::vector<double> last = out;
  if (probe.needs_forces(sensor)) {
    s.active.set_signals(state().t);
    probe.update(state(), false, s.active.energies(0));
  } else {
    probe.look_at(state());
  }
  probe.read(sensor, out, last);
  return out;
}

void SteeredStatics::read(const SensorRow& row, std::span<double> out) { row.read(impl_->copy(), out); }

bool SteeredStatics::slopes(const SensorRow& row, std::span<const int> inputs, std::span<double> out) {
  Impl& s = *impl_;
  SceneCopy* copy = s.prepare();
  if (copy == nullptr) return false;
  const State<double> at = copy->state();
  const size_t columns = row.columns.size();
  for (size_t k = 0; k < inputs.size(); ++k) {
    const Impl::SignalChange slopes = s.signal_slopes(*copy, inputs[k]);
    State<Tangent> next;
    if (!s.follow(*copy, slopes, next)) return false;
    std::vector<SignalValue> change(slopes.effective.size());
    for (size_t i = 0; i < change.size(); ++i) change[i].u = slopes.effective[i];
    const std::vector<double> moved = row.along(*copy, at, next),
                              driven = row.along_signals(*copy, at, change, slopes.states);
    for (size_t c = 0; c < columns; ++c) out[k * columns + c] = moved[c] + driven[c];
  }
  return std::ranges::all_of(out, [](double x) { return std::isfinite(x); });
}

}  // namespace flexura
