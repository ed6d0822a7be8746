#include "flexura/integrate/adams.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "flexura/base/stop_request.hpp"
#include "flexura/math/entries.hpp"
#include "flexura/model/contact_model.hpp"

namespace flexura {
namespace {

/// Aimed at: half of what is allowed.
constexpr double aim = 0.5;
/// From step to step before constant ones; high orders do not bear more.
constexpr double growth = 1.2;

/// Gauss's rule of seven points: exact to degree 13.
constexpr double node[] = {-0.9491079123427585245, -0.7415311855993944399, -0.4058451513773971669, 0,
                           0.4058451513773971669,  0.7415311855993944399,  0.9491079123427585245};
constexpr double weight[] = {0.1294849661688696933, 0.2797053914892766679, 0.3818300505051189449, 0.4179591836734693878,
                             0.3818300505051189449, 0.2797053914892766679, 0.1294849661688696933};

/// y += c x
void add_multiple(int n, double c, const double* x, double* y) {
  for_entries<double>(
      n, [&]<class P>(int i) { store_entries(y + i, fma(P(c), load_entries<P>(x + i), load_entries<P>(y + i))); });
}

}  // namespace

Adams::Adams(System<double>& system, const AdamsOptions& options)
    : system_(system),
      options_(options),
      scale_{options.relative, options.absolute_q, options.absolute_v, options.absolute_vector},
      motion_(system, options.drift, options.accelerations),
      n_(motion_.size()),
      size_(2 * motion_.size() + 4) {
  refuse_contacts(system.topology().contacts.get(), "adams");
  options_.max_order = std::clamp(options.max_order, 1, most_order);
  scalars_ = system.topology().ny - n_;
  for (auto* x : {&predicted_, &slopes_, &delta_, &next_, &scratch_}) x->assign(size_, 0.0);
}

/// Whether the state is as deliver() left it.
bool Adams::is_mine(const State<double>& state) {
  lags_ = static_cast<int>(state.lags.size());
  const size_t expected = head + static_cast<size_t>(options_.max_order + 3) * size_ + 3 * static_cast<size_t>(lags_) +
                          scalars_ + 2 * static_cast<size_t>(n_);
  if (state.multistep.size() != expected) return false;
  std::memcpy(static_cast<void*>(&past_), state.multistep.data(), sizeof(Past));
  const bool sane = past_.order >= 1 && past_.order <= options_.max_order && past_.known >= past_.order &&
                    past_.known <= options_.max_order + 2 && past_.used >= 0 && past_.used < past_.known && past_.h > 0;
  if (!sane || past_.delivered != state.t) return false;
  const double* seen = state.multistep.data() + expected - lags_ - 2 * static_cast<size_t>(n_);
  return std::equal(state.q.begin(), state.q.begin() + n_, seen) &&
         std::equal(state.v.begin(), state.v.begin() + n_, seen + n_) &&
         std::equal(state.lags.begin(), state.lags.end(), seen + 2 * static_cast<size_t>(n_));
}

/// Notes which state was left.
void Adams::leave(State<double>& state) {
  past_.delivered = state.t;
  std::memcpy(state.multistep.data(), &past_, sizeof(Past));
  double* seen = tail(state) + 2 * lags_ + scalars_;
  seen = std::copy(state.q.begin(), state.q.begin() + n_, seen);
  seen = std::copy(state.v.begin(), state.v.begin() + n_, seen);
  std::copy(state.lags.begin(), state.lags.end(), seen);
}

bool Adams::evaluate(State<double>& state, double t, AdamsReport& report) {
  ++report.evaluations;
  return motion_.evaluate(state, t);
}

/// q̇, v̇ and, if asked for, the power of a state just evaluated.
void Adams::put_slopes(const State<double>& state, bool with_power, double* to) {
  std::copy(state.v.begin(), state.v.begin() + n_, to);
  std::copy(state.a.begin(), state.a.begin() + n_, to + n_);
  if (!with_power) {
    std::fill(to + 2 * n_, to + size_, 0.0);
    return;
  }
  const std::array<double, 4> power = motion_.power(state);
  std::copy(power.begin(), power.end(), to + 2 * n_);
}

double Adams::scaled(const State<double>& state, const double* e) const {
  const double* y = state.multistep.data() + head;
  return motion_.scaled(scale_, y, y + n_, predicted_.data(), predicted_.data() + n_, e, e + n_);
}

bool Adams::start(State<double>& state) {
  system_.drives.enter(state.t);
  AdamsReport report;
  return begin(state, report);
}

/// A copy without the history.
void Adams::prepare_work(const State<double>& state) {
  work_.t = state.t;
  work_.q = state.q;
  work_.v = state.v;
  work_.a = state.a;
  work_.lags = state.lags;
  remember_with(state);
}

/// What terms and angles remember is that of the front.
void Adams::remember_with(const State<double>& state) {
  work_.history = state.history;
  work_.angles = state.angles;
  system_.look_back(state);
}

void Adams::accept_front(State<double>& state) {
  system_.accept_history(work_);
  state.history = work_.history;
  state.angles = work_.angles;
}

/// History of one point.
bool Adams::begin(State<double>& state, AdamsReport& report) {
  lags_ = static_cast<int>(state.lags.size());
  state.multistep.assign(head + static_cast<size_t>(options_.max_order + 3) * size_ + 3 * static_cast<size_t>(lags_) +
                             scalars_ + 2 * static_cast<size_t>(n_),
                         0.0);
  prepare_work(state);
  if (!evaluate(work_, state.t, report)) {
    state.multistep.clear();
    return false;
  }
  std::copy(work_.q.begin(), work_.q.end(), state.q.begin());
  std::copy(work_.v.begin(), work_.v.end(), state.v.begin());
  std::copy(work_.a.begin(), work_.a.end(), state.a.begin());
  std::copy(state.a.begin(), state.a.begin() + n_, state.a_alg.begin());
  accept_front(state);
  past_ = Past();
  past_.t[0] = state.t;
  double* y = front(state);
  std::copy(state.q.begin(), state.q.begin() + n_, y);
  std::copy(state.v.begin(), state.v.begin() + n_, y + n_);
  const EnergyAccount<double>& e = state.energy;
  const std::array<double, 4> works{e.gravity, e.loads, e.prescribed, e.dissipated};
  std::copy(works.begin(), works.end(), y + 2 * n_);
  put_slopes(work_, true, difference(state, 0));
  double* rest = std::copy(state.lags.begin(), state.lags.end(), tail(state));
  rest = std::copy(state.lags.begin(), state.lags.end(), rest);
  std::copy(state.q.begin() + n_, state.q.begin() + n_ + scalars_, rest);
  past_.h = options_.fixed_step > 0 ? std::ldexp(options_.fixed_step, -20) : first_step(state, report);
  leave(state);
  return true;
}

/// A first step of order 1 whose error, h²/2 |ÿ|, is a quarter of what is allowed; ÿ from a shorter one.
double Adams::first_step(State<double>& state, AdamsReport& report) {
  const double *y = front(state), *f = difference(state, 0);
  std::copy(y, y + size_, predicted_.begin());
  const double size = scaled(state, y), slope = scaled(state, f);
  double h = size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope;
  h = std::min(h, options_.h_max);
  for (int i = 0; i < n_; ++i) {
    work_.q[i] = y[i] + h * f[i];
    work_.v[i] = y[n_ + i] + h * f[n_ + i];
  }
  system_.drives.advance(state.t, state.t + h, state.lags, work_.lags);
  double bend = 0;
  if (evaluate(work_, state.t + h, report)) {
    put_slopes(work_, false, slopes_.data());
    for (int i = 0; i < 2 * n_; ++i) slopes_[i] -= f[i];
    bend = scaled(state, slopes_.data()) / h;
  }
  motion_.set_signals(state);
  const double next = bend > 1e-30 ? std::sqrt(0.5 / bend) : 100 * h;
  return std::min(std::isfinite(next) ? std::min(100 * h, next) : h, options_.h_max);
}

/// c_j and beta_j of a step of h from the front.
void Adams::coefficients(double h) {
  const int known = static_cast<int>(past_.known);
  const double t0 = past_.t[0], t1 = t0 + h;
  c_.fill(0);
  for (int g = 0; g < 7; ++g) {
    const double t = t0 + 0.5 * h * (1 + node[g]);
    double product = 0.5 * h * weight[g];
    for (int j = 0; j <= known && j < static_cast<int>(c_.size()); ++j) {
      c_[j] += product;
      if (j < known) product *= (t - past_.t[j]) / (t1 - past_.t[j]);
    }
  }
  beta_[0] = 1;
  for (int j = 1; j < known && j < static_cast<int>(beta_.size()); ++j)
    beta_[j] = beta_[j - 1] * (t1 - past_.t[j - 1]) / (t0 - past_.t[j]);
}

/// q and v of work_ from unknowns.
void Adams::place(const std::vector<double>& unknowns) {
  std::copy(unknowns.begin(), unknowns.begin() + n_, work_.q.begin());
  std::copy(unknowns.begin() + n_, unknowns.begin() + 2 * n_, work_.v.begin());
}

/// p, put into work_ with the lags of t1 and the multipliers of the front; delta_ = P(t1).
void Adams::predict(State<double>& state, double t1) {
  const int k = static_cast<int>(past_.order);
  const double *y = front(state), *lags = tail(state);
  std::copy(y, y + size_, predicted_.begin());
  std::fill(delta_.begin(), delta_.end(), 0.0);
  for (int j = 0; j < k; ++j) {
    add_multiple(size_, c_[j] * beta_[j], difference(state, j), predicted_.data());
    add_multiple(size_, beta_[j], difference(state, j), delta_.data());
  }
  scratch_lags_.assign(lags, lags + lags_);
  std::copy(lags + 2 * lags_, lags + 2 * lags_ + scalars_, work_.q.begin() + n_);
  system_.drives.advance(past_.t[0], t1, scratch_lags_, work_.lags);
  place(predicted_);
}

/// delta_ = f(p) − P(t1), and from it the errors of the orders k − 2 to k: those of this step, had it been taken with them.
void Adams::estimate(State<double>& state) {
  const int k = static_cast<int>(past_.order);
  put_slopes(work_, false, slopes_.data());
  for (int i = 0; i < 2 * n_; ++i) delta_[i] = slopes_[i] - delta_[i];
  error_[0] = error_[1] = 0;
  error_[2] = std::fabs(c_[k] - c_[k - 1]) * scaled(state, delta_.data());
  if (!std::isfinite(error_[2])) return;
  std::copy(delta_.begin(), delta_.end(), scratch_.begin());
  for (int j = k - 1; j >= std::max(1, k - 2); --j) {
    add_multiple(2 * n_, beta_[j], difference(state, j), scratch_.data());
    error_[j - k + 2] = std::fabs(c_[j] - c_[j - 1]) * scaled(state, scratch_.data());
  }
}

/// work_ at p + c_k delta_, on the constraints; `free`: before it was brought there.
bool Adams::correct(double t1, State<double>* free) {
  std::copy(predicted_.begin(), predicted_.end(), next_.begin());
  add_multiple(2 * n_, c_[static_cast<int>(past_.order)], delta_.data(), next_.data());
  place(next_);
  work_.t = t1;
  motion_.set_signals(work_);
  system_.assembler.expand(work_.q.data(), work_.v.data(), work_.a.data());
  if (free != nullptr) *free = work_;
  return options_.projection != Projection::both || motion_.project(work_);
}

/// A step to t0 + h. If it is good, the front moves there, else nothing has happened.
bool Adams::attempt(State<double>& state, double h, AdamsReport& report) {
  const double t1 = past_.t[0] + h;
  report.h = h;
  report.order = static_cast<int>(past_.order);
  report.error = std::numeric_limits<double>::infinity();
  report.singular = true;
  coefficients(h);
  predict(state, t1);
  if (!evaluate(work_, t1, report)) return false;
  Taken taken{};
  if (keeps_taken_) taken = {static_cast<int>(past_.order), 0, c_, beta_, work_, {}, {}};
  estimate(state);
  report.error = error_[2];
  report.singular = false;
  if (!std::isfinite(report.error) || (options_.fixed_step <= 0 && report.error > 1)) return false;
  report.singular = true;
  if (!correct(t1, keeps_taken_ ? &taken.free : nullptr) || !evaluate(work_, t1, report)) return false;
  put_slopes(work_, true, slopes_.data());
  if (!std::isfinite(slopes_[2 * n_])) return false;
  report.singular = false;
  move_front(state, h);
  accept_front(state);
  if (keeps_taken_) {
    taken.kept = static_cast<int>(past_.known);
    taken.end = work_;
    taken_.push_back(std::move(taken));
  }
  return true;
}

/// To work_, whose slopes are known.
void Adams::move_front(State<double>& state, double h) {
  const int k = static_cast<int>(past_.order), known = static_cast<int>(past_.known);
  // Works have no prediction to be corrected on the way: by the corrector at once.
  std::copy(work_.q.begin(), work_.q.begin() + n_, next_.begin());
  std::copy(work_.v.begin(), work_.v.begin() + n_, next_.begin() + n_);
  for (int w = 2 * n_; w < size_; ++w) {
    double there = 0;
    for (int j = 0; j < k; ++j) there = fma(beta_[j], difference(state, j)[w], there);
    next_[w] = predicted_[w] + c_[k] * (slopes_[w] - there);
  }
  std::copy(next_.begin(), next_.end(), front(state));
  const int keep = std::min(known, std::min(k + 1, options_.max_order + 1)) + 1;
  renew_differences(state, keep);
  double* lags = tail(state);
  std::copy(lags, lags + lags_, lags + lags_);
  std::copy(work_.lags.begin(), work_.lags.end(), lags);
  std::copy(work_.q.begin() + n_, work_.q.begin() + n_ + scalars_, lags + 2 * lags_);
  const double t1 = past_.t[0] + h;
  for (int j = static_cast<int>(past_.t.size()) - 1; j > 0; --j) past_.t[j] = past_.t[j - 1];
  past_.t[0] = t1;
  past_.equal = std::fabs(h - past_.last_h) <= 1e-12 * h ? past_.equal + 1 : 0;
  past_.last_h = h;
  past_.used = k;
  past_.known = keep;
  // Of order k + 1, where its coefficient is known: steps were about equal.
  error_[3] = k + 1 < keep && k + 1 < static_cast<int>(c_.size()) && past_.equal >= k
                  ? std::fabs(c_[k + 1] - c_[k]) * scaled(state, difference(state, k + 1))
                  : -1;
}

/// Φ'_j = Φ'_{j−1} − β_{j−1} Φ_{j−1} from slopes_ = f(y_{n+1}), each in the place of the old one.
void Adams::renew_differences(State<double>& state, int keep) {
  std::copy(slopes_.begin(), slopes_.end(), scratch_.begin());
  for (int j = 0; j < keep; ++j) {
    double* phi = difference(state, j);
    const bool more = j + 1 < keep;
    for_entries<double>(size_, [&]<class P>(int i) {
      const P fresh = load_entries<P>(&scratch_[i]);
      if (more) store_entries(&scratch_[i], fma(P(-beta_[j]), load_entries<P>(phi + i), fresh));
      store_entries(phi + i, fresh);
    });
  }
}

/// Whether errors of lower orders are no larger.
bool Adams::is_lower_better() const {
  if (past_.order < 2) return false;
  return past_.order == 2 ? error_[1] <= 0.5 * error_[2] : std::max(error_[0], error_[1]) <= error_[2];
}

/// Order and size of the next step, after one of h that was good.
void Adams::choose(double h) {
  const int k = static_cast<int>(past_.order), most = options_.max_order;
  if (options_.fixed_step > 0) {
    past_.order = std::min({k + 1, most, static_cast<int>(past_.known)});
    past_.h = std::min(growth * h, options_.fixed_step);
    return;
  }
  const double below = error_[1], at = error_[2], above = error_[3];
  const bool lower = is_lower_better();
  int next = k;
  double error = at;
  if (lower || k == most) past_.starting = 0;
  if (past_.starting > 0) {
    past_.order = k + 1;
    past_.h = std::min(2 * h, options_.h_max);
    return;
  }
  if (lower) {
    next = k - 1;
    error = below;
  } else if (above >= 0 && k < most) {
    if (k == 1 ? above < 0.5 * at : below > std::min(at, above) && above < at) {
      next = k + 1;
      error = above;
    } else if (k > 1 && below <= std::min(at, above)) {
      next = k - 1;
      error = below;
    }
  }
  past_.order = next;
  if (aim >= error * std::ldexp(1.0, next + 1)) {
    past_.h = 2 * h;
  } else if (aim >= error) {
    past_.h = h;
  } else {
    past_.h = h * std::clamp(std::pow(aim / error, 1.0 / (next + 1)), 0.5, 0.9);
  }
  past_.h = std::min(past_.h, options_.h_max);
}

/// The state at t between the last two points, with accelerations of its own.
bool Adams::deliver(State<double>& state, double t, AdamsReport& report) {
  double* lags = tail(state);
  const double t0 = past_.t[0];
  const int terms = std::min(static_cast<int>(past_.used) + 1, static_cast<int>(past_.known));
  std::array<double, most_order + 2> w{};
  for (int g = 0; g < 7; ++g) {
    const double s = t0 + 0.5 * (t - t0) * (1 + node[g]);
    double product = 0.5 * (t - t0) * weight[g];
    for (int j = 0; j < terms; ++j) {
      w[j] += product;
      if (j + 1 < terms) product *= (s - past_.t[j]) / (t0 - past_.t[j + 1]);
    }
  }
  const double* y = front(state);
  std::copy(y, y + size_, next_.begin());
  if (t != t0)
    for (int j = 0; j < terms; ++j) add_multiple(size_, w[j], difference(state, j), next_.data());
  std::copy(next_.begin(), next_.begin() + n_, work_.q.begin());
  std::copy(next_.begin() + n_, next_.begin() + 2 * n_, work_.v.begin());
  std::copy(lags + 2 * lags_, lags + 2 * lags_ + scalars_, work_.q.begin() + n_);
  if (t == t0) {
    work_.lags.assign(lags, lags + lags_);
  } else {
    scratch_lags_.assign(lags + lags_, lags + 2 * lags_);
    system_.drives.advance(past_.t[1], t, scratch_lags_, work_.lags);
  }
  work_.t = t;
  motion_.set_signals(work_);
  system_.assembler.expand(work_.q.data(), work_.v.data(), work_.a.data());
  if (keeps_taken_) delivered_ = {t != t0, terms, w, work_, {}};
  if (t != t0 && options_.projection == Projection::both && !motion_.project(work_)) return false;
  if (!evaluate(work_, t, report)) return false;
  if (keeps_taken_) delivered_.end = work_;
  std::copy(work_.q.begin(), work_.q.end(), state.q.begin());
  std::copy(work_.v.begin(), work_.v.end(), state.v.begin());
  std::copy(work_.a.begin(), work_.a.end(), state.a.begin());
  std::copy(work_.a.begin(), work_.a.begin() + n_, state.a_alg.begin());
  std::copy(work_.lags.begin(), work_.lags.end(), state.lags.begin());
  const double* works = next_.data() + 2 * n_;
  state.energy = {works[0], works[1], works[2], works[3]};
  state.t = t;
  return true;
}

AdamsReport Adams::advance(State<double>& state, double t1, double until) {
  AdamsReport report;
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::max(std::fabs(state.t), std::fabs(t1));
  const auto fail = [&] {
    report.converged = false;
    motion_.set_signals(state);
    if (!state.multistep.empty()) std::memcpy(state.multistep.data(), &past_, sizeof(Past));
    return report;
  };
  taken_.clear();
  began_ = !is_mine(state);
  if (began_) {
    if (!begin(state, report)) {
      report.singular = true;
      return fail();
    }
  } else if (work_.q.empty()) {
    prepare_work(state);
  } else {
    remember_with(state);
  }
  int failures = 0;
  while (t1 - past_.t[0] > rounding) {
    if (report.accepted + report.rejected >= options_.max_steps || stop_requested()) return fail();
    const double left = std::max(until, t1) - past_.t[0];
    const double wanted = std::max(past_.h, options_.h_min);
    const bool last = wanted >= left * (1 - 1e-6);
    // Two equal steps rather than one and a remainder.
    const double h = last ? left : wanted > 0.5 * left && options_.fixed_step <= 0 ? 0.5 * left : wanted;
    if (attempt(state, h, report)) {
      if (last) past_.t[0] = std::max(until, t1);
      ++report.accepted;
      failures = 0;
      const double before = past_.h;
      choose(h);
      if (h < before && past_.h >= h) past_.h = std::max(past_.h, before);  // cut short to end there
      std::memcpy(state.multistep.data(), &past_, sizeof(Past));
      continue;
    }
    ++report.rejected;
    ++failures;
    past_.starting = 0;
    if (h <= options_.h_min || h <= rounding || options_.fixed_step > 0) return fail();
    if (!report.singular && is_lower_better()) past_.order -= 1;
    past_.h = report.singular || !std::isfinite(report.error) ? 0.25 * h : 0.5 * h;
    if (failures >= 3) {  // the past says nothing any more
      past_.order = past_.known = 1;
      past_.used = 0;
      if (failures > 3 && std::isfinite(report.error)) past_.h = std::min(past_.h, h * std::sqrt(aim / report.error));
    }
  }
  if (!deliver(state, t1, report)) {
    report.singular = true;
    return fail();
  }
  leave(state);
  return report;
}

}  // namespace flexura
