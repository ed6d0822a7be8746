#include "flexura/study/study_page.hpp"

#include <fmt/format.h>

#include "flexura/base/xml_text.hpp"

namespace flexura {

std::string study_page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n<style>\n"
      "body {{ font-family: sans-serif; max-width: 66em; margin: 2em auto; padding: 0 1em; line-height: 1.45; }}\n"
      "table {{ border-collapse: collapse; }} td, th {{ border: 1px solid #bbb; padding: 0.2em 0.6em; text-align: "
      "left; vertical-align: top; }}\n"
      ".best {{ background: #eef6ee; }} .small {{ color: #666; font-size: 85%; }} .warning {{ color: #a05000; }}\n"
      "pre {{ background: #f4f4f4; padding: 0.8em; white-space: pre-wrap; }}\n"
      "figure {{ margin: 1em 0; }} svg {{ max-width: 100%; height: auto; }}\n"
      "</style></head>\n<body>\n<h1>{0}</h1>\n{1}</body></html>\n",
      xml_text(title), body);
}

}  // namespace flexura
