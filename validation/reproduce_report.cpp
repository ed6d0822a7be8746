// The results of cases for readers: tables in a terminal, a page with plots.

#include <fmt/format.h>

#include <algorithm>
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

/// "0.034 ± 5e-05", "at most 1e-07", "4.5 ± 2 %".
std::string figure_text(const Json& verdict) {
  std::string out = text_of(verdict["figure"]);
  if (!verdict.contains("rule")) return out;
  if (verdict["rule"] != "within") out = verdict["rule"].get<std::string>() + " " + out;
  const double tolerance = verdict["tolerance"], share = verdict["share"];
  if (tolerance != 0) out += fmt::format(" ± {:.5g}", tolerance);
  if (share != 0) out += fmt::format(" {} {:.5g} %", tolerance != 0 ? "+" : "±", 100 * share);
  return out;
}

/// "met", "missed", "missed by 2 of 6", "fitted", "not judged".
std::string status_text(const Json& verdict) {
  std::string out = verdict["status"];
  if (out == "missed" && verdict["numbers"] > 1)
    out += fmt::format(" by {} of {}", verdict["off"].get<int>(), verdict["numbers"].get<int>());
  return out;
}

std::string note_of(const Json& verdict) { return verdict.contains("note") ? verdict["note"].get<std::string>() : ""; }

bool any_missed(const Json& result) {
  for (const auto& [name, quantity] : result["quantities"].items())
    for (const auto& [kind, verdict] : quantity["verdicts"].items())
      if (verdict["status"] == "missed") return true;
  return result.contains("failed");
}

int count_of(const Json& summary, const std::string& kind, const std::string& status) {
  return summary.contains(kind) && summary[kind].contains(status) ? summary[kind][status].get<int>() : 0;
}

constexpr const char* statuses[] = {"met", "missed", "not judged", "fitted"};

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
      "<table><tr><th>quantity</th><th>unit</th><th>here</th><th>held "
      "against</th><th>figure</th><th>verdict</th></tr>\n";
  for (const auto& [name, q] : result["quantities"].items()) {
    const size_t rows = std::max<size_t>(1, q["verdicts"].size());
    out += fmt::format(
        "<tr><td rowspan=\"{0}\">{1}<br><span class=\"small\">{2}</span></td><td rowspan=\"{0}\">{3}</td>"
        "<td rowspan=\"{0}\">{4}</td>",
        rows, xml_text(name), xml_text(q["doc"].get<std::string>()), xml_text(q["unit"].get<std::string>()),
        text_of(q["value"]));
    if (q["verdicts"].empty()) out += "<td></td><td></td><td></td></tr>\n";
    bool first = true;
    for (const char* kind : kinds_of_figures()) {
      if (!q["verdicts"].contains(kind)) continue;
      const Json& verdict = q["verdicts"][kind];
      out += fmt::format(
          "{}<td>{}</td><td>{}</td><td><span class=\"{}\">{}</span>{}</td></tr>\n", first ? "" : "<tr>", kind,
          figure_text(verdict), verdict["status"] == "missed" ? "missed" : "fine", status_text(verdict),
          verdict.contains("note") ? fmt::format("<br><span class=\"small\">{}</span>", xml_text(note_of(verdict)))
                                   : "");
      first = false;
    }
  }
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

std::string reproduction_summary_text(const std::vector<Json>& results) {
  const Json summary = reproduction_summary(results);
  std::string out;
  for (const char* kind : kinds_of_figures()) {
    std::string counts;
    for (const char* status : statuses)
      if (const int n = count_of(summary, kind, status); n > 0)
        counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", n, status);
    if (!counts.empty()) out += fmt::format("{:<16}{}\n", kind, counts);
  }
  return out;
}

std::string reproduction_text(const Json& result) {
  std::string out = fmt::format("{} {}, {:.2f} s\n", result["paper"].get<std::string>(),
                                result["case"].get<std::string>(), result["wall_time_s"].get<double>());
  const std::string indent(20, ' ');
  for (const auto& [name, q] : result["quantities"].items()) {
    const bool is_long = q["value"].is_array();
    out += fmt::format("  {} [{}]{}\n", name, q["unit"].get<std::string>(), is_long ? "" : " " + text_of(q["value"]));
    if (is_long) {
      out += fmt::format("    {}\n", wrapped(q["doc"].get<std::string>(), 98, "    "));
      out += fmt::format("    {:<16}{}\n", "here", wrapped(text_of(q["value"]), 84, indent));
    }
    for (const char* kind : kinds_of_figures()) {
      if (!q["verdicts"].contains(kind)) continue;
      const Json& verdict = q["verdicts"][kind];
      const std::string note = note_of(verdict);
      out += fmt::format(
          "    {:<16}{}\n", kind,
          wrapped(fmt::format("{}: {}{}{}", figure_text(verdict), status_text(verdict), note.empty() ? "" : "; ", note),
                  84, indent));
    }
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
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n<style>\n"
      "body {{ font-family: sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; line-height: 1.45; }}\n"
      "table {{ border-collapse: collapse; }} td, th {{ border: 1px solid #bbb; padding: 0.2em 0.6em; text-align: "
      "left; }}\n"
      ".missed {{ color: #b00020; font-weight: bold; }} .small {{ color: #666; font-size: 85%; }}\n"
      "figure {{ margin: 1em 0; }} svg {{ max-width: 100%; height: auto; }}\n</style></head>\n<body>\n<h1>{0}</h1>\n"
      "<p>{1} {2}. Figures come from the paper, from a second program that shares no code with this one "
      "(validation/independent), from closed forms, or from finer meshes of this program. A figure to which a "
      "parameter "
      "was fitted proves nothing and is counted apart. The paper's own measurements are not public.</p>\n",
      paper, results.size(), results.size() == 1 ? "case" : "cases");
  const Json summary = reproduction_summary(results);
  page += "<table><tr><th>held against</th>";
  for (const char* status : statuses) page += fmt::format("<th>{}</th>", status);
  page += "</tr>\n";
  for (const char* kind : kinds_of_figures()) {
    page += fmt::format("<tr><td>{}</td>", kind);
    for (const char* status : statuses) page += fmt::format("<td>{}</td>", count_of(summary, kind, status));
    page += "</tr>\n";
  }
  page += "</table>\n<p>";
  for (const Json& result : results) {
    const std::string id = result["case"];
    page += fmt::format("<a href=\"#{0}\"{1}>{0}</a> ", id, any_missed(result) ? " class=\"missed\"" : "");
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
