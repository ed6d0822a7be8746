#include "flexura/study/linearise.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "flexura/base/nearest_name.hpp"
#include "flexura/base/text.hpp"
#include "flexura/load/winding.hpp"
#include "flexura/solve/culprit.hpp"
#include "flexura/solve/drive_rows.hpp"
#include "flexura/solve/extent.hpp"
#include "flexura/solve/flow_rows.hpp"
#include "flexura/solve/frequency_response.hpp"
#include "flexura/solve/linear_motion.hpp"
#include "flexura/solve/tangent_factor.hpp"
#include "flexura/solve/unbalanced_force.hpp"
#include "flexura/study/sensor_row.hpp"

namespace flexura {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Complex = std::complex<double>;
using Sparse = Eigen::SparseMatrix<double>;

constexpr int most_coordinates = 4000;  ///< of dense matrices

const AnalysisSpec& analysis_of(const Session& session, const SceneModels& scene) {
  const std::vector<AnalysisSpec>& all = scene.timeline.analyses;
  return *std::find_if(all.begin(), all.end(), [&](const AnalysisSpec& a) { return a.name == session.analysis(); });
}

/// Items that remember without states in a linear model, the first of them by name; "" for none.
std::string without_states(const Topology& topology) {
  constexpr size_t most = 3;
  std::vector<std::string> names;
  for (const ItemBatch& items : topology.batches) {
    const std::string_view term = items.type->info.name;
    if (items.history == 0 || counts_turns_only(term) || is_gas_line(term) || is_limited_drive(term)) continue;
    for (const int name : items.names) {
      const std::string& item = topology.item_names[static_cast<size_t>(name)];
      if (std::ranges::find(names, item) == names.end()) names.push_back(item);
    }
  }
  const size_t more = names.size() - std::min(names.size(), most);
  names.resize(names.size() - more);
  return joined_text(names, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

/// The state of a session made ready to be differentiated: a copy of the scene there, its inputs, lags and sensors.
class OperatingPoint {
 public:
  OperatingPoint(const Session& session, const LinearQuestion& question)
      : document_(session.document()), copy_(document_) {
    const SceneModels& scene = copy_.scene();
    const int index = static_cast<int>(&session.model() - session.scene().models.data());
    const AnalysisSpec& analysis = analysis_of(session, scene);
    std::vector<Problem> problems;
    find_inputs(question.inputs, *scene.models[index].model.topology, problems);
    row = SensorRow::find(scene.models.front(), document_.file, question.outputs, problems);
    for (ReadSensor& s : row.sensors) {
      const std::span<const double> last = session.last_reading(s.sensor);
      s.last.assign(last.begin(), last.end());
    }
    if (scene.models[index].model.topology->contacts != nullptr)
      problems.push_back(problem("contact", "no derivative: what comes to touch and lets go has none"));
    if (!problems.empty()) throw InputError(std::move(problems));

    copy_.enter(index, analysis);
    copy_.follow(session.state());
    if (analysis.over_time())
      copy_.open_signals(analysis.end);
    else
      copy_.rest();
    copy_.expand();
    settle(analysis.over_time() || question.as_it_is);
    residual_.emplace(copy_.active().scene().model.topology, values(), no_direction(values()));
    find_slopes();
    refuse_idle_drives();
    read_sensors(question.outputs.empty());
  }

  const Topology& topology() { return copy_.active().topology(); }
  System<double>& system() { return copy_.system(); }
  DualResidual& residual() { return *residual_; }
  const State<double>& state() { return state_; }
  std::span<const SignalValue> signals() const { return copy_.signals(); }
  /// Of the inputs, then of the lags.
  const std::vector<std::vector<double>>& slopes() const { return slopes_; }
  Index input_count() const { return static_cast<Index>(inputs_.size()); }
  Index lag_count() const { return static_cast<Index>(lags_.size()); }
  std::string lag_name(Index k) const { return document_.signals->name(lags_[static_cast<size_t>(k)]); }
  double lag_value(Index k) const { return state_.lags[static_cast<size_t>(state_of_lag(k))]; }
  int state_of_lag(Index k) const { return document_.signals->state_of(lags_[static_cast<size_t>(k)]); }
  bool moves() const { return moves_; }
  /// Beyond rounding [m/s²].
  bool accelerates() const {
    return std::ranges::any_of(state_.a, [](double a) { return std::fabs(a) > 1e-6; });
  }

  /// What the sensors feel of each coordinate of q (0), v (1) or a (2), [columns × ny].
  const Sparse& sensor_slopes(int order) {
    if (!known_slopes_) {
      std::vector<Eigen::Triplet<double>> parts[3];
      for (const SensorSlope& s : row.slopes(copy_, state_)) parts[s.order].emplace_back(s.column, s.index, s.slope);
      for (int k = 0; k < 3; ++k) {
        sensors_[k].resize(static_cast<Index>(row.columns.size()), topology().ny);
        sensors_[k].setFromTriplets(parts[k].begin(), parts[k].end());
      }
      known_slopes_ = true;
    }
    return sensors_[order];
  }
  /// What they feel of changes of the signals' values and rates, [inputs, lags] each.
  VectorXd along_channels(const VectorXd& u, const VectorXd& du, const VectorXd& ddu) {
    std::vector<SignalValue> effective(signals().size());
    std::vector<double> states(state_.lags.size(), 0.0);
    for (size_t k = 0; k < slopes_.size(); ++k) {
      const auto at = static_cast<Index>(k);
      for (size_t i = 0; i < effective.size(); ++i) {
        effective[i].u += slopes_[k][i] * u[at];
        effective[i].du += slopes_[k][i] * du[at];
        effective[i].ddu += slopes_[k][i] * ddu[at];
      }
      const int state = document_.signals->state_of(at < input_count() ? inputs_[k] : lags_[k - inputs_.size()]);
      if (state >= 0) states[static_cast<size_t>(state)] += u[at];
    }
    const std::vector<double> out = row.along_signals(copy_, state_, effective, states);
    return Eigen::Map<const VectorXd>(out.data(), static_cast<Index>(out.size()));
  }

  /// Lags x: ẋ = F x + G u.
  MatrixXd F, G;
  SensorRow row;
  std::vector<NamedUnit> inputs, outputs;
  std::vector<double> u, y;
  std::vector<std::string> warnings;

  Problem problem(const std::string& path, const std::string& message, const std::string& nearest = {}) const {
    return {{document_.file, 0, 0, 1}, path, message, nearest};
  }

 private:
  const Values& values() { return copy_.active().scene().model.values; }

  void find_inputs(std::vector<std::string> wanted, const Topology& topology, std::vector<Problem>& problems) {
    const SignalSet* set = document_.signals.get();
    if (set == nullptr || set->size() == 0) {
      if (!wanted.empty()) problems.push_back(problem("inputs", "the scene has no signals"));
      return;
    }
    if (wanted.empty())
      for (const int k : set->inputs()) wanted.push_back(set->name(k));
    if (wanted.empty())
      for (const EffectiveSignal& s : topology.signals) {
        int k = s.signal;
        while (k >= 0 && set->lag_source(k) >= 0) k = set->lag_source(k);
        if (k >= 0 && !set->name(k).empty() && std::ranges::find(wanted, set->name(k)) == wanted.end())
          wanted.push_back(set->name(k));
      }
    for (const std::string& name : wanted) {
      const int k = set->find(name);
      if (k < 0)
        problems.push_back(problem(name, "the scene has no signal of this name", nearest_name(name, set->names())));
      else if (set->lag_source(k) >= 0)
        problems.push_back(problem(name, "a lag has a state of its own: take the signal that it follows"));
      else
        inputs_.push_back(k);
    }
    for (int k = 0; k < set->size(); ++k)
      if (set->lag_source(k) >= 0) lags_.push_back(k);
  }

  /// Positions and velocities that fit the constraints, accelerations and multipliers that fit those; an equilibrium up to rounding.
  void settle(bool over_time) {
    State<double>& state = copy_.state();
    const double size = extent(topology(), state.q);
    if (over_time) {
      copy_.active().constraints().project_positions(state);
      copy_.active().constraints().project_velocities(state);
      if (!copy_.active().constraints().accelerations(state) && topology().ncoord > 0)
        warnings.push_back("accelerations are those of the last step: coordinates without mass decide them");
    } else {
      std::fill(state.v.begin(), state.v.end(), 0.0);
      std::fill(state.a.begin(), state.a.end(), 0.0);
      TangentFactor factor(copy_.active().scene().model.topology, values());
      State<double> polished = state;
      if (factor.polish(polished, copy_.signals())) {
        double moved = 0;
        for (int i = 0; i < topology().ncoord; ++i)
          moved = std::max(moved, std::fabs(polished.q[static_cast<size_t>(i)] - state.q[static_cast<size_t>(i)]));
        if (moved <= 1e-4 * size) state = std::move(polished);
      }
      // Constraint forces that no static analysis has found are those with which the state would begin to move.
      if (unbalanced_force(system(), state) && copy_.active().has_constraints())
        copy_.active().constraints().accelerations(state);
    }
    const bool stands = std::ranges::all_of(state.v, [](double v) { return v == 0; });
    if (const UnbalancedForce force = stands ? unbalanced_force(system(), state) : UnbalancedForce{})
      warnings.push_back(imbalance_text(topology(), force));
    system().assembler.set_signals(copy_.signals());
    copy_.set_state(State<double>(state));
    copy_.expand();
    state_ = copy_.state();
    double fastest = 0;
    for (const double v : state_.v) fastest = std::max(fastest, std::fabs(v));
    moves_ = fastest > 1e-9 * size;
    if (const std::string names = without_states(topology()); !names.empty())
      warnings.push_back(fmt::format(
          "what remembers (friction, relaxation: {}) answers at once, as to a jump: it has no states here", names));
  }

  void find_slopes() {
    const SignalSet* set = document_.signals.get();
    const auto n = static_cast<Index>(lags_.size()), m = static_cast<Index>(inputs_.size());
    F.setZero(n, n), G.setZero(n, m);
    std::vector<SignalValue> now(set == nullptr ? 0 : set->size());
    if (set != nullptr) set->values(state_.t, state_.lags, now);
    for (const int k : inputs_) {
      inputs.push_back({set->name(k), ""});
      u.push_back(now[static_cast<size_t>(k)].u);
    }
    for (size_t c = 0; c < inputs_.size() + lags_.size(); ++c) {
      const bool is_input = c < inputs_.size();
      const int k = is_input ? inputs_[c] : lags_[c - inputs_.size()];
      slopes_.push_back(system().drives.slopes(state_.t, state_.lags, k));
      const std::vector<double> raw = set->slopes(state_.t, state_.lags, k);
      for (Index l = 0; l < n; ++l) {
        const int lag = lags_[static_cast<size_t>(l)];
        const double slope = raw[static_cast<size_t>(set->lag_source(lag))] / set->lag_time(lag);
        (is_input ? G(l, static_cast<Index>(c)) : F(l, static_cast<Index>(c - inputs_.size()))) += slope;
      }
    }
    for (Index l = 0; l < n; ++l) F(l, l) -= 1 / set->lag_time(lags_[static_cast<size_t>(l)]);
  }

  /// Whether each of the inputs and lags changes with an input.
  std::vector<char> driven_channels() const {
    std::vector<char> out(inputs_.size() + lags_.size(), 1);
    const auto first = static_cast<Index>(inputs_.size());
    MatrixXd reached = G.cwiseAbs();
    for (Index pass = 0; pass < F.rows(); ++pass) reached += F.cwiseAbs().cwiseMin(1) * reached;
    for (Index l = 0; l < F.rows(); ++l) out[static_cast<size_t>(first + l)] = reached.row(l).sum() > 0;
    return out;
  }

  /// A nut that has not reached its target answers to no change of it, though it would soon be somewhere else.
  void refuse_idle_drives() {
    std::vector<Problem> problems;
    const std::vector<char> driven = driven_channels();
    for (const IdleDrive& drive : idle_drives(topology(), state_, signals())) {
      bool reached = false;
      for (size_t k = 0; k < slopes_.size(); ++k)
        reached = reached || (driven[k] && slopes_[k][static_cast<size_t>(drive.target)] != 0);
      const std::string text = "it, or a drive of its kind, has not reached its target: at its limit of rate or force";
      if (reached)
        problems.push_back(problem(drive.name, text + " it does not follow an input; linearise where it has"));
      else
        warnings.push_back(fmt::format("{}: {} it stands still in the linear model", drive.name, text));
    }
    if (!problems.empty()) throw InputError(std::move(problems));
  }

  /// Leaves out sensors that are no function of the state, or refuses them where they were asked for.
  void read_sensors(bool any) {
    std::vector<Problem> problems;
    std::vector<char> out(row.columns.size(), 0);
    const std::vector<SensorSpec>& specs = copy_.scene().models.front().sensors;
    std::vector<double> reading;
    for (ReadSensor& s : row.sensors) {
      reading.resize(static_cast<size_t>(s.size));
      copy_.read(s.sensor, reading, s.last);
      std::string why;
      if (adds_up(copy_, s, reading)) why = "it adds up work over the whole run";
      const bool table = std::ranges::any_of(inputs_, [&](int k) { return document_.signals->input_state(k) < 0; });
      if (specs[static_cast<size_t>(s.sensor)].quantity->needs & needs::signals && table)
        why = "it reads signals: linearise by inputs of type \"input\"";
      s.last = reading;
      if (why.empty()) continue;
      const std::string path = "sensor." + specs[static_cast<size_t>(s.sensor)].name;
      if (!any) problems.push_back(problem(path, "no linear output: " + why));
      warnings.push_back(path + " is left out: " + why);
      for (const int column : s.columns) out[static_cast<size_t>(column)] = 1;
    }
    if (!problems.empty()) throw InputError(std::move(problems));
    keep(out);
    y.assign(row.columns.size(), 0.0);
    row.read(copy_, y);
  }

 public:
  /// Leaves columns of sensors out.
  void keep(const std::vector<char>& left_out) {
    SensorRow kept;
    std::vector<int> place(left_out.size(), -1);
    outputs.clear();
    for (size_t c = 0; c < left_out.size(); ++c) {
      if (left_out[c]) continue;
      place[c] = static_cast<int>(kept.columns.size());
      kept.columns.push_back(row.columns[c]);
      kept.units.push_back(row.units[c]);
      outputs.push_back({row.columns[c], row.units[c]});
    }
    for (const ReadSensor& s : row.sensors) {
      ReadSensor less = s;
      less.columns.clear(), less.components.clear();
      for (size_t k = 0; k < s.columns.size(); ++k)
        if (const int to = place[static_cast<size_t>(s.columns[k])]; to >= 0)
          less.columns.push_back(to), less.components.push_back(s.components[k]);
      if (!less.columns.empty()) kept.sensors.push_back(std::move(less));
    }
    row = std::move(kept);
    known_slopes_ = false;
  }

 private:
  const SceneDocument& document_;
  SceneCopy copy_;
  State<double> state_;
  std::optional<DualResidual> residual_;
  std::vector<int> inputs_, lags_;
  std::vector<std::vector<double>> slopes_;
  Sparse sensors_[3];
  bool known_slopes_ = false;
  bool moves_ = false;
};

/// Unit of a coordinate: points in m; of scalars what the machine knows of them.
std::string unit_of(const SceneModel& scene, int y) {
  const Topology& topology = *scene.model.topology;
  for (size_t s = 0; s < topology.slots.size(); ++s) {
    const Slot& slot = topology.slots[s];
    if (y < slot.offset || y >= slot.offset + slot.size) continue;
    if (slot.kind == SlotKind::point) return "m";
    if (slot.kind == SlotKind::vector) return "1";
    const auto is = [&](int other) { return other == static_cast<int>(s); };
    for (const JointPart& joint : scene.joints)
      if (is(joint.angle) || is(joint.offset)) return is(joint.angle) ? "rad" : "m";
    for (const ChamberPart& chamber : scene.chambers)
      if (is(chamber.pressure) || is(chamber.mass)) return is(chamber.pressure) ? "Pa" : "kg";
    const std::string& name = topology.slot_names[s];
    if (name.starts_with("line.") && name.ends_with(".passed")) return "kg";
    return name.ends_with(".angle") ? "rad" : "m";
  }
  return "1";
}

std::string rate_unit(const std::string& unit) { return unit == "1" ? "1/s" : unit + "/s"; }

std::vector<double> rows_of(const MatrixXd& m) {
  std::vector<double> out(static_cast<size_t>(m.size()));
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j) out[static_cast<size_t>(i * m.cols() + j)] = m(i, j);
  return out;
}

double largest(const MatrixXd& m) { return m.size() == 0 ? 0 : m.cwiseAbs().maxCoeff(); }

/// [x | channels u, u̇, ü] by [x, lags | inputs u, u̇, ü]: the values and rates of lags follow from their states.
Sparse without_lags(const OperatingPoint& point, Index states) {
  const Index m = point.input_count(), n = point.lag_count(), all = m + n;
  const MatrixXd &F = point.F, &G = point.G;
  const Index input = states + n;  // first column of u
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](Index row, Index column, const MatrixXd& block) {
    for (Index i = 0; i < block.rows(); ++i)
      for (Index j = 0; j < block.cols(); ++j)
        if (block(i, j) != 0)
          entries.emplace_back(static_cast<int>(row + i), static_cast<int>(column + j), block(i, j));
  };
  for (Index i = 0; i < states; ++i) entries.emplace_back(static_cast<int>(i), static_cast<int>(i), 1.0);
  for (Index k = 0; k < 3; ++k) add(states + k * all, input + k * m, MatrixXd::Identity(m, m));
  add(states + m, states, MatrixXd::Identity(n, n));
  add(states + all + m, states, F);
  add(states + all + m, input, G);
  add(states + 2 * all + m, states, F * F);
  add(states + 2 * all + m, input, F * G);
  add(states + 2 * all + m, input + m, G);
  Sparse W(states + 3 * all, states + n + 3 * m);
  W.setFromTriplets(entries.begin(), entries.end());
  return W;
}

}  // namespace

LinearModel linearise(const Session& session, const LinearQuestion& question) {
  OperatingPoint point(session, question);
  const SceneModel& scene = session.model();
  const Topology& topology = point.topology();
  if (topology.ny > most_coordinates)
    throw LinearisationError(
        fmt::format("{} unknowns are too many for dense matrices (at most {}); a frequency response has no such limit",
                    topology.ny, most_coordinates));
  const LinearMotion motion =
      linearise_motion(point.system(), point.residual(), point.state(), point.signals(), point.slopes());
  if (!motion.problem.empty()) throw LinearisationError(motion.problem);

  LinearModel out;
  out.t = point.state().t;
  out.inputs = point.inputs;
  out.u = point.u;
  out.constraints = motion.constraints;
  out.warnings = point.warnings;
  for (const int y : motion.at_rest) out.without_inertia.push_back(unknown_name(topology, y));
  for (size_t k = 0; k < motion.states.size(); ++k) {
    const int at = motion.states[k];
    const std::string name = unknown_name(topology, at), unit = unit_of(scene, at);
    const bool rate = motion.rates[k] != 0;
    out.states.push_back(rate ? NamedUnit{"d(" + name + ")/dt", rate_unit(unit)} : NamedUnit{name, unit});
    out.x.push_back(motion.x[static_cast<Index>(k)]);
    out.drift.push_back(motion.drift[static_cast<Index>(k)]);
  }
  const Index own = static_cast<Index>(motion.states.size()), lags = point.lag_count(), states = own + lags,
              m = point.input_count();
  for (Index k = 0; k < lags; ++k) {
    out.states.push_back({point.lag_name(k), ""});
    out.x.push_back(point.lag_value(k));
    out.drift.push_back(0);
  }

  // ẋ = [A B₀ B₁ B₂] [x u u̇ ü]
  const Sparse W = without_lags(point, own);
  MatrixXd F(states, states + 3 * m), all(own, W.rows());
  all.leftCols(own) = motion.A;
  for (int k = 0; k < 3; ++k) all.middleCols(own + k * (m + lags), m + lags) = motion.B[k];
  F.topRows(own) = all * W;
  F.bottomRows(lags).setZero();
  F.bottomRows(lags).middleCols(own, lags) = point.F;
  F.bottomRows(lags).middleCols(states, m) = point.G;
  // y = [C D₀ D₁ D₂] [x u u̇ ü]
  const MatrixXd q = motion.q * W, v = motion.v * W, a = motion.a * W;
  const MatrixXd channels = MatrixXd(W).bottomRows(3 * (m + lags));
  MatrixXd H = point.sensor_slopes(0) * q + point.sensor_slopes(1) * v + point.sensor_slopes(2) * a;
  for (Index k = 0; k < W.cols(); ++k)
    if (!channels.col(k).isZero(0))
      H.col(k) += point.along_channels(channels.col(k).head(m + lags), channels.col(k).segment(m + lags, m + lags),
                                       channels.col(k).tail(m + lags));

  // Rates of inputs are taken out by x = x′ + B₂ u̇ + (B₁ + A B₂) u.
  const MatrixXd A = F.leftCols(states), B2 = F.rightCols(m), E = F.middleCols(states + m, m) + A * B2;
  const MatrixXd C = H.leftCols(states), by_rate = H.middleCols(states + m, m) + C * B2;
  const MatrixXd size = H.middleCols(states + m, m).cwiseAbs() + C.cwiseAbs() * B2.cwiseAbs();
  std::vector<char> left_out(point.row.columns.size(), 0);
  std::vector<Problem> problems;
  for (Index c = 0; c < H.rows(); ++c)
    for (Index k = 0; k < m; ++k) {
      const double tiny = 1e-8 * std::max(largest(H.row(c)), 1e-300);
      const bool feels =
          std::fabs(by_rate(c, k)) > 1e-8 * size(c, k) + 1e-6 * tiny || std::fabs(H(c, states + 2 * m + k)) > tiny;
      if (!feels || left_out[static_cast<size_t>(c)]) continue;
      left_out[static_cast<size_t>(c)] = 1;
      const std::string
          path = "sensor." + point.row.columns[static_cast<size_t>(c)],
          why =
              fmt::format("it feels rates of the input '{}', which prescribes a motion; a frequency response has them",
                          point.inputs[static_cast<size_t>(k)].name);
      out.warnings.push_back(path + " is left out: " + why);
      if (!question.outputs.empty()) problems.push_back(point.problem(path, "no linear output: " + why));
    }
  if (!problems.empty()) throw InputError(std::move(problems));
  std::vector<Index> kept;
  for (Index c = 0; c < H.rows(); ++c)
    if (!left_out[static_cast<size_t>(c)]) {
      kept.push_back(c);
      out.outputs.push_back(point.outputs[static_cast<size_t>(c)]);
      out.y.push_back(point.y[static_cast<size_t>(c)]);
    }
  out.shifted = largest(E) > 0 || largest(B2) > 0;
  out.A = rows_of(A);
  out.B = rows_of(A * E + F.middleCols(states, m));
  out.C = rows_of(C(kept, Eigen::all));
  out.D = rows_of((C * E + H.middleCols(states, m))(kept, Eigen::all));
  return out;
}

FrequencyResponses frequency_response(const Session& session, const LinearQuestion& question,
                                      std::span<const double> frequencies) {
  OperatingPoint point(session, question);
  std::vector<Problem> problems;
  for (const double f : frequencies)
    if (!(std::isfinite(f) && f >= 0))
      problems.push_back(point.problem("frequencies", fmt::format("frequencies are 0 Hz or more, not {}", f)));
  if (point.moves())
    problems.push_back(point.problem(
        "at", "the state moves: only about a state at rest does what swings stay so; linearise gives A, B, C, D"));
  if (!problems.empty()) throw InputError(std::move(problems));
  FrequencyResponse response(point.system(), point.residual(), point.state(), point.signals(), point.slopes());

  FrequencyResponses out;
  out.inputs = point.inputs;
  out.outputs = point.outputs;
  out.warnings = point.warnings;
  if (point.accelerates())
    out.warnings.push_back(
        "the state is not in equilibrium: the response is that of its frozen tangent; find it first");
  if (const auto [rate, line] = response.flow(); rate > 1e-3)
    out.warnings.push_back(fmt::format(
        "a chamber gains or loses {:.2g} of its gas in a second by '{}' or lines beside it: the response is "
        "that of the frozen tangent; find the equilibrium first",
        rate, line));
  const Index m = point.input_count(), n = point.lag_count(), nc = point.topology().ncoord;
  MatrixXd by_value(static_cast<Index>(point.row.columns.size()), m + n), by_rate = by_value, by_second = by_value;
  Eigen::SparseMatrix<Complex> felt[3];
  for (int k = 0; k < 3; ++k) felt[k] = point.sensor_slopes(k).cast<Complex>();
  const VectorXd none = VectorXd::Zero(m + n);
  for (Index k = 0; k < m + n; ++k) {
    const VectorXd one = VectorXd::Unit(m + n, k);
    by_value.col(k) = point.along_channels(one, none, none);
    by_rate.col(k) = point.along_channels(none, one, none);
    by_second.col(k) = point.along_channels(none, none, one);
  }
  for (const double f : frequencies) {
    const Complex s(0, 2 * std::numbers::pi * f);
    MatrixXcd all;
    if (!response.solve(s.imag(), all))
      throw LinearisationError(fmt::format(
          "the equations are singular at {:.6g} Hz: a resonance without damping, or what nothing holds", f));
    MatrixXcd channels(m + n, m);
    channels.topRows(m).setIdentity();
    if (n > 0) {
      const MatrixXcd lag = s * MatrixXcd::Identity(n, n) - point.F.cast<Complex>();
      channels.bottomRows(n) = lag.partialPivLu().solve(MatrixXcd(point.G.cast<Complex>()));
    }
    const MatrixXcd q = all * channels;
    MatrixXcd H(static_cast<Index>(point.row.columns.size()), m);
    MatrixXcd v = MatrixXcd::Zero(q.rows(), m), a = v;
    v.topRows(nc) = s * q.topRows(nc);
    a.topRows(nc) = s * v.topRows(nc);
    H = felt[0] * q + felt[1] * v + felt[2] * a;
    H += by_value * channels + by_rate * MatrixXcd(s * channels) + by_second * MatrixXcd(s * s * channels);
    out.frequencies.push_back(f);
    for (Index c = 0; c < H.rows(); ++c)
      for (Index k = 0; k < m; ++k) out.response.push_back(H(c, k));
  }
  return out;
}

}  // namespace flexura
