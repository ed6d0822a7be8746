#include "flexura/output/checkpoint_bytes.hpp"

#include <cstring>

#include "flexura/base/problem.hpp"

namespace flexura {
namespace {

constexpr std::string_view checkpoint_magic = "flexstat";  ///< then a version
constexpr std::uint64_t checkpoint_version = 1;

struct BytesOut {
  std::string bytes;
  void number(std::uint64_t n) { bytes.append(reinterpret_cast<const char*>(&n), sizeof n); }
  void text(std::string_view s) {
    number(s.size());
    bytes += s;
  }
  template <class T>
  void list(const std::vector<T>& x) {
    static_assert(sizeof(T) == 8);
    number(x.size());
    bytes.append(reinterpret_cast<const char*>(x.data()), 8 * x.size());
  }
};

struct BytesIn {
  std::string_view rest;
  const char* take(std::uint64_t n) {
    if (n > rest.size()) throw InputError({{{}, {}, "this is not the saved state of a simulation", {}}});
    const char* at = rest.data();
    rest.remove_prefix(n);
    return at;
  }
  std::uint64_t number() {
    std::uint64_t n = 0;
    std::memcpy(&n, take(sizeof n), sizeof n);
    return n;
  }
  std::string text() {
    const std::uint64_t n = number();
    return {take(n), n};
  }
  template <class T>
  std::vector<T> list() {
    const std::uint64_t n = number();
    if (n > rest.size() / 8) take(rest.size() + 1);
    std::vector<T> x(n);
    if (n > 0) std::memcpy(x.data(), take(8 * n), 8 * n);
    return x;
  }
};

}  // namespace

std::string checkpoint_bytes(const Checkpoint& checkpoint) {
  BytesOut out;
  out.bytes = checkpoint_magic;
  out.number(checkpoint_version);
  out.list(checkpoint.rows);
  out.number(checkpoint.arrays.size());
  for (const NamedArray& array : checkpoint.arrays) {
    out.text(array.name);
    out.list(array.shape);
    out.number(array.type == ColumnType::integer ? 1 : 0);
    array.type == ColumnType::integer ? out.list(array.integers) : out.list(array.reals);
  }
  return out.bytes;
}

Checkpoint checkpoint_of(std::string_view bytes) {
  BytesIn in{bytes};
  if (std::string_view(in.take(checkpoint_magic.size()), checkpoint_magic.size()) != checkpoint_magic ||
      in.number() != checkpoint_version)
    in.take(in.rest.size() + 1);
  Checkpoint checkpoint;
  checkpoint.rows = in.list<std::uint64_t>();
  const std::uint64_t arrays = in.number();
  for (std::uint64_t k = 0; k < arrays; ++k) {
    NamedArray array;
    array.name = in.text();
    array.shape = in.list<std::uint64_t>();
    array.type = in.number() == 1 ? ColumnType::integer : ColumnType::real;
    if (array.type == ColumnType::integer)
      array.integers = in.list<std::int64_t>();
    else
      array.reals = in.list<double>();
    checkpoint.arrays.push_back(std::move(array));
  }
  return checkpoint;
}

}  // namespace flexura
