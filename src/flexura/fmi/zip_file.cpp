#include "flexura/fmi/zip_file.hpp"

#include <zlib.h>

#include <cstdint>
#include <limits>
#include <stdexcept>

namespace flexura {
namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint32_t>::max();

void little_endian(std::string& out, std::uint64_t number, int bytes) {
  for (int k = 0; k < bytes; ++k) out += static_cast<char>(number >> (8 * k) & 0xff);
}

std::string deflated(const std::string& content) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string out(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

// PKWARE, APPNOTE.TXT 6.3.10: 4.3.7 local headers, 4.3.12 central directory, 4.3.16 its end.
std::string zip_archive(std::span<const ZipEntry> entries) {
  constexpr std::uint64_t version = 20, utf8_names = 1 << 11, method_deflate = 8, date_1980 = 1 << 5 | 1;
  std::string archive, directory;
  for (const ZipEntry& entry : entries) {
    if (entry.content.size() > largest || archive.size() > largest)
      throw std::length_error("a ZIP archive holds at most 4 GiB");
    const std::string packed = deflated(entry.content);
    std::string common;
    little_endian(common, version, 2);
    little_endian(common, utf8_names, 2);
    little_endian(common, method_deflate, 2);
    little_endian(common, 0, 2);  // time
    little_endian(common, date_1980, 2);
    little_endian(
        common,
        ::crc32(0, reinterpret_cast<const Bytef*>(entry.content.data()), static_cast<uInt>(entry.content.size())), 4);
    little_endian(common, packed.size(), 4);
    little_endian(common, entry.content.size(), 4);
    little_endian(common, entry.path.size(), 2);
    little_endian(common, 0, 2);  // extra field

    directory += "PK\1\2";
    little_endian(directory, version, 2);
    directory += common;
    little_endian(directory, 0, 2 + 2 + 2 + 4);  // comment, disk, attributes
    little_endian(directory, archive.size(), 4);
    directory += entry.path;

    archive += "PK\3\4" + common + entry.path + packed;
  }
  if (archive.size() > largest) throw std::length_error("a ZIP archive holds at most 4 GiB");
  const std::uint64_t at = archive.size();
  archive += directory + "PK\5\6";
  little_endian(archive, 0, 4);
  little_endian(archive, entries.size(), 2);
  little_endian(archive, entries.size(), 2);
  little_endian(archive, directory.size(), 4);
  little_endian(archive, at, 4);
  little_endian(archive, 0, 2);
  return archive;
}

}  // namespace flexura
