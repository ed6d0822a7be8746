#pragma once
// Inverse dynamics as text, tables, JSON and page.

#include "flexura/base/json.hpp"
#include "flexura/study/inverse_dynamics.hpp"

namespace flexura {

std::string dynamic_text(const DynamicPlan& plan, const DynamicReport& report);
/// t and the inputs: a table that a signal of type "table" reads, `replay_settings`.
std::string dynamic_inputs_csv(const DynamicPlan& plan, const DynamicReport& report);
/// At the ends of all steps: t, wanted and reached numbers, distances. In SI.
std::string dynamic_path_csv(const DynamicPlan& plan, const DynamicReport& report);
/// "signal.pump={type=\"table\", …}": with them `flexura run --set` does the motion by itself.
std::vector<std::string> replay_settings(const DynamicPlan& plan, const std::string& file);
Json dynamic_json(const DynamicPlan& plan, const DynamicReport& report);
/// One page of HTML that needs nothing else; `scene`, `file`: of the command that does the motion by itself.
std::string dynamic_page(const DynamicPlan& plan, const DynamicReport& report, const std::string& scene,
                         const std::string& file);

}  // namespace flexura
