#pragma once
// The options of all elements that take a law of rubber.

#include <string_view>

#include "flexura/term/term.hpp"

namespace flexura {

/// Of options with the members `law` (ElasticLaw) and `form` (VolumeForm).
void law_options(auto& o, auto&& option) {
  static constexpr std::string_view laws[] = {
      "st_venant_kirchhoff", "neo_hooke", "mooney_rivlin", "yeoh", "ogden", "gent", "arruda_boyce", "yeoh_paper"};
  static constexpr std::string_view forms[] = {"isochoric", "coupled"};
  option(o.law, Option{"law", "stored energy of a change of shape", laws});
  option(o.form, Option{"form", "whether it has a stress of its own against a change of volume", forms});
}

}  // namespace flexura
