#pragma once

#include "flexura/element/ancf_beam_24.hpp"
#include "flexura/element/composite_fields.hpp"

namespace flexura {

/// Full beam of rubber that relaxes. Equations: composite_beam_kernel.hpp.
struct CompositeBeam {
  static constexpr std::string_view name = "composite_ancf_beam_24";
  static constexpr int dim = 3;
  static constexpr Role role = Role::conservative;
  static constexpr std::array slots = AncfBeam24::slots;

  using Branches = PronyBranches;
  struct Options {
    AncfBeam24::Options elastic{};
    Branches branches = Branches::none;
    bool operator==(const Options&) const = default;
    int count() const { return static_cast<int>(branches); }
  };
  static void options(auto& o, auto&& option) {
    AncfBeam24::options(o.elastic, option);
    branch_option(o, option);
  }
  static bool symmetric(const Options& o) { return AncfBeam24::symmetric(o.elastic); }
  static bool uses_velocity(const Options& o) { return AncfBeam24::uses_velocity(o.elastic); }

  template <class T>
  struct Params {
    AncfBeam24::Params<T> elastic;
    Vec<most_branches, T> share{}, time{};
  };
  static void fields(auto& p, auto&& field) {
    AncfBeam24::fields(p.elastic, field);
    prony_fields(p, field, "parts g of the stress of W that relax");
  }
};

}  // namespace flexura
