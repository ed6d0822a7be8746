// The tables of scenes and of linkages that are used in a scene.

#include "flexura/part/linkage.hpp"
#include "flexura/scene/grammar_tables.hpp"
#include "flexura/scene/placement.hpp"

namespace flexura::detail {

TableSpec use_table(int dim) {
  TableSpec spec;
  spec.kind = "use";
  spec.doc = "another scene or a robot as a part of this one: its things enter with names that begin with \"NAME.\"";
  spec.is_part = true;
  spec.fields = {file_field("scene", "the file of the other scene")};
  if (dim == 2) spec.fields[0] = std::move(spec.fields[0]).required();
  if (dim == 3) spec.fields.push_back(file_field("urdf", "in place of `scene`: the URDF file of a robot"));
  for (FieldSpec& field : placement_fields(dim)) spec.fields.push_back(std::move(field));
  spec.fields.push_back(
      named_field("parameters", "*", 1, "in place of those of the used scene").defaults_to(std::string("its own")));
  spec.fields.push_back(settings_field("set", "changes of its values, as --set makes them: section.wall.EA = 3000"));
  if (dim == 2) return spec;
  spec.fields.push_back(choice_field("base", "of a robot: its first link",
                                     {{"fixed", "welded to the ground"}, {"free", "held by nothing"}}));
  spec.fields.push_back(
      named_field("joints", "rad or m", 1, "of a robot: where joints start").defaults_to(std::string("at 0")));
  spec.fields.push_back(choice_field("limits", "of a robot: what limits of its joints become",
                                     {{"stops", "end stops, springs; efforts are the joints' max_effort"},
                                      {"rates", "the same, and velocities their max_rate"},
                                      {"none", "nothing"}}));
  spec.fields.push_back(choice_field("collision", "of a robot: what its collision geometry becomes",
                                     {{"spheres", "each sphere one that contacts know"},
                                      {"all", "the same, and of boxes, cylinders, capsules and meshes their corners"},
                                      {"none", "nothing"}}));
  spec.fields.push_back(choice_field("inertia", "of a robot: what becomes of inertia that no mass has",
                                     {{"strict", "it is an error"},
                                      {"mended",
                                       "the nearest that a mass can have; links that move without mass or "
                                       "without moments get a little"}}));
  spec.fields.push_back(
      text_field("packages", "of a robot: folders in which packages of package:// lie, joined by \":\"")
          .defaults_to(std::string("those above its file, ROS_PACKAGE_PATH")));
  spec.fields.push_back(settings_field("replace",
                                       "of a robot: parts in place of links, by a place for each joint of the link: "
                                       "replace.forearm = { elbow = \"blade.start\", wrist = \"blade.end\" }"));
  return spec;
}

TableSpec linkage_table(int dim) {
  TableSpec spec;
  spec.kind = "linkage";
  spec.doc = "rigid trusses that stand for a joint: points \"NAME.A\", trusses \"NAME.A_B\", frames";
  spec.is_part = true;
  spec.variants = variants_of(linkages(dim));
  spec.fields = placement_fields(dim);
  spec.fields.push_back(settings_field("set", "changes of its values, as --set makes them: truss.A_D.m = 0.2"));
  return spec;
}

}  // namespace flexura::detail
