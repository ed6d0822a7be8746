#pragma once

#include <string>
#include <string_view>

#include "flexura/base/json.hpp"

namespace flexura {

/// JSON on one line that can stand in a script element: no '<' in it ends the element.
std::string script_json(const Json& json);

/// The viewer with its title and data. `blocks`: BlockStore::bytes().
std::string report_page(std::string_view viewer, const std::string& title, const Json& report, std::string_view blocks);

/// viewer/dist/viewer.html, the page of runs, as it is built into the library.
std::string_view viewer_page();
/// viewer/dist/sweep.html, the page of a sweep.
std::string_view sweep_viewer_page();

}  // namespace flexura
