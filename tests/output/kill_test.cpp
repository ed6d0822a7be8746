// A process that journals a computation is killed with SIGKILL at random moments; going on from the journal gives the
// results of a run that was never disturbed.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <random>
#include <thread>

#include "flexura/base/temporary_folder.hpp"
#include "flexura/output/hdf5_reader.hpp"
#include "flexura/output/hdf5_results.hpp"
#include "flexura/output/journal.hpp"

namespace flexura {
namespace {

using Clock = std::chrono::steady_clock;
using Reals = std::vector<double>;

constexpr int steps = 20000;
constexpr int checkpoint_interval = 500;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// A computation in which every bit of every step matters to the next: coupled logistic maps.
void advance(Reals& q) {
  for (int sweep = 0; sweep < 8; ++sweep)
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = 3.9 * q[i] * (1 - q[i]) * (0.9 + 0.1 * q[(i + 1) % q.size()]);
}

/// Goes from the last checkpoint, or from the start, to the end. False if the journal could not be written.
bool compute(const std::string& path) {
  const Clock::time_point begin = Clock::now();
  Reals q{0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  std::int64_t step = 0;
  std::optional<JournalWriter> journal;
  constexpr std::size_t buffer = 512;  // small: the kill often meets a write
  if (auto resumed = resume_journal(path, buffer)) {
    q = *resumed->checkpoint.reals("q");
    step = resumed->checkpoint.integers("step")->front();
    journal.emplace(std::move(resumed->writer));
  } else {
    auto created = JournalWriter::create(path, buffer);
    if (!created) return false;
    journal.emplace(std::move(*created));
    journal->blob("/scene/text", "title = \"logistic maps\"\n");
  }
  const auto states = journal->define({"/analysis/move", "", {{"t", {}, "s", "time"}, {"q", {6}, "1", ""}}});
  const auto tip = journal->define({"/sensors/tip", "", {{"t", {}, "s", "time"}, {"value", {}, "1", ""}}});
  const auto solver = journal->define({"/solver", "", {{"t", {}, "s", "time"}, {"wall_time", {}, "s", ""}}});
  if (!states || !tip || !solver) return false;
  while (step < steps) {
    advance(q);
    ++step;
    const double t = 1e-3 * static_cast<double>(step);
    journal->row(*tip, {t, q[0]});
    if (step % 4 == 0) journal->row(*states, {t, q});
    if (step % 100 == 0) journal->row(*solver, {t, seconds_since(begin)});
    if (step % checkpoint_interval == 0 && !journal->checkpoint({{"step", step}, {"q", q}})) return false;
  }
  journal->attribute("/meta", "wall_time", seconds_since(begin));
  return journal->end("finished");
}

/// Runs compute() in a process of its own and kills it when the journal has reached `bytes`, or soon after. The moment
/// follows the process's own progress, so that it does not depend on how busy the machine is. False if the process ended
/// by itself before.
bool compute_and_kill(const std::string& path, double bytes, double delay) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(compute(path) ? 0 : 1);
  int status = 0;
  std::error_code missing;
  for (;;) {
    const auto size = std::filesystem::file_size(path, missing);
    if (!missing && static_cast<double>(size) >= bytes) break;
    if (::waitpid(child, &status, WNOHANG) == child) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(delay));
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
  return WIFSIGNALED(status);
}

void convert(const std::string& journal_path, const std::string& results_path) {
  const auto journal = JournalReader::open(journal_path);
  ASSERT_TRUE(journal) << journal.error();
  ASSERT_EQ(write_results(*journal, results_path), "");
}

TEST(Kill, FiftyRunsKilledAtRandomMomentsAndResumedGiveTheUndisturbedResults) {
  const TemporaryFolder folder;
  ASSERT_TRUE(compute(folder / "whole.journal"));
  const auto whole_bytes = static_cast<double>(std::filesystem::file_size(folder / "whole.journal"));
  convert(folder / "whole.journal", folder / "whole.h5");

  std::mt19937 random(20260101);
  std::uniform_real_distribution<double> share(0.0, 0.97), delay(0, 2e-4);
  const auto kill_somewhere = [&](const std::string& path) {
    const double bytes = share(random) * whole_bytes;
    return compute_and_kill(path, bytes, delay(random));
  };
  int killed = 0, after_checkpoint = 0, inside_record = 0;
  std::vector<std::uint64_t> places;
  for (int attempt = 0; killed < 50 && attempt < 500; ++attempt) {
    const std::string path = folder / "killed.journal";
    std::filesystem::remove(path);
    if (!kill_somewhere(path)) continue;  // too late: not a kill
    if (std::filesystem::exists(path)) {
      if (const auto journal = JournalReader::open(path)) {
        after_checkpoint += journal->checkpoint() ? 1 : 0;
        inside_record += journal->damage().empty() ? 0 : 1;
        places.push_back(journal->intact_bytes());
      }
    }
    ++killed;
    if (killed % 5 == 0) kill_somewhere(path);  // and once more on the way
    ASSERT_TRUE(compute(path));
    convert(path, folder / "resumed.h5");
    const auto differences = compare_results(folder / "whole.h5", folder / "resumed.h5");
    ASSERT_TRUE(differences) << differences.error();
    ASSERT_EQ(*differences, std::vector<std::string>{}) << "kill " << killed;
  }
  EXPECT_EQ(killed, 50);
  EXPECT_GE(after_checkpoint, 40);
  std::sort(places.begin(), places.end());
  EXPECT_GE(std::unique(places.begin(), places.end()) - places.begin(), 40) << "the moments must differ";
  RecordProperty("after_checkpoint", after_checkpoint);
  RecordProperty("inside_record", inside_record);
}

}  // namespace
}  // namespace flexura
