#include "flexura/run/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace flexura {
namespace {

const char* status_name(RunStatus status) {
  return status == RunStatus::finished ? "finished" : status == RunStatus::interrupted ? "interrupted" : "failed";
}

std::string numbers(const std::vector<double>& x) {
  std::string text;
  for (double v : x) text += (text.empty() ? "" : ", ") + fmt::format("{:.6g}", v);
  return x.size() == 1 ? text : "(" + text + ")";
}

/// "hang: 5 load steps, work of loads 0.12 J and of weight 3.4 J, stored 3.52 J".
std::string path_text(const PathFact& path) {
  std::string text = fmt::format("{}: {} load steps", path.analysis, path.load_steps);
  if (path.load_factor < 1) text += fmt::format(" to {:.4g} of the loads", path.load_factor);
  text += fmt::format(", work of loads {:.4g} J and of weight {:.4g} J, stored {:.4g} J", path.work, path.weight,
                      path.stored);
  const double all = std::max({std::fabs(path.work), std::fabs(path.weight), std::fabs(path.stored)});
  if (std::fabs(path.open()) > 5e-3 * all) text += fmt::format(" ({:.2g} J open)", path.open());
  return text;
}

/// "about: 1.2, 3.4 (damping 0.01) Hz".
std::string modes_text(const ModesFact& modes) {
  std::string text = modes.analysis + ":";
  for (size_t k = 0; k < modes.frequency.size(); ++k) {
    text += fmt::format("{} {:.6g}", k > 0 ? "," : "", modes.frequency[k]);
    if (k < modes.damping.size()) text += fmt::format(" (damping {:.3g})", modes.damping[k]);
  }
  return text + (modes.frequency.empty() ? " none" : " Hz");
}

}  // namespace

std::string CriticalFact::text() const {
  return fmt::format("analysis '{}': {} at {:.6g} of the loads, {} unstable directions before and {} after", analysis,
                     type, load_factor, unstable_before, unstable_after);
}

void set_rest_results(Json& json, const RestResults& results) {
  Json paths = Json::array(), critical = Json::array(), modes = Json::array();
  for (const PathFact& path : results.paths)
    paths.push_back({{"analysis", path.analysis},
                     {"load_steps", path.load_steps},
                     {"load_factor", path.load_factor},
                     {"work", path.work},
                     {"work_of_weight", path.weight},
                     {"stored", path.stored},
                     {"open", path.open()}});
  for (const CriticalFact& point : results.critical)
    critical.push_back({{"analysis", point.analysis},
                        {"type", point.type},
                        {"load_factor", point.load_factor},
                        {"unstable_before", point.unstable_before},
                        {"unstable_after", point.unstable_after}});
  for (const ModesFact& found : results.modes) {
    Json one{{"analysis", found.analysis}, {"frequency", found.frequency}};
    if (!found.damping.empty()) one["damping"] = found.damping;
    modes.push_back(std::move(one));
  }
  json["statics"] = std::move(paths);
  json["critical_points"] = std::move(critical);
  json["modes"] = std::move(modes);
}

RestResults rest_results(const Json& json) {
  RestResults results;
  for (const Json& path : json.value("statics", Json::array()))
    results.paths.push_back({path.at("analysis"), path.at("load_steps"), path.at("load_factor"), path.at("work"),
                             path.at("work_of_weight"), path.at("stored")});
  for (const Json& point : json.value("critical_points", Json::array()))
    results.critical.push_back({point.at("analysis"), point.at("type"), point.at("load_factor"),
                                point.at("unstable_before"), point.at("unstable_after")});
  for (const Json& found : json.value("modes", Json::array()))
    results.modes.push_back(
        {found.at("analysis"), found.at("frequency"), found.value("damping", std::vector<double>())});
  return results;
}

Json summary_json(const RunSummary& s) {
  Json json;
  json["status"] = status_name(s.status);
  if (!s.message.empty()) json["message"] = s.message;
  json["warnings"] = s.warnings;
  set_rest_results(json, s.at_rest);
  json["model"] = {{"coordinates", s.coordinates},
                   {"multipliers", s.multipliers},
                   {"elements", s.elements},
                   {"eliminated", s.eliminated},
                   {"implied", s.implied},
                   {"redundant", s.redundant},
                   {"degrees_of_freedom", s.degrees_of_freedom}};
  set_number(json, "initial_move", s.moved);
  json["steps"] = s.steps;
  json["load_steps"] = s.load_steps;
  json["iterations"] = s.iterations;
  json["factorizations"] = s.factorizations;
  if (s.contacts.searches > 0)
    json["contacts"] = {{"searches", s.contacts.searches},
                        {"comparisons", s.contacts.comparisons},
                        {"candidates", s.contacts.candidates},
                        {"factorizations", s.contacts.factorizations},
                        {"active", s.contacts.active}};
  json["t"] = s.t;
  Json energy;
  set_number(energy, "kinetic", s.kinetic);
  set_number(energy, "strain", s.strain);
  set_number(energy, "gravity", s.gravity);
  set_number(energy, "dissipated", s.dissipated);
  set_number(energy, "numerical", s.numerical);
  set_number(energy, "work", s.work);
  json["energy"] = energy;
  set_number(json, "violation", s.violation);
  json["wall_time_s"] = s.wall_time;
  json["integration_time_s"] = s.integration_time;
  set_number(json, "real_time_factor", s.integration_time > 0 ? s.simulated / s.integration_time : 0);
  json["sensors"] = Json::object();
  for (const auto& [name, sensor] : s.sensors) {
    const auto value = [](const std::vector<double>& x) { return x.size() == 1 ? Json(x[0]) : Json(x); };
    json["sensors"][name] = {{"unit", sensor.unit},
                             {"last", value(sensor.last)},
                             {"min", value(sensor.least)},
                             {"max", value(sensor.greatest)}};
  }
  if (!s.errors.empty()) json["estimated_errors"] = errors_json(s.errors);
  json["files"] = s.files;
  return json;
}

std::string summary_text(const RunSummary& s) {
  std::string text = fmt::format("{} at t = {:.6g} s\n", status_name(s.status), s.t);
  if (!s.message.empty()) text += s.message + "\n";
  text += fmt::format("model        {} coordinates, {} multipliers, {} elements\n", s.coordinates, s.multipliers,
                      s.elements);
  if (!s.freedom.empty()) text += fmt::format("freedom      {}\n", s.freedom);
  if (!s.start.empty()) text += fmt::format("start        {}\n", s.start);
  for (const PathFact& path : s.at_rest.paths) text += fmt::format("statics      {}\n", path_text(path));
  for (const CriticalFact& point : s.at_rest.critical) text += fmt::format("critical     {}\n", point.text());
  for (const ModesFact& modes : s.at_rest.modes) text += fmt::format("modes        {}\n", modes_text(modes));
  if (s.steps > 0)
    text += fmt::format("dynamics     {} steps, {:.2f} iterations and {:.3f} factorisations a step\n", s.steps,
                        static_cast<double>(s.iterations) / static_cast<double>(s.steps),
                        static_cast<double>(s.factorizations) / static_cast<double>(s.steps));
  if (const ContactWork& work = s.contacts; work.searches > 0 && s.steps > 0) {
    const auto each = [](long count, long of) {
      return static_cast<double>(count) / static_cast<double>(std::max(1L, of));
    };
    text +=
        fmt::format("contacts     {:.4g} comparisons and {:.4g} candidates a search, {:.4g} active a factorisation\n",
                    each(work.comparisons, work.searches), each(work.candidates, work.searches),
                    each(work.active, work.factorizations));
  }
  text += fmt::format("energy [J]   kinetic {:.4g}, strain {:.4g}, gravity {:.4g}\n", s.kinetic, s.strain, s.gravity);
  text += fmt::format("             dissipated {:.4g}, by the integration {:.4g}; work of loads {:.4g}\n", s.dissipated,
                      s.numerical, s.work);
  if (s.multipliers > 0) text += fmt::format("violation    {:.2g}\n", s.violation);
  for (const auto& [name, sensor] : s.sensors)
    text += fmt::format("{:12} last {}, min {}, max {} {}\n", name, numbers(sensor.last), numbers(sensor.least),
                        numbers(sensor.greatest), sensor.unit == "1" ? "" : sensor.unit);
  if (!s.errors.empty()) text += errors_text(s.errors);
  text += fmt::format("wall time    {:.3g} s", s.wall_time);
  if (s.integration_time > 0)
    text += fmt::format(", integration {:.3g} s: {:.3g} times real time", s.integration_time,
                        s.simulated / s.integration_time);
  text += "\n";
  for (const std::string& file : s.files) text += "wrote        " + file + "\n";
  return text;
}

}  // namespace flexura
