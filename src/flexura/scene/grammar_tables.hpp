#pragma once
// The pieces that scene_grammar() joins.

#include "flexura/scene/descriptor.hpp"

namespace flexura::detail {

std::vector<FieldSpec> head_fields(int dim);
TableSpec material_table(int dim);
TableSpec section_table(int dim);
TableSpec cable_table(int dim);
TableSpec beam_table();
TableSpec plate_table();
/// The shapes of plates and membranes; of_files: what they take of a Gmsh file.
TableSpec surface_table(std::string_view of_files);
/// How a surface of u and v is divided, with what `elements` are.
void add_grid_fields(TableSpec& spec, std::string elements);
TableSpec membrane_table();
/// Of what grows along u, v and the normal; bends: at the top more than at the bottom too.
FieldSpec wall_growth_field(std::string doc, bool bends);
TableSpec layer_table();
constexpr double most_growth = 99;  ///< beyond, rounding of what the reference has grown from is seen
TableSpec fibre_table();
TableSpec solid_table();
TableSpec inlaid_volume_table();
/// Of [material.NAME]: laws and presets of material/elastic_laws.hpp.
std::vector<VariantSpec> rubber_variants();
TableSpec point_table(int dim);
TableSpec body_table(int dim);
TableSpec visual_table(int dim);
TableSpec joint_table(int dim);
TableSpec use_table(int dim);
TableSpec linkage_table(int dim);
TableSpec sphere_table(int dim);
TableSpec plane_table(int dim);
TableSpec contact_table();
TableSpec chamber_table(int dim);
TableSpec line_table();
TableSpec constraint_table(int dim);
TableSpec signal_table();
TableSpec sensor_table(int dim);
TableSpec analysis_table();
TableSpec output_table();
/// What the format carries and this version does not.
std::vector<LaterFeature> later_features();

/// `relaxation`: a Prony series.
FieldSpec relaxation_field();
/// `from` and `until`, for everything that acts.
void add_activation(std::vector<FieldSpec>& fields);
/// A table written in place of a value.
TableSpec inline_table(std::string kind, std::vector<FieldSpec> fields);
/// Adds the term's table, or its type to the table of that kind.
void add_term(Grammar& grammar, const TermInfo& term);

}  // namespace flexura::detail
