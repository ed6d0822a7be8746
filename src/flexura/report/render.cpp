#include "flexura/report/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "flexura/base/base64.hpp"
#include "flexura/base/file.hpp"
#include "flexura/base/nearest_name.hpp"
#include "flexura/report/video_encoder.hpp"

namespace flexura {
namespace {

constexpr double still_duration = 5;  // s of video for the load steps of a static analysis, and for a mode
constexpr double most_frames = 1e6;   // of a video: hours of it

/// A stretch of playback, as the page tells it.
struct PlayedStretch {
  int index;
  std::string analysis, axis, unit;
  double start, end;
};

/// One picture: a place in the playback; `phase` of a mode, [0, 1).
struct Frame {
  int stretch;
  double value, phase;
};

std::string script_text(const std::string& text) {
  return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void check_name(const std::string& option, const std::string& name, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  const std::string nearest = nearest_name(name, known);
  throw RenderRequestError(fmt::format("{}: this report has no \"{}\"{}\nit has: {}", option, name,
                                       nearest.empty() ? "" : fmt::format(", nearest: \"{}\"", nearest),
                                       known.empty() ? "none" : listed(known)));
}

class ReportPage {
 public:
  ReportPage(const std::string& html, const RenderOptions& options)
      : options_(options), browser_(find_browser(options.browser), options.stop) {
    browser_.open(html, options.width, options.height, options.dark);
    try {
      if (browser_.evaluate("typeof window.flexura") != "object") throw DrawingError("it is no report of this program");
      browser_.evaluate("Promise.resolve(window.flexura.ready).then(() => true)");
    } catch (const DrawingError& error) {
      std::string reasons;
      for (const std::string& text : browser_.page_errors()) reasons += "\n" + text;
      throw DrawingError(fmt::format("cannot draw {}: {}{}", html, error.what(), reasons));
    }
  }

  std::vector<PlayedStretch> stretches() {
    std::vector<PlayedStretch> result;
    for (const Json& s : browser_.evaluate("flexura.stretches()"))
      result.push_back(
          {static_cast<int>(result.size()), s.at("analysis"), s.at("axis"), s.at("unit"), s.at("start"), s.at("end")});
    return result;
  }

  void choose_looks(int stretch) {
    browser_.evaluate(fmt::format("flexura.setTheme('{}')", options_.dark ? "dark" : "light"));
    if (!options_.view.empty()) {
      check_name("--view", options_.view, names("flexura.views()"));
      browser_.evaluate(fmt::format("flexura.setView({})", script_text(options_.view)));
    }
    if (!options_.follow.empty()) {
      check_name("--follow", options_.follow, names(fmt::format("flexura.followable({})", stretch)));
      browser_.evaluate(fmt::format("flexura.follow({})", script_text(options_.follow)));
    }
    show_layers("--show", options_.show, true);
    show_layers("--hide", options_.hide, false);
    if (options_.field.empty()) return;
    if (options_.field != "none")
      check_name("--field", options_.field, names(fmt::format("flexura.fields({})", stretch)));
    browser_.evaluate(
        fmt::format("flexura.setField({})", options_.field == "none" ? "null" : script_text(options_.field)));
  }

  /// The frame as a PNG file.
  std::string draw(const Frame& frame) {
    const Json url = browser_.evaluate(fmt::format(
        "flexura.setTime({}, {:.17g}, {:.17g}); flexura.frame({}, {}, {{legend: {}, transparent: {}}})", frame.stretch,
        frame.value, frame.phase, options_.width, options_.height, options_.legend, options_.transparent));
    constexpr std::string_view head = "data:image/png;base64,";
    const std::string text = url.is_string() ? url.get<std::string>() : "";
    auto png = text.starts_with(head) ? from_base64(std::string_view(text).substr(head.size())) : std::nullopt;
    if (!png) throw DrawingError("the page gave no picture");
    return std::move(*png);
  }

 private:
  std::vector<std::string> names(const std::string& expression) {
    std::vector<std::string> result;
    for (const Json& item : browser_.evaluate(expression)) result.push_back(item.is_string() ? item : item.at("name"));
    return result;
  }

  void show_layers(const std::string& option, const std::vector<std::string>& layers, bool on) {
    for (const std::string& layer : layers) {
      check_name(option, layer, names("flexura.layers()"));
      browser_.evaluate(fmt::format("flexura.show({}, {})", script_text(layer), on));
    }
  }

  const RenderOptions& options_;
  Browser browser_;
};

/// The stretches of one analysis, which are several where its model changes.
std::vector<PlayedStretch> chosen_stretches(const std::vector<PlayedStretch>& all, const std::string& analysis) {
  if (all.empty()) throw RenderRequestError("this run has no states to draw: nothing was computed");
  std::vector<std::string> names;
  for (const PlayedStretch& s : all)
    if (std::find(names.begin(), names.end(), s.analysis) == names.end()) names.push_back(s.analysis);
  const std::string name = analysis.empty() ? names.back() : analysis;
  check_name("--analysis", name, names);
  std::vector<PlayedStretch> chosen;
  std::copy_if(all.begin(), all.end(), std::back_inserter(chosen),
               [&](const PlayedStretch& s) { return s.analysis == name; });
  return chosen;
}

/// The place of a value on the axis of the analysis. The later stretch where two meet.
Frame frame_at(const std::vector<PlayedStretch>& stretches, double value) {
  const double start = stretches.front().start, end = stretches.back().end;
  const double slack = 1e-9 * std::max(std::abs(start), std::abs(end));  // times are written with few digits
  if (!(value >= start - slack && value <= end + slack))
    throw RenderRequestError(fmt::format("{} {} is not in the analysis {}, which goes from {:.6g} to {:.6g}",
                                         stretches.front().axis == "mode" ? "mode" : stretches.front().axis + " =",
                                         value, stretches.front().analysis, start, end));
  const auto found = std::find_if(stretches.rbegin(), stretches.rend(),
                                  [&](const PlayedStretch& s) { return s.start <= value + slack; });
  const PlayedStretch& s = found == stretches.rend() ? stretches.front() : *found;
  return {s.index, std::clamp(value, s.start, s.end), 0.25};
}

std::vector<Frame> picture_frames(const std::vector<PlayedStretch>& stretches, const RenderOptions& options) {
  std::vector<Frame> frames;
  const double start = stretches.front().start, end = stretches.back().end;
  if (options.times.empty()) {
    const double value = start + options.share * (end - start);
    frames.push_back(frame_at(stretches, stretches.front().axis == "mode" ? std::round(value) : value));
  }
  for (const double t : options.times) frames.push_back(frame_at(stretches, t));
  return frames;
}

std::vector<Frame> video_frames(const std::vector<PlayedStretch>& stretches, const RenderOptions& options) {
  const std::string& axis = stretches.front().axis;
  const double start = stretches.front().start, end = stretches.back().end;
  const double duration = (axis == "t" ? end - start : still_duration) / options.speed;
  if (!(duration * options.fps <= most_frames))
    throw RenderRequestError(fmt::format("the video would last {:.3g} s; --speed {:.3g} makes one of {:g} s", duration,
                                         duration * options.speed / still_duration, still_duration));
  const int count = std::max(1, static_cast<int>(std::lround(duration * options.fps))) + (axis == "mode" ? 0 : 1);
  std::vector<Frame> frames;
  for (int k = 0; k < count; ++k) {
    if (axis == "mode") {
      Frame frame = frame_at(stretches, options.times.empty() ? start : options.times.front());
      frame.phase = std::fmod(2.0 * k / count, 1);  // twice there and back
      frames.push_back(frame);
    } else {
      frames.push_back(frame_at(stretches, start + (end - start) * k / (count - 1)));
    }
  }
  return frames;
}

}  // namespace

std::string numbered_file(const std::string& file, int number, int count) {
  if (count == 1) return file;
  const std::filesystem::path path(file);
  const auto digits = std::max<std::size_t>(3, std::to_string(count).size());
  const std::string name = fmt::format("{}-{:0{}}{}", path.stem().string(), number, digits, path.extension().string());
  return (path.parent_path() / name).string();
}

std::vector<std::string> render_report(const std::string& html, const RenderOptions& options) {
  // A missing program is said before anything is drawn.
  if (!options.mp4.empty()) find_encoder(options.encoder);
  ReportPage page(html, options);
  const std::vector<PlayedStretch> stretches = chosen_stretches(page.stretches(), options.analysis);
  std::vector<Frame> pictures, film;
  if (!options.png.empty()) pictures = picture_frames(stretches, options);
  if (!options.mp4.empty()) film = video_frames(stretches, options);
  page.choose_looks(stretches.front().index);

  std::vector<std::string> files;
  const int count = static_cast<int>(pictures.size());
  const int all = count + static_cast<int>(film.size());
  int done = 0;
  const auto show = [&] {
    if (options.progress) options.progress(++done, all);
  };
  for (int k = 0; k < count; ++k) {
    const std::string file = numbered_file(options.png, k + 1, count);
    if (const std::string problem = write_file(file, page.draw(pictures[static_cast<std::size_t>(k)]));
        !problem.empty())
      throw FileError(problem);
    files.push_back(file);
    show();
  }
  if (!options.mp4.empty()) {
    VideoEncoder encoder(options.encoder, options.mp4, options.fps, options.stop);
    for (const Frame& frame : film) {
      encoder.add(page.draw(frame));
      show();
    }
    encoder.finish();
    files.push_back(options.mp4);
  }
  return files;
}

}  // namespace flexura
