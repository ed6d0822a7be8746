#include "flexura/run/vtk_frames.hpp"

#include <algorithm>
#include <array>

#include "flexura/observe/body_motion.hpp"
#include "flexura/output/vtk_file.hpp"
#include "flexura/part/forms.hpp"

namespace flexura {
namespace {

constexpr int points_per_element = 8;

/// A vertex at the origin, and lines from there to the places of joints and the named points.
void add_bodies(const SceneModel& scene, const std::vector<double>& q, const std::vector<double>& v, VtkFrame& frame,
                VtkField& velocity) {
  const Topology& topology = *scene.model.topology;
  using Triple = std::array<double, 3>;
  for (const BodyPart& body : scene.bodies) {
    const auto add = [&](const Triple& x, const Triple& xd) {
      frame.points.insert(frame.points.end(), x.begin(), x.end());
      velocity.values.insert(velocity.values.end(), xd.begin(), xd.end());
      return static_cast<std::int64_t>(frame.points.size() / 3) - 1;
    };
    const BodyFrame at = body_frame(body, topology, q), rate = body_frame(body, topology, v);
    const std::int64_t origin = add(at.origin, rate.origin);
    frame.vertices.push_back(origin);
    for (int slot : body.slots) {
      if (topology.slots[slot].kind != SlotKind::point) continue;
      Triple x{}, xd{};
      std::copy_n(&q[topology.slots[slot].offset], topology.dim, x.begin());
      std::copy_n(&v[topology.slots[slot].offset], topology.dim, xd.begin());
      frame.lines.push_back({origin, add(x, xd)});
    }
    for (const auto& [name, local] : body.points) {
      Triple x = at.origin, xd = rate.origin;
      for (int k = 0; k < std::min(body.axes, static_cast<int>(local.size())); ++k)
        for (int i = 0; i < 3; ++i) x[i] += local[k] * at.axes[k][i], xd[i] += local[k] * rate.axes[k][i];
      frame.lines.push_back({origin, add(x, xd)});
    }
  }
}

VtkFrame frame_of(const SceneModel& scene, const double* row) {
  const Topology& topology = *scene.model.topology;
  const double* q = row + 1;
  const double* v = q + topology.nq;
  VtkFrame frame;
  frame.time = row[0];
  VtkField velocity{"velocity [m/s]", 3, {}};
  for (const CablePart& cable : scene.cables) {
    std::vector<std::int64_t> line;
    for (size_t e = 0; e < cable.elements.size(); ++e) {
      const int last = e + 1 == cable.elements.size() ? points_per_element : points_per_element - 1;
      for (int k = 0; k <= last; ++k) {
        const LinearForm form =
            cable_point(cable, static_cast<int>(e), static_cast<double>(k) / points_per_element, topology.dim);
        double x[3] = {0, 0, 0}, xd[3] = {0, 0, 0};
        evaluate(form, topology, {q, static_cast<size_t>(topology.nq)}, x);
        evaluate(form, topology, {v, static_cast<size_t>(topology.nq)}, xd);
        line.push_back(static_cast<std::int64_t>(frame.points.size() / 3));
        frame.points.insert(frame.points.end(), x, x + 3);
        velocity.values.insert(velocity.values.end(), xd, xd + 3);
      }
    }
    frame.lines.push_back(std::move(line));
  }
  add_bodies(scene, {q, q + topology.nq}, {v, v + topology.nq}, frame, velocity);
  frame.point_fields.push_back(std::move(velocity));
  return frame;
}

}  // namespace

Outcome<std::vector<std::string>> write_vtk_frames(const JournalReader& journal, const SceneModels& scene,
                                                   const std::string& folder) {
  std::vector<std::string> files;
  for (size_t a = 0; a < scene.timeline.analyses.size(); ++a) {
    const AnalysisSpec& analysis = scene.timeline.analyses[a];
    if (!analysis.over_time()) continue;
    VtkSeries series(folder, analysis.name);
    std::vector<int> models;
    for (const Segment& s : scene.timeline.segments)
      if (s.analysis == static_cast<int>(a) && std::find(models.begin(), models.end(), s.model) == models.end())
        models.push_back(s.model);
    for (int model : models) {
      auto id = journal.find("/analysis/" + analysis.name);
      if (!id) id = journal.find("/analysis/" + analysis.name + "/model" + std::to_string(model + 1));
      if (!id) continue;
      auto rows = journal.read_rows(*id);
      if (!rows) return Outcome<std::vector<std::string>>::failure(rows.error());
      const std::size_t width = journal.channels()[*id].size();
      for (std::size_t r = 0; r + width <= rows->size(); r += width)
        if (const std::string error = series.write(frame_of(scene.models[model], rows->data() + r)); !error.empty())
          return Outcome<std::vector<std::string>>::failure(error);
    }
    if (const std::string error = series.finish(); !error.empty())
      return Outcome<std::vector<std::string>>::failure(error);
    files.push_back(series.pvd_path());
  }
  return files;
}

}  // namespace flexura
