// The way back, event by event.

#include <algorithm>

#include "flexura/solve/start_equations.hpp"
#include "flexura/study/gradient_back.hpp"

namespace flexura {

DualResidual& BackwardGradient::residual_of(Way& way) {
  std::unique_ptr<DualResidual>& residual = way.residual[model_];
  if (residual == nullptr)
    residual = std::make_unique<DualResidual>(model().topology, model().values, direction_of(way));
  return *residual;
}

void BackwardGradient::set_signals(DualResidual& residual, std::span<const SignalValue> signals) {
  const size_t n = signals.size();
  u_.assign(n, Tangent(0.0)), du_.assign(n, Tangent(0.0)), ddu_.assign(n, Tangent(0.0));
  for (size_t i = 0; i < n; ++i) u_[i] = signals[i].u, du_[i] = signals[i].du, ddu_[i] = signals[i].ddu;
  residual.assembler.set_signals(u_, du_, ddu_);
}

void BackwardGradient::prepare_way_back() {
  for (auto& [model, part] : parts_) {
    use_model(model);
    prepare(part);
  }
  sensors_ = std::make_unique<SensorCotangent>(row_);
  find_first_change();
}

void BackwardGradient::prepare(Part& part) {
  const Model& model = this->model();
  part.plain = std::make_unique<DualResidual>(model.topology, model.values, no_direction(model.values));
  const bool any_moves_signals = std::ranges::any_of(ways_, &Way::moves_signals);
  part.moves_places.assign(topology().signals.size(), 0);
  for (const Dependent& d : topology().dependents)
    for (const Drive& drive : d.drives) part.moves_places[drive.signal] = 1;
  for (size_t i = 0; i < topology().signals.size(); ++i)
    if (const int signal = topology().signals[i].signal; signal >= 0 && (any_moves_signals || samples_.has(signal)))
      part.signals_asked.push_back(static_cast<int>(i));
  std::vector<const Values*> directions;
  for (const Way& way : ways_) directions.push_back(&direction_of(way));
  part.products = std::make_unique<NumberProducts>(model, directions, part.signals_asked);
}

std::vector<double> BackwardGradient::gradient(const std::vector<double>& weights) {
  gradient_.assign(out_.numbers.size(), 0.0);
  felt_.clear();
  const size_t columns = out_.columns.size();
  const bool any_moves_signals = std::ranges::any_of(ways_, &Way::moves_signals);
  if (any_moves_signals) felt_.assign(events_.size(), SignalCotangent(0));
  for (auto& [model, part] : parts_) part.products->clear();
  use_model(events_.back().model);
  z_ = next_ = Cotangent(topology());
  have_after_ = false;
  bool any = false;
  for (size_t e = events_.size(); e-- > 0;) {
    const RunEvent& event = events_[e];
    if (question_.stop != nullptr && question_.stop->load()) throw GradientError("interrupted on the way back");
    const size_t signals = topology().signals.size();
    SignalCotangent felt(signals), by_sensors(signals);
    if (event.row >= 0) {
      rows_[event.row].weights = std::span(weights).subspan(event.row * columns, columns);
      add_sensors(e, rows_[event.row], by_sensors);
    }
    any = any || event.row >= 0;
    if (any && !z_.is_zero()) {
      step_back(e, felt);
      have_after_ = true;
    }
    if (event.kind != RunEvent::enter && signals > 0)
      for (const SignalCotangent* of : {&felt, &by_sensors})
        samples_.add(event.t, event.kind != RunEvent::step, event.kind == RunEvent::rest, topology(), *of, gradient_);
    if (any_moves_signals) felt_[e] = std::move(felt);
    if (e > 0 && events_[e - 1].model != model_) take_over(e);
  }
  have_after_ = false;
  for (size_t k = 0; k < ways_.size(); ++k) {
    Way& way = ways_[k];
    for (auto& [model, part] : parts_) gradient_[way.place] += part.products->slope(k);
    if (way.moves_signals) gradient_[way.place] += felt_of_signals(*way.copies, events_, felt_);
    if (way.reads) gradient_[way.place] += felt_of_sensors(*way.copies, events_, rows_, row_, doubt_);
    if (way.copies) doubt_.note(way.copies->doubt().size, [&] { return way.copies->doubt().text; });
  }
  return std::move(gradient_);
}

void BackwardGradient::take_over(size_t e) {
  z_ = carry(events_[e - 1].model, model_).back(z_);
  for (const Way& way : ways_)
    if (const auto found = way.start.find(e); found != way.start.end())
      for (size_t i = 0; i < z_.q.size(); ++i) gradient_[way.place] -= z_.q[i] * found->second.before[i].d;
  use_model(events_[e - 1].model);
  next_ = Cotangent(topology());
  have_after_ = false;
}

void BackwardGradient::step_back(size_t e, SignalCotangent& felt) {
  if (!have_after_ || loaded_ != e) events_.load(e, after_);
  const bool needs_before = e > 0 && (events_[e].kind == RunEvent::step || events_[e].kind == RunEvent::open);
  if (needs_before) events_.load(e - 1, before_);
  past_.assign(topology().history, 0.0);
  products().set_signals(events_.signals(e));
  const bool driven = driven_.contains({model_, events_[e].analysis});
  if (events_[e].kind == RunEvent::step || (driven && events_[e].kind == RunEvent::open))
    back_through_memory(before_.history, after_.t - before_.t, felt);
  if (events_[e].kind == RunEvent::rest) back_through_memory(after_.history, forever, felt);
  fold(felt);
  switch (events_[e].kind) {
    case RunEvent::enter:
      back_through_enter(e);
      break;
    case RunEvent::rest:
      back_through_rest(e, felt);
      break;
    case RunEvent::open:
    case RunEvent::step:
      if (driven)
        back_through_driven(e, felt);
      else if (events_[e].kind == RunEvent::open)
        back_through_open(e, felt);
      else
        back_through_step(e, felt);
      break;
  }
  if (needs_before) std::swap(after_, before_), loaded_ = e - 1;
}

void BackwardGradient::find_first_change() {
  first_change_ = events_.size();
  for (size_t e = events_.size(); e-- > 0;)
    if (events_[e].kind == RunEvent::rest || events_[e].kind == RunEvent::step) first_change_ = e;
  for (const Way& way : ways_)
    for (const auto& [e, start] : way.start)
      for (const auto* x : {&start.state.q, &start.state.v, &start.state.history})
        starts_elsewhere_ = starts_elsewhere_ || std::ranges::any_of(*x, [](const Tangent& t) { return t.d != 0; });
}

void BackwardGradient::add_sensors(size_t e, const ReadEvent& row, SignalCotangent& felt) {
  here_.enter(model_, *events_[e].analysis);
  here_.follow(row.state);
  here_.set_signals(events_.signals(e));
  sensors_->go_on_from(row.readings);
  sensors_->add(here_, row.state, row.weights, z_);
  if (samples_.any()) sensors_->add_signals(here_, row.state, row.weights, felt);
}

void BackwardGradient::back_through_memory(const std::vector<double>& history, double h, SignalCotangent& felt) {
  if (!remembers()) return;
  look_back(history, h);
  const std::vector<double> next = std::exchange(z_.history, std::vector<double>(history.size(), 0.0));
  products().memory(after_, next.data(), z_, felt, past_.data());
}

void BackwardGradient::back_through_step(size_t e, SignalCotangent& felt) {
  NewmarkTangent& step = *steps_.at({model_, events_[e].analysis});
  if (const std::string problem = step.begin(before_, after_, events_.signals(e)); !problem.empty())
    throw GradientError(problem);
  next_.clear();
  if (next_.q.empty()) next_ = Cotangent(topology());
  const std::vector<double> mu = step.backward(z_, next_);
  back_through_equations(after_, mu, true, past_.data(), felt);
  next_.history = past_;
  std::swap(z_, next_);
}

void BackwardGradient::back_through_rest(size_t e, SignalCotangent& felt) {
  State<double> polished = after_;
  if (!factor_->polish(polished, events_.signals(e)))
    throw GradientError("the equations of the equilibrium are singular: it has no derivative");
  std::vector<double> mu(z_.q.begin(), z_.q.begin() + topology().ny);
  factor_->refine_transposed(mu);
  back_through_equations(polished, mu, false, nullptr, felt);
  z_.clear();
}

void BackwardGradient::back_through_enter(size_t e) {
  for (const Way& way : ways_) {
    const auto found = way.start.find(e);
    if (found == way.start.end()) continue;
    const State<Tangent>& start = found->second.state;
    double sum = 0;
    for (int i = 0; i < topology().ny; ++i) sum += z_.q[i] * start.q[i].d;
    for (int i = 0; i < topology().ncoord; ++i) sum += z_.v[i] * start.v[i].d;
    for (size_t k = 0; k < z_.history.size(); ++k) sum += z_.history[k] * start.history[k].d;
    gradient_[way.place] += sum;
  }
}

void BackwardGradient::back_through_accelerations(size_t e, StartEquations& equations, double* past, bool matters,
                                                  SignalCotangent& felt) {
  const int ncoord = topology().ncoord, ny = topology().ny;
  std::vector<double> a(z_.a.begin(), z_.a.begin() + ncoord);
  for (int i = 0; i < ncoord; ++i) a[i] += z_.a_alg[i];
  std::vector<double> mu = equations.solve(a, std::span(z_.q).subspan(ncoord, ny - ncoord));
  equations.add_scalars(z_.q, mu);
  std::fill(z_.a.begin(), z_.a.end(), 0.0);
  std::fill(z_.a_alg.begin(), z_.a_alg.end(), 0.0);
  std::fill(z_.q.begin() + ncoord, z_.q.begin() + ny, 0.0);
  std::vector<double> forces = mu;  // rows of constraints are those of their accelerations
  for (const int row : equations.matrix().rows()) forces[row] = 0;
  back_through_equations(after_, forces, true, past, felt);
  if (matters) {
    Cotangent moved(topology());
    SignalCotangent counted(topology().signals.size());  // above
    products().by_state(after_, forces, factor_->system.assembler, moved);
    fold_dependents(topology(), model().values, moved, counted);
    for (int i = 0; i < ncoord; ++i) z_.q[i] += moved.q[i], z_.v[i] += moved.v[i];
  }
  if (equations.has_rows()) back_through_rows(e, equations, &StartEquations::start, mu, true, matters, felt);
}

void BackwardGradient::back_through_rows(size_t e, StartEquations& equations, Rows of, std::span<const double> mu,
                                         bool accelerations, bool matters, SignalCotangent& felt) {
  State<Tangent> state = unchanging(after_);
  for (Way& way : ways_) {
    if (!way.change.models[model_].values) continue;
    DualResidual& residual = residual_of(way);
    set_signals(residual, events_.signals(e));
    StartEquations own(*factor_, residual);
    State<Tangent> moved = state;  // places move with the number, and with nothing else
    gradient_[way.place] += (own.*of)(moved, mu);
  }
  for_signals(e, felt, accelerations, [&] { return (equations.*of)(state, mu); });
  if (!matters) return;
  const auto columns = [&](std::vector<Tangent>& x, std::vector<double>& to) {
    for (const int i : equations.touched()) {
      x[i].d = 1;
      to[i] += (equations.*of)(state, mu);
      x[i].d = 0;
    }
  };
  columns(state.q, z_.q);
  if (accelerations) columns(state.v, z_.v);
}

void BackwardGradient::back_through_open(size_t e, SignalCotangent& felt) {
  const int ncoord = topology().ncoord, ny = topology().ny;
  factor_->system.assembler.set_signals(events_.signals(e));
  DualResidual& plain = *part().plain;
  set_signals(plain, events_.signals(e));
  if (remembers()) factor_->system.assembler.set_history(after_.history, 0);
  look_back(after_.history, 0);
  StartEquations equations(*factor_, plain);
  if (const std::string problem = equations.factor(after_); !problem.empty()) throw GradientError(problem);
  const bool matters = e > first_change_ || starts_elsewhere_;
  back_through_accelerations(e, equations, remembers() ? z_.history.data() : nullptr, matters, felt);
  back_through_memory(before_.history, 0, felt);
  fold(felt);
  z_.history = past_;
  if (!equations.has_rows()) return;

  const std::vector<double> nothing(ny - ncoord, 0.0);
  const std::vector<double> nu = equations.solve(z_.v, nothing);
  std::fill(z_.v.begin(), z_.v.end(), 0.0);
  State<double> projected = after_, from = after_;
  from.v = before_.v;
  const std::vector<double> m = equations.impulses(from);
  std::copy(m.begin(), m.end(), projected.q.begin() + ncoord);
  State<Tangent> after = unchanging(projected), start = unchanging(from);
  for (Way& way : ways_) {
    if (!way.change.models[model_].values) continue;
    set_signals(residual_of(way), events_.signals(e));
    StartEquations own(*factor_, residual_of(way));
    State<Tangent> moved = after;
    gradient_[way.place] += own.project(moved, start, nu);
  }
  const auto value = [&] { return equations.project(after, start, nu); };
  for_signals(e, felt, false, value);
  if (!matters) return;
  for (const int i : equations.touched()) {
    after.q[i].d = start.q[i].d = 1;
    z_.q[i] += value();
    after.q[i].d = start.q[i].d = 0;
  }
  std::vector<double> inertial(nu.begin(), nu.end());
  std::fill(inertial.begin() + ncoord, inertial.end(), 0.0);
  inertial = factor_->mass_times(inertial);
  for (int i = 0; i < ncoord; ++i) z_.v[i] += inertial[i];
}

void BackwardGradient::back_through_driven(size_t e, SignalCotangent& felt) {
  const RunEvent& event = events_[e];
  const std::vector<double> nothing(topology().ny - topology().ncoord, 0.0);
  KinematicTangent& driven = *driven_.at({model_, event.analysis});
  if (const std::string problem = driven.begin(before_, after_, events_.signals(e)); !problem.empty())
    throw GradientError(problem);
  if (!driven.with_forces()) std::ranges::fill(std::span(z_.q).subspan(topology().ncoord), 0.0);
  set_signals(*part().plain, events_.signals(e));
  look_back(before_.history, after_.t - before_.t);
  StartEquations equations(*factor_, *part().plain);
  if (const std::string problem = equations.factor(after_); !problem.empty()) throw GradientError(problem);
  back_through_accelerations(e, equations, remembers() ? past_.data() : nullptr, true, felt);
  if (equations.has_rows()) {
    const std::vector<double> rates = equations.solve(z_.v, nothing);
    back_through_rows(e, equations, &StartEquations::rates, rates, false, true, felt);
    const std::vector<double> places = equations.solve(z_.q, nothing);
    back_through_rows(e, equations, &StartEquations::places, places, false, false, felt);
  }
  z_.clear();
  z_.history = past_;
}

}  // namespace flexura
