#pragma once
// Chambers that parts enclose, and lines of gas, as types.

#include <optional>
#include <string>
#include <vector>

#include "flexura/load/gas_line.hpp"
#include "flexura/model/model.hpp"
#include "flexura/part/name_pattern.hpp"
#include "flexura/part/origin.hpp"
#include "flexura/part/specs.hpp"

namespace flexura {

/// What plates and solids, in the plane cables, are around. In the reference configuration it is filled with `overpressure`.
struct ChamberSpec {
  enum class Fill { gas, liquid, pressure };
  Origin origin = {};
  std::string name;
  std::vector<NamePattern> surfaces = {};  ///< plates, surfaces of solids; in the plane cables
  bool lids = false;                       ///< openings are closed by lids, in the plane by straight walls
  std::vector<PlaneSpec> planes = {};      ///< of the ground or of symmetry, that close it; they meet in a point
  double tolerance = 0;                    ///< of what lies side by side [m]; 0: a thousandth of its size
  double depth = 1;                        ///< planar: across the plane [m]
  Fill fill = Fill::gas;
  double exponent = 1;                           ///< n of P Vⁿ
  double ambient = 101325;                       ///< pressure outside [Pa]
  double overpressure = 0;                       ///< of the filling [Pa]
  double dead_volume = 0;                        ///< of hoses and fittings, filled with the same [m³]
  double temperature = 293.15;                   ///< of the filling [K]
  double gas_constant = 287.05;                  ///< of dry air [J/(kg K)]
  double compressibility = 0;                    ///< of the liquid [1/Pa]
  std::optional<EffectiveSignal> added = {};     ///< more of it, as a share of the filling [1]
  std::optional<EffectiveSignal> pressure = {};  ///< Fill::pressure: overpressure [Pa]
};

/// A way for gas into chambers, out of them and between them.
struct LineSpec {
  enum class Type { supply, vent, inflow, between };
  Origin origin = {};
  std::string name;
  Type type = Type::supply;
  std::string of;       ///< chamber
  std::string to = {};  ///< between: the other one
  LineLaw::Kind law = LineLaw::Kind::laminar;
  double resistance = 1e9;        ///< laminar [Pa s/kg]
  double conductance = 1e-8;      ///< orifice: sonic [m³/(s Pa)]
  double critical_ratio = 0.4;    ///< orifice
  EffectiveSignal opening = {};   ///< 0: shut, 1: open
  EffectiveSignal pressure = {};  ///< supply: overpressure [Pa]
  EffectiveSignal rate = {};      ///< inflow [kg/s]
};

namespace detail {

struct MachineDraft;
// chamber.cpp, chamber_contour.cpp, gas_network.cpp
void add_chambers(MachineDraft& draft, const std::vector<ChamberSpec>& chambers, const std::vector<LineSpec>& lines);

}  // namespace detail
}  // namespace flexura
