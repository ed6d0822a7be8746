// The results of cases for readers: tables in a terminal, a page with plots.

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "flexura/base/file.hpp"
#include "flexura/base/problem.hpp"
#include "flexura/base/xml_text.hpp"
#include "validation/reproduce.hpp"

namespace flexura {
namespace {

/// A number, or several of them; nested lists in brackets.
std::string text_of(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_number()) return fmt::format("{:.5g}", value.get<double>());
  if (!value.is_array()) return value.dump();
  std::string out;
  for (const Json& item : value) {
    if (!out.empty()) out += ' ';
    out += item.is_array() ? "[" + text_of(item) + "]" : text_of(item);
  }
  return out;
}

std::string reference_text(const Json& quantity) {
  if (quantity["reference"].is_null()) return "-";
  return fmt::format("{} ± {}", text_of(quantity["reference"]), text_of(quantity["tolerance"]));
}

bool is_long(const Json& quantity) {
  return quantity["value"].is_array() || quantity["paper"].is_array() || quantity["reference"].is_array();
}

/// Breaks at blanks after at most `width` characters; later lines begin with `indent`.
std::string wrapped(const std::string& text, size_t width, const std::string& indent) {
  std::string out;
  size_t column = 0;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find(' ', begin);
    if (end == std::string::npos) end = text.size();
    if (column > 0 && column + 1 + (end - begin) > width) {
      out += "\n" + indent;
      column = 0;
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    out.append(text, begin, end - begin);
    column += end - begin;
    begin = end + 1;
  }
  return out;
}

std::string html_case(const Json& result) {
  std::string out = fmt::format("<h2 id=\"{0}\">{0}</h2>\n", xml_text(result["case"].get<std::string>()));
  if (result.contains("failed"))
    out += fmt::format("<p class=\"missed\">{}</p>\n", xml_text(result["failed"].get<std::string>()));
  out +=
      "<table><tr><th>quantity</th><th>unit</th><th>here</th><th>paper</th><th>independent</th><th>status</th></tr>\n";
  for (const auto& [name, q] : result["quantities"].items())
    out += fmt::format(
        "<tr><td>{}<br><span class=\"small\">{}</span></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td class=\"{}\">{}</td></tr>\n",
        xml_text(name), xml_text(q["doc"].get<std::string>()), xml_text(q["unit"].get<std::string>()),
        text_of(q["value"]), text_of(q["paper"]), reference_text(q), q["status"] == "missed" ? "missed" : "fine",
        q["status"].get<std::string>());
  out += "</table>\n";
  if (result.contains("finding")) out += fmt::format("<p>{}</p>\n", xml_text(result["finding"].get<std::string>()));
  if (!result["chosen"].empty()) {
    out += "<p>Chosen, since the paper leaves it open:</p>\n<ul>\n";
    for (const Json& c : result["chosen"]) out += fmt::format("<li>{}</li>\n", xml_text(c.get<std::string>()));
    out += "</ul>\n";
  }
  for (const Json& file : result["files"])
    if (const std::string path = file.get<std::string>(); path.ends_with(".svg"))
      if (const auto picture = read_file(path)) out += "<figure>" + *picture + "</figure>\n";
  return out + fmt::format("<p class=\"small\">computed in {:.2f} s</p>\n", result["wall_time_s"].get<double>());
}

}  // namespace

std::string reproduction_list_text() {
  std::string out;
  for (const CaseInfo& info : reproduction_cases()) {
    out += fmt::format("{} {}\n    {}\n", info.paper, info.id, wrapped(info.shows, 100, "    "));
    for (const QuantityInfo& q : info.quantities)
      out += fmt::format("    {:<28} [{}] {}\n", q.name, q.unit, wrapped(q.doc, 76, std::string(8, ' ')));
  }
  return out;
}

std::string reproduction_text(const Json& result) {
  std::string out = fmt::format("{} {}, {:.2f} s\n", result["paper"].get<std::string>(),
                                result["case"].get<std::string>(), result["wall_time_s"].get<double>());
  out +=
      fmt::format("  {:<28} {:>6} {:>12} {:>12} {:>22}  status\n", "quantity", "unit", "here", "paper", "independent");
  for (const auto& [name, q] : result["quantities"].items()) {
    const std::string unit = q["unit"], status = q["status"];
    if (!is_long(q)) {
      out += fmt::format("  {:<28} {:>6} {:>12} {:>12} {:>22}  {}\n", name, unit, text_of(q["value"]),
                         text_of(q["paper"]), reference_text(q), status);
      continue;
    }
    out += fmt::format("  {:<28} {:>6} {:>12} {:>12} {:>22}  {}\n", name, unit, "", "", "", status);
    const std::string indent(18, ' ');
    out += fmt::format("    {}\n", wrapped(q["doc"].get<std::string>(), 98, "    "));
    out += fmt::format("    {:<14}{}\n", "here", wrapped(text_of(q["value"]), 84, indent));
    if (!q["paper"].is_null()) out += fmt::format("    {:<14}{}\n", "paper", wrapped(text_of(q["paper"]), 84, indent));
    if (!q["reference"].is_null())
      out += fmt::format("    {:<14}{}\n", "independent", wrapped(reference_text(q), 84, indent));
  }
  if (result.contains("failed")) out += "  failed: " + result["failed"].get<std::string>() + "\n";
  if (result.contains("finding"))
    out += "  found: " + wrapped(result["finding"].get<std::string>(), 92, "         ") + "\n";
  for (const Json& choice : result["chosen"])
    out += "  chosen: " + wrapped(choice.get<std::string>(), 92, "          ") + "\n";
  for (const Json& file : result["files"]) out += "  wrote " + file.get<std::string>() + "\n";
  return out;
}

std::string write_reproduction_report(const std::vector<Json>& results, const std::string& output_dir) {
  const std::string paper = results.empty() ? "reproductions" : results.front()["paper"].get<std::string>();
  int met = 0, missed = 0, open = 0;
  for (const Json& result : results)
    for (const auto& [name, q] : result["quantities"].items())
      ++(q["status"] == "met" ? met : q["status"] == "missed" ? missed : open);
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n<style>\n"
      "body {{ font-family: sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; line-height: 1.45; }}\n"
      "table {{ border-collapse: collapse; }} td, th {{ border: 1px solid #bbb; padding: 0.2em 0.6em; text-align: "
      "left; }}\n"
      ".missed {{ color: #b00020; font-weight: bold; }} .small {{ color: #666; font-size: 85%; }}\n"
      "figure {{ margin: 1em 0; }} svg {{ max-width: 100%; height: auto; }}\n</style></head>\n<body>\n<h1>{0}</h1>\n"
      "<p>{1} {5}: {2} quantities met, {3} missed, {4} without a reference. \"Independent\" figures come from a "
      "second program (validation/independent), a closed form or a finer computation; the paper's own measurements are "
      "not public.</p>\n<p>",
      paper, results.size(), met, missed, open, results.size() == 1 ? "case" : "cases");
  for (const Json& result : results) {
    const std::string id = result["case"];
    page += fmt::format("<a href=\"#{0}\"{1}>{0}</a> ", id, reproduction_missed(result) ? " class=\"missed\"" : "");
  }
  page += "</p>\n";
  for (const Json& result : results) page += html_case(result);
  page += "</body></html>\n";
  const std::string path = output_dir + "/report.html";
  if (const std::string error = write_file(path, page); !error.empty())
    throw InputError({{{output_dir, 0, 0, 1}, {}, "cannot write the report: " + error, {}}});
  return path;
}

}  // namespace flexura
