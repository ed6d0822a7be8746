#include "flexura/study/run_events.hpp"

#include <algorithm>
#include <limits>

#include "flexura/run/run_checkpoint.hpp"
#include "flexura/study/gradient.hpp"

namespace flexura {
namespace {

size_t bytes_of(const Checkpoint& checkpoint) {
  size_t numbers = 0;
  for (const NamedArray& array : checkpoint.arrays) numbers += array.reals.size() + array.integers.size();
  return numbers * sizeof(double);
}

}  // namespace

RunEvents::RunEvents(const SceneDocument& document, const SceneModels& scene, size_t most_bytes,
                     const std::atomic<bool>* stop)
    : document_(document), scene_(scene), allowed_(most_bytes) {
  options_.record = false;
  options_.watcher = this;
  options_.stop = stop;
}

std::string RunEvents::run(RunWatcher& watcher) {
  run_ = std::make_unique<Run>(document_, scene_, options_);
  stretches_.push_back({0, run_->save(), {}});
  watcher_ = &watcher;
  while (run_->advance(std::numeric_limits<long>::max())) {
  }
  watcher_ = nullptr;
  return run_->status() == RunStatus::finished ? "" : run_->message();
}

RunEvent& RunEvents::note(RunEvent::Kind kind, const AnalysisSpec& analysis, int model, const State<double>& state,
                          std::span<const SignalValue> signals) {
  shapes_.resize(scene_.models.size());
  if (shapes_[model].q.empty()) shapes_[model] = state;
  if (starts_anew_) {
    stretches_.back().first = events_.size();
    places_.back().state = 0;
    starts_anew_ = false;
  }
  events_.push_back({.kind = kind, .t = state.t, .analysis = &analysis, .model = model});
  signals_.insert(signals_.end(), signals.begin(), signals.end());
  signals_.resize(places_.back().signals + scene_.models[model].model.topology->signals.size());
  const size_t size = pack(state, stretches_.back().states);
  places_.push_back({places_.back().state + size, signals_.size()});
  keep_within(stretches_.size() - 1);
  return events_.back();
}

size_t RunEvents::pack(const State<double>& s, std::vector<double>& to) {
  const size_t before = to.size();
  for (const auto* x : {&s.q, &s.v, &s.a, &s.a_alg, &s.lags, &s.loads, &s.history})
    to.insert(to.end(), x->begin(), x->end());
  kept_ += (to.size() - before) * sizeof(double);
  peak_ = std::max(peak_, kept_);
  return to.size() - before;
}

void RunEvents::load(size_t e, State<double>& s) {
  const auto after = std::ranges::upper_bound(stretches_, e, {}, &Stretch::first);
  const auto stretch = static_cast<size_t>(after - stretches_.begin()) - 1;
  if (stretches_[stretch].states.empty()) compute_again(stretch);
  const double* from = &stretches_[stretch].states[places_[e].state];
  s = shapes_[events_[e].model];
  s.t = events_[e].t;
  for (auto* x : {&s.q, &s.v, &s.a, &s.a_alg, &s.lags, &s.loads, &s.history}) {
    std::copy_n(from, x->size(), x->begin());
    from += x->size();
  }
}

void RunEvents::keep_within(size_t stretch) {
  while (kept_ > allowed_ && given_up_ < stretch) {
    std::vector<double>& states = stretches_[given_up_++].states;
    kept_ -= states.size() * sizeof(double);
    states = {};
  }
}

void RunEvents::compute_again(size_t stretch) {
  for (size_t other = 0; other < stretches_.size(); ++other) {
    std::vector<double>& states = stretches_[other].states;
    if (other == stretch || states.empty()) continue;
    if (kept_ <= allowed_ / 2 && other < stretch) continue;
    kept_ -= states.size() * sizeof(double);
    states = {};
  }
  cursor_ = stretches_[stretch].first;
  until_ = stretch + 1 < stretches_.size() ? stretches_[stretch + 1].first : events_.size();
  target_ = &stretches_[stretch].states;
  run_->restore(stretches_[stretch].start);
  while (cursor_ < until_ && run_->advance(1)) ++again_;
  target_ = nullptr;
  if (cursor_ < until_)
    throw GradientError(run_->status() == RunStatus::interrupted
                            ? "interrupted on the way back"
                            : "a part of the run came out otherwise when done again");
}

void RunEvents::see(RunEvent::Kind kind, const State<double>& state) {
  if (target_ == nullptr || cursor_ >= until_) return;
  const RunEvent& event = events_[cursor_];
  if (kind == RunEvent::enter && event.kind != RunEvent::enter) return;  // it goes on within the analysis
  if (kind != event.kind || state.t != event.t)
    throw GradientError("a part of the run came out otherwise when done again");
  pack(state, *target_);
  ++cursor_;
}

void RunEvents::readings(std::span<const double> last) {
  if (watcher_ != nullptr) watcher_->readings(last);
}

void RunEvents::enter(int model, const AnalysisSpec& analysis, const State<double>& state) {
  if (watcher_ != nullptr)
    watcher_->enter(model, analysis, state);
  else
    see(RunEvent::enter, state);
}

void RunEvents::rest(const State<double>& state) {
  if (watcher_ != nullptr)
    watcher_->rest(state);
  else
    see(RunEvent::rest, state);
}

void RunEvents::open(const State<double>& state, double end) {
  if (watcher_ != nullptr)
    watcher_->open(state, end);
  else
    see(RunEvent::open, state);
}

void RunEvents::step(const State<double>& state) {
  if (watcher_ != nullptr)
    watcher_->step(state);
  else
    see(RunEvent::step, state);
}

void RunEvents::checkpoint(const RunCheckpoint& here) {
  if (watcher_ == nullptr || events_.empty()) return;
  if (starts_anew_) {  // nothing has happened since the last one
    stretches_.back().start = here.owned();
    return;
  }
  stretches_.push_back({events_.size(), here.owned(), {}});
  kept_ += bytes_of(stretches_.back().start);
  starts_anew_ = true;
}

}  // namespace flexura
