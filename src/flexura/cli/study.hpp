#pragma once
// `flexura sweep`, and whatever else repeats runs: every program reads the words of these commands and explains them; what computes is in
// flexura-study alone, which the command becomes, so that who wants no studies compiles no lanes.

#include <string>
#include <vector>

#include "flexura/fmi/export_fmu.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/study/fit_material.hpp"

namespace flexura::cli {

struct SweepArguments {
  std::string study;
  std::vector<std::string> set;
  std::string output;     ///< folder; empty: named after the study
  std::string scheduler;  ///< address of the Dask cluster that runs it; empty: this computer
  int threads = 1;
  bool force = false, resume = false, quiet = false, json = false, no_lanes = false;
  bool lines = false;      ///< outcomes to stdout and nowhere else
  std::vector<long> only;  ///< of these runs
};

struct IdentifyArguments {
  std::string study;
  std::vector<std::string> set;
  std::string output;  ///< folder; empty: named after the study
  int threads = 1;
  bool profile = false, force = false, resume = false, quiet = false, json = false;
};

struct InvertArguments {
  std::string study;
  std::vector<std::string> set;
  std::string output;  ///< file for the results as JSON; empty: none
  std::string log;     ///< file that keeps each run; empty: none
  int threads = 1;
  bool quiet = false, json = false;
};

struct LineariseArguments {
  std::string scene;
  std::vector<std::string> set, inputs, outputs;
  std::string at;                   ///< "start", "0.3 s", or an analysis
  std::string frequencies;          ///< "0.1:100:200"; empty: no responses
  std::vector<std::string> output;  ///< files and folders
  bool no_matrices = false, quiet = false, json = false;
};

struct SteeredArguments {
  std::string study;
  std::vector<std::string> set;
  std::string output;  ///< folder; empty: named after the study
  bool force = false, resume = false, quiet = false, json = false;
};

struct WorkspaceArguments : SteeredArguments {
  int threads = 1;
};

/// Finds inputs for wanted places and poses at rest; otherwise as sweep().
int inverse_statics_command(const SteeredArguments& arguments, char** command_line);
/// Finds inputs over time for wanted trajectories; otherwise as sweep().
int inverse_dynamics_command(const SteeredArguments& arguments, char** command_line);
/// Maps what inputs can reach; otherwise as sweep().
int workspace_command(const WorkspaceArguments& arguments, char** command_line);

/// A scene as a linear system; otherwise as sweep().
int linearise_command(const LineariseArguments& arguments, char** command_line);

struct FitMaterialArguments {
  std::vector<std::string> files, of_test[3], fixed, columns;
  FitMaterialOptions options;
  TensionFormat format;
  std::string name = "rubber", output = "fit-material.html", toml;
  bool json = false;
};

struct ExportFmuArguments {
  std::string scene, output;
  SceneOptions reading;
  FmuOptions fmu;
};

/// Constants of rubber from measured tension; otherwise as sweep().
int fit_material_command(const FitMaterialArguments& arguments, char** command_line);

/// Writes a scene as an FMU; otherwise as sweep().
int export_fmu_command(const ExportFmuArguments& arguments, char** command_line);

struct GradientArguments {
  std::string scene;
  std::vector<std::string> of, with, set, after;
  std::vector<double> times;
  std::string way = "automatic";
  std::string output;  ///< file for the results as JSON; empty: none
  double relative_step = 1e-3, tolerance = 1e-6;
  bool check = false, numbers = false, quiet = false, json = false;
};

/// What sensors and modes feel of numbers of a scene; otherwise as sweep().
int gradient_command(const GradientArguments& arguments, char** command_line);

/// Finds numbers of a scene for a wanted behaviour; otherwise as sweep().
int invert_command(const InvertArguments& arguments, char** command_line);

/// Finds numbers of a scene from records; otherwise as sweep().
int identify_command(const IdentifyArguments& arguments, char** command_line);

/// Runs the sweep; returns the exit status. `command_line`: the words of the program, ended by a null pointer.
/// Two programs, two definitions: cli/study/sweep.cpp computes, cli/study_beside.cpp becomes the program that does.
int sweep(const SweepArguments& arguments, char** command_line);

/// Commands that have study files.
inline constexpr const char* study_commands[] = {"sweep",           "identify",         "invert",
                                                 "inverse-statics", "inverse-dynamics", "workspace"};
/// JSON Schema of the studies of one of study_commands; otherwise as sweep().
std::string study_schema(const std::string& command, char** command_line);

}  // namespace flexura::cli
