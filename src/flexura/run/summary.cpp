#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "flexura/run/simulation.hpp"

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

}  // namespace

Json summary_json(const RunSummary& s) {
  Json json;
  json["status"] = status_name(s.status);
  if (!s.message.empty()) json["message"] = s.message;
  json["warnings"] = s.warnings;
  json["critical_points"] = s.critical;
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
  if (s.load_steps > 0) text += fmt::format("statics      {} load steps\n", s.load_steps);
  for (const std::string& point : s.critical) text += fmt::format("critical     {}\n", point);
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
  text += fmt::format("wall time    {:.3g} s", s.wall_time);
  if (s.integration_time > 0)
    text += fmt::format(", integration {:.3g} s: {:.3g} times real time", s.integration_time,
                        s.simulated / s.integration_time);
  text += "\n";
  for (const std::string& file : s.files) text += "wrote        " + file + "\n";
  return text;
}

}  // namespace flexura
