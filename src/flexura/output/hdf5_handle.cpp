#include "flexura/output/hdf5_handle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace flexura::detail {

namespace {

/// Called from the outermost call inwards: keeps the innermost description, which names the cause.
herr_t innermost(unsigned, const H5E_error2_t* error, void* data) {
  if (error->desc != nullptr && *error->desc != '\0') *static_cast<std::string*>(data) = error->desc;
  return 0;
}

/// Replaces the attribute, which keeps its place in the order of names.
Hdf5Id new_attribute(hid_t object, const std::string& name, hid_t type, hid_t space) {
  const std::string doing = fmt::format("set attribute '{}'", name);
  if (checked(H5Aexists(object, name.c_str()), doing) > 0) checked(H5Adelete(object, name.c_str()), doing);
  return {H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, doing};
}

void write_attribute(hid_t object, const std::string& name, hid_t file_type, hid_t memory_type, const void* value) {
  const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose, "make a dataspace");
  const Hdf5Id attribute = new_attribute(object, name, file_type, space);
  checked(H5Awrite(attribute, memory_type, value), fmt::format("write attribute '{}'", name));
}

/// Parents are made as needed; no object keeps the time it was made at, so that equal content gives equal files.
Hdf5Id links_with_parents() {
  Hdf5Id list(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "make a property list");
  checked(H5Pset_create_intermediate_group(list, 1), "ask for missing groups");
  checked(H5Pset_char_encoding(list, H5T_CSET_UTF8), "ask for UTF-8 names");
  return list;
}

}  // namespace

void throw_hdf5(const std::string& doing) {
  std::string cause;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, innermost, &cause);
  H5Eclear2(H5E_DEFAULT);
  // Of the system: "file write failed: time = ..., errno = 28, error message = 'No space left on device', buf = ...".
  constexpr std::string_view mark = "error message = '";
  if (const std::size_t at = cause.find(mark); at != std::string::npos) {
    cause.erase(0, at + mark.size());
    cause.erase(std::min(cause.find('\''), cause.size()));
  }
  throw Hdf5Failure(fmt::format("cannot {}: {}", doing, cause.empty() ? "HDF5 gives no reason" : cause));
}

namespace {

Hdf5Id make_text_type(std::size_t size) {
  Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  checked(H5Tset_size(type, size), "make a text type");
  checked(H5Tset_cset(type, H5T_CSET_UTF8), "make a text type");
  return type;
}

}  // namespace

Hdf5Id text_type(std::size_t size) {
  Hdf5Id type = make_text_type(std::max<std::size_t>(size, 1));
  checked(H5Tset_strpad(type, H5T_STR_NULLPAD), "make a text type");
  return type;
}

Hdf5Id variable_text_type() { return make_text_type(H5T_VARIABLE); }

void set_attribute(hid_t object, const std::string& name, const std::string& value) {
  const Hdf5Id type = variable_text_type();
  const char* text = value.c_str();
  write_attribute(object, name, type, type, static_cast<const void*>(&text));
}

void set_attribute(hid_t object, const std::string& name, const std::vector<std::string>& values) {
  const Hdf5Id type = variable_text_type();
  std::vector<const char*> texts;
  for (const std::string& value : values) texts.push_back(value.c_str());
  const hsize_t count = texts.size();
  const Hdf5Id space(H5Screate_simple(1, &count, nullptr), H5Sclose, "make a dataspace");
  const Hdf5Id attribute = new_attribute(object, name, type, space);
  checked(H5Awrite(attribute, type, static_cast<const void*>(texts.data())), fmt::format("write attribute '{}'", name));
}

void set_attribute(hid_t object, const std::string& name, double value) {
  write_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

void set_attribute(hid_t object, const std::string& name, std::int64_t value) {
  write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

Hdf5Id open_group(hid_t file, const std::string& path) {
  if (path.empty() || path == "/") return {H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose, "open '/'"};
  // Each part must be asked for: HDF5 refuses to look behind a missing one.
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (checked(H5Lexists(file, part.c_str(), H5P_DEFAULT), fmt::format("look for '{}'", part)) == 0) break;
    if (end == std::string::npos)
      return {H5Gopen2(file, path.c_str(), H5P_DEFAULT), H5Gclose, fmt::format("open group '{}'", path)};
  }
  const Hdf5Id links = links_with_parents();
  return {H5Gcreate2(file, path.c_str(), links, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
          fmt::format("make group '{}'", path)};
}

Hdf5Id create_dataset(hid_t file, const std::string& path, hid_t type, const std::vector<hsize_t>& shape,
                      hsize_t chunk_rows) {
  const std::string doing = fmt::format("make dataset '{}'", path);
  const Hdf5Id links = links_with_parents();
  const Hdf5Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, doing);
  checked(H5Pset_obj_track_times(properties, false), doing);
  if (chunk_rows > 0) {
    std::vector<hsize_t> chunk = shape;
    chunk[0] = chunk_rows;
    checked(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), doing);
    checked(H5Pset_shuffle(properties), doing);
    checked(H5Pset_deflate(properties, 1), doing);
    checked(H5Pset_fletcher32(properties), doing);  // a flipped bit is an error, not another number
  }
  const Hdf5Id space =
      shape.empty() ? Hdf5Id(H5Screate(H5S_SCALAR), H5Sclose, doing)
                    : Hdf5Id(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose, doing);
  return {H5Dcreate2(file, path.c_str(), type, space, links, properties, H5P_DEFAULT), H5Dclose, doing};
}

QuietHdf5::QuietHdf5() {
  // Everything is closed by who has opened it. What could not be closed, on a full disk, HDF5 would try to close again at
  // exit, in a loop that ends in a crash.
  [[maybe_unused]] static const herr_t leave_at_exit = H5dont_atexit();
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietHdf5::~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

}  // namespace flexura::detail
