#pragma once
// Inverse statics of a list of points as text, table, JSON and page.

#include "flexura/base/json.hpp"
#include "flexura/study/inverse_statics.hpp"

namespace flexura {

std::string inverse_text(const InversePlan& plan, const InverseListReport& report);
/// A row for each point: inputs, wanted and reached numbers, the distance left of each target, effort, `reached`, `message`. In SI.
std::string inverse_csv(const InversePlan& plan, const InverseListReport& report);
Json inverse_json(const InversePlan& plan, const InverseListReport& report);
/// One page of HTML that needs nothing else.
std::string inverse_page(const InversePlan& plan, const InverseListReport& report);

}  // namespace flexura
