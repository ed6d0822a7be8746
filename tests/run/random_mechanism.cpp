#include "tests/run/random_mechanism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

using Triple = std::array<double, 3>;

Triple operator+(const Triple& a, const Triple& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Triple operator-(const Triple& a, const Triple& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Triple operator*(double s, const Triple& a) { return {s * a[0], s * a[1], s * a[2]}; }
Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double size(const Triple& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

/// Of a part: where it is, where joints can be, how it is turned.
struct Part {
  enum class Kind { ground, body, cable, beam } kind = Kind::ground;
  std::string name = "ground";
  Triple at{};
  std::array<Triple, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  ///< of a body
  Triple ends[2] = {};                                            ///< of a cable or beam
  size_t table = 0;
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed * 0xD1342543DE82EF95ull) { m_.seed = seed; }
  Mechanism operator()();

 private:
  double number(double low, double high) { return random_.uniform(low, high); }
  int integer(int low, int high) { return low + static_cast<int>(random_.uniform(0, high - low + 1)); }
  bool chance(double p) { return random_.uniform(0, 1) < p; }
  template <size_t N>
  const char* one_of(const char* const (&names)[N]) {
    return names[integer(0, static_cast<int>(N) - 1)];
  }

  bool is_flexible(int i) const { return parts_[i].kind == Part::Kind::cable || parts_[i].kind == Part::Kind::beam; }
  std::string text(const Triple& x) const;
  Triple random_direction();
  Triple direction();  ///< along an axis of space as often as not
  Triple step();       ///< from one joint to the next
  Triple near(const Part& part) { return rounded(part.at + (part.kind == Part::Kind::ground ? step() : 0.7 * step())); }
  Triple rounded(Triple x) const;

  MechanismTable& add(const std::string& name, std::string text, std::vector<std::string> needs = {});
  std::string table_of(const Part& part) const;
  void add_body(const Triple& around);
  void add_flexible(const Triple& from);
  std::string place_on(Part& part, const Triple& x);
  /// Joins the parts at x; `loop`: they hang together already.
  void join(int a, int b, const Triple& x, bool loop);
  void join_flexible(int a, int b, const Triple& x);
  void close_loop();
  void add_springs_and_loads();
  void add_gear();
  void add_sensors();

  Random random_;
  Mechanism m_;
  std::vector<Part> parts_{Part{}};
  std::vector<std::string> joints_, turning_, sliding_, with_moment_;  ///< names
  std::set<std::string> driven_;
  bool parallel_ = false;
  Triple common_{0, 0, 1};
  int points_ = 0;
};

Triple Maker::rounded(Triple x) const {
  for (double& c : x) c = std::round(c * 1e3) / 1e3;
  if (m_.dim == 2) x[2] = 0;
  return x;
}

std::string Maker::text(const Triple& x) const {
  return m_.dim == 2 ? fmt::format("[{}, {}]", x[0], x[1]) : fmt::format("[{}, {}, {}]", x[0], x[1], x[2]);
}

Triple Maker::random_direction() {
  Triple d{number(-1, 1), number(-1, 1), m_.dim == 2 ? 0.0 : number(-1, 1)};
  while (size(d) < 0.2) d = {number(-1, 1), number(-1, 1), m_.dim == 2 ? 0.0 : number(-1, 1)};
  return d;
}

Triple Maker::direction() {
  if (parallel_) return common_;
  if (chance(0.5)) {
    Triple d{};
    d[integer(0, m_.dim - 1)] = 1;
    return d;
  }
  return rounded(random_direction());
}

Triple Maker::step() {
  if (chance(0.4)) {  // along an axis: bodies in line, right angles
    Triple d{};
    d[integer(0, m_.dim - 1)] = chance(0.5) ? 0.4 : -0.4;
    return d;
  }
  const Triple d = random_direction();
  return (number(0.2, 0.6) / size(d)) * d;
}

MechanismTable& Maker::add(const std::string& name, std::string text, std::vector<std::string> needs) {
  m_.tables.push_back({name, "[" + name + "]\n" + std::move(text), std::move(needs)});
  return m_.tables.back();
}

std::string Maker::table_of(const Part& part) const { return m_.tables[part.table].name; }

void Maker::add_body(const Triple& around) {
  Part part;
  part.kind = Part::Kind::body;
  part.name = fmt::format("b{}", parts_.size());
  part.at = rounded(around + 0.5 * step());
  std::string t = "position = " + text(part.at) + "\n";
  if (chance(0.5)) {
    if (m_.dim == 2) {
      const double angle = std::round(number(-3, 3) * 100) / 100;
      t += fmt::format("angle = {}\n", angle);
      part.axes = {{{std::cos(angle), std::sin(angle), 0}, {-std::sin(angle), std::cos(angle), 0}, {0, 0, 1}}};
    } else {
      const Triple x = rounded(random_direction());
      Triple y = cross(x, random_direction());
      while (size(y) < 0.2 * size(x)) y = cross(x, random_direction());
      const Triple e = (1 / size(x)) * x, f = (1 / size(y)) * y;
      part.axes = {e, f, cross(e, f)};
      t += "axes = [" + text(x) + ", " + text(f) + "]\n";
    }
  }
  const double a = number(0.1, 0.6), b = number(0.05, 0.4), c = number(0.05, 0.4), m = random_.spread(0.1, 5);
  const int how = integer(0, m_.dim == 2 ? 1 : 3);
  if (how == 0) {
    t += fmt::format("shape = {{ type = \"{}\", size = {} }}\nm = {:.3g}\n", m_.dim == 2 ? "rectangle" : "box",
                     text(rounded({a, b, c})), m);
  } else if (m_.dim == 2) {
    t += fmt::format("m = {:.3g}\ninertia = {:.4g}\n", m, m * (a * a + b * b) / 12);
    if (chance(0.7)) t += "center = " + text(rounded(0.3 * random_direction())) + "\n";
  } else if (how == 1) {
    t += fmt::format("shape = {{ type = \"cylinder\", radius = {:.3f}, length = {:.3f} }}\ndensity = {:.0f}\n", b, a,
                     number(50, 2000));
  } else {
    t += fmt::format("m = {:.3g}\ninertia = [{:.4g}, {:.4g}, {:.4g}]\n", m, m * (b * b + c * c) / 12,
                     m * (a * a + c * c) / 12, m * (a * a + b * b) / 12);
    const double least = std::min({a * a, b * b, c * c}) * m / 12;
    if (how == 3)
      t += fmt::format("products_of_inertia = [{:.3g}, {:.3g}, {:.3g}]\n", number(-0.3, 0.3) * least,
                       number(-0.3, 0.3) * least, number(-0.3, 0.3) * least);
    if (chance(0.7)) t += "center = " + text(rounded(0.3 * random_direction())) + "\n";
  }
  if (chance(0.4)) {
    t += "velocity = " + text(rounded(random_direction())) + "\n";
    t += m_.dim == 2 ? fmt::format("angular_velocity = {:.3f}\n", number(-4, 4))
                     : "angular_velocity = " + text(rounded(4.0 * random_direction())) + "\n";
  }
  add("body." + part.name, t);
  part.table = m_.tables.size() - 1;
  parts_.push_back(part);
}

/// A cable, or in space a beam, from the point to another.
void Maker::add_flexible(const Triple& from) {
  m_.flexible = true;
  Part part;
  const bool beam = m_.dim == 3 && chance(0.6);
  part.kind = beam ? Part::Kind::beam : Part::Kind::cable;
  part.name = fmt::format("{}{}", beam ? "beam" : "cable", parts_.size());
  part.ends[0] = from;
  part.ends[1] = rounded(from + step());
  if (size(part.ends[1] - from) < 0.1) part.ends[1] = rounded(from + Triple{0.3, 0.2, 0});
  part.at = part.ends[1];
  std::string path = fmt::format("[{}, {}]", text(from), text(part.ends[1]));
  if (chance(0.3) && m_.dim == 2) {
    const Triple middle = rounded(0.5 * (from + part.ends[1]) + Triple{0.02, 0.03, 0});
    path = fmt::format("{{ spline = [{}, {}, {}] }}", text(from), text(middle), text(part.ends[1]));
  }
  const std::string section = "s_" + part.name;
  if (beam || chance(0.5)) {
    add("material.m_" + part.name,
        fmt::format("E = {:.3g}\nrho = {:.0f}\n", random_.spread(1e6, 3e7), number(500, 3000)));
    add("section." + section,
        fmt::format("shape = {{ type = \"circle\", radius = {:.3f} }}\nmaterial = \"m_{}\"\ndamping_stretch = "
                    "1e-3\ndamping_bend = 1e-3\n",
                    number(0.008, 0.02), part.name),
        {"material.m_" + part.name});
  } else {
    add("section." + section, fmt::format("EA = {:.3g}\nEI = {:.3g}\nrhoA = {:.3g}\ndamping_stretch = 1e-3\n",
                                          random_.spread(1e3, 1e5), random_.spread(0.05, 5), number(0.1, 2)));
  }
  add((beam ? "beam." : "cable.") + part.name,
      fmt::format("section = \"{}\"\npath = {}\nelements = {}\n", section, path, integer(2, 6)),
      {"section." + section});
  part.table = m_.tables.size() - 1;
  parts_.push_back(part);
}

/// Names a point of a body that is at x in the reference configuration.
std::string Maker::place_on(Part& part, const Triple& x) {
  if (part.kind == Part::Kind::ground) return text(x);
  if (part.kind != Part::Kind::body)
    return fmt::format("\"{}.{}\"", part.name, size(x - part.ends[0]) < size(x - part.ends[1]) ? "start" : "end");
  const Triple d = x - part.at;
  Triple local{};
  for (int k = 0; k < 3; ++k) local[k] = part.axes[k][0] * d[0] + part.axes[k][1] * d[1] + part.axes[k][2] * d[2];
  const std::string name = fmt::format("p{}", ++points_), entry = name + " = " + text(local);
  std::string& table = m_.tables[part.table].text;
  if (const size_t at = table.find("points = { "); at != std::string::npos) {
    table.insert(at + 11, entry + ", ");
  } else {
    table += "points = { " + entry + " }\n";
  }
  return "\"" + part.name + "." + name + "\"";
}

void Maker::join(int a, int b, const Triple& x, bool loop) {
  if (parts_[a].kind == Part::Kind::ground && parts_[b].kind == Part::Kind::ground) return;
  const auto flexible = [&](int i) {
    return parts_[i].kind == Part::Kind::cable || parts_[i].kind == Part::Kind::beam;
  };
  if (flexible(a) || flexible(b)) return join_flexible(a, b, x);
  static constexpr const char* planar[] = {"revolute",  "revolute",      "pin",     "weld",
                                           "prismatic", "point_on_line", "distance"};
  static constexpr const char* spatial[] = {"revolute", "revolute",      "spherical",      "pin",
                                            "weld",     "prismatic",     "cylindrical",    "universal",
                                            "planar",   "point_on_line", "point_on_plane", "distance"};
  const std::string type = m_.dim == 2 ? one_of(planar) : one_of(spatial);
  const std::string name = fmt::format("j{}", joints_.size() + 1);
  std::string t = "type = \"" + type + "\"\n";
  const auto needs = [&] {
    std::vector<std::string> names;
    for (int i : {a, b})
      if (i > 0) names.push_back(table_of(parts_[i]));
    return names;
  };
  if (chance(0.3)) std::swap(a, b);
  if (type == "distance") {
    const Triple other = rounded(x + 0.5 * step());
    t += fmt::format("of = [{}, {}]\n", place_on(parts_[a], x), place_on(parts_[b], other));
    add("joint." + name, t, needs());
    joints_.push_back(name);
    return;
  }
  const Triple axis = direction();
  const bool along = type == "prismatic" || type == "cylindrical" || type == "point_on_line";
  if (chance(0.6)) {
    t += fmt::format("of = [\"{}\", \"{}\"]\nat = {}\n", parts_[a].name, parts_[b].name, text(x));
  } else {  // named places; along an axis, apart
    const Triple other = along && chance(0.5) ? x + (0.1 / size(axis)) * axis : x;
    const std::string first = place_on(parts_[a], x), second = place_on(parts_[b], other);
    t += fmt::format("of = [{}, {}]\n", first, second);
  }
  if (type == "universal") {
    Triple second = direction();
    Triple across = cross(axis, second);
    if (size(across) < 0.2) across = cross(axis, std::fabs(axis[0]) < 0.5 ? Triple{1, 0, 0} : Triple{0, 1, 0});
    t += fmt::format("axes = [{}, {}]\n", text(axis), text(across));
  } else if (type == "planar" || type == "point_on_plane") {
    t += "normal = " + text(axis) + "\n";
  } else if (along || (m_.dim == 3 && type == "revolute")) {
    t += "axis = " + text(axis) + "\n";
  }
  if (chance(0.2)) t += "method = \"multipliers\"\n";
  const bool turns = type == "revolute" || type == "cylindrical", slides = type == "prismatic" || type == "cylindrical";
  if (!loop && !m_.loops && (turns || slides) && chance(0.15)) {
    const bool by_angle = turns && (!slides || chance(0.5));
    t += fmt::format("{} = \"= {:.2f} * (1 - cos({:.1f} * t))\"\n", by_angle ? "angle" : "displacement",
                     number(0.05, 0.3), number(2, 10));
    driven_.insert(name);
    m_.driven = true;
  }
  add("joint." + name, t, needs());
  joints_.push_back(name);
  if (turns) turning_.push_back(name);
  if (slides || type == "point_on_line") sliding_.push_back(name);
  if (type == "weld" || type == "prismatic" || (m_.dim == 3 && (turns || type == "universal" || type == "planar")))
    with_moment_.push_back(name);
}

/// A cable's or beam's end at x: welded or pinned to whatever is there.
void Maker::join_flexible(int a, int b, const Triple& x) {
  const bool spatial_cable =
      m_.dim == 3 && (parts_[a].kind == Part::Kind::cable || parts_[b].kind == Part::Kind::cable);
  std::string type = chance(0.5) || spatial_cable ? "pin" : "weld";
  std::string t;
  if (m_.dim == 3 && !spatial_cable && chance(0.3)) {
    type = chance(0.5) ? "revolute" : "spherical";
    if (type == "revolute") t = "axis = " + text(direction()) + "\n";
  }
  const std::string name = fmt::format("j{}", joints_.size() + 1);
  const std::string first = place_on(parts_[a], x), second = place_on(parts_[b], x);
  t = fmt::format("type = \"{}\"\nof = [{}, {}]\n", type, first, second) + t;
  std::vector<std::string> needs;
  for (int i : {a, b})
    if (i > 0) needs.push_back(table_of(parts_[i]));
  add("joint." + name, t, needs);
  joints_.push_back(name);
  if (type == "weld") with_moment_.push_back(name);
}

void Maker::close_loop() {
  const int last = static_cast<int>(parts_.size()) - 1;
  const int a = integer(0, last), b = integer(1, last);
  if (a == b) return;
  Triple x = near(parts_[b]);
  for (const int i : {a, b})  // flexible parts only at their ends
    if (is_flexible(i)) x = parts_[i].ends[1];
  if (is_flexible(a) && is_flexible(b)) return;
  join(a, b, x, true);
}

void Maker::add_springs_and_loads() {
  const int last = static_cast<int>(parts_.size()) - 1;
  for (int k = integer(-1, 2); k > 0; --k) {
    const int a = integer(0, last), b = integer(1, last);
    if (a == b || parts_[b].kind != Part::Kind::body || is_flexible(a)) continue;
    std::vector<std::string> needs{table_of(parts_[b])};
    if (a > 0) needs.push_back(table_of(parts_[a]));
    const Triple x = near(parts_[a]), y = near(parts_[b]);
    if (size(x - y) < 0.05) continue;
    const std::string first = place_on(parts_[a], x), second = place_on(parts_[b], y);
    add(fmt::format("spring.s{}", k),
        fmt::format("type = \"linear\"\nbetween = [{}, {}]\nstiffness = {:.3g}\ndamping = {:.3g}\n", first, second,
                    random_.spread(1, 1000), chance(0.5) ? 0.0 : number(0, 5)),
        needs);
  }
  if (chance(0.4)) {
    const int b = integer(1, last);
    if (parts_[b].kind == Part::Kind::body)
      add("load.f",
          fmt::format("type = \"force\"\nat = \"{}.center\"\nforce = {}\nsignal = \"= sin(9 * t)\"\n", parts_[b].name,
                      text(rounded(5.0 * random_direction()))),
          {table_of(parts_[b])});
  }
}

/// Between two angles that nothing else decides.
void Maker::add_gear() {
  if (m_.loops || turning_.size() < 2) return;
  const std::string &a = turning_[0], &b = turning_[1];
  if (driven_.contains(a) || driven_.contains(b)) return;
  add("joint.gears",
      fmt::format("type = \"gear\"\nfirst = \"{}\"\nsecond = \"{}\"\nratio = {:.2f}\n", a, b,
                  chance(0.5) ? -number(0.3, 3) : number(0.3, 3)),
      {"joint." + a, "joint." + b});
}

void Maker::add_sensors() {
  for (const char* energy : {"kinetic", "strain", "gravity"})
    add(fmt::format("sensor.{}", energy), fmt::format("type = \"energy\"\nof = \"{}\"\n", energy));
  for (const Part& part : parts_) {
    if (part.kind == Part::Kind::ground) continue;
    const bool body = part.kind == Part::Kind::body;
    add("sensor.at_" + part.name, fmt::format("type = \"position\"\nat = \"{}{}\"\n", part.name, body ? "" : ".end"),
        {table_of(part)});
    if (body && chance(0.5))
      add("sensor.turn_" + part.name, fmt::format("type = \"angular_velocity\"\nat = \"{}\"\n", part.name),
          {table_of(part)});
  }
  for (const std::string& joint : joints_) {
    if (chance(0.3)) add("sensor.force_" + joint, "type = \"reaction\"\nof = \"" + joint + "\"\n", {"joint." + joint});
    if (std::count(turning_.begin(), turning_.end(), joint) > 0 && chance(0.5))
      add("sensor.angle_" + joint, "type = \"angle\"\nof = \"" + joint + "\"\n", {"joint." + joint});
    if (std::count(sliding_.begin(), sliding_.end(), joint) > 0 && chance(0.5))
      add("sensor.slide_" + joint, "type = \"displacement\"\nof = \"" + joint + "\"\n", {"joint." + joint});
    if (std::count(with_moment_.begin(), with_moment_.end(), joint) > 0 && chance(0.3))
      add("sensor.moment_" + joint, "type = \"reaction_moment\"\nof = \"" + joint + "\"\n", {"joint." + joint});
  }
}

Mechanism Maker::operator()() {
  m_.dim = chance(0.4) ? 2 : 3;
  m_.loops = chance(0.5);
  parallel_ = chance(0.3);
  if (parallel_ && m_.dim == 2) common_ = {1, 0, 0};
  const bool flexible = chance(0.35);
  const int count = integer(1, chance(0.1) ? 12 : 5);
  for (int k = 0; k < count; ++k) {
    // Onto the ground, or one that is there; a few fly freely.
    int on = chance(0.3) ? 0 : integer(0, static_cast<int>(parts_.size()) - 1);
    const bool rigid_parent = parts_[on].kind == Part::Kind::ground || parts_[on].kind == Part::Kind::body;
    const Triple x = rigid_parent ? near(parts_[on]) : parts_[on].ends[1];
    if (flexible && rigid_parent && chance(0.4)) {
      add_flexible(x);
    } else {
      add_body(x);
      if (chance(0.05)) continue;
    }
    join(on, static_cast<int>(parts_.size()) - 1, x, false);
  }
  if (m_.loops)
    for (int k = integer(1, 3); k > 0; --k) close_loop();
  add_springs_and_loads();
  if (chance(0.3)) add_gear();
  add_sensors();
  return m_.flexible ? m_.at_rest() : m_;  // stiff parts that are struck lose their fast vibrations to the integrator
}

}  // namespace

Mechanism random_mechanism(std::uint64_t seed) { return Maker(seed)(); }

}  // namespace flexura::test
