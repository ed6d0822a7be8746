#include "flexura/run/model_summary.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace flexura {
namespace {

constexpr std::size_t most_lines = 40;  ///< of bodies, of joints

int eliminated(const Topology& topology) {
  int n = 0;
  for (const Slot& slot : topology.slots)
    if (slot.dependent >= 0) n += slot.size;
  return n;
}

Json body_json(const BodyPart& body) {
  Json json{{"name", body.name}, {"mass", body.mass}, {"slots", body.slots}, {"weights", body.weights}};
  json["points"] = Json::object();
  for (const auto& [name, x] : body.points) json["points"][name] = x;
  return json;
}

/// Slots of the nodes (r, g_u, g_v), and the nodes of the elements with their parametric lengths.
Json plate_json(const PlatePart& plate) {
  Json json{{"name", plate.name}, {"nodes", Json::array()}, {"elements", Json::array()}, {"lengths", Json::array()}};
  for (const PlateNode& node : plate.model.nodes) json["nodes"].push_back({node.r, node.g_u, node.g_v});
  for (const SurfaceElement& element : plate.mesh.elements) {
    json["elements"].push_back(element.nodes);
    json["lengths"].push_back({element.length_u, element.length_v});
  }
  return json;
}

/// Slots of the nodes, and those of each element by their order in the mesh.
Json solid_json(const SolidPart& solid) {
  Json json{{"name", solid.name}, {"nodes", solid.model.nodes}, {"elements", Json::array()}};
  for (const SolidCell& cell : solid.mesh.elements)
    json["elements"].push_back(std::vector<int>(cell.all().begin(), cell.all().end()));
  return json;
}

Json joint_json(const JointPart& joint) {
  return {{"name", joint.name},
          {"type", joint.type},
          {"of", {joint.parts[0], joint.parts[1]}},
          {"eliminated", joint.eliminated},
          {"multipliers", joint.multipliers},
          {"items", joint.items}};
}

template <class Print>
std::string lines(const Json& list, Print&& print) {
  std::string text;
  for (std::size_t k = 0; k < std::min(list.size(), most_lines); ++k) text += "    " + print(list[k]) + "\n";
  if (list.size() > most_lines) text += fmt::format("    and {} more\n", list.size() - most_lines);
  return text;
}

}  // namespace

Json model_summary(const SceneModels& scene) {
  Json json;
  json["title"] = scene.title;
  json["models"] = Json::array();
  for (const SceneModel& m : scene.models) {
    const Topology& t = *m.model.topology;
    Json one;
    one["space"] = t.dim == 2 ? "planar" : "spatial";
    std::vector<double> gravity(static_cast<std::size_t>(t.dim), 0.0);
    for (const GravityField& field : m.model.values.gravity)
      for (std::size_t i = 0; i < gravity.size(); ++i) gravity[i] += field.g[i];
    one["gravity"] = gravity;
    one["coordinates"] = t.ncoord;
    one["eliminated"] = eliminated(t);
    one["multipliers"] = t.ny - t.ncoord;
    one["slots"] = t.slot_names;
    one["offsets"] = Json::array();
    for (const Slot& slot : t.slots) one["offsets"].push_back(slot.offset);
    one["cables"] = Json::array();
    for (const CablePart& cable : m.cables)
      one["cables"].push_back(
          {{"name", cable.name}, {"length", cable.length}, {"points", cable.points}, {"vectors", cable.vectors}});
    one["plates"] = Json::array();
    for (const PlatePart& plate : m.plates) one["plates"].push_back(plate_json(plate));
    one["solids"] = Json::array();
    for (const SolidPart& solid : m.solids) one["solids"].push_back(solid_json(solid));
    one["bodies"] = Json::array();
    for (const BodyPart& body : m.bodies) one["bodies"].push_back(body_json(body));
    one["joints"] = Json::array();
    for (const JointPart& joint : m.joints) one["joints"].push_back(joint_json(joint));
    one["sensors"] = Json::array();
    for (const SensorSpec& sensor : m.sensors) one["sensors"].push_back(sensor.name);
    one["items"] = t.item_names;
    json["models"].push_back(one);
  }
  return json;
}

Json timeline_summary(const Timeline& timeline) {
  Json json{{"analyses", Json::array()}, {"segments", Json::array()}};
  for (const AnalysisSpec& spec : timeline.analyses)
    json["analyses"].push_back(
        {{"name", spec.name}, {"type", spec.type}, {"text", spec.what->label(spec.begin, spec.end)}});
  for (const Segment& segment : timeline.segments)
    json["segments"].push_back(
        {{"analysis", segment.analysis}, {"model", segment.model}, {"begin", segment.begin}, {"end", segment.end}});
  return json;
}

std::string model_summary_text(const Json& summary) {
  std::string text;
  const Json none = Json::array();
  const Json models = summary.value("models", none);
  for (std::size_t k = 0; k < models.size(); ++k) {
    const Json& model = models[k];
    const Json bodies = model.value("bodies", none), joints = model.value("joints", none);
    if (bodies.empty() && joints.empty()) continue;
    if (models.size() > 1) text += fmt::format("  model {}\n", k + 1);
    if (!bodies.empty()) text += "  bodies\n";
    text += lines(bodies, [](const Json& body) {
      return fmt::format("{:16} {:.6g} kg, {} slots", body.value("name", ""), body.value("mass", 0.0),
                         body.value("slots", Json::array()).size());
    });
    if (!joints.empty()) text += "  joints\n";
    text += lines(joints, [](const Json& joint) {
      const Json of = joint.value("of", Json::array({"", ""}));
      return fmt::format("{:16} {} of {} and {}: {} equations eliminated, {} with multipliers", joint.value("name", ""),
                         joint.value("type", ""), of[0].get<std::string>(), of[1].get<std::string>(),
                         joint.value("eliminated", 0), joint.value("multipliers", Json::array()).size());
    });
  }
  return text;
}

}  // namespace flexura
