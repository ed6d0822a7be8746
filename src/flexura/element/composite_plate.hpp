#pragma once

#include "flexura/element/composite_fields.hpp"
#include "flexura/element/full_plate.hpp"

namespace flexura {

/// Full plate of which more than a law of rubber is said: it relaxes, has fibres, grows. Equations: composite_plate_kernel.hpp.
/// Slots: those of the plate, then the signals of growth.
template <int vectors>
struct CompositePlate {
  using Plate = FullPlate<vectors>;
  static constexpr int dim = 3;
  static constexpr Role role = Role::conservative;
  static constexpr std::string_view name = vectors == 1 ? "composite_ancf_plate_48" : "composite_ancf_plate_60";
  static constexpr int growths = 5;  ///< along u, v and the normal; top less bottom along u and v
  static constexpr std::array slots = [] {
    std::array<SlotKind, Plate::count + growths> kinds{};
    kinds.fill(SlotKind::signal);
    for (int i = 0; i < Plate::count; ++i) kinds[i] = Plate::slots[i];
    return kinds;
  }();

  using Branches = PronyBranches;
  using Families = FibreFamilies;
  enum class Grows { no, yes };
  struct Options {
    typename Plate::Options elastic{};
    Grows grows = Grows::no;
    Families families = Families::none;
    Branches branches = Branches::none;
    bool operator==(const Options&) const = default;
    int fibres() const { return static_cast<int>(families); }
    int count() const { return static_cast<int>(branches); }
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view no_yes[] = {"no", "yes"};
    Plate::options(o.elastic, option);
    option(o.grows, Option{"grows", "whether growth acts", no_yes});
    composite_options(o, option);
  }
  static bool symmetric(const Options& o) { return Plate::symmetric(o.elastic); }
  static bool uses_velocity(const Options& o) { return Plate::uses_velocity(o.elastic); }

  /// Directions by (first, second, third) at every place: along the reference's r_x, across it in the surface, along the normal.
  template <class T>
  struct Params {
    typename Plate::template Params<T> elastic;
    Vec<3 * most_fibres, T> fibre_direction{};
    Vec<most_fibres, T> fibre_stiffness{}, fibre_exponent{}, fibre_compression{};
    Vec<growths, T> growth{};
    Vec<most_branches, T> share{}, time{};
  };
  static void fields(auto& p, auto&& field) {
    Plate::fields(p.elastic, field);
    field(p.fibre_direction, Field{.name = "fibre_direction",
                                   .unit = "1",
                                   .doc = "of each family, by first, second and third direction, of any length",
                                   .value = 0});
    fibre_law_fields(p, field);
    field(p.growth, Field{.name = "growth",
                          .unit = "1",
                          .doc = "stretch less 1 along each direction, then top less bottom of the first two, times "
                                 "their signals",
                          .value = 0,
                          .min = 0,
                          .max = 1});
    prony_fields(p, field, "parts g of the stress of W that relax");
  }
};

}  // namespace flexura
