#pragma once

#include <span>
#include <string_view>

#include "flexura/signal/expression.hpp"

namespace flexura {

/// A formula in named variables instead of the time, as z = "a * sin(u) * v" in u and v. `inputs()` of the result are all
/// of `variables`, in their order: evaluate it with value(0, values), or with at(0, values), where a variable with
/// du = 1 and the others with 0 give the derivative along it.
ParsedExpression parse_expression_of(std::span<const std::string_view> variables, std::string_view text,
                                     const Parameters& parameters = {});

}  // namespace flexura
