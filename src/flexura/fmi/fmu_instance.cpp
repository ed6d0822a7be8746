#include "flexura/fmi/fmu_instance.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "flexura/base/problem.hpp"
#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/scene/scene_number.hpp"

namespace flexura {
namespace {

using Causality = FmuVariable::Causality;

/// A communication point this near to the end of a step is the end; of the step.
constexpr double rounding = 1e-6;
constexpr const char* own_array = "fmu";

[[noreturn]] void refuse(const std::string& message) { throw std::runtime_error(message); }

SceneDocument read_scene_of(const FmuContent& content, std::vector<std::string> set) {
  SceneOptions options = with_stored_files(fmu_scene_file, content.files);
  options.set = std::move(set);
  return read_scene_text(content.text, fmu_scene_file, scene_terms(), options);
}

RunOptions unrecorded() {
  RunOptions options;
  options.record = false;
  return options;
}

}  // namespace

FmuInstance::FmuInstance(const std::string& resources, const std::string& token)
    : content_(read_resources(resources)), scene_(read_scene_of(content_, {})), start_(content_.begin) {
  if (token != content_.token)
    refuse(fmt::format("the description is of another FMU: {} is not {}, the token of the resources", token,
                       content_.token));
  reset();
}

const FmuVariable& FmuInstance::variable(unsigned reference) const {
  if (reference >= content_.variables.size())
    refuse(fmt::format("there is no variable of value reference {}; the last is {}", reference,
                       content_.variables.size() - 1));
  return content_.variables[reference];
}

void FmuInstance::expect(Phase phase, const char* what) const {
  constexpr const char* names[] = {"instantiated", "in initialization", "in steps", "terminated", "failed"};
  if (phase_ != phase)
    refuse(fmt::format("{} is for an FMU that is {}; this one is {}", what, names[static_cast<int>(phase)],
                       names[static_cast<int>(phase_)]));
}

Session& FmuInstance::session() {
  if (session_) return *session_;
  std::vector<std::string> paths, set;
  std::vector<double> numbers;
  for (size_t k = 0; k < values_.size(); ++k) {
    const FmuVariable& v = content_.variables[k];
    if (values_[k] == v.start) continue;
    if (v.causality == Causality::parameter) {
      paths.push_back(v.source);
      numbers.push_back(values_[k]);
    } else {
      const char* table = scene_.find("signal", v.source) != nullptr ? "signal." : "";
      set.push_back(fmt::format("{}{}.value={}", table, v.source, values_[k]));
    }
  }
  for (std::string& setting : SceneNumber::settings(find_scene_numbers(scene_, paths), numbers))
    set.push_back(std::move(setting));
  Session session(read_scene_of(content_, std::move(set)), unrecorded());
  told_ = 0;
  begun_ = values_;
  for (const AnalysisSpec& analysis : session.scene().timeline.analyses) {
    if (analysis.over_time()) break;
    if (!session.advance()) refuse(session.message());
  }
  return session_.emplace(std::move(session));
}

void FmuInstance::start_at(double time) {
  expect(Phase::instantiated, "the start time");
  if (!std::isfinite(time)) refuse("the start time must be a finite number");
  start_ = time_ = time;
}

void FmuInstance::enter_initialization() {
  expect(Phase::instantiated, "initialization");
  phase_ = Phase::initializing;
}

void FmuInstance::exit_initialization() {
  expect(Phase::initializing, "the end of initialization");
  session();
  phase_ = Phase::stepping;
}

void FmuInstance::terminate() {
  if (phase_ == Phase::instantiated) expect(Phase::stepping, "the end");
  phase_ = Phase::terminated;
}

void FmuInstance::reset() {
  phase_ = Phase::instantiated;
  session_.reset();
  before_.clear();
  start_ = time_ = content_.begin;
  told_ = 0;
  values_.clear();
  for (const FmuVariable& v : content_.variables) values_.push_back(v.start);
}

double FmuInstance::present(unsigned reference) {
  const FmuVariable& v = variable(reference);
  return session().sensor(session().find_sensor(v.source))[static_cast<size_t>(v.component)];
}

double FmuInstance::get(unsigned reference) {
  const FmuVariable& v = variable(reference);
  if (v.causality == Causality::independent) return time_;
  if (v.causality != Causality::output) return values_[reference];
  if (phase_ == Phase::instantiated) refuse(fmt::format("output '{}' is known from initialization on", v.name));
  if (before_.empty()) return present(reference);
  const double share = (time_ - start_ + content_.begin - before_time_) / (session().time() - before_time_);
  return (1 - share) * before_[reference] + share * present(reference);
}

void FmuInstance::set(unsigned reference, double value) {
  const FmuVariable& v = variable(reference);
  if (!std::isfinite(value)) refuse(fmt::format("'{}' must be a finite number", v.name));
  if (v.causality == Causality::independent || v.causality == Causality::output)
    refuse(fmt::format("'{}' cannot be set: it is computed", v.name));
  if (v.causality == Causality::parameter && !before_steps())
    refuse(fmt::format("parameter '{}' is fixed: it can be set until initialization ends", v.name));
  if (values_[reference] == value) return;
  values_[reference] = value;
  if (before_steps())
    session_.reset();
  else
    session().set_input(session().find_input(v.source), value);
}

void FmuInstance::step(double time, double length) {
  expect(Phase::stepping, "a step");
  const double near = rounding * content_.step;
  if (!(std::fabs(time - time_) <= near))
    refuse(fmt::format("a step from {} s is asked for, and the FMU is at {} s", time, time_));
  if (!(length >= 0) || !std::isfinite(length)) refuse(fmt::format("a step cannot be {} s long", length));
  try {
    advance(time + length - start_ + content_.begin, near);
  } catch (...) {
    phase_ = Phase::failed;
    throw;
  }
  time_ = time + length;
}

void FmuInstance::advance(double target, double near) {
  Session& s = session();
  while (s.time() < target - near) {
    before_.clear();
    const AnalysisSpec* coming = nullptr;
    for (const AnalysisSpec& analysis : s.scene().timeline.analyses)
      if (analysis.over_time() && s.time() < analysis.end) {
        coming = &analysis;
        break;
      }
    if (coming == nullptr || coming->motion()->adaptive || s.time() + coming->step() > target + near) {
      before_ = outputs();
      before_time_ = s.time();
    }
    if (!s.advance() && s.time() < target - near)
      refuse(!s.message().empty() ? s.message()
                                  : fmt::format("the scene ends at t = {} s: its analysis \"{}\" has this `end`",
                                                s.time(), s.analysis()));
  }
  if (s.time() <= target + near) before_.clear();
}

std::vector<double> FmuInstance::outputs() {
  std::vector<double> out(content_.variables.size());
  for (unsigned k = 0; k < out.size(); ++k)
    if (content_.variables[k].causality == Causality::output) out[k] = present(k);
  return out;
}

Checkpoint FmuInstance::save() {
  Checkpoint state = session_ ? session_->save() : Checkpoint();
  NamedArray& own = state.arrays.emplace_back();
  own.name = own_array;
  own.reals = {static_cast<double>(phase_), session_ ? 1.0 : 0.0, start_, time_, before_time_};
  own.reals.insert(own.reals.end(), values_.begin(), values_.end());
  if (session_) own.reals.insert(own.reals.end(), begun_.begin(), begun_.end());
  own.reals.insert(own.reals.end(), before_.begin(), before_.end());
  own.shape = {own.reals.size()};
  return state;
}

void FmuInstance::restore(const Checkpoint& state) {
  constexpr size_t head = 5;
  const size_t n = content_.variables.size();
  const std::vector<double>* own = state.reals(own_array);
  const bool has_session = own != nullptr && own->size() > head && (*own)[1] != 0;
  const size_t least = head + (has_session ? 2 * n : n);
  if (own == nullptr || (own->size() != least && own->size() != least + n)) refuse("the state is not one of this FMU");
  const auto at = own->begin() + head, rest = own->begin() + static_cast<std::ptrdiff_t>(least);
  session_.reset();
  if (has_session) {
    values_.assign(at + static_cast<std::ptrdiff_t>(n), rest);
    session().restore(state);
  }
  values_.assign(at, at + static_cast<std::ptrdiff_t>(n));
  before_.assign(rest, own->end());
  phase_ = static_cast<Phase>(static_cast<int>((*own)[0]));
  start_ = (*own)[2];
  time_ = (*own)[3];
  before_time_ = (*own)[4];
}

std::vector<std::string> FmuInstance::take_warnings() {
  std::vector<std::string> fresh;
  if (!session_) return fresh;
  const std::vector<std::string>& all = session_->warnings();
  for (; told_ < all.size(); ++told_) fresh.push_back(all[told_]);
  return fresh;
}

}  // namespace flexura
