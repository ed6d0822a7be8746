// Files of triangles: STL, ascii and binary, and Wavefront OBJ.

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>

#include "flexura/mesh/triangle_mesh.hpp"

namespace flexura {
namespace {

constexpr size_t header_size = 84, facet_size = 50;  // of a binary STL

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::optional<double> number_of(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double x = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(x)) return {};
  return x;
}

/// Words between blanks, and the lines they stand in.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}
  /// "" at the end.
  std::string_view next() {
    while (!rest_.empty() && is_blank(rest_.front())) take(1);
    size_t length = 0;
    while (length < rest_.size() && !is_blank(rest_[length])) ++length;
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
  }
  void skip_line() {
    while (!rest_.empty() && rest_.front() != '\n') rest_.remove_prefix(1);
  }
  int line() const { return line_; }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  void take(size_t n) {
    if (rest_.front() == '\n') ++line_;
    rest_.remove_prefix(n);
  }
  std::string_view rest_;
  int line_ = 1;
};

/// Corners given by coordinates: equal ones become one point.
class Gatherer {
 public:
  int point(const std::array<double, 3>& x) {
    const std::array<double, 3> key{x[0] + 0.0, x[1] + 0.0, x[2] + 0.0};  // −0 is 0
    const auto [known, fresh] = known_.emplace(key, static_cast<int>(mesh.points.size()));
    if (fresh) mesh.points.push_back(key);
    return known->second;
  }
  TriangleMesh mesh;

 private:
  std::map<std::array<double, 3>, int> known_;
};

std::uint32_t facet_count(std::string_view contents) {
  std::uint32_t count = 0;
  if (contents.size() >= header_size) std::memcpy(&count, contents.data() + header_size - 4, 4);
  return count;
}

std::variant<TriangleMesh, MeshError> read_binary_stl(std::string_view contents) {
  Gatherer gatherer;
  for (size_t k = 0; k < facet_count(contents); ++k) {
    std::array<float, 12> facet;  // normal, three corners
    std::memcpy(facet.data(), contents.data() + header_size + k * facet_size, sizeof facet);
    std::array<int, 3> triangle{};
    for (int corner = 0; corner < 3; ++corner) {
      const float* x = facet.data() + 3 + 3 * corner;
      if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(x[2]))
        return MeshError{0, fmt::format("triangle {} has a coordinate that is not a finite number", k + 1)};
      triangle[corner] = gatherer.point({x[0], x[1], x[2]});
    }
    gatherer.mesh.triangles.push_back(triangle);
  }
  return std::move(gatherer.mesh);
}

std::variant<TriangleMesh, MeshError> read_ascii_stl(std::string_view contents) {
  Words words(contents);
  Gatherer gatherer;
  const auto found = [](std::string_view word) {
    return word.empty() ? std::string("the end of the file") : fmt::format("\"{}\"", word.substr(0, 40));
  };
  for (;;) {
    const std::string_view word = words.next();
    const std::string name = lower(word);
    if (word.empty()) break;
    if (name == "solid" || name == "endsolid") {
      words.skip_line();
      continue;
    }
    if (name != "facet") return MeshError{words.line(), "expected \"facet\" or \"endsolid\", found " + found(word)};
    words.skip_line();
    std::array<int, 3> triangle{};
    const auto expect = [&](std::string_view wanted) -> std::optional<MeshError> {
      const std::string_view next = words.next();
      if (lower(next) == wanted) return {};
      return MeshError{words.line(), fmt::format("expected \"{}\", found {}", wanted, found(next))};
    };
    for (const char* wanted : {"outer", "loop"})
      if (auto error = expect(wanted)) return *error;
    for (int& corner : triangle) {
      if (auto error = expect("vertex")) return *error;
      std::array<double, 3> x{};
      for (double& coordinate : x) {
        const std::string_view next = words.next();
        const std::optional<double> number = number_of(next);
        if (!number) return MeshError{words.line(), "expected a coordinate, found " + found(next)};
        coordinate = *number;
      }
      corner = gatherer.point(x);
    }
    for (const char* wanted : {"endloop", "endfacet"})
      if (auto error = expect(wanted)) return *error;
    gatherer.mesh.triangles.push_back(triangle);
  }
  return std::move(gatherer.mesh);
}

std::variant<TriangleMesh, MeshError> read_obj(std::string_view contents) {
  Gatherer gatherer;
  std::vector<int> corners;  // of the file's vertices: points of the mesh
  int line = 0;
  while (!contents.empty()) {
    ++line;
    const size_t length = std::min(contents.find('\n'), contents.size());
    Words words(contents.substr(0, length));
    contents.remove_prefix(std::min(length + 1, contents.size()));
    const std::string_view kind = words.next();
    if (kind == "v") {
      std::array<double, 3> x{};
      for (double& coordinate : x) {
        const std::optional<double> number = number_of(words.next());
        if (!number) return MeshError{line, "a vertex needs three finite numbers"};
        coordinate = *number;
      }
      corners.push_back(gatherer.point(x));
    } else if (kind == "f") {
      std::vector<int> polygon;
      for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        long index = 0;
        const std::string_view first = word.substr(0, word.find('/'));
        const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), index);
        const long count = static_cast<long>(corners.size());
        const bool is_number = error == std::errc() && end == first.data() + first.size();
        if (!is_number || index == 0 || index > count || index < -count)
          return MeshError{
              line, fmt::format("there is no vertex \"{}\" up to here; there are {}", word.substr(0, 40), count)};
        polygon.push_back(corners[index > 0 ? index - 1 : count + index]);
      }
      if (polygon.size() < 3) return MeshError{line, "a face needs three or more vertices"};
      for (size_t k = 2; k < polygon.size(); ++k)
        gatherer.mesh.triangles.push_back({polygon[0], polygon[k - 1], polygon[k]});
    }
  }
  return std::move(gatherer.mesh);
}

std::variant<TriangleMesh, MeshError> read_as_written(std::string_view contents, std::string_view name) {
  const std::string ending = lower(name.substr(std::min(name.rfind('.'), name.size())));
  if (ending == ".obj") return read_obj(contents);
  if (ending != ".stl")
    return MeshError{0, "must be an STL, OBJ or COLLADA file, whose name ends with .stl, .obj or .dae"};
  if (contents.size() >= header_size && contents.size() == header_size + facet_size * facet_count(contents))
    return read_binary_stl(contents);
  if (lower(contents.substr(0, 5)) == "solid") return read_ascii_stl(contents);
  if (contents.size() < header_size)
    return MeshError{0, "is no STL file: it neither begins with \"solid\" nor has a binary header"};
  return MeshError{
      0, fmt::format("is no whole STL file: {} triangles would take {} bytes, it has {}", facet_count(contents),
                     header_size + facet_size * size_t{facet_count(contents)}, contents.size())};
}

}  // namespace

std::variant<TriangleMesh, MeshError> read_triangle_mesh(std::string_view contents, std::string_view name) {
  std::variant<TriangleMesh, MeshError> read = read_as_written(contents, name);
  if (TriangleMesh* mesh = std::get_if<TriangleMesh>(&read)) join_points(*mesh);
  return read;
}

}  // namespace flexura
