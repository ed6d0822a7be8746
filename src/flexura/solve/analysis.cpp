#include "flexura/solve/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "flexura/model/contact_model.hpp"

namespace flexura {

const char* axis_name(Analysis::Axis axis) {
  constexpr const char* names[] = {"t", "load_factor", "mode"};
  return names[static_cast<int>(axis)];
}

SettingsProblem Analysis::refusal(const Topology& topology) const {
  return {"type", contacts_refusal(topology.contacts.get())};
}

FieldSpec Analysis::tolerance_field(double usual) {
  return number_field("tolerance", "1", "of Newton's residual, relative to the forces").defaults_to(usual).more_than(0);
}

FieldSpec Analysis::iterations_field(int usual) {
  return integer_field("max_iterations", "of Newton per step").defaults_to(usual).at_least(1).at_most(1e6);
}

void PathEnd::fields(SettingsVisitor& field) {
  field(sensor, reference_field("sensor", {"sensor"}, "a sensor of the scene").required());
  field(component, text_field("component", "of the sensor, where it has several: \"x\""));
  field(value, number_field("value", "*", "at which the path ends, in the sensor's unit").required());
}

std::string PathEnd::label() const {
  return fmt::format("{}{}{} = {:g}", sensor, component.empty() ? "" : ".", component, value);
}

void StaticAnalysis::fields(SettingsVisitor& field) {
  field(tolerance, tolerance_field(tolerance));
  field(max_iterations, iterations_field(max_iterations));
  field(load_step, number_field("load_step", "1", "first step of the load factor, adapted from then on")
                       .defaults_to(load_step)
                       .more_than(0)
                       .at_most(1));
  field(load_levels, vector_field("load_levels", "1", 0, "load factors on the way that are met exactly, ascending")
                         .defaults_to(std::string("none"))
                         .more_than(0)
                         .at_most(1)
                         .turning(Turns::stays));
  field(arc_length, boolean_field("arc_length", "follows the equilibria through limit points, where loads go down"));
  field(branch, integer_field("branch",
                              "with `arc_length`: the bifurcation, counted from 1, at which the path goes on "
                              "along the branch; -1: the first one, to the other side; 0: nowhere")
                    .defaults_to(branch)
                    .at_least(-1000)
                    .at_most(1000));
  field(max_points,
        integer_field("max_points", "with `arc_length`: points after which the path ends, wherever it is then")
            .defaults_to(max_points)
            .at_least(1)
            .at_most(1e6));
  field(largest_step,
        number_field("largest_step", "1",
                     "with `arc_length`: longest step on the path; its length is that of the load factor and of the "
                     "motion, relative to what the loads move at first")
            .defaults_to(largest_step)
            .more_than(0)
            .at_most(10));
  FieldSpec end = settings_table_field(
      "until", "with `arc_length`: the path ends at the first point behind its start at which a sensor has this value");
  end.default_text = "the whole load";
  field(until, std::move(end));
}

std::vector<SettingsProblem> StaticAnalysis::problems() const {
  std::vector<SettingsProblem> problems;
  if (std::adjacent_find(load_levels.begin(), load_levels.end(), std::greater_equal<>()) != load_levels.end())
    problems.push_back({"load_levels", "each load factor must be greater than the one before"});
  if (branch != 0 && !arc_length)
    problems.push_back({"branch", "bifurcations are found on the path of `arc_length = true` only"});
  if (!arc_length && max_points != StaticAnalysis().max_points)
    problems.push_back({"max_points", "only the path of `arc_length = true` has points"});
  if (!arc_length && largest_step != StaticAnalysis().largest_step)
    problems.push_back(
        {"largest_step", "only the path of `arc_length = true` has such steps; `load_step` is the first"});
  if (!arc_length && until)
    problems.push_back({"until", "only the path of `arc_length = true` can end where a sensor has a value"});
  return problems;
}

SettingsProblem StaticAnalysis::refusal(const Topology& topology) const {
  if (!arc_length) return {"type", ""};
  return {"arc_length", contacts_refusal(topology.contacts.get())};
}

std::string StaticAnalysis::label(double, double) const {
  if (until) return fmt::format("static, arc length until {}", until->label());
  return arc_length ? "static, arc length" : fmt::format("static, load step {:g}", load_step);
}

std::string StaticAnalysis::outline(double begin, double) const { return fmt::format("static, at t = {:g} s", begin); }

void ModesAnalysis::fields(SettingsVisitor& field) {
  field(count, integer_field("count", "number of modes").defaults_to(count).at_least(1).at_most(1e5));
  field(damped, boolean_field("damped", "dampers act: modes with their shares of critical damping"));
}

std::string ModesAnalysis::label(double, double) const { return "modes"; }

std::string ModesAnalysis::outline(double begin, double) const {
  return fmt::format("{}modes, {} of them, at t = {:g} s", damped ? "damped " : "", count, begin);
}

}  // namespace flexura
