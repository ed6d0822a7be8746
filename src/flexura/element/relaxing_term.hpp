#pragma once
// What terms have in common whose law is that of another term with a Prony series (prony.hpp).

#include "flexura/element/composite_fields.hpp"

namespace flexura {

/// "viscoelastic_NAME": slots, options and parameters of E, and the series.
template <class E>
struct RelaxingTerm {
  static constexpr std::string_view prefix = "viscoelastic_";
  static constexpr auto letters = [] {
    std::array<char, prefix.size() + E::name.size()> text{};
    for (size_t i = 0; i < text.size(); ++i) text[i] = i < prefix.size() ? prefix[i] : E::name[i - prefix.size()];
    return text;
  }();
  static constexpr std::string_view name{letters.data(), letters.size()};
  static constexpr int dim = E::dim;
  static constexpr auto slots = E::slots;
  static constexpr Role role = E::role;

  enum class Branches { one, two, three, four, five, six, seven, eight };
  struct Options {
    OptionsOf<E> elastic{};
    Branches branches = Branches::one;
    bool operator==(const Options&) const = default;
    int count() const { return static_cast<int>(branches) + 1; }
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view counts[] = {"1", "2", "3", "4", "5", "6", "7", "8"};
    if constexpr (detail::has_options<E>) E::options(o.elastic, option);
    option(o.branches, Option{"branches", "terms of the Prony series", counts});
  }
  static bool symmetric(const Options& o) { return is_symmetric<E>(o.elastic); }
  static bool uses_velocity(const Options& o) {
    if constexpr (requires { E::uses_velocity(o.elastic); }) {
      return E::uses_velocity(o.elastic);
    } else {
      return true;
    }
  }

  template <class T>
  struct Params {
    typename E::template Params<T> elastic;
    Vec<most_branches, T> share, time;
  };
};

}  // namespace flexura
