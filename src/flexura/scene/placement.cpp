#include "flexura/scene/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/scene/document.hpp"

namespace flexura {
namespace {

/// Directions written with fewer digits than a double has are still meant as they stand.
constexpr double written_accuracy = 1e-3;

double dot(const Numbers& a, const Numbers& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Right-handed axes whose first is along `x` and whose second lies in the plane of `x` and `y`.
std::array<double, 9> axes_from(const Numbers& x, const Numbers& y) {
  const double x_length = std::sqrt(dot(x, x)), along = dot(x, y) / dot(x, x);
  double a[3], b[3], b2 = 0;
  for (int i = 0; i < 3; ++i) {
    a[i] = x[i] / x_length;
    b[i] = y[i] - along * x[i];
    b2 += b[i] * b[i];
  }
  for (double& c : b) c /= std::sqrt(b2);
  return {a[0], b[0], a[1] * b[2] - a[2] * b[1],  //
          a[1], b[1], a[2] * b[0] - a[0] * b[2],  //
          a[2], b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace

bool Placement::is_turned() const { return R != Placement().R; }
bool Placement::is_identity() const { return !is_turned() && p == Placement().p; }

double Placement::angle() const { return std::atan2(R[3], R[0]); }

/// By the largest of the four components, so that no digits are lost (Shepperd 1978).
std::array<double, 4> Placement::quat_xyzw() const {
  const double trace = R[0] + R[4] + R[8];
  const std::array<double, 4> squares{1 + 2 * R[0] - trace, 1 + 2 * R[4] - trace, 1 + 2 * R[8] - trace, 1 + trace};
  const auto largest = static_cast<int>(std::max_element(squares.begin(), squares.end()) - squares.begin());
  const double q = std::sqrt(squares[largest]);  // twice the component
  std::array<double, 4> quat{};
  quat[largest] = q / 2;
  const auto set = [&](int i, double twice_product) {
    if (i != largest) quat[i] = twice_product / (2 * q);
  };
  if (largest == 3) {
    quat[0] = (R[7] - R[5]) / (2 * q);
    quat[1] = (R[2] - R[6]) / (2 * q);
    quat[2] = (R[3] - R[1]) / (2 * q);
    return quat;
  }
  const int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
  set(j, R[3 * i + j] + R[3 * j + i]);
  set(k, R[3 * i + k] + R[3 * k + i]);
  set(3, R[3 * k + j] - R[3 * j + k]);
  if (quat[3] < 0)
    for (double& c : quat) c = -c;
  return quat;
}

void Placement::turn(std::span<double> x) const {
  const double v[3] = {x[0], x[1], x.size() > 2 ? x[2] : 0.0};
  for (size_t i = 0; i < x.size(); ++i) x[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
}

void Placement::place(std::span<double> x) const {
  turn(x);
  for (size_t i = 0; i < x.size(); ++i) x[i] += p[i];
}

Placement Placement::turned_by(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Placement placement;
  placement.R = {c, -s, 0, s, c, 0, 0, 0, 1};
  return placement;
}

Placement Placement::turned_by(std::array<double, 4> quat) {
  const auto [x, y, z, w] = quat;
  const double f = 2 / (x * x + y * y + z * z + w * w);
  Placement placement;
  placement.R = {1 - f * (y * y + z * z), f * (x * y - z * w),     f * (x * z + y * w),  //
                 f * (x * y + z * w),     1 - f * (x * x + z * z), f * (y * z - x * w),  //
                 f * (x * z - y * w),     f * (y * z + x * w),     1 - f * (x * x + y * y)};
  return placement;
}

Placement operator*(const Placement& a, const Placement& b) {
  Placement c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      c.R[3 * i + j] = 0;
      for (int k = 0; k < 3; ++k) c.R[3 * i + j] += a.R[3 * i + k] * b.R[3 * k + j];
    }
  c.p = b.p;
  a.place(c.p);
  return c;
}

std::vector<FieldSpec> placement_fields(int dim) {
  std::vector<FieldSpec> fields{
      vector_field("position", "m", dim, "where its origin is").defaults_to(std::string("the origin"))};
  if (dim == 2) {
    fields.push_back(number_field("angle", "rad", "of its x axis from +X, counter-clockwise").defaults_to(0.0));
  } else {
    fields.push_back(vector_field("quat_xyzw", "1", 4, "its orientation as a unit quaternion, the real part last")
                         .defaults_to(std::string("not turned")));
    fields.push_back(points_field("axes", "1", 3, "its orientation by its x axis and its y axis, in place of quat_xyzw")
                         .defaults_to(std::string("not turned")));
  }
  fields[0] = std::move(fields[0]).placing(Turns::position);
  for (size_t i = 1; i < fields.size(); ++i) fields[i] = std::move(fields[i]).placing(Turns::orientation);
  return fields;
}

std::vector<FieldSpec> motion_fields(int dim, std::string_view whole, std::string_view centre) {
  const std::string turning = "initial rotation about `about`";
  return {vector_field("velocity", "m/s", dim, fmt::format("initial velocity of the whole {}", whole))
              .turning(Turns::direction)
              .defaults_to(std::string("at rest")),
          dim == 2 ? number_field("angular_velocity", "rad/s", turning).defaults_to(0.0)
                   : vector_field("angular_velocity", "rad/s", 3, turning)
                         .turning(Turns::direction)
                         .defaults_to(std::string("none")),
          vector_field("about", "m", dim, "centre of the initial rotation")
              .turning(Turns::position)
              .defaults_to(std::string(centre))};
}

std::optional<Placement> placement_of(const Record& record, int dim, std::vector<Problem>& problems) {
  const size_t before = problems.size();
  const auto wrong = [&](std::string_view key, std::string message) {
    problems.push_back({record.source_of(key), fmt::format("{}.{}", record.path, key), std::move(message), {}});
  };
  Placement placement;
  if (dim == 2) placement = Placement::turned_by(record.number("angle"));
  if (const Numbers* q = record.get<Numbers>("quat_xyzw")) {
    const double length = std::sqrt(dot(*q, *q) + (*q)[3] * (*q)[3]);
    if (std::fabs(length - 1) > written_accuracy)
      wrong("quat_xyzw", fmt::format("must have the length 1; this has {:.6g}", length));
    else
      placement = Placement::turned_by({(*q)[0], (*q)[1], (*q)[2], (*q)[3]});
    if (record.has("axes")) wrong("axes", "the orientation is given by quat_xyzw already");
  } else if (const Points* axes = record.get<Points>("axes")) {
    if (axes->size() != 2) {
      wrong("axes", fmt::format("must be two axes, of x and of y; this is a list of {}", axes->size()));
    } else {
      const Numbers &x = (*axes)[0], &y = (*axes)[1];
      const double size = std::sqrt(dot(x, x) * dot(y, y));
      if (!(size > 0) || !std::isfinite(size))
        wrong("axes", "an axis must have a length");
      else if (std::fabs(dot(x, y)) > written_accuracy * size)
        wrong("axes", "the x axis and the y axis must be at right angles");
      else
        placement.R = axes_from(x, y);
    }
  }
  if (const Numbers* position = record.get<Numbers>("position"))
    std::copy(position->begin(), position->end(), placement.p.begin());
  if (problems.size() > before) return {};
  return placement;
}

}  // namespace flexura
