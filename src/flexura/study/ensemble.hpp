#pragma once
// Many sessions of one scene, stepped from outside to common times: what learns asks for that many at once.
//
// Those that begin together and differ in numbers alone are in the lanes of one group, as many as a pack holds, and make their steps together
// (lane_steps.hpp); threads share the groups. A member that leaves its lane is done again by itself, from its beginning, with the inputs that
// it had. So each has the bits of a Session by itself, on any number of threads.

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flexura/run/session.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {

struct EnsembleOptions {
  int threads = 1;    ///< one where the scene calls functions of the program
  bool lanes = true;  ///< false: each by itself
  const std::atomic<bool>* stop = nullptr;
  SceneOptions reading = {};  ///< files and functions of scenes with settings
};

class Ensemble {
 public:
  /// Throws InputError. Members have not begun.
  Ensemble(SceneDocument document, std::size_t count, const EnsembleOptions& options);
  ~Ensemble();
  Ensemble(const Ensemble&) = delete;
  Ensemble& operator=(const Ensemble&) = delete;

  std::size_t size() const { return members_.size(); }
  const SceneModels& scene() const { return *scene_; }

  /// The members' settings from the next begin() on, as --set has them: their scenes are read anew then. Empty: the scene as it is.
  void set(std::size_t member, std::vector<std::string> settings);
  /// These begin, or begin anew: analyses without time that come first are done. Why one cannot, by member in order, or nothing. Throws
  /// InputError where a scene is wrong with its settings; all members are as before then.
  std::vector<std::string> begin(std::span<const std::size_t> members);

  bool has_begun(std::size_t member) const { return members_[member].session.has_value(); }
  /// Of one that has begun. Not to be stepped from outside.
  Session& session(std::size_t member) { return *members_[member].session; }

  /// Steps each member until its time is at least until[member] [s], within rounding; those of NaN stay. How it went tells each
  /// session's status().
  void advance_to(std::span<const double> until);

  struct Column {
    bool is_sensor = true;
    int index = 0;  ///< of the session's sensor or input
    int count = 1;  ///< numbers
  };
  /// What these members read now, a row of `width` numbers each: row i is of members[i].
  void read(std::span<const Column> columns, std::span<const std::size_t> members, std::size_t width, double* out);

  long in_lanes() const { return in_lanes_.load(); }  ///< steps that have been made in lanes, over all members

 private:
  struct Group;
  struct Member {
    bool begins_as_before() const { return session && settings == settings_of_session && start; }
    std::vector<std::string> settings, settings_of_session;
    std::shared_ptr<const SceneDocument> document;  ///< with the settings, read for the next session
    std::shared_ptr<const SceneModels> scene;
    std::optional<Session> session;
    RunOptions options;
    std::shared_ptr<const Checkpoint> start;  ///< behind the analyses without time
    std::string problem;                      ///< why it could not begin
    /// Since then: until when, and with which inputs.
    std::vector<double> times, inputs;
    std::shared_ptr<Group> group;  ///< null: it goes by itself
    std::size_t lane = 0;
  };
  void read_anew(Member& member);
  void begin_one(Member& member);
  void make_groups(std::span<const std::size_t> members);
  void remember(Member& member, double until);
  void advance_group(Group& group, std::span<const double> until);
  void go_alone(Member& member);

  std::shared_ptr<const SceneDocument> document_;
  std::shared_ptr<const SceneModels> scene_;
  std::function<SceneDocument(std::span<const std::string>)> vary_;
  EnsembleOptions options_;
  int leading_ = 0;  ///< analyses without time at the beginning
  bool fits_lanes_ = false;
  std::vector<Member> members_;
  std::shared_ptr<const Checkpoint> start_;  ///< of members without settings
  std::atomic<long> in_lanes_{0};
};

}  // namespace flexura
