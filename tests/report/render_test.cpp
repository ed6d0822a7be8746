#include "flexura/report/render.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "flexura/base/temporary_folder.hpp"
#include "flexura/report/child_process.hpp"
#include "flexura/report/video_encoder.hpp"

namespace flexura {
namespace {

namespace fs = std::filesystem;

TEST(Render, SeveralPicturesAreNumberedSoThatTheySort) {
  EXPECT_EQ(numbered_file("a.png", 1, 1), "a.png");
  EXPECT_EQ(numbered_file("a.png", 2, 12), "a-002.png");
  EXPECT_EQ(numbered_file("out/a.b.png", 2, 2000), "out/a.b-0002.png");
  EXPECT_EQ(numbered_file("frame", 3, 4), "frame-003");
}

TEST(ChildProcess, GivesItsExitStatusAndItsSettings) {
  const TemporaryFolder folder;
  const std::string log = folder.path() + "/log";
  ChildProcess process;
  process.start({"/bin/sh", "-c", "echo $WORD; exit 7"}, {}, log, {"WORD=word"});
  EXPECT_EQ(process.wait(10), 7);
  std::ifstream file(log);
  std::string word;
  file >> word;
  EXPECT_EQ(word, "word");
}

TEST(ChildProcess, AnswersOverAChannel) {
  const TemporaryFolder folder;
  DuplexChannel channel = make_channel();
  ChildProcess process;
  process.start({"/bin/sh", "-c", "read line <&3; echo got $line >&4"},
                {{channel.theirs.number(), 3}, {channel.theirs.number(), 4}}, folder.path() + "/log");
  channel.theirs.close();
  ASSERT_EQ(write(channel.ours.number(), "this\n", 5), 5);
  std::string answer(9, ' ');
  ASSERT_EQ(read(channel.ours.number(), answer.data(), answer.size()), 9);
  EXPECT_EQ(answer, "got this\n");
  EXPECT_EQ(process.wait(10), 0);
}

TEST(ChildProcess, IsEndedWithAllThatItStarted) {
  const TemporaryFolder folder;
  const std::string alive = folder.path() + "/alive";
  {
    ChildProcess process;
    process.start({"/bin/sh", "-c", "(sleep 30; echo late) & echo $! >" + alive + "; wait"}, {},
                  folder.path() + "/log");
    for (int k = 0; k < 1000 && (!fs::exists(alive) || fs::file_size(alive) == 0); ++k)
      EXPECT_EQ(process.wait(0.01), -1);
  }
  int grandchild = 0;
  std::ifstream(alive) >> grandchild;
  ASSERT_GT(grandchild, 0);
  // Reaped by init, or still a zombie: it runs no more, once the processor has come to it.
  const auto runs = [&] {
    std::ifstream status("/proc/" + std::to_string(grandchild) + "/stat");
    std::string number, name, state;
    return (status >> number >> name >> state) && state != "Z" && state != "X";
  };
  for (int k = 0; k < 1000 && runs(); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(runs());
}

TEST(ChildProcess, ThatCannotStartIsAnError) {
  const TemporaryFolder folder;
  ChildProcess process;
  EXPECT_THROW(process.start({folder.path() + "/nothing"}, {}, folder.path() + "/log"), std::runtime_error);
}

TEST(FindProgram, LooksThroughThePath) {
  EXPECT_TRUE(find_program("sh").ends_with("/sh"));
  EXPECT_EQ(find_program("/bin/sh"), "/bin/sh");
  EXPECT_EQ(find_program("there-is-no-such-program"), "");
  EXPECT_EQ(find_program("/etc"), "") << "a folder";
}

TEST(VideoEncoder, SaysWhatAFailingEncoderSaidAndLeavesNoFile) {
  const TemporaryFolder folder;
  const std::string encoder = folder.path() + "/encoder", video = folder.path() + "/v.mp4";
  std::ofstream(encoder) << "#!/bin/sh\nfor last; do :; done\ncat >\"$last\"\necho no codec >&2\nexit 1\n";
  fs::permissions(encoder, fs::perms::owner_all);
  try {
    VideoEncoder one(encoder, video, 30, nullptr);
    one.add(std::string(3 << 20, 'x'));  // more than a channel holds at once
    one.finish();
    ADD_FAILURE() << "it failed";
  } catch (const DrawingError& error) {
    EXPECT_NE(std::string(error.what()).find("no codec"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(fs::exists(video));
  EXPECT_FALSE(fs::exists(video + ".part"));
}

TEST(VideoEncoder, StopsWhenAsked) {
  const TemporaryFolder folder;
  const std::string encoder = folder.path() + "/encoder";
  std::ofstream(encoder) << "#!/bin/sh\nsleep 60\n";
  fs::permissions(encoder, fs::perms::owner_all);
  std::atomic<bool> stop{false};
  VideoEncoder one(encoder, folder.path() + "/v.mp4", 30, &stop);
  stop = true;
  EXPECT_THROW(one.add(std::string(3 << 20, 'x')), DrawingStopped);
  EXPECT_THROW(one.finish(), DrawingStopped);
}

}  // namespace
}  // namespace flexura
