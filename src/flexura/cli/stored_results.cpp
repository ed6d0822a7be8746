#include "flexura/cli/stored_results.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "flexura/cli/command.hpp"
#include "flexura/output/hdf5_results.hpp"
#include "flexura/output/journal_reader.hpp"

namespace flexura::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string newest_in(const std::string& folder) {
  const fs::path results = fs::path(folder) / "results.h5", journal = fs::path(folder) / "run.journal";
  std::error_code error;
  if (!fs::exists(results) && !fs::exists(journal))
    throw UsageError(fmt::format("the folder {} holds no run: neither results.h5 nor run.journal", folder));
  if (!fs::exists(journal)) return results.string();
  if (!fs::exists(results)) return journal.string();
  return fs::last_write_time(journal, error) > fs::last_write_time(results, error) ? journal.string()
                                                                                   : results.string();
}

StoredResults::StoredResults(const std::string& path) : source_(fs::is_directory(path) ? newest_in(path) : path) {
  if (!fs::exists(source_)) throw IoError(fmt::format("there is no file or folder {}", path));
  folder_ = fs::path(source_).parent_path().string();
  if (folder_.empty()) folder_ = ".";
  file_ = source_;
  if (fs::path(source_).extension() != ".journal") return;
  const auto journal = JournalReader::open(source_);
  if (!journal) throw IoError(journal.error());
  temporary_.emplace();
  file_ = (fs::path(temporary_->path()) / "results.h5").string();
  if (const std::string error = write_results(*journal, file_); !error.empty()) throw IoError(error);
}

}  // namespace flexura::cli
