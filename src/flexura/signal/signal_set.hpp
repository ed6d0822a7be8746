#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "flexura/signal/lag_panel.hpp"
#include "flexura/signal/signal.hpp"

namespace flexura {

/// First-order lag of another signal of the set: tau x' = u − x.
struct LagSignal {
  std::string of;                      ///< name of the signal u
  double tau = 1;                      ///< [s] > 0
  std::optional<double> initial = {};  ///< x at the start [u]; default: at rest, x = u
  bool operator==(const LagSignal&) const = default;
};

/// A number that the program around the simulation sets between steps. It is a state, so that every copy and checkpoint
/// of a state holds it.
struct InputSignal {
  double value = 0;  ///< [u] until it is set
  bool operator==(const InputSignal&) const = default;
};

/// What a scene may name as a signal.
using AnySignal = std::variant<Signal, LagSignal, InputSignal>;

/// All signals of a model, evaluated together. Fill with `add`, then `finish` once; constant and shareable between
/// threads from then on. All spans are ordered as added. After `finish` nothing but `breakpoints` uses the heap (each
/// further thread: once).
class SignalSet {
 public:
  /// Index of the new signal. An empty name is allowed and cannot be referred to.
  int add(std::string name, Signal signal);
  int add(std::string name, LagSignal lag);
  int add(std::string name, InputSignal input);
  /// Resolves names and orders the signals; returns all problems: parameters, unknown and double names, cycles (named
  /// in full).
  [[nodiscard]] std::vector<SignalProblem> finish();

  bool operator==(const SignalSet&) const = default;
  int size() const { return static_cast<int>(entries_.size()); }
  const std::string& name(int signal) const { return entries_[signal].name; }
  int find(std::string_view name) const;  ///< −1 if there is none
  std::vector<std::string> names() const;
  bool is_constant(int signal) const;
  /// Whether its values are known before a run: no lag, input or function of the program is in it.
  bool follows_time_alone(int signal) const { return !entries_[signal].on_state && !entries_[signal].on_code; }

  int state_size() const { return static_cast<int>(states_.size()); }  ///< one number per lag and per input
  void initial_state(double t0, std::span<double> x) const;
  /// The same of the lags only: inputs stay as they are in x.
  void restart_lags(double t0, std::span<double> x) const;
  /// Index of an input's number in the states; −1 for other signals.
  int input_state(int signal) const { return input(signal) ? entries_[signal].state : -1; }
  std::vector<int> inputs() const;  ///< signals, as added
  /// States after a step. Inputs stay; lags are integrated by themselves to 1e-12 (lag_panel.hpp), whatever the step. Independent of
  /// Newton iterations. Of what jumps at the ends of the step, the values within it count. `breaks`: times of jumps and kinks,
  /// ascending, as breakpoints() finds them; others are found too, but what begins and ends again between two nodes.
  void advance(double t_n, double t_np1, std::span<const double> x_n, std::span<double> x_np1,
               std::span<const double> breaks = {}) const;

  /// u [size()] at t, every lag at rest (x = u), every input at its first value.
  void evaluate(double t, std::span<double> u) const;
  /// u [size()] at t with states x [state_size()].
  void evaluate(double t, std::span<const double> x, std::span<double> u) const;
  /// The same with time derivatives: zero of an input; of a lag x' = (u − x)/tau, x'' = (u' − x')/tau.
  void values(double t, std::span<const double> x, std::span<SignalValue> out) const;

  /// ∂u/∂u_k [size()] at t with states x: what all signals change by at once with signal k, those that it is written in
  /// included. Lags follow later: 0. Uses the heap.
  std::vector<double> slopes(double t, std::span<const double> x, int k) const;
  /// Place among the states of an input or a lag; −1: the signal has none.
  int state_of(int signal) const { return entries_[signal].state; }
  /// The signal that a lag follows; −1: it is no lag.
  int lag_source(int signal) const { return lag(signal) ? entries_[signal].source : -1; }
  double lag_time(int signal) const { return lag(signal)->tau; }  ///< [s]

  /// Times in (t0, t1] where a step should end, ascending, closer ones than rounding merged into the later. Uses the
  /// heap. Switches of expressions that depend on a lag or an input are not predicted.
  void breakpoints(double t0, double t1, std::vector<double>& out) const;

 private:
  struct Entry {
    std::string name;
    AnySignal what;
    int source = -1;           ///< of a lag
    int state = -1;            ///< of a lag or an input
    bool on_state = false;     ///< it depends on one
    bool on_code = false;      ///< it calls the program, or depends on what does
    bool is_followed = false;  ///< a lag depends on it
    bool operator==(const Entry&) const = default;
  };
  const LagSignal* lag(int signal) const { return std::get_if<LagSignal>(&entries_[signal].what); }
  const InputSignal* input(int signal) const { return std::get_if<InputSignal>(&entries_[signal].what); }
  const Signal* plain(int signal) const { return std::get_if<Signal>(&entries_[signal].what); }
  std::vector<int> references(int signal, std::vector<SignalProblem>& problems) const;
  void sort(const std::vector<std::vector<int>>& references, std::vector<SignalProblem>& problems);
  void find_lag_order(const std::vector<std::vector<int>>& references);
  int scratch_size() const { return 4 * state_size() + LagPanel::nodes * size(); }
  void panel(double begin, double length, std::span<const double> x, std::span<double> end, std::span<double> u) const;
  double lag_error(std::span<const double> one, std::span<const double> other, std::span<const double> x,
                   std::span<const double> u) const;
  void advance_smooth(double t0, double t1, std::span<double> x) const;

  std::vector<Entry> entries_;
  std::vector<int> order_;      ///< every signal after those it depends on
  std::vector<int> lag_order_;  ///< lags and what they depend on, in this order
  std::vector<int> states_;     ///< state → signal, as added
};

}  // namespace flexura
