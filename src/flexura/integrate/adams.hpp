#pragma once
// Adams, Bashforth and Moulton: predict, evaluate, correct, evaluate; variable steps and orders [shampine1975, hairer1993].
//
//     p       = y_n + ∫ P dt          P: polynomial through f_n … f_{n−k+1}
//     y_{n+1} = p + c_k (f(p) − P(t_{n+1})),   c_j = ∫ Π_{i<j} (t − t_{n−i})/(t_{n+1} − t_{n−i}) dt over the step
//     error of order j:  |c_j − c_{j−1}| |Φ_j|,   Φ_j: modified divided differences with f(p) at t_{n+1}
//
// of the index-1 equations (index1_motion.hpp). The corrector is one order above the predictor. Errors of the orders k − 2 to
// k + 1 choose the next order, of 1 to 12; steps stay, double or shrink, so that most of them are equal. Steps end where they
// like: states in between come from the polynomial, and with projection are brought onto the constraints by themselves.
//
// All that is remembered of the past is in State::multistep: the differences at the front of the integration, which may lie
// behind the state's time. A state that was not left here, and one without a history, begin anew with order 1.

#include "flexura/integrate/index1_motion.hpp"

namespace flexura {

struct AdamsOptions {
  Projection projection = Projection::both;
  double relative = 1e-8;
  double absolute_q = 1e-10;        ///< [m]
  double absolute_v = 1e-8;         ///< [m/s]
  double absolute_vector = -1;      ///< of ErrorScale
  int max_order = 12;               ///< 1 … 12
  double h_min = 0, h_max = 1e300;  ///< [s]
  double fixed_step = 0;            ///< [s]; > 0: constant steps at max_order without error control, after short ones
  long max_steps = 10'000'000;      ///< in one call
  DriftControl drift = {};          ///< in the equations; with Projection::none
  Index1Method accelerations = Index1Method::automatic;
};

struct AdamsReport {
  bool converged = true;
  long accepted = 0, rejected = 0, evaluations = 0;
  int order = 0;          ///< of the last step
  double h = 0;           ///< of the last step tried [s]
  double error = 0;       ///< of the last step, in units of what is allowed
  bool singular = false;  ///< the last step was given up because no accelerations or no projection were found
};

class Adams {
 public:
  static constexpr int most_order = 12;

  /// A step as it was taken, for who differentiates it: y = p + c_k (f(p) − P), then the differences anew.
  struct Taken {
    int order, kept;                             ///< k; differences that are known behind it
    std::array<double, most_order + 2> c, beta;  ///< c_j, β_j
    State<double> predicted, free, end;          ///< p; y before and behind the way back to the constraints
  };
  /// How the state that was asked for follows from the last step: y + Σ w_j Φ_j at t.
  struct Delivered {
    bool between = false;  ///< two steps: then it is projected by itself
    int terms = 0;
    std::array<double, most_order + 2> w;
    State<double> free, end;
  };

  Adams(System<double>& system, const AdamsOptions& options);

  /// Accelerations and multipliers that fit q, v and t; the history begins anew. False if there are none.
  bool start(State<double>& state);
  /// The state at t1, with steps that may go on to `until`, where something begins, ends or jumps. If they fail, the state is
  /// that of the last time asked for.
  AdamsReport advance(State<double>& state, double t1, double until);
  AdamsReport advance(State<double>& state, double t1) { return advance(state, t1, t1); }
  const AdamsOptions& options() const { return options_; }
  /// From now on, of each advance().
  void keep_taken() { keeps_taken_ = true; }
  const std::vector<Taken>& taken() const { return taken_; }
  const Delivered& delivered() const { return delivered_; }
  /// Whether the last advance() began with no history.
  bool began() const { return began_; }

 private:
  /// Numbers at the beginning of State::multistep.
  struct Past {
    double order = 1;                        ///< of the next step
    double known = 1;                        ///< differences that are known
    double used = 0;                         ///< order of the last step
    double equal = 0;                        ///< steps of the same size
    double starting = 1;                     ///< order and step still double
    double h = 0;                            ///< next step [s]
    double last_h = 0;                       ///< [s]
    double delivered = 0;                    ///< time of the state that was left here [s]
    std::array<double, most_order + 3> t{};  ///< of the front and before
  };
  static constexpr int head = sizeof(Past) / sizeof(double);

  // Parts of State::multistep behind the head.
  double* front(State<double>& state) const { return state.multistep.data() + head; }
  double* difference(State<double>& state, int j) const {
    return front(state) + static_cast<std::ptrdiff_t>(j + 1) * size_;
  }
  double* tail(State<double>& state) const { return difference(state, options_.max_order + 2); }

  void prepare_work(const State<double>& state);
  void remember_with(const State<double>& state);
  /// work_ is the new front.
  void accept_front(State<double>& state);
  bool is_mine(const State<double>& state);
  bool begin(State<double>& state, AdamsReport& report);
  bool evaluate(State<double>& state, double t, AdamsReport& report);
  void put_slopes(const State<double>& state, bool with_power, double* to);
  void coefficients(double h);
  bool attempt(State<double>& state, double h, AdamsReport& report);
  void place(const std::vector<double>& unknowns);
  void predict(State<double>& state, double t1);
  void estimate(State<double>& state);
  bool correct(double t1, State<double>* free);
  void move_front(State<double>& state, double h);
  void renew_differences(State<double>& state, int keep);
  double first_step(State<double>& state, AdamsReport& report);
  double scaled(const State<double>& state, const double* e) const;
  bool is_lower_better() const;
  void choose(double h);
  bool deliver(State<double>& state, double t, AdamsReport& report);
  void leave(State<double>& state);

  System<double>& system_;
  AdamsOptions options_;
  ErrorScale scale_;
  Index1Motion motion_;
  int n_ = 0, size_ = 0;  ///< free coordinates; unknowns: q, v and four works
  int lags_ = 0, scalars_ = 0;
  Past past_;
  State<double> work_;
  std::array<double, most_order + 2> c_{}, beta_{};  ///< c_j; what turns a difference into one of the new step
  double error_[4] = {};                             ///< estimates of the orders k − 2 … k + 1
  std::vector<double> predicted_, slopes_, delta_, next_, scratch_, scratch_lags_;
  bool keeps_taken_ = false, began_ = false;
  std::vector<Taken> taken_;
  Delivered delivered_;
};

}  // namespace flexura
