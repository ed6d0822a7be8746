#include "flexura/part/chamber_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "flexura/base/text.hpp"
#include "flexura/load/chamber_face.hpp"
#include "flexura/part/forms.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

constexpr double flat_volume = 1e-12;  ///< of the cube of the size: volumes up to that are rounding

/// f.template operator()<Shape>() of a face's shape.
decltype(auto) with_shape(FaceShape shape, auto&& f) {
  switch (shape) {
    case FaceShape::plate:
      return f.template operator()<ThinPlateFace>();
    case FaceShape::edge_cone:
      return f.template operator()<ConeFace>();
    case FaceShape::side_cone:
      return f.template operator()<ParabolaConeFace>();
    default:
      return with_solid_face(shape, f);
  }
}

Vec3 reference(const MachineDraft& draft, int slot) {
  const auto X = draft.builder.reference(slot);
  return {X[0], X[1], X[2]};
}

std::string text(const Vec3& x) { return fmt::format("({:.3g}, {:.3g}, {:.3g})", x[0], x[1], x[2]); }

/// The coordinates of a face from `origin`, with the lengths of its gradients.
template <class Shape>
std::array<Vec3, Shape::functions> coordinates(const MachineDraft& draft, const std::vector<int>& slots,
                                               const std::array<double, 2>& lengths, const Vec3& origin) {
  std::array<Vec3, Shape::functions> e;
  for (int i = 0; i < Shape::functions; ++i) {
    const int of = Shape::length_of(i);
    e[i] = reference(draft, slots[i]);
    e[i] = of == 0 ? e[i] - origin : lengths[of - 1] * e[i];
  }
  return e;
}

template <class Shape>
double volume_under(const std::array<Vec3, Shape::functions>& e) {
  Vec3 F[Shape::functions];
  face_volume<Shape>.forces(e.data(), F);
  return enclosed<Shape::functions>(e.data(), F);
}

}  // namespace

void ChamberSurface::add_plate(const PlatePart& plate) {
  for (size_t k = 0; k < plate.model.elements.size(); ++k) {
    const PlateElement& element = plate.model.elements[k];
    faces_.push_back(
        {FaceShape::plate, {element.slots.begin(), element.slots.end()}, element.parameters, plate.name, element.name});
    // The plate of a paper [xing2022] is pressed on its mid-surface, as there.
    if (plate.model.nodes[0].r_zz < 0) continue;
    faces_.back().plate = static_cast<int>(&plate - draft_.machine.plates.data());
    faces_.back().element = static_cast<int>(k);
  }
}

void ChamberSurface::add_solid(const std::vector<SurfaceFace>& faces, const std::string& where) {
  for (const SurfaceFace& face : faces) {
    faces_.push_back({face.shape, face.slots, {1, 1}, where, face.name});
    faces_.back().of_solid = !face.of_membrane;
  }
}

Vec3 ChamberSurface::position(const Face& face, double xi, double eta) const {
  return with_shape(face.shape, [&]<class Shape>() {
    const auto e = coordinates<Shape>(draft_, face.slots, face.lengths, {0, 0, 0});
    const auto B = Shape::at(xi, eta);
    Vec3 x{};
    for (int i = 0; i < Shape::functions; ++i) x += B[i][0] * e[i];
    return x;
  });
}

double ChamberSurface::face_volume_of(const Face& face) const {
  return with_shape(face.shape, [&]<class Shape>() {
    return face.sense * volume_under<Shape>(coordinates<Shape>(draft_, face.slots, face.lengths, origin_));
  });
}

void ChamberSurface::finish(const SurfaceClosing& closing) {
  closing_ = closing;
  Vec3 low = position(faces_[0], 0, 0), high = low;
  for (const Face& face : faces_)
    for (int k = 0; k < face.corners(); ++k)
      for (int i = 0; i < 3; ++i) {
        const double x = reference(draft_, face.corner(k))[i];
        low[i] = std::min(low[i], x), high[i] = std::max(high[i], x);
      }
  origin_ = closing.planes.empty() ? 0.5 * (low + high) : closing.origin;
  size_ = norm(high - low);
  tolerance_ = closing.tolerance > 0 ? closing.tolerance : 1e-3 * size_;
  join_faces();
  link_loops();
  find_openings();
  if (!problems_.empty()) return;
  const size_t walls = faces_.size();
  add_lids("");
  orient_sheets();
  if (!problems_.empty() ||
      std::none_of(faces_.begin(), faces_.end(), [](const Face& face) { return face.plate >= 0; }))
    return;
  // Which face is inside is known now.
  faces_.resize(walls);
  take_inner_faces();
  add_lids(" inside");
  volume_ = 0;
  for (const Face& face : faces_) volume_ += face_volume_of(face);
}

/// With their rims. Rims that met others still have to.
void ChamberSurface::take_inner_faces() {
  const std::vector<Face> faces = faces_;
  const std::vector<Rim> rims = rims_;
  for (Face& face : faces_) {
    if (face.plate < 0) continue;
    const std::array<int, 12> slots =
        plate_surface_slots(draft_, draft_.machine.plates[face.plate], face.element, face.sense > 0 ? -1 : 1);
    face.slots.assign(slots.begin(), slots.end());
  }
  for (Rim& rim : rims_)
    if (faces_[rim.face].plate >= 0) trace(rim);
  middle_ = std::any_of(rims_.begin(), rims_.end(), [&](const Rim& rim) {
    if (rim.open) return false;
    return std::any_of(rim.curve.begin(), rim.curve.end(), [&](const Vec3& x) {
      return std::min(distance_from_planes(x), nearest(x, rim, false).second) > tolerance_;
    });
  });
  if (!middle_) return;
  faces_ = faces;
  rims_ = rims;
}

void ChamberSurface::trace(Rim& rim) const {
  constexpr double corner[2][4][2] = {{{0, 0}, {1, 0}, {0, 1}, {0, 0}}, {{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
  const Face& face = faces_[rim.face];
  const int n = face.corners(), next = (rim.side + 1) % n;
  rim.from = face.corner(rim.side), rim.to = face.corner(next);
  const double(&from)[2] = corner[n - 3][rim.side], (&to)[2] = corner[n - 3][next];
  for (int p = 0; p < 9; ++p) {
    const double s = p / 8.0;
    rim.curve[p] = position(face, from[0] + s * (to[0] - from[0]), from[1] + s * (to[1] - from[1]));
  }
}

/// Across common sides two faces look alike where the side runs in opposite ways.
void ChamberSurface::join_faces() {
  std::map<std::pair<int, int>, std::vector<std::pair<int, int>>> sides;  // slots → faces and sides
  for (int f = 0; f < static_cast<int>(faces_.size()); ++f)
    for (int k = 0, n = faces_[f].corners(); k < n; ++k) {
      const int a = faces_[f].corner(k), b = faces_[f].corner((k + 1) % n);
      if (a != b) sides[std::minmax(a, b)].emplace_back(f, k);
    }
  std::vector<std::vector<std::pair<int, double>>> neighbours(faces_.size());
  int branched = 0;
  Vec3 where{};
  for (const auto& [slots, at] : sides) {
    if (at.size() > 2) {
      if (branched++ == 0) where = 0.5 * (reference(draft_, slots.first) + reference(draft_, slots.second));
    } else if (at.size() == 2) {
      const auto [f, j] = at[0];
      const auto [g, k] = at[1];
      const double same = faces_[f].corner(j) == faces_[g].corner(k) ? -1 : 1;
      neighbours[f].emplace_back(g, same);
      neighbours[g].emplace_back(f, same);
    } else {
      Rim rim{at[0].first, at[0].second, -1, -1, {}};
      trace(rim);
      rims_.push_back(rim);
    }
  }
  if (branched > 0)
    problems_.push_back(
        fmt::format("three or more walls meet at {} side{}, one at {}: which of them is around the chamber?", branched,
                    branched == 1 ? "" : "s", text(where)));
  std::vector<int> todo;
  for (int start = 0; start < static_cast<int>(faces_.size()); ++start) {
    if (faces_[start].sheet >= 0) continue;
    faces_[start].sheet = sheets_++;
    faces_[start].sense = 1;
    todo.push_back(start);
    while (!todo.empty()) {
      const int f = todo.back();
      todo.pop_back();
      for (const auto& [g, same] : neighbours[f]) {
        if (faces_[g].sheet < 0) {
          faces_[g].sheet = faces_[f].sheet;
          faces_[g].sense = same * faces_[f].sense;
          todo.push_back(g);
        } else if (faces_[g].sense != same * faces_[f].sense && branched == 0) {
          problems_.push_back(fmt::format("has no inside: going round it, {} of \"{}\" is met from its other face",
                                          faces_[g].name, faces_[g].where));
          branched = 1;
        }
      }
    }
  }
}

void ChamberSurface::link_loops() {
  std::map<int, std::vector<int>> at;  // corner → rims
  for (int r = 0; r < static_cast<int>(rims_.size()); ++r)
    for (const int slot : {rims_[r].from, rims_[r].to}) at[slot].push_back(r);
  std::vector<int> todo;
  for (int start = 0; start < static_cast<int>(rims_.size()); ++start) {
    if (rims_[start].loop >= 0) continue;
    rims_[start].loop = loops_++;
    todo.push_back(start);
    while (!todo.empty()) {
      const Rim rim = rims_[todo.back()];
      todo.pop_back();
      for (const int slot : {rim.from, rim.to})
        for (const int next : at[slot])
          if (rims_[next].loop < 0) {
            rims_[next].loop = rim.loop;
            todo.push_back(next);
          }
    }
  }
}

double ChamberSurface::distance(const Vec3& x, const Rim& rim) const {
  double least = norm(x - rim.curve[0]);
  for (int p = 0; p + 1 < 9; ++p) {
    const Vec3 d = rim.curve[p + 1] - rim.curve[p], way = x - rim.curve[p];
    const double length = dot(d, d);
    const double s = length > 0 ? std::clamp(dot(way, d) / length, 0.0, 1.0) : 0.0;
    least = std::min(least, norm(way - s * d));
  }
  return least;
}

double ChamberSurface::distance_from_planes(const Vec3& x) const {
  double least = 1e300;
  for (const Vec3& n : closing_.planes) least = std::min(least, std::fabs(dot(x - origin_, n)));
  return least;
}

std::pair<int, double> ChamberSurface::nearest(const Vec3& x, const Rim& to, bool apart) const {
  std::pair<int, double> best{-1, 1e300};
  for (int r = 0; r < static_cast<int>(rims_.size()); ++r) {
    const Rim& rim = rims_[r];
    if (apart ? rim.loop == to.loop : rim.from == to.from || rim.from == to.to || rim.to == to.from || rim.to == to.to)
      continue;
    if (const double d = distance(x, rim); d < best.second) best = {r, d};
  }
  return best;
}

/// Sheets beside each other look alike where their rims run in opposite ways. Those of solids look out of the material.
ChamberSurface::Groups ChamberSurface::group_sheets() {
  std::map<std::pair<int, int>, double> votes;
  for (const Rim& rim : rims_) {
    if (rim.open) continue;
    const auto [r, gap] = nearest(rim.curve[4], rim, false);
    if (r < 0 || gap > tolerance_) continue;
    const Rim& other = rims_[r];
    const int a = faces_[rim.face].sheet, b = faces_[other.face].sheet;
    if (a == b) continue;
    const double along = dot(rim.curve[5] - rim.curve[3], other.curve[8] - other.curve[0]);
    const double alike = -along * faces_[rim.face].sense * faces_[other.face].sense;
    votes[{a, b}] += alike, votes[{b, a}] += alike;
  }
  std::vector<const Face*> solid(sheets_, nullptr);
  for (const Face& face : faces_)
    if (face.of_solid) solid[face.sheet] = &face;
  const auto wanted = [&](int sheet) { return solid[sheet] == nullptr ? 0 : -solid[sheet]->sense; };
  Groups out{std::vector<int>(sheets_, -1), std::vector<double>(sheets_, 0.0), {}};
  std::vector<int> starts, todo;
  for (const bool fixed : {true, false})
    for (int sheet = 0; sheet < sheets_; ++sheet)
      if ((wanted(sheet) != 0) == fixed) starts.push_back(sheet);
  for (const int start : starts) {
    if (out.of[start] >= 0) continue;
    out.of[start] = static_cast<int>(out.fixed.size());
    out.fixed.push_back(wanted(start) != 0);
    out.sense[start] = out.fixed.back() ? wanted(start) : 1;
    todo.push_back(start);
    while (!todo.empty()) {
      const int sheet = todo.back();
      todo.pop_back();
      for (const auto& [pair, alike] : votes) {
        const int next = pair.second;
        if (pair.first != sheet || out.of[next] >= 0 || alike == 0) continue;
        out.of[next] = out.of[sheet];
        out.sense[next] = alike > 0 ? out.sense[sheet] : -out.sense[sheet];
        todo.push_back(next);
        if (wanted(next) * out.sense[next] < 0)
          problems_.push_back(
              fmt::format("which side is inside? Beside \"{}\" the surface \"{}\" has its material where the chamber "
                          "would be",
                          solid[start]->where, solid[next]->where));
      }
    }
  }
  return out;
}

/// The whole has a volume above zero, and so has each part of it that no solid turns. Of a part that lies flat both
/// sides will do: it looks as its first sheet does, and the volume is zero.
void ChamberSurface::orient_sheets() {
  const Groups groups = group_sheets();
  for (Face& face : faces_) face.sense *= groups.sense[face.sheet];
  std::vector<double> volume(groups.fixed.size(), 0.0);
  for (const Face& face : faces_) volume[groups.of[face.sheet]] += face_volume_of(face);
  for (double& v : volume)
    if (std::fabs(v) <= flat_volume * size_ * size_ * size_) v = 0;
  for (Face& face : faces_) {
    const int group = groups.of[face.sheet];
    if (volume[group] < 0 && !groups.fixed[group]) face.sense = -face.sense;
  }
  for (size_t k = 0; k < volume.size(); ++k) volume_ += groups.fixed[k] ? volume[k] : std::fabs(volume[k]);
  if (volume_ >= 0 || !problems_.empty()) return;
  std::vector<std::string> names;
  for (const Face& face : faces_)
    if (face.of_solid && volume[groups.of[face.sheet]] < 0 &&
        std::find(names.begin(), names.end(), face.where) == names.end())
      names.push_back(face.where);
  if (!names.empty())
    problems_.push_back(
        fmt::format("encloses the material of \"{}\" and no room: name the surface that looks into the "
                    "chamber",
                    joined_text(names, "\", \"")));
}

/// "dome.end", or the part's name.
std::string ChamberSurface::name_of(int loop) const {
  std::vector<std::string> names;
  for (const Rim& rim : rims_) {
    if (rim.loop != loop || !rim.open) continue;
    std::string name = faces_[rim.face].where;
    for (const PlatePart& plate : draft_.machine.plates) {
      if (plate.name != name) continue;
      for (const MeshSet& set : plate.mesh.sets)
        for (const ElementSide& side : set.sides)
          if (side.side == rim.side && plate.model.elements[side.element].name == faces_[rim.face].name)
            name = fmt::format("{}.{}", plate.name, set.name);
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return joined_text(names, ", ");
}

void ChamberSurface::find_openings() {
  std::vector<double> width(loops_, 0.0), around(loops_, 0.0), low(loops_, 1e300);
  std::vector<Vec3> at(loops_);
  for (Rim& rim : rims_) {
    for (int p = 0; p < 9; p += 2) {
      const double plane = distance_from_planes(rim.curve[p]);
      const double gap = std::min(plane, nearest(rim.curve[p], rim, false).second);
      if (gap <= tolerance_) continue;
      rim.open = true;
      const double other = std::min(plane, nearest(rim.curve[p], rim, true).second);
      double across = 0;
      for (const Rim& member : rims_)
        if (member.loop == rim.loop) across = std::max(across, norm(member.curve[0] - rim.curve[p]));
      if (const double wide = std::min(other, across); wide > width[rim.loop]) {
        width[rim.loop] = wide;
        at[rim.loop] = rim.curve[p];
      }
    }
    if (rim.open)
      for (int p = 0; p < 8; ++p) around[rim.loop] += norm(rim.curve[p + 1] - rim.curve[p]);
  }
  for (int loop = 0; loop < loops_; ++loop) {
    if (width[loop] == 0) continue;
    const bool whole = std::all_of(rims_.begin(), rims_.end(), [&](const Rim& r) { return r.loop != loop || r.open; });
    if (closing_.lids && whole) {
      lids_.push_back(loop);
    } else {
      problems_.push_back(fmt::format("leaks at \"{}\": an opening {:.3g} m wide at {}, {:.3g} m along its rim",
                                      name_of(loop), width[loop], text(at[loop]), around[loop]));
    }
  }
}

/// Each opening of which the whole rim is free is closed by cones from the mean of its nodes.
void ChamberSurface::add_lids(const char* which) {
  for (const int loop : lids_) {
    std::vector<std::pair<int, double>> mean;
    for (const Rim& rim : rims_)
      if (rim.loop == loop) mean.emplace_back(rim.from, 1.0);
    for (auto& [slot, weight] : mean) weight /= static_cast<double>(mean.size());
    const int apex = draft_.combine(fmt::format("{}.lid_{}{}", from_.path, loop + 1, which), SlotKind::point,
                                    form_of(mean, 3), from_.path);
    for (const Rim& rim : rims_)
      if (rim.loop == loop) add_lid(rim, apex);
  }
}

/// Over one side of a face, looking as the face does.
void ChamberSurface::add_lid(const Rim& rim, int apex) {
  const Face beside = faces_[rim.face];
  Face lid{.shape = FaceShape::t3, .slots = {rim.to, rim.from, apex}, .where = {}, .name = {}};
  lid.sense = beside.sense;
  if (beside.shape == FaceShape::plate) {
    // The gradient runs along the element: against sides 2 and 3.
    const bool along_u = rim.side % 2 == 0, back = rim.side >= 2;
    const int first = back ? (rim.side + 1) % 4 : rim.side, second = back ? rim.side : (rim.side + 1) % 4;
    const int gradient = along_u ? 1 : 2;
    lid.shape = FaceShape::edge_cone;
    lid.slots = {beside.slots[3 * first], beside.slots[3 * first + gradient], beside.slots[3 * second],
                 beside.slots[3 * second + gradient], apex};
    lid.lengths = {beside.lengths[along_u ? 0 : 1], 1};
    if (back) lid.sense = -lid.sense;
  } else if (beside.has_middles()) {
    lid.shape = FaceShape::side_cone;
    lid.slots = {rim.from, rim.to, beside.slots[beside.corners() + rim.side], apex};
  }
  lid.name = fmt::format("lid {} beside {}, side {}", rim.loop + 1, beside.name, rim.side + 1);
  lid.sheet = beside.sheet;
  faces_.push_back(std::move(lid));
}

std::vector<std::string> ChamberSurface::add_items(int pressure) {
  std::vector<std::string> names;
  for (const Face& face : faces_)
    with_shape(face.shape, [&]<class Shape>() {
      std::vector<int> slots = face.slots;
      slots.push_back(pressure);
      names.push_back(fmt::format("{}, {}", from_.path, face.name));
      const std::array parameters{face.lengths[0], face.lengths[1], face.sense, origin_[0], origin_[1], origin_[2]};
      draft_.builder.item(std::string(ChamberFace<Shape>::name), slots, parameters, {}, names.back(), 0, from_.source);
    });
  return names;
}

}  // namespace flexura::detail
