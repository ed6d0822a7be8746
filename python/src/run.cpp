// Whole runs: computed in a thread of their own, while the interpreter's thread shows the progress and waits for Ctrl-C.

#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "binding.hpp"
#include "flexura/base/json.hpp"
#include "flexura/cli/stopped_run.hpp"
#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"
#include "functions.hpp"
#include "interpreter.hpp"
#include "run_options.hpp"

namespace flexura::python {
namespace {

/// What the two threads share.
struct Shared {
  std::mutex mutex;
  std::condition_variable changed;
  Progress progress;
  bool news = false, done = false;
  std::exception_ptr failure;
  RunSummary summary;

  void work(const SceneDocument& document, const RunOptions& options) {
    std::exception_ptr thrown;
    RunSummary made;
    try {
      made = run_scene(document, options);
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    summary = std::move(made);
    failure = thrown;
    done = true;
    changed.notify_all();
  }
};

/// Waits for the end. Python's exceptions (Ctrl-C, or of what shows the progress) stop the run; the first one is returned,
/// else None.
nb::object attend(Shared& shared, std::atomic<bool>& stop, const nb::object& show) {
  nb::object interrupt = nb::none();
  for (bool done = false; !done;) {
    Progress progress;
    bool news = false;
    {
      const Unlocked unlocked;
      std::unique_lock lock(shared.mutex);
      shared.changed.wait_for(lock, signal_interval, [&] { return shared.done; });
      done = shared.done;
      std::swap(news, shared.news);
      if (news) progress = shared.progress;
    }
    if (!interrupt.is_none()) continue;
    const Locked lock;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (news && !show.is_none()) show(progress.analysis, progress.done, progress.end, progress.real_time_factor);
    } catch (nb::python_error& error) {
      interrupt = nb::borrow(error.value());
      stop = true;
    }
  }
  return interrupt;
}

/// Summary as JSON and as text, and the exception that stopped the run or None.
nb::tuple run(const PyDocument& document, RunOptions options, bool verify, const nb::object& show) {
  Shared shared;
  Functions& functions = document.functions();
  if (verify) {
    SceneOptions reading;
    reading.functions = functions.external();
    options.verify = [&document, reading, &options](const RunSummary& finished) {
      return estimate_errors(document.scene, reading, finished, options);
    };
  }
  std::atomic<bool>& stop = functions.stop();
  stop = false;
  options.stop = &stop;
  options.progress = [&shared](const Progress& p) {
    const std::lock_guard lock(shared.mutex);
    shared.progress = p;
    shared.news = true;
  };
  const WorksFor here;
  std::thread worker([&] {
    here.begin();
    shared.work(document.scene, options);
  });
  const nb::object interrupt = attend(shared, stop, show);
  {
    const Unlocked unlocked;
    worker.join();
  }
  const nb::object raised = functions.take();
  const nb::object stopped_by = interrupt.is_none() ? raised : interrupt;
  if (shared.failure) {
    if (!stopped_by.is_none()) {
      PyErr_SetObject(stopped_by.type().ptr(), stopped_by.ptr());
      throw nb::python_error();
    }
    try {
      std::rethrow_exception(std::exchange(shared.failure, nullptr));
    } catch (const ResultsError&) {
      throw;
    } catch (const InputError& error) {
      raise_scene_error(error.problems(), document.scene.texts);
    }
  }
  return nb::make_tuple(text_of(json_text(summary_json(shared.summary))), text_of(summary_text(shared.summary)),
                        shared.summary.unwritten, stopped_by);
}

nb::tuple resume_scene(const Text& text, const Text& file, const Text& folder, const std::vector<Text>& set,
                       const nb::object& holder) {
  const cli::StoppedRun stopped = cli::read_stopped_run(folder.bytes);
  if (!stopped.text || !stopped.effective) return nb::make_tuple(nb::none(), false);
  auto& functions = nb::cast<Functions&>(holder);
  try {
    SceneDocument scene = cli::scene_of(stopped, file, text, all_bytes(set), functions.external());
    functions.raise();
    return nb::make_tuple(PyDocument{std::move(scene), holder}, stopped.has_checkpoint);
  } catch (const InputError& error) {
    functions.raise();
    raise_scene_error(error.problems(), {});
  }
}

}  // namespace

RunOptions run_options(const std::string& folder, bool resume, bool csv, bool vtk, bool plots, bool report,
                       int threads) {
  if (threads < 1 || threads > 256) throw nb::value_error("threads: a number from 1 to 256");
  RunOptions options;
  options.folder = folder;
  options.record = !folder.empty();
  options.resume = resume;
  options.csv = csv;
  options.vtk = vtk;
  options.plots = plots;
  options.report = report;
  options.threads = threads;
  return options;
}

void bind_run(nb::module_& m) {
  m.def(
      "run",
      [](const PyDocument& document, const Text& folder, bool resume, bool csv, bool vtk, bool plots, bool report,
         int threads, bool verify, const nb::object& progress) {
        return run(document, run_options(folder, resume, csv, vtk, plots, report, threads), verify, progress);
      },
      nb::arg("document"), nb::arg("folder"), nb::arg("resume") = false, nb::arg("csv") = false, nb::arg("vtk") = false,
      nb::arg("plots") = false, nb::arg("report") = false, nb::arg("threads") = 1, nb::arg("verify") = false,
      nb::arg("progress") = nb::none(),
      nb::sig("def run(document: Document, folder: str, resume: bool = False, csv: bool = False, vtk: bool = False, "
              "plots: bool = False, report: bool = False, threads: int = 1, verify: bool = False, progress: "
              "collections.abc.Callable[[str, "
              "float, float, float], "
              "object] | None "
              "= None) -> tuple[str, str, list[str], BaseException | None]"),
      "Runs a scene into a folder. Returns the summary as JSON and as text, what could not be written, and what "
      "stopped the run.");
  m.def("resume_scene", &resume_scene, nb::arg("text"), nb::arg("file"), nb::arg("folder"), nb::arg("set"),
        nb::arg("functions"),
        nb::sig("def resume_scene(text: str, file: str, folder: str, set: collections.abc.Sequence[str], functions: "
                "Functions) -> tuple[Document | None, bool]"),
        "The scene of the stopped run in the folder, None where it had not written it yet, and whether it can go on.");
}

}  // namespace flexura::python
