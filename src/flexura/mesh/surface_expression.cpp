#include "flexura/mesh/surface_expression.hpp"

#include <array>

#include "flexura/signal/expression_of.hpp"

namespace flexura {
namespace {

constexpr std::array<std::string_view, 2> uv{"u", "v"};
constexpr std::array<std::string_view, 3> uvw{"u", "v", "w"};
constexpr std::array<std::string_view, 1> u_only{"u"}, s_only{"s"};

/// Texts of formulas in some variables; `done` throws with the mistakes of all.
class Formulas {
 public:
  Formulas(std::span<const std::string_view> variables, const Parameters& parameters)
      : variables_(variables), parameters_(parameters) {}
  Expression parse(const std::string& text, const std::string& field) {
    ParsedExpression parsed = parse_expression_of(variables_, text, parameters_);
    for (const ExpressionError& error : parsed.errors)
      problems_.push_back({{}, field, to_string({error.column, error.length, error.message, {}}), error.nearest});
    return std::move(parsed.expression);
  }
  std::array<Expression, 3> parse(const std::string& x, const std::string& y, const std::string& z) {
    return {parse(x, "x"), parse(y, "y"), parse(z, "z")};
  }
  void done() const {
    if (!problems_.empty()) throw InputError(problems_);
  }

 private:
  std::span<const std::string_view> variables_;
  const Parameters& parameters_;
  std::vector<Problem> problems_;
};

}  // namespace

SurfaceMap expression_surface(const std::string& x, const std::string& y, const std::string& z,
                              const Parameters& parameters) {
  Formulas formulas(uv, parameters);
  const std::array<Expression, 3> r = formulas.parse(x, y, z);
  formulas.done();
  return [r](double u, double v) {
    const SignalValue by_u[] = {{u, 1, 0}, {v, 0, 0}}, by_v[] = {{u, 0, 0}, {v, 1, 0}};
    SurfacePoint out;
    for (int k = 0; k < 3; ++k) {
      const SignalValue along_u = r[k].at(0, by_u);
      out.position[k] = along_u.u;
      out.along_u[k] = along_u.du;
      out.along_v[k] = r[k].at(0, by_v).du;
    }
    return out;
  };
}

std::function<Vec3(double, double, double)> expression_volume(const std::string& x, const std::string& y,
                                                              const std::string& z, const Parameters& parameters) {
  Formulas formulas(uvw, parameters);
  const std::array<Expression, 3> r = formulas.parse(x, y, z);
  formulas.done();
  return [r](double u, double v, double w) {
    const std::array at{u, v, w};
    return Vec3{r[0].value(0, at), r[1].value(0, at), r[2].value(0, at)};
  };
}

std::function<double(double, double, double)> expression_of_uvw(const std::string& text, const std::string& field,
                                                                const Parameters& parameters) {
  Formulas formulas(uvw, parameters);
  const Expression f = formulas.parse(text, field);
  formulas.done();
  return [f](double u, double v, double w) { return f.value(0, std::array{u, v, w}); };
}

std::function<double(double, double)> expression_of_uv(const std::string& text, const std::string& field,
                                                       const Parameters& parameters) {
  Formulas formulas(uv, parameters);
  const Expression f = formulas.parse(text, field);
  formulas.done();
  return [f](double u, double v) { return f.value(0, std::array{u, v}); };
}

TubePath expression_path(const std::string& x, const std::string& y, const std::string& z, double from, double to,
                         const Parameters& parameters) {
  Formulas formulas(u_only, parameters);
  const std::array<Expression, 3> r = formulas.parse(x, y, z);
  formulas.done();
  return curve_path(
      [r](double u) {
        const SignalValue along[] = {{u, 1, 0}};
        CurvePoint out;
        for (int k = 0; k < 3; ++k) {
          const SignalValue c = r[k].at(0, along);
          out.position[k] = c.u, out.first[k] = c.du, out.second[k] = c.ddu;
        }
        return out;
      },
      from, to);
}

RadiusLaw expression_radius(const std::string& text, const Parameters& parameters) {
  Formulas formulas(s_only, parameters);
  const Expression f = formulas.parse(text, "radius");
  formulas.done();
  return [f](double s) {
    const SignalValue along[] = {{s, 1, 0}};
    const SignalValue r = f.at(0, along);
    return RadiusPoint{r.u, r.du};
  };
}

SurfaceMesh make_mesh(const ExpressionSurface& surface) {
  ParameterCheck check;
  check.count(surface.elements_u, "elements_u", surface.closed_u ? 3 : 1);
  check.count(surface.elements_v, "elements_v", surface.closed_v ? 3 : 1);
  check.require(surface.to_u > surface.from_u, "to_u", "must be above from_u");
  check.require(surface.to_v > surface.from_v, "to_v", "must be above from_v");
  check.positive(surface.grading_u.ratio, "grading_u", "");
  check.positive(surface.grading_v.ratio, "grading_v", "");
  check.done();
  SurfaceGrid grid;
  grid.map = expression_surface(surface.x, surface.y, surface.z, surface.parameters);
  grid.u = grid_lines(surface.from_u, surface.to_u, surface.elements_u, surface.grading_u);
  grid.v = grid_lines(surface.from_v, surface.to_v, surface.elements_v, surface.grading_v);
  grid.closed_u = surface.closed_u;
  grid.closed_v = surface.closed_v;
  grid.warp = surface.warp;
  if (!surface.thickness.empty()) grid.thickness = expression_of_uv(surface.thickness, "thickness", surface.parameters);
  return structured_mesh(grid);
}

}  // namespace flexura
