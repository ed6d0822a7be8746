#pragma once
// The surface around a chamber in space, of faces of any parts: which way it looks, and whether it is closed.
//
//     ChamberSurface surface(draft, spec.origin);
//     surface.add_plate(dome);  surface.add_solid(floor, "floor.top");
//     surface.finish({.lids = false});     // senses, boundaries, volume
//     for (const std::string& problem : surface.problems()) ...
//     surface.add_items(pressure);
//
// Faces that share the slots of a side are joined there. Elsewhere they need not match node by node: sides run along each other
// within a tolerance, which also tells which way a sheet looks beside its neighbour. What is left is an opening, closed by a
// plane of the ground, by a lid (a cone from the middle of its rim, which pushes at the rim) or not at all. A solid says which side
// of its surface is the chamber's; of plates it is the one that makes the volume positive, and either where they lie
// flat. Full plates are around it with their inner
// faces, unless there those come apart from their neighbours: then, as `middle()` says, with their mid-surfaces.

#include <array>
#include <string>
#include <vector>

#include "flexura/mesh/surface_mesh.hpp"
#include "flexura/part/machine.hpp"
#include "flexura/part/origin.hpp"
#include "flexura/part/solid_surface.hpp"

namespace flexura::detail {

struct MachineDraft;

struct SurfaceClosing {
  bool lids = false;
  Vec3 origin{};                  ///< on all planes
  std::vector<Vec3> planes = {};  ///< their unit normals
  double tolerance = 0;           ///< [m]; 0: a thousandth of the surface's size
};

class ChamberSurface {
 public:
  ChamberSurface(MachineDraft& draft, const Origin& origin) : draft_(draft), from_(origin) {}

  void add_plate(const PlatePart& plate);
  /// `where`: "barrel.inner".
  void add_solid(const std::vector<SurfaceFace>& faces, const std::string& where);

  void finish(const SurfaceClosing& closing);
  /// What is wrong with the surface: sides of three faces, no inside, openings with their place and size, material where the
  /// chamber would be.
  const std::vector<std::string>& problems() const { return problems_; }
  double volume() const { return volume_; }  ///< of the reference [m³]
  bool middle() const { return middle_; }
  /// Makes the faces' items on a pressure; their names.
  std::vector<std::string> add_items(int pressure);

 private:
  struct Face {
    FaceShape shape;
    std::vector<int> slots;
    std::array<double, 2> lengths{1, 1};
    std::string where, name;
    int plate = -1, element = -1;  ///< of a full plate
    bool of_solid = false;
    double sense = 0;  ///< 1: its normal leaves the chamber
    int sheet = -1;
    int corners() const { return shape == FaceShape::t3 || shape == FaceShape::t6 ? 3 : 4; }
    int corner(int k) const { return slots[shape == FaceShape::plate ? 3 * k : k]; }
    bool has_middles() const { return static_cast<int>(slots.size()) >= 2 * corners() && shape != FaceShape::plate; }
  };
  /// Side k of a face, from corner k to the next, that no other face shares.
  struct Rim {
    int face, side, from, to;  ///< slots
    std::array<Vec3, 9> curve;
    int loop = -1;
    bool open = false;
  };

  void join_faces();
  void trace(Rim& rim) const;
  void take_inner_faces();
  void link_loops();
  void find_openings();
  /// `which`: of their names.
  void add_lids(const char* which);
  void add_lid(const Rim& rim, int apex);
  void orient_sheets();
  /// Which way the sheets of a group look: +1 as they are, −1 turned.
  struct Groups {
    std::vector<int> of;        ///< [sheets]
    std::vector<double> sense;  ///< [sheets]
    std::vector<bool> fixed;    ///< [groups]: by a solid
  };
  Groups group_sheets();
  double distance(const Vec3& x, const Rim& rim) const;
  double distance_from_planes(const Vec3& x) const;
  /// The rim of another side that is nearest, and how far it is; `apart`: only of other loops.
  std::pair<int, double> nearest(const Vec3& x, const Rim& to, bool apart) const;
  Vec3 position(const Face& face, double xi, double eta) const;
  double face_volume_of(const Face& face) const;
  std::string name_of(int loop) const;

  MachineDraft& draft_;
  const Origin& from_;
  SurfaceClosing closing_;
  std::vector<Face> faces_;
  std::vector<Rim> rims_;
  std::vector<std::string> problems_;
  std::vector<int> lids_;  ///< loops
  Vec3 origin_{};
  double volume_ = 0, tolerance_ = 0, size_ = 0;
  int sheets_ = 0, loops_ = 0;
  bool middle_ = false;
};

}  // namespace flexura::detail
