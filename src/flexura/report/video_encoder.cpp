#include "flexura/report/video_encoder.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <stdexcept>

#include "flexura/base/file.hpp"
#include "flexura/report/browser.hpp"

namespace flexura {
namespace {

constexpr double longest_closing = 600;  // s, of the last frames and the index

}  // namespace

std::string find_encoder(const std::string& program) {
  const std::string found = find_program(program);
  if (found.empty())
    throw DrawingError(fmt::format(
        "videos are written by ffmpeg, and there is no program {}\ntry: apt install ffmpeg, or --png with --times",
        program));
  return found;
}

VideoEncoder::VideoEncoder(const std::string& program, const std::string& file, double fps,
                           const std::atomic<bool>* stop)
    : name_(file), file_(file), stop_(stop) {
  if (!file_.error().empty()) throw FileError(file_.error());
  DuplexChannel channel = make_channel();
  channel_ = std::move(channel.ours);
  process_.start({find_encoder(program),
                  "-y",
                  "-loglevel",
                  "error",
                  "-f",
                  "image2pipe",
                  "-framerate",
                  fmt::format("{}", fps),
                  "-c:v",
                  "png",
                  "-i",
                  "-",
                  "-c:v",
                  "libx264",
                  "-pix_fmt",
                  "yuv420p",
                  "-crf",
                  "18",
                  "-movflags",
                  "+faststart",
                  "-f",
                  "mp4",
                  file_.part()},
                 {{channel.theirs.number(), 0}}, folder_.path() + "/log");
}

VideoEncoder::~VideoEncoder() { process_.kill(); }

void VideoEncoder::add(std::string_view png) {
  while (!png.empty()) {
    if (stop_ != nullptr && stop_->load()) throw DrawingStopped();
    pollfd wanted{channel_.number(), POLLOUT, 0};
    if (poll(&wanted, 1, look_at_stop_every) <= 0) continue;
    const ssize_t written = send(channel_.number(), png.data(), png.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written > 0)
      png.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EAGAIN && errno != EINTR)
      fail();
  }
}

void VideoEncoder::finish() {
  channel_.close();
  for (double waited = 0; process_.wait(look_at_stop_every * 1e-3) < 0; waited += look_at_stop_every * 1e-3) {
    if (stop_ != nullptr && stop_->load()) throw DrawingStopped();
    if (waited > longest_closing) fail();
  }
  if (process_.wait(0) != 0) fail();
  if (const std::string problem = file_.commit(); !problem.empty()) throw FileError(problem);
}

void VideoEncoder::fail() {
  const auto log = read_file(folder_.path() + "/log");
  throw DrawingError(
      fmt::format("ffmpeg made no video of {}{}", name_, log && !log->empty() ? "; it said:\n" + *log : ""));
}

}  // namespace flexura
