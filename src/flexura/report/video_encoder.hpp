#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "flexura/base/file.hpp"
#include "flexura/base/temporary_folder.hpp"
#include "flexura/report/child_process.hpp"

namespace flexura {

/// Throws DrawingError, which says what to install, if `program` (ffmpeg) is missing.
std::string find_encoder(const std::string& program);

/// Frames as PNG files, one after the other, into a video: H.264, yuv420p, by ffmpeg, which reads them from a channel.
/// The file appears when it is whole.
class VideoEncoder {
 public:
  VideoEncoder(const std::string& program, const std::string& file, double fps, const std::atomic<bool>* stop);
  VideoEncoder(const VideoEncoder&) = delete;
  VideoEncoder& operator=(const VideoEncoder&) = delete;
  ~VideoEncoder();
  void add(std::string_view png);
  void finish();

 private:
  [[noreturn]] void fail();

  TemporaryFolder folder_;
  std::string name_;
  FileInProgress file_;
  const std::atomic<bool>* stop_;
  FileDescriptor channel_;
  ChildProcess process_;
};

}  // namespace flexura
