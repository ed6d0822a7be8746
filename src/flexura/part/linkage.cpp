#include "flexura/part/linkage.hpp"

#include <cmath>

#include "flexura/load/truss.hpp"

namespace flexura {
namespace {

/// A number above 0 that must be given.
FieldSpec length_field(std::string name, std::string doc) {
  return number_field(std::move(name), "m", std::move(doc)).required().more_than(0);
}

Place on(const std::string& point) {
  Place place;
  place.part = place.text = point;
  return place;
}

}  // namespace

void Linkage::fields(SettingsVisitor& field) {
  field(m, number_field("m", "kg", "mass of each member").required().more_than(0));
  field(base, choice_field("base", "the points that it stands on",
                           {{"fixed", "do not move"}, {"free", "the frame \"NAME.base\", to be welded to something"}}));
}

// ---- parallelogram ----

void ParallelogramLinkage::fields(SettingsVisitor& field) {
  field(length, length_field("length", "of the two arms A D and B C"));
  field(width, length_field("width", "of base and coupler, A B and D C"));
  field(inclination,
        number_field("inclination", "rad", "of the arms from its x, where it starts").defaults_to(inclination));
  Linkage::fields(field);
}

std::vector<SettingsProblem> ParallelogramLinkage::problems() const {
  if (std::fabs(std::sin(inclination)) > 1e-6) return {};
  return {{"inclination", "all its members would lie on a line, where it may fold another way"}};
}

LinkageParts ParallelogramLinkage::parts() const {
  const Triple arm{length * std::cos(inclination), length * std::sin(inclination), 0}, across{width, 0, 0};
  LinkageParts out{.nodes = {{"A", {}, is_fixed()}, {"B", across, is_fixed()}, {"C", across + arm}, {"D", arm}},
                   .members = {{{"A", "D"}}, {{"B", "C"}}, {{"D", "C"}}},
                   .frames = {{"coupler", {"D", "C"}}}};
  if (!is_fixed()) out.frames.push_back({"base", {"A", "B"}});
  return out;
}

// ---- straight line ----

void StraightLineLinkage::fields(SettingsVisitor& field) {
  field(arm, length_field("arm", "of the two arms O A and O B"));
  field(side, length_field("side", "of the rhombus A C B D"));
  field(crank, length_field("crank", "from P to C, and from O to P"));
  Linkage::fields(field);
}

std::vector<SettingsProblem> StraightLineLinkage::problems() const {
  if (side >= arm) return {{"side", "must be shorter than the arms, or D and C change places"}};
  if (std::fabs(2 * crank - arm) < side) return {};
  return {{"crank", "the rhombus does not reach: twice the crank must be between arm - side and arm + side"}};
}

LinkageParts StraightLineLinkage::parts() const {
  const double oc = 2 * crank, half = (oc + (arm * arm - side * side) / oc) / 2,
               up = std::sqrt(arm * arm - half * half);
  LinkageParts out{
      .nodes = {{"O", {}, is_fixed()},
                {"P", {crank, 0, 0}, is_fixed()},
                {"A", {half, up, 0}},
                {"B", {half, -up, 0}},
                {"C", {oc, 0, 0}},
                {"D", {2 * half - oc, 0, 0}}},
      .members = {{{"O", "A"}}, {{"O", "B"}}, {{"A", "C"}}, {{"B", "C"}}, {{"A", "D"}}, {{"B", "D"}}, {{"P", "C"}}},
      .frames = {}};
  if (!is_fixed()) out.frames.push_back({"base", {"O", "P"}});
  return out;
}

// ---- Sarrus ----

void SarrusLinkage::fields(SettingsVisitor& field) {
  field(width, length_field("width", "of the panels"));
  field(leg, length_field("leg", "height of a panel"));
  field(height, length_field("height", "of the top above the base, where it starts"));
  field(apex, number_field("apex", "m", "by how much apexes stand off panels and top")
                  .more_than(0)
                  .defaults_to(std::string("a quarter of the leg")));
  Linkage::fields(field);
}

std::vector<SettingsProblem> SarrusLinkage::problems() const {
  if (height < 2 * leg * (1 - 1e-6)) return {};
  return {{"height", "must be less than two legs, where the panels are stretched"}};
}

LinkageParts SarrusLinkage::parts() const {
  LinkageParts out;
  const double off = apex.value_or(leg / 4), fold = std::sqrt(leg * leg - height * height / 4);
  // Of a panel's apex: off its middle, along its normal.
  const double out_by = off * height / (2 * leg), up_by = off * fold / leg;
  const auto node = [&](std::string name, double x, double y, double z, bool fixed = false) {
    out.nodes.push_back({std::move(name), {x, y, z}, fixed});
  };
  node("Q", 0, 0, 0, is_fixed());
  node("R", width, 0, 0, is_fixed());
  node("S", 0, width, 0, is_fixed());
  node("G", 0, 0, height);
  node("T1", width, 0, height);
  node("T2", 0, width, height);
  node("U", width / 3, width / 3, height + off);
  for (const int pair : {1, 2}) {  // folds about edges along x, along y
    const std::string k = std::to_string(pair), foot = pair == 1 ? "R" : "S", top = "T" + k;
    const auto mirrored = [&](std::string name, double along, double back, double z) {
      pair == 1 ? node(std::move(name), along, back, z) : node(std::move(name), back, along, z);
    };
    mirrored("M" + k, 0, -fold, height / 2);
    mirrored("N" + k, width, -fold, height / 2);
    mirrored("K" + k, width / 2, -fold / 2 - out_by, height / 4 - up_by);
    mirrored("H" + k, width / 2, -fold / 2 - out_by, 3 * height / 4 + up_by);
    const std::string M = "M" + k, N = "N" + k, K = "K" + k, H = "H" + k;
    for (const auto& [a, b] : {std::pair{foot, N},
                               {M, N},
                               {"Q", M},
                               {"Q", N},
                               {"Q", K},
                               {foot, K},
                               {M, K},
                               {N, K},
                               {N, top},
                               {"G", top},
                               {M, "G"},
                               {M, top},
                               {M, H},
                               {N, H},
                               {top, H},
                               {"G", H}})
      out.members.push_back({{a, b}});
  }
  for (const char* corner : {"G", "T1", "T2"}) out.members.push_back({{corner, "U"}});
  out.frames = {{"top", {"G", "T1", "T2", "U"}}};
  if (is_fixed()) return out;
  node("V", width / 3, width / 3, -off);
  out.frames.push_back({"base", {"Q", "R", "S", "V"}});
  return out;
}

// ---- all ----

SettingsRows linkages(int dim) {
  static constexpr SettingsRow planar[] = {
      SettingsRow::of<ParallelogramLinkage>("parallelogram", "the coupler moves without turning, on circles"),
      SettingsRow::of<StraightLineLinkage>("straight_line",
                                           "Peaucellier and Lipkin's inversor: one point moves on a line")};
  static constexpr SettingsRow spatial[] = {
      SettingsRow::of<SarrusLinkage>("sarrus", "Sarrus' linkage: the top moves up and down and does not turn")};
  return dim == 2 ? SettingsRows(planar) : SettingsRows(spatial);
}

void add_linkage(MachineBuilder& builder, int dim, const std::string& name, const Linkage& linkage,
                 const RigidFrame& placed) {
  const std::vector<SettingsProblem> wrong = linkage.problems();
  Origin origin;
  origin.path = "linkage." + name;
  for (const SettingsProblem& problem : wrong) builder.problems().wrong(origin, problem.key, problem.message);
  if (!wrong.empty()) return;
  const LinkageParts parts = linkage.parts();
  const auto own = [&](const std::string& part) { return name + "." + part; };
  for (const LinkageParts::Node& node : parts.nodes)
    builder.add(PointSpec{.name = own(node.name), .position = placed.to_space(node.position), .fixed = node.fixed});
  for (const LinkageParts::Frame& frame : parts.frames) {
    BodySpec body{.name = own(frame.name), .of_trusses = true};
    for (const std::string& node : frame.nodes) body.nodes.push_back(on(own(node)));
    builder.add(std::move(body));
  }
  for (const LinkageParts::Member& member : parts.members) {
    TermSpec truss = dim == 2 ? specify<RigidTruss2d>(own(member.name()), {.length = {}, .m = linkage.m})
                              : specify<RigidTruss3d>(own(member.name()), {.length = {}, .m = linkage.m});
    truss.places = {{"between", {on(own(member.between[0])), on(own(member.between[1]))}}};
    builder.add(std::move(truss));
  }
}

}  // namespace flexura
