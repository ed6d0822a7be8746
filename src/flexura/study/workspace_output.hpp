#pragma once
// A map of a workspace as text, tables, JSON and page.

#include "flexura/base/json.hpp"
#include "flexura/study/workspace.hpp"

namespace flexura {

std::string workspace_text(const WorkspacePlan& plan, const WorkspaceReport& report);
/// A row for each sample: inputs, the place, manipulability, condition, singular values, `status`. In SI.
std::string workspace_csv(const WorkspacePlan& plan, const std::vector<WorkspaceSample>& samples);
/// A row for each target: what is wanted, what is reached, inputs, the distance left, `status`, `message`.
std::string targets_csv(const WorkspacePlan& plan, const WorkspaceReport& report);
Json workspace_json(const WorkspacePlan& plan, const WorkspaceReport& report);
/// One page of HTML that needs nothing else, with pictures of manipulability and condition.
std::string workspace_page(const WorkspacePlan& plan, const WorkspaceReport& report);

}  // namespace flexura
