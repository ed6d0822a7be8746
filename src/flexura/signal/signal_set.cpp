#include "flexura/signal/signal_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <ranges>
#include <utility>

#include "flexura/base/nearest_name.hpp"
#include "flexura/signal/lag_panel.hpp"
#include "flexura/signal/panel_ends.hpp"

namespace flexura {
namespace {

/// Scratch of at least n numbers, one per thread: a set is constant and may be used by several threads at once.
std::span<double> scratch(int n) {
  thread_local std::vector<double> numbers;
  if (static_cast<int>(numbers.size()) < n) numbers.resize(n);
  return {numbers.data(), static_cast<std::size_t>(n)};
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
  find_lag_order(all_references);
  scratch(scratch_size() + size());
  return problems;
}

void SignalSet::find_lag_order(const std::vector<std::vector<int>>& references) {
  std::vector<char> needed(entries_.size(), 0);
  lag_order_.clear();
  for (const auto signal : std::views::reverse(order_)) {
    Entry& entry = entries_[signal];
    entry.is_followed = needed[signal] != 0;
    if (!entry.is_followed && lag(signal) == nullptr) continue;
    for (const int r : references[signal]) needed[r] = 1;
    lag_order_.push_back(signal);
  }
  std::reverse(lag_order_.begin(), lag_order_.end());
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

/// Lags at the end of a panel; the values of what they follow at its nodes are in `u`, [nodes × size()].
void SignalSet::panel(double begin, double length, std::span<const double> x, std::span<double> end,
                      std::span<double> u) const {
  constexpr int nodes = LagPanel::nodes;
  const auto at_node = [&](int j) { return u.subspan(static_cast<size_t>(j) * entries_.size(), entries_.size()); };
  for (const int i : lag_order_) {
    const Entry& entry = entries_[i];
    if (const LagSignal* l = lag(i)) {
      std::array<double, nodes> source;
      for (int j = 0; j < nodes; ++j) source[j] = at_node(j)[entry.source];
      const LagPanel step(length / l->tau, x[entry.state], source, entry.is_followed);
      for (int j = 0; entry.is_followed && j < nodes; ++j) at_node(j)[i] = step.at[j];
      end[entry.state] = step.end;
      continue;
    }
    const Signal* s = plain(i);
    for (int j = 0; j < nodes; ++j)
      at_node(j)[i] = s != nullptr ? s->value(begin + LagPanel::places()[j] * length, at_node(j)) : x[entry.state];
  }
}

/// In units of what is allowed: the largest difference of two results, against the lag and what it follows.
double SignalSet::lag_error(std::span<const double> one, std::span<const double> other, std::span<const double> x,
                            std::span<const double> u) const {
  constexpr double allowed = 1e-12;
  double error = 0;
  for (const int i : lag_order_) {
    if (lag(i) == nullptr) continue;
    const int k = entries_[i].state;
    double size = std::max(std::fabs(one[k]), std::fabs(x[k]));
    for (size_t j = 0; j < LagPanel::nodes; ++j)
      size = std::max(size, std::fabs(u[j * entries_.size() + static_cast<size_t>(entries_[i].source)]));
    if (size > 0) error = std::max(error, std::fabs(one[k] - other[k]) / (allowed * size));
  }
  return error;
}

/// From t0 to t1 without a known jump between them: panels as long as one agrees with its two halves. Those in which something jumps
/// after all, as an expression of a lag may, are halved down to rounding.
void SignalSet::advance_smooth(double t0, double t1, std::span<double> x) const {
  const auto states = static_cast<size_t>(state_size());
  const std::span<double> all = scratch(scratch_size() + size());
  std::span<double> whole = all.first(states), middle = all.subspan(states, states),
                    end = all.subspan(2 * states, states),
                    u = all.subspan(4 * states, LagPanel::nodes * entries_.size());
  const double shortest = 8 * std::numeric_limits<double>::epsilon() * std::max(std::fabs(t0), std::fabs(t1));
  std::copy(x.begin(), x.end(), whole.begin());  // inputs, which stay
  std::copy(x.begin(), x.end(), middle.begin());
  // What switches with a lag may do so between the outermost nodes and the ends of a panel, where neither it nor its halves see it.
  const std::span<double> near_end = all.last(entries_.size());
  const auto fits_at = [&](double time, std::span<const double> states_there, int end_of_panel) {
    constexpr double noticeable = 1e-5;
    bool fits = true;
    for (const int i : lag_order_) {
      const Signal* s = plain(i);
      near_end[i] = s != nullptr ? s->value(time, near_end) : states_there[entries_[i].state];
      if (s == nullptr || !entries_[i].on_state) continue;
      std::array<double, LagPanel::nodes> at_nodes;
      double size = std::fabs(near_end[i]);
      for (size_t j = 0; j < at_nodes.size(); ++j) {
        at_nodes[j] = u[j * entries_.size() + static_cast<size_t>(i)];
        size = std::max(size, std::fabs(at_nodes[j]));
      }
      fits = fits && !(std::fabs(near_end[i] - extrapolated(at_nodes, end_of_panel)) > noticeable * size);
    }
    return fits;
  };
  const auto fits = [&](double begin, double length, std::span<const double> before, std::span<const double> after) {
    constexpr double inside = 1e-7;
    return fits_at(begin + inside * length, before, 0) && fits_at(begin + (1 - inside) * length, after, 1);
  };
  const bool switches =
      std::ranges::any_of(lag_order_, [&](int i) { return plain(i) != nullptr && entries_[i].on_state; });
  double t = t0, h = t1 - t0;
  panel(t, h, x, whole, u);
  while (t < t1) {
    const bool last = t + h >= t1 - shortest;
    panel(t, 0.5 * h, x, middle, u);
    bool fine = !switches || fits(t, 0.5 * h, x, middle);
    panel(t + 0.5 * h, 0.5 * h, middle, end, u);
    fine = fine && (!switches || fits(t + 0.5 * h, 0.5 * h, middle, end)) && !(lag_error(end, whole, x, u) > 1);
    if (!fine && h > shortest) {
      h *= 0.5;
      std::swap(whole, middle);
      continue;
    }
    for (const int k : states_)
      if (lag(k) != nullptr) x[entries_[k].state] = end[entries_[k].state];
    if (last) return;
    t += h;
    h = std::min(2 * h, t1 - t);
    panel(t, h, x, whole, u);
  }
}

void SignalSet::advance(double t_n, double t_np1, std::span<const double> x_n, std::span<double> x_np1,
                        std::span<const double> breaks) const {
  if (states_.empty()) return;
  const auto states = static_cast<size_t>(state_size());
  if (x_n.data() != x_np1.data()) std::copy_n(x_n.begin(), states, x_np1.begin());
  if (lag_order_.empty() || t_np1 == t_n) return;
  const double rounding = 8.8e-16 * std::max(std::abs(t_n), std::abs(t_np1));
  const std::span<double> x = scratch(scratch_size() + size()).subspan(3 * states, states);
  std::copy_n(x_np1.begin(), states, x.begin());
  if (t_np1 < t_n) return panel(t_n, t_np1 - t_n, x, x_np1, scratch(scratch_size() + size()).subspan(4 * states));
  double begin = t_n;
  for (auto it = std::upper_bound(breaks.begin(), breaks.end(), t_n + rounding);
       it != breaks.end() && *it < t_np1 - rounding; ++it) {
    if (*it - begin <= rounding) continue;
    advance_smooth(begin, *it, x);
    begin = *it;
  }
  advance_smooth(begin, t_np1, x);
  std::copy_n(x.begin(), states, x_np1.begin());
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
