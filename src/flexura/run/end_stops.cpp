#include "flexura/run/end_stops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "flexura/model/term_type.hpp"

namespace flexura {
namespace {

constexpr double missed_work = 2e-6;   ///< of the largest kinetic energy at which a stop was touched
constexpr double stop_growth = 2.001;  ///< from one step of the method to the next
constexpr double no_step = std::numeric_limits<double>::infinity();
constexpr int most_stop_halvings = 24;
constexpr int most_failures = 100;    ///< of the method in parts of one step
constexpr int most_unresolved = 300;  ///< parts of one step, beyond which it goes on as it is

/// Where a parameter stands among those of an item; −1: the type has none of this name.
int place_of_parameter(const TermInfo& info, std::string_view name) {
  int at = 0;
  for (const Field& field : info.fields) {
    if (field.name == name) return at;
    at += field.size;
  }
  return -1;
}

std::vector<EndStop> stops_of(const Topology& topology, const Values& values) {
  std::vector<EndStop> out;
  for (size_t b = 0; b < topology.batches.size(); ++b) {
    const ItemBatch& batch = topology.batches[b];
    const TermInfo& info = batch.type->info;
    const int width = place_of_parameter(info, "stop_width"), stiffness = place_of_parameter(info, "stop_stiffness");
    if (width < 0 || stiffness < 0) continue;
    const int damping = place_of_parameter(info, "stop_damping"), lower = place_of_parameter(info, "lower"),
              upper = place_of_parameter(info, "upper");
    const auto stride = static_cast<size_t>(info.parameter_count());
    for (size_t k = 0; k < static_cast<size_t>(batch.count); ++k) {
      const double* of = &values.parameters[b][k * stride];
      if (!(of[stiffness] > 0 || of[damping] > 0)) continue;
      const Slot& slot = topology.slots[static_cast<size_t>(batch.slots[k * info.slots.size()])];
      out.push_back({slot.offset, of[lower], of[upper], of[stiffness], of[damping], of[width]});
    }
  }
  return out;
}

class StopResolvingStepper final : public Stepper {
 public:
  StopResolvingStepper(std::unique_ptr<Stepper> method, EndStops stops, System<double>& system)
      : method_(std::move(method)), stops_(std::move(stops)), system_(system) {}

  std::string start(State<double>& state) override { return method_->start(state); }
  bool remembers_accelerations() const override { return method_->remembers_accelerations(); }
  std::string go_on(State<double>& state) override { return method_->go_on(state); }
  StepReport step(State<double>& state, double t1) override {
    failures_ = unresolved_ = 0;
    return advance(state, t1, most_stop_halvings);
  }
  void until(double t) override { method_->until(t); }
  void reset() override { method_->reset(); }
  int error_order() const override { return method_->error_order(); }
  std::string advice() const override { return method_->advice(); }
  TurnLimits turn_limits() const override { return method_->turn_limits(); }
  const ContactWork* contact_work() const override { return method_->contact_work(); }

 private:
  StepReport advance(State<double>& state, double t1, int halvings) {
    const State<double> before = state;
    StepReport report;
    const bool is_long = t1 - state.t > stop_growth * last_;
    if (halvings == 0 || !is_long) {
      const bool may_touch = stops_.may_be_touched(state, t1);
      report = method_->step(state, t1);
      const bool is_final = report.done ? stops_.resolved(before, state) || ++unresolved_ > most_unresolved
                                        : !may_touch || ++failures_ > most_failures;
      if (halvings == 0 || is_final) {
        last_ = report.done ? t1 - before.t : last_;
        return report;
      }
      go_back(state, before);
    }
    for (const double end : {0.5 * (before.t + t1), t1}) {
      const StepReport half = advance(state, end, halvings - 1);
      report.done = half.done;
      report.iterations += half.iterations;
      report.factorizations += half.factorizations;
      report.residual = half.residual;
      report.error = end == t1 ? std::max(report.error, half.error) : half.error;
      report.problem = half.problem;
      report.detail = half.detail;
      if (half.done) continue;
      go_back(state, before);
      break;
    }
    method_->reset();
    return report;
  }
  void go_back(State<double>& state, const State<double>& before) {
    state = before;
    method_->reset();
    system_.assembler.set_signals(system_.drives.at(state.t, state.lags));
  }

  std::unique_ptr<Stepper> method_;
  EndStops stops_;
  System<double>& system_;
  double last_ = no_step;              ///< step of the method
  int failures_ = 0, unresolved_ = 0;  ///< in this step
};

}  // namespace

EndStops::EndStops(const Values& values, const System<double>& system)
    : system_(system), stops_(stops_of(system.topology(), values)) {}

bool has_end_stops(const Model& model) { return !stops_of(*model.topology, model.values).empty(); }

namespace {

/// As CoordinateSpring has them: energy of a stop, its power against the motion, and the power of its damper.
struct StopState {
  double energy = 0, elastic_power = 0, loss = 0;  ///< [J, W, W]
  StopState(const EndStop& stop, double penetration, double rate) {
    const double w = stop.width, s = std::clamp(penetration / w, 0.0, 1.0), u = std::max(penetration - w, 0.0);
    energy = stop.stiffness * (w * w * s * s * s * s * (0.25 - 0.1 * s) + 0.5 * u * (w + u));
    elastic_power = stop.stiffness * (w * s * s * s * (1 - 0.5 * s) + u) * rate;
    loss = stop.damping * s * s * (3 - 2 * s) * rate * rate;
  }
};

/// Difference between two estimates of the work of a stop over a step of h.
double missed_work_of(const EndStop& stop, double h, double p0, double p1, double v0, double v1) {
  const StopState begin(stop, p0, v0), middle(stop, 0.5 * (p0 + p1), (p1 - p0) / h), end(stop, p1, v1);
  return std::fabs(end.energy - begin.energy - 0.5 * h * (begin.elastic_power + end.elastic_power)) +
         std::fabs(h * middle.loss - 0.5 * h * (begin.loss + end.loss));
}

}  // namespace

bool EndStops::may_be_touched(const State<double>& state, double t1) const {
  constexpr double far = 2;  ///< times as far as the joint goes at its rate
  const double h = t1 - state.t;
  return std::any_of(stops_.begin(), stops_.end(), [&](const EndStop& stop) {
    const double x = state.q[stop.coordinate], reach = far * h * std::fabs(state.v[stop.coordinate]);
    return x - reach < stop.lower || x + reach > stop.upper;
  });
}

bool EndStops::resolved(const State<double>& before, const State<double>& after) {
  double kinetic = -1, missed = 0;
  for (const EndStop& stop : stops_) {
    const int i = stop.coordinate;
    for (const double side : {-1.0, 1.0}) {
      const double limit = side < 0 ? -stop.lower : stop.upper;
      const double p0 = side * before.q[i] - limit, p1 = side * after.q[i] - limit;
      if (std::max(p0, p1) <= 0) continue;
      if (kinetic < 0) kinetic = system_.assembler.kinetic_energy(before.v.data());
      missed += missed_work_of(stop, after.t - before.t, p0, p1, side * before.v[i], side * after.v[i]);
    }
  }
  at_stake_ = std::max(at_stake_, kinetic);
  return missed <= missed_work * at_stake_;
}

std::unique_ptr<Stepper> with_resolved_stops(std::unique_ptr<Stepper> method, const Values& values,
                                             System<double>& system) {
  EndStops stops(values, system);
  if (stops.empty()) return method;
  return std::make_unique<StopResolvingStepper>(std::move(method), std::move(stops), system);
}

}  // namespace flexura
