#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "flexura/report/browser.hpp"

namespace flexura {

/// Something was asked for that the report does not have; says what there is.
struct RenderRequestError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What is drawn of a report, and how.
struct RenderOptions {
  std::string browser;  ///< program; empty: find_browser()
  std::string encoder = "ffmpeg";
  std::string analysis;                 ///< empty: the last one
  std::string view;                     ///< camera preset; empty: as the report opens
  std::string field;                    ///< what colours show; empty: as the report opens, "none": no colours
  std::string follow;                   ///< part that the camera goes along with; empty: it stands still
  std::vector<std::string> show, hide;  ///< layers: reference, trails, loads, joints, frames, sensors, grid, axes
  bool dark = false, legend = true;
  bool transparent = false;        ///< pictures have nothing behind the model
  int width = 1280, height = 720;  ///< [pixels]
  std::string png, mp4;            ///< files; empty: not made
  std::vector<double> times;       ///< of the pictures: [s], load factors or numbers of modes
  double share = 1;                ///< where times is empty: 0 the start of the analysis, 1 its end
  double fps = 30, speed = 1;      ///< of the video: frames per second, seconds of motion per second
  const std::atomic<bool>* stop = nullptr;
  std::function<void(int done, int of)> progress;
};

/// Draws frames of a report with headless Chromium. Returns the files it wrote: pictures (FILE-001.png, ... if there are
/// several), then the video. Throws RenderRequestError, DrawingError, DrawingStopped, or std::runtime_error of files.
std::vector<std::string> render_report(const std::string& html, const RenderOptions& options);

/// "motion.png", 2 of 12 → "motion-002.png"; the only one keeps its name.
std::string numbered_file(const std::string& file, int number, int count);

}  // namespace flexura
