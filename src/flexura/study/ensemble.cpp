#include "flexura/study/ensemble.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

#include "flexura/math/pack.hpp"
#include "flexura/run/run.hpp"
#include "flexura/study/lane_steps.hpp"
#include "flexura/study/varied_scene.hpp"

namespace flexura {
namespace {

/// f(i) for i = 0 … count − 1 on so many threads; the first exception is thrown when all are done.
void share(int threads, std::size_t count, const std::function<void(std::size_t)>& f) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t i; (i = next.fetch_add(1)) < count;) try {
        f(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
  };
  std::vector<std::thread> others;
  for (std::size_t k = 1; k < std::min(static_cast<std::size_t>(threads), count); ++k) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

/// Members in lanes of one.
struct Ensemble::Group {
  explicit Group(std::vector<std::size_t> all) : members(std::move(all)), steps(members.size()) {}
  std::vector<std::size_t> members;  ///< by lane
  LaneSteps steps;
};

Ensemble::Ensemble(SceneDocument document, std::size_t count, const EnsembleOptions& options)
    : document_(std::make_shared<const SceneDocument>(std::move(document))),
      scene_(std::make_shared<const SceneModels>(interpret_scene(*document_))),
      options_(options),
      members_(count) {
  for (const AnalysisSpec& analysis : scene_->timeline.analyses) {
    if (analysis.over_time()) break;
    ++leading_;
  }
  if (!scene_->code.empty()) options_.threads = 1;
  fits_lanes_ = options.lanes && scene_->models.size() == 1 && scene_->code.empty() &&
                model_fits_lanes(scene_->models.front().model);
}

Ensemble::~Ensemble() = default;

void Ensemble::set(std::size_t member, std::vector<std::string> settings) {
  members_[member].settings = std::move(settings);
}

std::vector<std::string> Ensemble::begin(std::span<const std::size_t> members) {
  const bool varied = std::ranges::any_of(members, [&](std::size_t k) { return !members_[k].settings.empty(); });
  if (varied && !vary_)
    vary_ = [scene = VariedScene(*document_, options_.reading)](std::span<const std::string> settings) {
      return scene.vary(settings);
    };
  share(options_.threads, members.size(), [&](std::size_t i) { read_anew(members_[members[i]]); });
  const auto shares = [&](std::size_t k) { return members_[k].settings.empty(); };
  // The first of those that share a start finds it for all.
  const auto first = start_ ? members.end() : std::ranges::find_if(members, shares);
  if (first != members.end()) begin_one(members_[*first]);
  share(options_.threads, members.size(), [&](std::size_t i) {
    if (first == members.end() || members[i] != *first) begin_one(members_[members[i]]);
  });
  make_groups(members);
  std::vector<std::string> problems;
  for (const std::size_t k : members) problems.push_back(members_[k].problem);
  return problems;
}

void Ensemble::read_anew(Member& member) {
  if (member.begins_as_before() || member.settings.empty()) return;
  auto document = std::make_shared<const SceneDocument>(vary_(member.settings));
  member.scene = std::make_shared<const SceneModels>(interpret_scene(*document));
  member.document = std::move(document);
}

void Ensemble::begin_one(Member& member) {
  member.group.reset();
  member.times.clear();
  member.inputs.clear();
  member.problem.clear();
  if (!member.begins_as_before()) {
    member.start.reset();
    member.options = RunOptions();
    member.options.record = false;
    member.options.stop = options_.stop;
    if (member.settings.empty()) {
      member.session.emplace(document_, scene_, member.options);
      member.start = start_;
    } else {
      member.session.emplace(std::move(member.document), std::move(member.scene), member.options);
    }
    member.settings_of_session = member.settings;
  }
  Session& session = *member.session;
  session.run().use_stepper({});
  if (member.start) return session.restore(*member.start);
  for (int k = 0; k < leading_ && !session.is_finished(); ++k) session.advance();
  if (session.status() != RunStatus::finished) {
    member.problem = session.message();
    return;
  }
  member.start = std::make_shared<const Checkpoint>(session.save());
  if (member.settings.empty()) start_ = member.start;
}

/// As many as a pack holds, in the order of the members, of one structure.
void Ensemble::make_groups(std::span<const std::size_t> members) {
  if (!fits_lanes_) return;
  const auto model_of = [&](std::size_t k) { return &members_[k].session->scene().models.front().model; };
  const auto lanes = [&](std::size_t k) {
    const SceneModels& scene = members_[k].session->scene();
    return members_[k].problem.empty() && scene.models.size() == 1 && scene.code.empty() &&
           model_fits_lanes(scene.models.front().model);
  };
  std::vector<std::size_t> group;
  const auto close = [&] {
    if (group.size() > 1) {
      const auto made = std::make_shared<Group>(group);
      for (std::size_t lane = 0; lane < group.size(); ++lane) {
        Member& member = members_[group[lane]];
        member.group = made;
        member.lane = lane;
        made->steps.member(lane).model = model_of(group[lane]);
        member.session->run().use_stepper(
            [&steps = made->steps, lane](const MotionAnalysis& motion, System<double>& system, double extent) {
              return steps.stepper(lane, system, motion.stepper(system, extent));
            });
      }
    }
    group.clear();
  };
  for (const std::size_t k : members) {
    if (!lanes(k)) continue;
    if (!group.empty() && !same_structure(*model_of(group.front()), *model_of(k))) close();
    group.push_back(k);
    if (group.size() == static_cast<std::size_t>(native_lanes)) close();
  }
  close();
}

void Ensemble::remember(Member& member, double until) {
  member.times.push_back(until);
  for (std::size_t i = 0; i < member.session->inputs().size(); ++i)
    member.inputs.push_back(member.session->input(static_cast<int>(i)));
}

/// From its beginning, as it was up to now.
void Ensemble::go_alone(Member& member) {
  member.group.reset();
  Session& session = *member.session;
  session.run().use_stepper({});
  session.restore(*member.start);
  const std::size_t inputs = session.inputs().size();
  for (std::size_t k = 0; k < member.times.size(); ++k) {
    for (std::size_t i = 0; i < inputs; ++i) session.set_input(static_cast<int>(i), member.inputs[k * inputs + i]);
    session.advance_to(member.times[k]);
  }
}

void Ensemble::advance_group(Group& group, std::span<const double> until) {
  std::vector<double> near(group.members.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t lane = 0; lane < near.size(); ++lane) {
    const std::size_t k = group.members[lane];
    if (members_[k].group.get() != &group || std::isnan(until[k])) continue;  // it has begun anew elsewhere
    near[lane] = until[k] - 1e-9 * members_[k].session->run().analysis().step();
    remember(members_[k], until[k]);
  }
  const auto goes = [&](std::size_t lane) {  // as Session::advance_to
    if (group.steps.member(lane).left || std::isnan(near[lane])) return false;
    const Session& session = *members_[group.members[lane]].session;
    return !session.is_finished() && session.time() < near[lane];
  };
  long made = 0;
  for (bool any = true; any;) {
    any = false;
    for (std::size_t lane = 0; lane < near.size(); ++lane) {
      LaneSteps::Member& member = group.steps.member(lane);
      member.state = nullptr;
      if (!goes(lane)) continue;
      any = true;
      Run& run = members_[group.members[lane]].session->run();
      if (run.open_step()) member.state = &run.active().state;
    }
    for (std::size_t lane = 0; lane < near.size(); ++lane)
      if (goes(lane)) {
        members_[group.members[lane]].session->run().advance(1);
        ++made;
      }
  }
  in_lanes_ += made;
  for (std::size_t lane = 0; lane < near.size(); ++lane)
    if (!std::isnan(near[lane]) && group.steps.member(lane).left) go_alone(members_[group.members[lane]]);
}

void Ensemble::advance_to(std::span<const double> until) {
  std::vector<std::shared_ptr<Group>> groups;
  std::vector<std::size_t> alone;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const Member& member = members_[k];
    if (std::isnan(until[k]) || !member.session) continue;
    if (!member.group) {
      alone.push_back(k);
    } else if (groups.empty() || groups.back() != member.group) {
      groups.push_back(member.group);
    }
  }
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  share(options_.threads, groups.size() + alone.size(), [&](std::size_t i) {
    if (i < groups.size()) return advance_group(*groups[i], until);
    const std::size_t k = alone[i - groups.size()];
    members_[k].session->advance_to(until[k]);
  });
}

void Ensemble::read(std::span<const Column> columns, std::span<const std::size_t> members, std::size_t width,
                    double* out) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    Session& session = *members_[members[i]].session;
    double* to = out + i * width;
    for (const Column& column : columns) {
      if (column.is_sensor) {
        const std::span<const double> values = session.sensor(column.index);
        std::copy(values.begin(), values.end(), to);
      } else {
        *to = session.input(column.index);
      }
      to += column.count;
    }
  }
}

}  // namespace flexura
