#pragma once

#include <span>
#include <string>

namespace flexura {

struct ZipEntry {
  std::string path;  ///< with /
  std::string content;
};

/// A ZIP archive, entries deflated. The same entries give the same bytes: all have the date 1980-01-01. Up to 4 GiB; throws
/// std::length_error beyond.
std::string zip_archive(std::span<const ZipEntry> entries);

}  // namespace flexura
