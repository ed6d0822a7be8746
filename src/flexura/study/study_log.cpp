#include "flexura/study/study_log.hpp"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "flexura/base/base64.hpp"
#include "flexura/base/checksum.hpp"
#include "flexura/base/file.hpp"
#include "flexura/base/problem.hpp"
#include "flexura/version.hpp"

namespace flexura {
namespace {

/// The name of a line; none if it is no line of a log.
std::optional<std::string> name_of(const Json& line) {
  if (!line.is_object()) return std::nullopt;
  const auto run = line.find("run");
  if (run == line.end() || !run->is_string()) return std::nullopt;
  return run->get<std::string>();
}

std::string text_of(const Json& line) { return line.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

void Fingerprint::add(std::string_view text) {
  crc_ = crc32c(text.data(), text.size(), crc_);
  crc_ = crc32c("", 1, crc_);
}
void Fingerprint::add(std::span<const double> numbers) { crc_ = crc32c(numbers.data(), numbers.size_bytes(), crc_); }
void Fingerprint::add(const SceneDocument& scene) {
  add(scene.text);
  for (const std::string& setting : scene.set) add(setting);
  for (const ExternalFile& file : scene.files) add(file.text);
}

std::string text_of_numbers(std::span<const double> numbers) {
  return base64({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
}

std::vector<double> numbers_of_text(const std::string& text) {
  const std::optional<std::string> bytes = from_base64(text);
  if (!bytes || bytes->size() % sizeof(double) != 0) throw std::invalid_argument("no numbers");
  std::vector<double> out(bytes->size() / sizeof(double));
  std::memcpy(out.data(), bytes->data(), bytes->size());
  return out;
}
std::vector<double> numbers_of_text(const std::string& text, std::size_t count) {
  std::vector<double> out = numbers_of_text(text);
  if (out.size() != count) throw std::invalid_argument("another count of numbers");
  return out;
}

StudyLog::StudyLog(const std::string& path, const std::string& study) {
  if (path.empty()) return;
  bool is_new = true;
  file_.emplace(path, [&](std::string_view line) {
    const Json json = Json::parse(line, nullptr, false);
    if (is_new && !study.empty() && (!json.is_object() || json.value("study", Json()) != study))
      throw InputError({{{path, 1, 1, 1},
                         {},
                         "the folder holds another study: its scene, files, inputs or targets are others, or another "
                         "version has begun it\ntry: --force to overwrite it, or another --output",
                         {}}});
    is_new = false;
    if (const std::optional<std::string> name = name_of(json)) lines_[*name] = line;
    return true;
  });
  if (is_new && !study.empty()) file_->add(text_of(Json{{"study", study}}));
}

void StudyLog::look_up(const std::string& name, const std::function<void(const Json&)>& take) {
  const std::scoped_lock lock(mutex_);
  const auto line = lines_.find(name);
  if (line == lines_.end()) return;
  const std::string text = std::move(line->second);
  lines_.erase(line);
  try {
    take(Json::parse(text));
  } catch (const std::exception&) {
    return;  // it is damaged, and computed again
  }
}

void StudyLog::keep(const std::string& name, const Json& object) {
  if (!file_) return;
  Json line{{"run", name}};
  line.update(object);
  const std::scoped_lock lock(mutex_);
  try {
    if (unwritten_.empty()) file_->add(text_of(line));
  } catch (const FileError& error) {
    unwritten_ = error.what();
  }
}

void StudyLog::check() const {
  const std::scoped_lock lock(mutex_);
  if (!unwritten_.empty()) throw FileError(unwritten_);
}

}  // namespace flexura
