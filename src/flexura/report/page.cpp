#include "flexura/report/page.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "flexura/base/base64.hpp"
#include "flexura/base/xml_text.hpp"
#include "flexura/embedded.hpp"

namespace flexura {
namespace {

constexpr std::string_view title_mark = "<!--flexura-title-->", data_mark = "<!--flexura-data-->";

std::string_view embedded(std::string_view path) {
  if (const EmbeddedFile* file = find_embedded(path)) return file->text;
  throw std::logic_error("the viewer is missing in this build");
}

}  // namespace

std::string script_json(const Json& json) {
  const std::string plain = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string text;
  text.reserve(plain.size());
  for (const char c : plain) {  // '<' stands in texts only
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

std::string report_page(std::string_view viewer, const std::string& title, const Json& report,
                        std::string_view blocks) {
  std::string page;
  const auto take_until = [&](std::string_view mark) {
    const std::size_t at = viewer.find(mark);
    if (at == std::string_view::npos) throw std::logic_error("the viewer has no place for its title or data");
    page += viewer.substr(0, at);
    viewer.remove_prefix(at + mark.size());
  };
  take_until(title_mark);
  page += xml_text(title);
  take_until(data_mark);
  page += "<script id=\"flexura-report\" type=\"application/json\">" + script_json(report) + "</script>\n";
  page += "<script id=\"flexura-data\" type=\"text/plain\">" + base64(blocks) + "</script>";
  page += viewer;
  return page;
}

std::string_view viewer_page() { return embedded("viewer/dist/viewer.html"); }
std::string_view sweep_viewer_page() { return embedded("viewer/dist/sweep.html"); }

}  // namespace flexura
