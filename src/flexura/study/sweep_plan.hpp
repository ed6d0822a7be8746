#pragma once
// What the study file of a sweep says: with which values, and what is kept of each run.
//
//     [design]
//     type = "sobol"                          # or "grid", "latin-hypercube", "list"
//     runs = 1024
//
//     [parameter.EI]
//     path = "section.wall.EI"
//     low  = "0.012 N m^2"
//     high = "0.028 N m^2"
//
//     [output.height]
//     sensor    = "tip"
//     component = "y"
//     take      = "max"                       # or "end", "min", "mean", "rms", "series"

#include "flexura/observe/sensor.hpp"
#include "flexura/scene/scene_model.hpp"
#include "flexura/study/distribution.hpp"
#include "flexura/study/study_file.hpp"

namespace flexura {

/// What becomes of the samples of a sensor.
enum class Take { end, min, max, mean, rms, series };

struct SweepOutput {
  std::string name;
  std::string sensor = {};   ///< by name
  int first = 0, count = 1;  ///< of its numbers
  Take take = Take::end;
  int analysis = 0;                  ///< index in Timeline::analyses
  bool over_time = true;             ///< it is one: samples are at times
  double from = -1e300, to = 1e300;  ///< samples within count [s]; load factors where the analysis takes no time
  std::vector<std::string> columns;  ///< of the table, or of the series: "height", "tip_x"
  std::vector<std::string> units;    ///< of each
};

struct SweepPlan {
  StudyFile study;
  std::vector<Distribution> distributions;  ///< of each parameter; of a list empty
  std::vector<std::vector<double>> runs;    ///< values of the parameters [SI], run by run
  std::vector<SweepOutput> outputs;
  bool keeps_reports = false;  ///< each run is written whole, with its report
  std::string design;          ///< in words: "Sobol', 1024 runs, scrambled, seed 0"

  std::vector<std::string> columns() const;  ///< of the outputs that are numbers, in order
};

/// The keys of a sweep, for schema and documentation.
StudyForm sweep_form();
constexpr long most_runs = 10'000'000;

/// Reads and checks all of it. Throws SceneError or UnreadableFiles with every problem.
SweepPlan read_sweep(const std::string& path, const StudyOptions& options = {});
SweepPlan read_sweep_text(const std::string& text, const std::string& file, const StudyOptions& options = {});

}  // namespace flexura
