#pragma once
// The surface around a chamber in space, of faces of any parts: which way it looks, and whether it is closed.
//
//     ChamberSurface surface(builder);
//     surface.add_plate(dome);  surface.add_plate(floor);
//     surface.finish({.lids = false});     // senses, boundaries, volume
//     for (const std::string& leak : surface.leaks()) ...
//     surface.add_items(pressure, "chamber.bladder");
//
// Faces that share the slots of a side are joined there. Elsewhere they need not match node by node: sides run along each other
// within a tolerance, which also tells which way a sheet looks beside its neighbour. What is left is an opening, closed by a
// plane of the ground, by a lid (a cone from the middle of its rim, which pushes at the rim) or not at all.

#include <array>
#include <string>
#include <vector>

#include "flexura/mesh/surface_mesh.hpp"
#include "flexura/part/machine.hpp"
#include "flexura/part/origin.hpp"

namespace flexura::detail {

struct MachineDraft;

enum class FaceShape { t3, t6, q4, q8, q9, plate };

struct SurfaceClosing {
  bool lids = false;
  Vec3 origin{};                  ///< on all planes
  std::vector<Vec3> planes = {};  ///< their unit normals
  double tolerance = 0;           ///< [m]; 0: a thousandth of the surface's size
};

class ChamberSurface {
 public:
  explicit ChamberSurface(MachineDraft& draft) : draft_(draft) {}

  void add_plate(const PlatePart& plate);
  /// A face of a solid by slots of its points: corners counter-clockwise, middles of sides, centre. `where`: its part and set.
  void add_solid(FaceShape shape, std::vector<int> slots, const std::string& where, const std::string& name);

  void finish(const SurfaceClosing& closing);
  /// What is wrong with the surface: sides of three faces, no inside, openings with their place and size.
  const std::vector<std::string>& problems() const { return problems_; }
  double volume() const { return volume_; }  ///< of the reference [m³]
  /// Makes the faces' items on a pressure; their names.
  std::vector<std::string> add_items(int pressure, const Origin& origin);

 private:
  struct Face {
    FaceShape shape;
    std::vector<int> slots;
    std::array<double, 2> lengths{1, 1};
    std::string where, name;
    double sense = 0;  ///< 1: its normal leaves the chamber
    int sheet = -1;
    int corners() const { return shape == FaceShape::t3 || shape == FaceShape::t6 ? 3 : 4; }
    int corner(int k) const { return slots[shape == FaceShape::plate ? 3 * k : k]; }
  };
  /// Side k of a face, from corner k to the next, that no other face shares.
  struct Rim {
    int face, side, from, to;  ///< slots
    std::array<Vec3, 9> curve;
    int loop = -1;
    bool open = false;
  };

  void join_faces();
  void link_loops();
  void orient_sheets();
  void find_openings();
  double distance(const Vec3& x, const Rim& rim) const;
  double distance_from_planes(const Vec3& x) const;
  /// The rim of another side that is nearest, and how far it is; `apart`: only of other loops.
  std::pair<int, double> nearest(const Vec3& x, const Rim& to, bool apart) const;
  Vec3 position(const Face& face, double xi, double eta) const;
  double face_volume_of(const Face& face) const;
  std::string name_of(int loop) const;

  MachineDraft& draft_;
  SurfaceClosing closing_;
  std::vector<Face> faces_;
  std::vector<Rim> rims_;
  std::vector<std::string> problems_;
  std::vector<int> lids_;  ///< loops
  Vec3 origin_{};
  double volume_ = 0, tolerance_ = 0;
  int sheets_ = 0, loops_ = 0;
};

}  // namespace flexura::detail
