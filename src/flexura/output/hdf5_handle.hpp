#pragma once
// HDF5's C interface with owned handles and failures as exceptions that stay inside this room.

#include <hdf5.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace flexura::detail {

struct Hdf5Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws with what HDF5 says about the call that has just failed.
[[noreturn]] void throw_hdf5(const std::string& doing);

inline herr_t checked(herr_t result, const std::string& doing) {
  if (result < 0) throw_hdf5(doing);
  return result;
}

/// An id of HDF5, closed by the function that belongs to its kind.
class Hdf5Id {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Id() = default;
  Hdf5Id(hid_t id, Close close, const std::string& doing) : id_(id), close_(close) {
    if (id < 0) throw_hdf5(doing);
  }
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Id& operator=(Hdf5Id&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Id() { close(); }

  operator hid_t() const { return id_; }  // NOLINT: stands for the id in every call
  herr_t close() { return id_ < 0 ? 0 : close_(std::exchange(id_, -1)); }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// Fixed-length UTF-8 type of `size` bytes (at least one), filled up with zeros.
Hdf5Id text_type(std::size_t size);
/// UTF-8 of any length, for attributes: readers in Python get a `str`.
Hdf5Id variable_text_type();

/// Sets or replaces an attribute of a group, dataset or file.
void set_attribute(hid_t object, const std::string& name, const std::string& value);
void set_attribute(hid_t object, const std::string& name, const std::vector<std::string>& values);
void set_attribute(hid_t object, const std::string& name, double value);
void set_attribute(hid_t object, const std::string& name, std::int64_t value);

/// Opens a group, making it and those above it where they are missing. Objects keep no time stamps.
Hdf5Id open_group(hid_t file, const std::string& path);

/// Makes a dataset and the groups above it. With `chunk_rows` > 0 it is chunked along the first index, shuffled and
/// deflated.
Hdf5Id create_dataset(hid_t file, const std::string& path, hid_t type, const std::vector<hsize_t>& shape,
                      hsize_t chunk_rows = 0);

/// HDF5 prints nothing by itself while one of these lives.
class QuietHdf5 {
 public:
  QuietHdf5();
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;
  ~QuietHdf5();

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace flexura::detail
