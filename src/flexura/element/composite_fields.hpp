#pragma once
// Parameters of terms of which more than an elastic law is said: a Prony series (prony.hpp), fibres (fibre_law.hpp).

#include "flexura/material/fibre_law.hpp"
#include "flexura/material/prony.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

/// `share` and `time` of a series among a term's parameters.
void prony_fields(auto& p, auto&& field, std::string_view what_relaxes) {
  field(p.share, Field{.name = "share", .unit = "1", .doc = what_relaxes, .value = 0, .min = 0, .below = 1});
  field(p.time, Field{.name = "time", .unit = "s", .doc = "their times tau", .value = 1, .above = 0});
}

/// k₁, k₂ and the share in compression of each family.
void fibre_law_fields(auto& p, auto&& field) {
  field(p.fibre_stiffness, Field{.name = "fibre_stiffness", .unit = "Pa", .doc = "k1", .value = 0, .min = 0});
  field(p.fibre_exponent, Field{.name = "fibre_exponent", .unit = "1", .doc = "k2", .value = 0, .min = 0});
  field(p.fibre_compression, Field{.name = "fibre_compression",
                                   .unit = "1",
                                   .doc = "share of the energy in compression",
                                   .value = 0,
                                   .min = 0,
                                   .max = 1});
}

/// Of fibres, growth along three directions and the series: what a composite law is of besides its matrix.
void composite_law_fields(auto& p, auto&& field) {
  fibre_law_fields(p, field);
  field(p.growth, Field{.name = "growth",
                        .unit = "1",
                        .doc = "stretch less 1 along each direction, times its signal",
                        .value = 0,
                        .min = 0,
                        .max = 1});
  prony_fields(p, field, "parts g of the stress of W that relax");
}

enum class FibreFamilies { none, one, two, three };
enum class PronyBranches { none, one, two, three, four, five, six, seven, eight };

void branch_option(auto& o, auto&& option) {
  static constexpr std::string_view branches[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8"};
  option(o.branches, Option{"branches", "terms of the Prony series", branches});
}

/// `families` and `branches` of options.
void composite_options(auto& o, auto&& option) {
  static constexpr std::string_view families[] = {"0", "1", "2", "3"};
  option(o.families, Option{"families", "of fibres", families});
  branch_option(o, option);
}

}  // namespace flexura
