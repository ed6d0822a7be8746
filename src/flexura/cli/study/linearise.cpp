// `flexura linearise` of the program that computes.

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/interrupt.hpp"
#include "flexura/cli/study.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/scene/units.hpp"
#include "flexura/study/linear_output.hpp"

namespace flexura::cli {
namespace {

double number(const std::string& text, const char* option, const char* meaning) {
  const std::optional<WrittenNumber> written = split_quantity(text);
  if (!written || !written->unit.empty()) throw UsageError(fmt::format("{}: \"{}\" is no {}", option, text, meaning));
  return written->number;
}

/// LOW:HIGH:COUNT.
std::vector<double> frequencies_of(const std::string& text) {
  constexpr const char* option = "--frequency-response";
  const size_t first = text.find(':'), second = text.find(':', first + 1);
  if (first == std::string::npos || second == std::string::npos)
    throw UsageError(fmt::format("{}: \"{}\" is not LOW:HIGH:COUNT, as in 0.1:100:200", option, text));
  const double low = number(text.substr(0, first), option, "frequency [Hz]"),
               high = number(text.substr(first + 1, second - first - 1), option, "frequency [Hz]"),
               count = number(text.substr(second + 1), option, "count");
  if (!(low > 0) || !(high > low) || !(count >= 2) || count != std::floor(count) || count > 1e6)
    throw UsageError(fmt::format("{}: \"{}\" is not 0 < LOW < HIGH [Hz] and a COUNT from 2 to 1000000", option, text));
  std::vector<double> out;
  for (int k = 0; k < static_cast<int>(count); ++k)
    out.push_back(k == static_cast<int>(count) - 1 ? high : low * std::pow(high / low, k / (count - 1)));
  return out;
}

LinearisationPoint point_of(const std::string& text) {
  LinearisationPoint at;
  if (text.empty()) return at;
  if (text == "start") {
    at.start = true;
  } else if (const std::optional<WrittenNumber> written = split_quantity(text)) {
    const std::optional<Unit> unit = parse_unit(written->unit.empty() ? "s" : written->unit);
    if (!unit || !fits(unit->dimension, parse_unit("s")->dimension))
      throw UsageError(fmt::format("--at: \"{}\" is no time [s]", text));
    at.t = unit->to_si(written->number);
  } else {
    at.analysis = text;
  }
  return at;
}

}  // namespace

int linearise_command(const LineariseArguments& o, char**) {
  const LinearisationPoint at = point_of(o.at);
  const std::vector<double> frequencies = o.frequencies.empty() ? std::vector<double>() : frequencies_of(o.frequencies);
  for (const std::string& path : o.output) check_linear_path(path);
  SceneOptions reading;
  reading.set = o.set;
  SceneDocument document = read_scene(o.scene, scene_terms(), reading);
  const SourceTexts texts = document.texts;
  LinearResults results{.scene = o.scene};
  try {
    const std::atomic<bool>& stop = stop_on_signals();
    const Session session = session_at(std::move(document), at, &stop);
    const LinearQuestion question{.inputs = o.inputs, .outputs = o.outputs, .as_it_is = at.start};
    if (!o.no_matrices) {
      results.model = linearise(session, question);
      if (results.model->states.size() > most_poles)
        results.without_poles = fmt::format(
            "no eigenvalues: {} states, and at most {} are taken; an analysis of type "
            "\"modes\" finds the least",
            results.model->states.size(), most_poles);
      else
        results.poles = poles_of(*results.model);
    }
    if (!frequencies.empty()) results.responses = frequency_response(session, question, frequencies);
    if (stop) return interrupted;
  } catch (const InputError& error) {
    rethrow_with_lines(error, texts);
  } catch (const LinearisationError& error) {
    note("error: {}: {}\n", o.scene, error.what());
    return stop_on_signals() ? interrupted : unsuccessful;
  }
  std::vector<std::string> warnings = results.model ? results.model->warnings : std::vector<std::string>();
  if (results.responses)
    for (const std::string& warning : results.responses->warnings)
      if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
  for (const std::string& warning : warnings) note("warning: {}\n", warning);
  for (const std::string& path : o.output) write_linear(results, path);
  if (o.json)
    say("{}\n", json_text(linear_json(results)));
  else if (!o.quiet)
    say("{}", linear_text(results));
  for (const std::string& path : o.output)
    if (!o.quiet && !o.json) say("wrote {}\n", path);
  return success;
}

}  // namespace flexura::cli
