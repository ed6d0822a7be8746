#include "flexura/signal/signal_set.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "flexura/base/nearest_name.hpp"

namespace flexura {
namespace {

/// Scratch of at least n numbers, one per thread: a set is constant and may be used by several threads at once.
std::span<double> scratch(int n) {
  thread_local std::vector<double> numbers;
  if (static_cast<int>(numbers.size()) < n) numbers.resize(n);
  return {numbers.data(), static_cast<std::size_t>(n)};
}

/// 1 − (1 − e^−a)/a, the weight of the input's change over a step a = h/tau; by its series where the difference would
/// cancel.
double lag_weight(double a) {
  if (a > 0.05) return 1 + std::expm1(-a) / a;
  double sum = 0;
  for (int k = 8; k > 1; --k) sum = (1 - a * sum) / k;  // a/2 − a²/6 + a³/24 − …
  return a * sum;
}

}  // namespace

int SignalSet::add(std::string name, Signal signal) {
  entries_.push_back({std::move(name), std::move(signal)});
  return size() - 1;
}

int SignalSet::add(std::string name, LagSignal lag) {
  entries_.push_back({std::move(name), std::move(lag)});
  return size() - 1;
}

int SignalSet::add(std::string name, InputSignal input) {
  entries_.push_back({std::move(name), input});
  return size() - 1;
}

int SignalSet::find(std::string_view name) const {
  if (name.empty()) return -1;
  for (int i = 0; i < size(); ++i)
    if (entries_[i].name == name) return i;
  return -1;
}

std::vector<std::string> SignalSet::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_)
    if (!entry.name.empty()) names.push_back(entry.name);
  return names;
}

std::vector<int> SignalSet::references(int signal, std::vector<SignalProblem>& problems) const {
  std::vector<std::string> wanted;
  if (const LagSignal* l = lag(signal)) {
    wanted.push_back(l->of);
  } else if (const Signal* s = plain(signal)) {
    if (const auto* expression = std::get_if<Expression>(&s->shape())) wanted = expression->inputs();
  }
  std::vector<int> found;
  for (const std::string& name : wanted) {
    found.push_back(find(name));
    if (found.back() >= 0) continue;
    problems.push_back({.signal = entries_[signal].name,
                        .field = lag(signal) ? "of" : "expression",
                        .message = "there is no signal named '" + name + "'",
                        .nearest = nearest_name(name, names())});
  }
  return found;
}

/// Orders depth first; a signal met again while its own references are open closes a cycle.
void SignalSet::sort(const std::vector<std::vector<int>>& references, std::vector<SignalProblem>& problems) {
  enum class Mark { fresh, open, done };
  std::vector<Mark> marks(entries_.size(), Mark::fresh);
  struct Open {
    int signal;
    std::size_t next;
  };
  order_.clear();
  for (int start = 0; start < size(); ++start) {
    if (marks[start] != Mark::fresh) continue;
    std::vector<Open> open{{start, 0}};
    marks[start] = Mark::open;
    while (!open.empty()) {
      Open& top = open.back();
      if (top.next == references[top.signal].size()) {
        marks[top.signal] = Mark::done;
        order_.push_back(top.signal);
        open.pop_back();
        continue;
      }
      const int to = references[top.signal][top.next++];
      if (to < 0 || marks[to] == Mark::done) continue;
      if (marks[to] == Mark::fresh) {
        marks[to] = Mark::open;
        open.push_back({to, 0});
        continue;
      }
      auto from = std::find_if(open.begin(), open.end(), [&](const Open& o) { return o.signal == to; });
      std::string path;
      for (auto it = from; it != open.end(); ++it) path += "'" + entries_[it->signal].name + "' -> ";
      problems.push_back({.signal = entries_[to].name,
                          .field = lag(to) ? "of" : "expression",
                          .message = "the signal depends on itself: " + path + "'" + entries_[to].name + "'",
                          .nearest = {}});
    }
  }
}

std::vector<SignalProblem> SignalSet::finish() {
  std::vector<SignalProblem> problems;
  std::vector<std::vector<int>> all_references(entries_.size());
  states_.clear();
  for (int i = 0; i < size(); ++i) {
    Entry& entry = entries_[i];
    const auto wrong = [&](std::string field, std::string message) {
      problems.push_back({entry.name, std::move(field), std::move(message), {}});
    };
    if (const int same = find(entry.name); same >= 0 && same != i) wrong("name", "there are two signals of this name");
    all_references[i] = references(i, problems);
    if (const LagSignal* l = lag(i)) {
      if (!(std::isfinite(l->tau) && l->tau > 0)) wrong("tau", "must be greater than 0 [s]");
      if (l->initial && !std::isfinite(*l->initial)) wrong("initial", "must be a finite number");
      entry.source = all_references[i].front();
      entry.state = state_size();
      states_.push_back(i);
    } else if (const InputSignal* number = input(i)) {
      if (!std::isfinite(number->value)) wrong("value", "must be a finite number");
      entry.state = state_size();
      states_.push_back(i);
    } else {
      for (SignalProblem& problem : plain(i)->problems()) {
        problem.signal = entry.name;
        problems.push_back(std::move(problem));
      }
    }
  }
  sort(all_references, problems);
  if (!problems.empty()) return problems;

  for (const int i : order_) {
    Entry& entry = entries_[i];
    entry.on_state = entry.state >= 0;
    const Signal* alone = plain(i);
    entry.on_code = alone != nullptr && std::holds_alternative<CodeSignal>(alone->shape());
    for (const int r : all_references[i]) {
      entry.on_state = entry.on_state || entries_[r].on_state;
      entry.on_code = entry.on_code || entries_[r].on_code;
    }
    if (entry.state < 0 && !all_references[i].empty())
      entry.what = Signal(std::get<Expression>(plain(i)->shape()).bind(all_references[i]));
  }
  scratch(2 * size());
  return problems;
}

bool SignalSet::is_constant(int signal) const {
  const Signal* s = plain(signal);
  return s != nullptr && s->is_constant();
}

std::vector<int> SignalSet::inputs() const {
  std::vector<int> found;
  for (int i = 0; i < size(); ++i)
    if (input(i)) found.push_back(i);
  return found;
}

void SignalSet::initial_state(double t0, std::span<double> x) const {
  for (const int i : states_)
    if (const InputSignal* number = input(i)) x[entries_[i].state] = number->value;
  restart_lags(t0, x);
}

void SignalSet::restart_lags(double t0, std::span<double> x) const {
  const std::span<double> u = scratch(size());
  for (const int i : order_) {
    const Entry& entry = entries_[i];
    if (const Signal* s = plain(i)) {
      u[i] = s->value(t0, u);
    } else if (const LagSignal* l = lag(i)) {
      u[i] = x[entry.state] = l->initial.value_or(u[entry.source]);
    } else {
      u[i] = x[entry.state];
    }
  }
}

void SignalSet::advance(double t_n, double t_np1, std::span<const double> x_n, std::span<double> x_np1) const {
  if (states_.empty()) return;
  // With u linear over the step: x_{n+1} = x_n + (1 − e^−a)(u_n − x_n) + (1 − (1 − e^−a)/a)(u_{n+1} − u_n), a = h/tau
  const double h = t_np1 - t_n;
  const double rounding = 8.8e-16 * std::max(std::abs(t_n), std::abs(t_np1));
  const double t_left = h > 2 * rounding ? t_np1 - rounding : t_np1;
  const std::span<double> both = scratch(2 * size());
  const std::span<double> u0 = both.first(size()), u1 = both.last(size());
  for (const int i : order_) {
    const Entry& entry = entries_[i];
    if (const LagSignal* l = lag(i)) {
      const double a = h / l->tau;
      const double x = x_n[entry.state];
      u0[i] = x;
      u1[i] = x - std::expm1(-a) * (u0[entry.source] - x) + lag_weight(a) * (u1[entry.source] - u0[entry.source]);
      x_np1[entry.state] = u1[i];
    } else if (const Signal* s = plain(i)) {
      u0[i] = s->value(t_n, u0);
      u1[i] = s->value(t_left, u1);
    } else {
      u0[i] = u1[i] = x_np1[entry.state] = x_n[entry.state];
    }
  }
}

void SignalSet::evaluate(double t, std::span<double> u) const {
  for (const int i : order_) {
    const Signal* s = plain(i);
    u[i] = s ? s->value(t, u) : lag(i) ? u[entries_[i].source] : input(i)->value;
  }
}

void SignalSet::evaluate(double t, std::span<const double> x, std::span<double> u) const {
  for (const int i : order_) {
    const Signal* s = plain(i);
    u[i] = s ? s->value(t, u) : x[entries_[i].state];
  }
}

void SignalSet::values(double t, std::span<const double> x, std::span<SignalValue> out) const {
  for (const int i : order_) {
    if (const LagSignal* l = lag(i)) {
      const SignalValue& source = out[entries_[i].source];
      const double value = x[entries_[i].state];
      const double rate = (source.u - value) / l->tau;
      out[i] = {value, rate, (source.du - rate) / l->tau};
    } else if (const Signal* s = plain(i)) {
      out[i] = s->at(t, out);
    } else {
      out[i] = {x[entries_[i].state], 0, 0};
    }
  }
}

std::vector<double> SignalSet::slopes(double t, std::span<const double> x, int k) const {
  std::vector<SignalValue> still(entries_.size()), moved(entries_.size());
  values(t, x, still);
  for (SignalValue& s : still) s.du = s.ddu = 0;
  moved = still;
  std::vector<double> out(entries_.size(), 0.0);
  for (const int i : order_) {
    if (const Signal* s = plain(i)) out[i] = s->at(t, moved).du - s->at(t, still).du;  // du = ∂f/∂t + Σ ∂f/∂u du
    if (i == k) out[i] = 1;
    moved[i].du = out[i];
  }
  return out;
}

void SignalSet::breakpoints(double t0, double t1, std::vector<double>& out) const {
  std::vector<double> found;
  std::vector<SignalValue> all(entries_.size());
  const Expression::InputsAt inputs = [&](double t) {
    for (const int i : order_) {
      const Signal* s = plain(i);
      all[i] = s ? s->at(t, all) : lag(i) ? all[entries_[i].source] : SignalValue{input(i)->value, 0, 0};
    }
    return std::span<const SignalValue>(all);
  };
  for (int i = 0; i < size(); ++i) {
    if (plain(i) == nullptr) continue;
    const auto* expression = std::get_if<Expression>(&plain(i)->shape());
    if (expression == nullptr || expression->inputs().empty()) {
      plain(i)->breakpoints(t0, t1, found);
    } else if (!entries_[i].on_state) {
      expression->breakpoints(t0, t1, inputs, found);
    }
  }
  std::sort(found.begin(), found.end());
  double last = t0 - 1;
  for (const double b : found) {
    const bool merge = b - last <= 1e-14 * std::abs(b) && last > t0;
    if (merge) out.back() = b;
    if (!merge) out.push_back(b);
    last = b;
  }
}

}  // namespace flexura
