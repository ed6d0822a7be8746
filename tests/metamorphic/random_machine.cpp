#include "tests/metamorphic/random_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

using Vec = std::array<double, 3>;

Vec operator+(const Vec& a, const Vec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vec operator-(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vec operator*(double s, const Vec& a) { return {s * a[0], s * a[1], s * a[2]}; }
Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double size(const Vec& a) { return std::sqrt(dot(a, a)); }

/// Something that joints can hold.
struct Part {
  enum class Kind { ground, body, cable, beam, full_beam, plate, membrane, solid, point };
  Kind kind = Kind::ground;
  std::string name = "ground", table;
  Vec at{};                                                    ///< a body's origin, a point, a far end
  std::array<Vec, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  ///< of a body
  Vec ends[2] = {};                                            ///< of a cable or beam

  bool is_rigid() const { return kind == Kind::ground || kind == Kind::body; }
  bool is_slender() const { return kind == Kind::cable || kind == Kind::beam || kind == Kind::full_beam; }
};

/// A joint that has a coordinate.
struct Coordinate {
  std::string joint;
  bool is_angle = true;
  bool is_driven = false;
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed * 0xD1342543DE82EF95ull + 77) { m_.seed = seed; }
  Machine operator()();

 private:
  double number(double low, double high) { return round4(random_.uniform(low, high)); }
  double spread(double low, double high) { return round4(random_.spread(low, high)); }
  int integer(int low, int high) { return low + static_cast<int>(random_.uniform(0, high - low + 1)); }
  bool chance(double p) { return random_.uniform(0, 1) < p; }
  template <size_t N>
  std::string one_of(const char* const (&names)[N]) {
    return names[integer(0, static_cast<int>(N) - 1)];
  }
  /// Four digits, so that scenes can be read.
  static double round4(double x) { return std::strtod(fmt::format("{:.4g}", x).c_str(), nullptr); }

  std::string text(const Vec& x) const {
    return m_.dim == 2 ? fmt::format("[{:.9g}, {:.9g}]", x[0], x[1])
                       : fmt::format("[{:.9g}, {:.9g}, {:.9g}]", x[0], x[1], x[2]);
  }
  Vec rounded(Vec x) const {
    for (double& c : x) c = std::round(c * 1e3) / 1e3;
    if (m_.dim == 2) x[2] = 0;
    return x;
  }
  Vec random_direction();
  Vec direction();
  Vec across(const Vec& axis);
  Vec step();
  std::string turning_text(double most);  ///< a moment or an angular velocity

  void add(const std::string& name, std::string text, std::vector<std::string> needs = {});
  MachineTable& table(const std::string& name);
  std::string named(const char* letter) { return fmt::format("{}{}", letter, ++count_); }
  void feature(const std::string& name) { m_.features.insert(name); }
  std::vector<std::string> needs_of(std::initializer_list<const Part*> parts) const;

  std::string signal(double amplitude);  ///< a value, which begins gently or at once
  std::string smooth_signal(double amplitude);

  Part& add_body(const Vec& around, bool may_move);
  Part& add_slender(const Vec& from);
  std::string section_for(const Part& part);
  Part& add_sheet();
  Part& add_solid();
  Part& add_point(const Vec& at);
  std::string place_on(Part& part, const Vec& x);
  Vec joint_place(const Part& part) { return part.is_rigid() ? rounded(part.at + 0.7 * step()) : part.at; }

  std::string pose(Part& part);
  std::string mass_properties();
  void join(size_t a, size_t b, const Vec& x, bool loop);
  void join_rigid(Part& a, Part& b, const Vec& x, bool loop);
  void join_flexible(Part& a, Part& b, const Vec& x);
  void after_joint(const std::string& name, const std::string& type, bool driven);

  void mechanism();
  void structure();
  void driven_chain();
  void ball();
  void truss_frame();
  void planar_chamber();
  void springs();
  void loads_on(Part& part);
  void coordinate_loads();
  void sensors();
  void sensors_of(const Part& part);
  void sensor(const std::string& type, const std::string& keys, std::vector<std::string> needs);
  void analyses();
  std::string integrator();

  Random random_;
  Machine m_;
  std::vector<Part> parts_{Part{}};
  std::vector<std::pair<std::string, std::string>> joints_;  ///< name, type
  std::vector<std::string> forces_, lengths_;                ///< tables whose `force`, and trusses whose length is read
  std::vector<Coordinate> coordinates_;
  std::string chamber_, ball_, plane_;
  enum class Aim { mechanism, structure, chain } aim_ = Aim::mechanism;
  bool loops_ = false, flexible_ = false, remembers_ = false, contacts_ = false, stiff_ = false, moving_ = false;
  bool parallel_ = false, jumps_ = false;
  Vec common_{0, 0, 1};
  int count_ = 0;
};

// ------------------------------------------------------------------------------------------------ numbers

Vec Maker::random_direction() {
  Vec d{};
  do d = {random_.uniform(-1, 1), random_.uniform(-1, 1), m_.dim == 2 ? 0.0 : random_.uniform(-1, 1)};
  while (size(d) < 0.2);
  return d;
}

Vec Maker::direction() {
  if (parallel_) return common_;
  if (chance(0.5)) {
    Vec d{};
    d[integer(0, m_.dim - 1)] = 1;
    return d;
  }
  return rounded(random_direction());
}

/// A direction at right angles.
Vec Maker::across(const Vec& axis) {
  Vec c = cross(axis, random_direction());
  while (size(c) < 0.2 * size(axis)) c = cross(axis, random_direction());
  return (1 / size(c)) * c;
}

Vec Maker::step() {
  if (chance(0.4)) {  // bodies in line, right angles
    Vec d{};
    d[integer(0, m_.dim - 1)] = chance(0.5) ? 0.4 : -0.4;
    return d;
  }
  const Vec d = random_direction();
  return (random_.uniform(0.2, 0.6) / size(d)) * d;
}

std::string Maker::turning_text(double most) {
  return m_.dim == 2 ? fmt::format("{}", number(-most, most)) : text(rounded(most * random_direction()));
}

// ------------------------------------------------------------------------------------------------ tables

void Maker::add(const std::string& name, std::string text, std::vector<std::string> needs) {
  m_.tables.push_back({name, "[" + name + "]\n" + std::move(text), std::move(needs)});
}

MachineTable& Maker::table(const std::string& name) {
  return *std::find_if(m_.tables.begin(), m_.tables.end(), [&](const MachineTable& t) { return t.name == name; });
}

std::vector<std::string> Maker::needs_of(std::initializer_list<const Part*> parts) const {
  std::vector<std::string> needs;
  for (const Part* part : parts)
    if (!part->table.empty()) needs.push_back(part->table);
  return needs;
}

/// Smooth, from 0 and at rest.
std::string Maker::smooth_signal(double amplitude) {
  const double a = number(0.3, 1) * (chance(0.5) ? amplitude : -amplitude);
  switch (integer(0, 2)) {
    case 0:
      return fmt::format("\"= {:.4g} * (1 - cos({} * t))\"", a / 2, number(5, 20));
    case 1:
      return fmt::format("\"= {:.4g} * sin({} * t) ^ 2\"", a, number(3, 10));
    default:
      feature("signal.smooth_step");
      return fmt::format("{{ type = \"smooth_step\", to = {:.4g}, duration = {} }}", a, number(0.05, 0.2));
  }
}

std::string Maker::signal(double amplitude) {
  const double a = number(0.3, 1) * (chance(0.5) ? amplitude : -amplitude);
  const std::string name = named("g");
  switch (integer(0, 9)) {
    case 0:
      return fmt::format("{:.4g}", a);
    case 1:
      feature("signal.sine");
      return fmt::format("{{ type = \"sine\", amplitude = {:.4g}, frequency = {}, phase = {} }}", a, number(1, 6),
                         number(-2, 2));
    case 2:
      feature("signal.piecewise");
      return fmt::format("{{ type = \"piecewise\", points = [[0, 0], [0.02, {:.4g}], [0.06, {:.4g}]] }}", a, -0.5 * a);
    case 3:
      feature("signal.ramp");
      return fmt::format("{{ type = \"ramp\", to = {:.4g}, duration = {} }}", a, number(0.02, 0.1));
    case 4:
      feature("signal.lag");
      add("signal." + name, fmt::format("type = \"sine\"\namplitude = {:.4g}\nfrequency = {}\n", a, number(1, 4)));
      add("signal.l" + name, fmt::format("type = \"lag\"\nof = \"{}\"\ntime_constant = {}\n", name, number(0.01, 0.1)),
          {"signal." + name});
      remembers_ = true;
      return "\"l" + name + "\"";
    case 5:
      feature("signal.expression");
      add("signal." + name,
          fmt::format("type = \"expression\"\nformula = \"{:.4g} * sin({} * t)\"\n", a, number(5, 20)));
      return "\"" + name + "\"";
    case 6:
      feature("signal.chirp");
      add("signal." + name,
          fmt::format("type = \"chirp\"\namplitude = {:.4g}\nf0 = 1\nf1 = {}\nduration = 0.2\n", a, number(3, 8)));
      return "\"" + name + "\"";
    case 7:
      feature("signal.jump");
      jumps_ = true;
      return fmt::format("{{ type = \"ramp\", to = {:.4g}, start = 0.05, duration = 0 }}", a);
    default:
      return smooth_signal(amplitude);
  }
}

// ------------------------------------------------------------------------------------------------ parts

std::string Maker::pose(Part& part) {
  std::string t = "position = " + text(part.at) + "\n";
  if (chance(0.4)) return t;
  if (m_.dim == 2) {
    const double angle = number(-3, 3);
    part.axes = {{{std::cos(angle), std::sin(angle), 0}, {-std::sin(angle), std::cos(angle), 0}, {0, 0, 1}}};
    return t + fmt::format("angle = {}\n", angle);
  }
  const Vec x = rounded(random_direction()), f = across(x), e = (1 / size(x)) * x;
  part.axes = {e, f, cross(e, f)};
  return t + fmt::format("axes = [{}, [{:.17g}, {:.17g}, {:.17g}]]\n", text(x), f[0], f[1], f[2]);
}

std::string Maker::mass_properties() {
  const double a = number(0.1, 0.5), b = number(0.08, 0.4), c = number(0.08, 0.4), m = spread(0.1, 5);
  if (m_.dim == 2) {
    switch (integer(0, 4)) {
      case 0:
        return fmt::format("shape = {{ type = \"rectangle\", size = [{}, {}] }}\nm = {}\n", a, b, m);
      case 1:
        return fmt::format("shape = {{ type = \"disc\", radius = {} }}\nm = {}\n", b, m);
      case 2:
        return fmt::format("shape = {{ type = \"polygon\", points = [[0, 0], [{}, 0], [0, {}]] }}\nm = {}\n", a, b, m);
      case 3:
        return fmt::format("shape = {{ type = \"rod\", length = {} }}\nm = {}\n", a, m);
      default:
        return fmt::format("m = {}\ninertia = {:.4g}\ncenter = {}\n", m, m * (a * a + b * b) / 12,
                           text(rounded(0.2 * random_direction())));
    }
  }
  switch (integer(0, 4)) {
    case 0:
      return fmt::format("shape = {{ type = \"box\", size = [{}, {}, {}] }}\nm = {}\n", a, b, c, m);
    case 1:
      return fmt::format("shape = {{ type = \"cylinder\", radius = {}, length = {} }}\ndensity = {}\n", b, a,
                         number(50, 500));
    case 2:
      return fmt::format("shape = {{ type = \"cone\", radius = {}, height = {}, axis = [1, 0, 0] }}\ndensity = {}\n", b,
                         a, number(50, 500));
    default: {
      std::string t = fmt::format("m = {}\ninertia = [{:.4g}, {:.4g}, {:.4g}]\n", m, m * (b * b + c * c) / 12,
                                  m * (a * a + c * c) / 12, m * (a * a + b * b) / 12);
      const double least = std::min({a * a, b * b, c * c}) * m / 12;
      if (chance(0.3))
        t += fmt::format("products_of_inertia = [{:.3g}, {:.3g}, {:.3g}]\n", number(-0.3, 0.3) * least,
                         number(-0.3, 0.3) * least, number(-0.3, 0.3) * least);
      return t + "center = " + text(rounded(0.2 * random_direction())) + "\n";
    }
  }
}

Part& Maker::add_body(const Vec& around, bool may_move) {
  Part part;
  part.kind = Part::Kind::body;
  part.name = named("b");
  part.table = "body." + part.name;
  part.at = rounded(around + 0.5 * step());
  std::string t = pose(part) + mass_properties();
  feature("body");
  if (may_move && chance(0.4)) {
    t += "velocity = " + text(rounded(random_direction())) + "\n";
    t += "angular_velocity = " + turning_text(4) + "\n";
    moving_ = true;
    feature("body.velocity");
  }
  if (chance(0.12)) {
    t += "as = \"trusses\"\n";
    feature("body.trusses");
  }
  add(part.table, t);
  parts_.push_back(part);
  return parts_.back();
}

Part& Maker::add_point(const Vec& at) {
  Part part;
  part.kind = Part::Kind::point;
  part.name = named("p");
  part.table = "point." + part.name;
  part.at = rounded(at);
  add(part.table, "position = " + text(part.at) + "\n");
  add("mass.m" + part.name, fmt::format("at = \"{}\"\nm = {}\n", part.name, spread(0.1, 3)), {part.table});
  feature("point");
  parts_.push_back(part);
  return parts_.back();
}

/// Its table's name; the section is made first.
std::string Maker::section_for(const Part& part) {
  const std::string name = "s" + part.name, material = "a" + part.name;
  const bool full = part.kind == Part::Kind::full_beam, beam = full || part.kind == Part::Kind::beam;
  std::string t;
  std::vector<std::string> needs;
  if (beam || chance(0.5)) {
    if (full && chance(0.5))
      add("material." + material, fmt::format("type = \"neo-hooke\"\nE = {}\nnu = {}\nrho = {}\n", spread(3e6, 3e7),
                                              number(0.1, 0.4), number(500, 3000)));
    else
      add("material." + material,
          fmt::format("E = {}\nrho = {}\n{}", spread(3e6, 3e7), number(500, 3000),
                      !full && chance(0.15) ? (remembers_ = true, "relaxation = [[0.3, 0.05]]\n") : ""));
    needs = {"material." + material};
    const double r = number(0.01, 0.02);
    if (chance(0.4) || (!beam && m_.dim == 3))  // cables in space bend alike in all directions
      t = fmt::format("shape = {{ type = \"circle\", radius = {} }}\n", r);
    else if (!full && chance(0.3))
      t = fmt::format("shape = {{ type = \"tube\", radius = {}, wall = {} }}\n", 1.3 * r, 0.4 * r);
    else
      t = fmt::format("shape = {{ type = \"rectangle\", width = {}, height = {} }}\n", 2 * r, 1.5 * r);
    t += "material = \"" + material + "\"\n";
  } else {
    t = fmt::format("EA = {}\nEI = {}\nrhoA = {}\n", spread(1e3, 1e5), spread(0.05, 5), number(0.1, 2));
  }
  t += full ? "" : fmt::format("damping_stretch = 1e-3\ndamping_bend = {}\n", chance(0.5) ? "1e-3" : "1e-2");
  if (!beam) {
    if (chance(0.3)) t += "axial = \"engineering\"\n";
    if (chance(0.3)) t += "curvature = \"geometric\"\n";
    if (m_.dim == 2 && chance(0.2)) t += "bend_stiffening = 0.01\n";
  }
  if (chance(0.2)) t += fmt::format("mass_damping = {}\n", number(0.1, 2));
  add("section." + name, t, needs);
  return "section." + name;
}

/// A cable, or in space a beam, from the point to another.
Part& Maker::add_slender(const Vec& from) {
  flexible_ = true;
  Part part;
  part.kind = m_.dim == 2 || chance(0.3) ? Part::Kind::cable : chance(0.25) ? Part::Kind::full_beam : Part::Kind::beam;
  const bool beam = part.kind != Part::Kind::cable;
  part.name = named(beam ? "beam" : "cable");
  part.table = (beam ? "beam." : "cable.") + part.name;
  part.ends[0] = from;
  part.ends[1] = rounded(from + step());
  part.at = part.ends[1];
  const Vec along = part.ends[1] - from;
  feature(part.kind == Part::Kind::cable ? "cable" : part.kind == Part::Kind::beam ? "beam" : "beam.full");
  std::string path = fmt::format("[{}, {}]", text(from), text(part.ends[1]));
  if (chance(0.3)) {
    Vec bow = m_.dim == 2 ? Vec{-along[1], along[0], 0} : size(along) * across(along);
    path = fmt::format("{{ spline = [{}, {}, {}] }}", text(from), text(from + 0.5 * along + 0.1 * bow),
                       text(part.ends[1]));
    feature("path.spline");
  }
  const std::string section = section_for(part);
  std::string t = fmt::format("section = \"{}\"\npath = {}\nelements = {}\n", section.substr(8), path,
                              part.kind == Part::Kind::full_beam ? integer(1, 2) : integer(2, 5));
  if (beam) t += "up = " + text(across(along)) + "\n";
  if (part.kind == Part::Kind::full_beam) t += "element = \"full\"\n";
  add(part.table, t, {section});
  parts_.push_back(part);
  return parts_.back();
}

/// A plate or a membrane with its edge at u = 0 on the ground.
Part& Maker::add_sheet() {
  flexible_ = true;
  Part part;
  const bool membrane = chance(0.35), full = !membrane && chance(0.35);
  part.kind = membrane ? Part::Kind::membrane : Part::Kind::plate;
  part.name = named(membrane ? "mem" : "plate");
  part.table = (membrane ? "membrane." : "plate.") + part.name;
  part.at = rounded(step());
  feature(membrane ? "membrane" : full ? "plate.full" : "plate");
  const std::string material = "a" + part.name;
  const bool orthotropic = !full && chance(0.2);
  if (orthotropic)
    add("material." + material,
        fmt::format("type = \"orthotropic\"\nE1 = {}\nE2 = {}\nnu12 = 0.2\nG12 = {}\nrho = {}\n", spread(1e6, 1e7),
                    spread(1e6, 1e7), spread(3e5, 3e6), number(500, 2000)));
  else if ((full || membrane) && chance(0.4))
    add("material." + material, fmt::format("type = \"neo-hooke\"\nE = {}\nnu = {}\nrho = {}\n", spread(1e6, 1e7),
                                            number(0.1, 0.4), number(500, 2000)));
  else
    add("material." + material,
        fmt::format("E = {}\nnu = {}\nrho = {}\n", spread(1e6, 1e7), number(0, 0.4), number(500, 2000)));
  std::string t = pose(part);
  const double a = number(0.2, 0.5), b = number(0.15, 0.3);
  t += !membrane && chance(0.3)
           ? fmt::format("shape = {{ type = \"panel\", radius = {}, angle = {}, width = {} }}\n", a, number(0.4, 1), b)
           : fmt::format("shape = {{ type = \"flat\", size = [{}, {}] }}\n", a, b);
  t += fmt::format("elements = [{}, {}]\nmaterial = \"{}\"\nthickness = {}\ndamping = 1e-3\n", integer(1, 2),
                   membrane ? 2 : integer(1, 2), material, number(0.005, 0.015));
  if (full) t += "element = \"full\"\n";
  if (membrane) t += fmt::format("prestress = {}\n", spread(100, 3000));
  if (orthotropic && chance(0.5)) t += fmt::format("material_angle = {}\n", number(-1, 1));
  add(part.table, t, {"material." + material});
  const auto hold = [&](const char* edge) {
    const std::string joint = named("j");
    add("joint." + joint, fmt::format("type = \"weld\"\nof = [\"ground\", \"{}.{}\"]\n", part.name, edge),
        {part.table});
    joints_.emplace_back(joint, "weld of sheet");
    feature("joint.weld");
  };
  hold("start");
  if (membrane || chance(0.2)) hold("end");
  if (!full) {
    const std::string load = named("f");
    add("load." + load,
        fmt::format("type = \"pressure\"\non = \"{}\"\npressure = {}\n", part.name, signal(membrane ? 100 : 300)),
        {part.table});
    feature("load.pressure");
  }
  parts_.push_back(part);
  return parts_.back();
}

Part& Maker::add_solid() {
  flexible_ = true;
  Part part;
  part.kind = Part::Kind::solid;
  part.name = named("solid");
  part.table = "solid." + part.name;
  part.at = rounded(step());
  feature("solid");
  const std::string material = "a" + part.name;
  switch (integer(0, 2)) {
    case 0:
      add("material." + material, fmt::format("type = \"neo-hooke\"\nmu = {}\nnu = {}\nrho = {}\n", spread(1e5, 1e6),
                                              number(0.2, 0.47), number(800, 1500)));
      break;
    case 1:
      add("material." + material, fmt::format("type = \"yeoh\"\nc10 = {}\nc20 = {}\nbulk = {}\nrho = {}\n",
                                              spread(5e4, 5e5), spread(1e3, 1e4), spread(1e6, 1e7), number(800, 1500)));
      break;
    default:
      add("material." + material, fmt::format("type = \"st-venant-kirchhoff\"\nE = {}\nnu = {}\nrho = {}\n",
                                              spread(3e5, 3e6), number(0.1, 0.4), number(800, 1500)));
  }
  std::string t = pose(part);
  t += fmt::format("shape = {{ type = \"block\", size = [{}, {}, {}] }}\nelements = [{}, 1, 1]\nmaterial = \"{}\"\n",
                   number(0.15, 0.3), number(0.04, 0.1), number(0.04, 0.1), integer(1, 2), material);
  t += "damping = 1e-3\n";
  const std::string element = one_of({"hexahedra-8", "hexahedra-20", "tetrahedra-10"});
  t += "element = \"" + element + "\"\n";
  feature("solid." + element);
  add(part.table, t, {"material." + material});
  const std::string joint = named("j");
  add("joint." + joint, fmt::format("type = \"weld\"\nof = [\"ground\", \"{}.left\"]\n", part.name), {part.table});
  joints_.emplace_back(joint, "weld of solid");
  if (chance(0.5)) {
    add("load." + named("f"),
        fmt::format("type = \"pressure\"\non = \"{}.top\"\npressure = {}\n", part.name, signal(2000)), {part.table});
    feature("load.pressure");
  }
  parts_.push_back(part);
  return parts_.back();
}

/// Names a place of the part that is at x in the reference.
std::string Maker::place_on(Part& part, const Vec& x) {
  if (part.kind == Part::Kind::ground) return text(x);
  if (part.kind == Part::Kind::point) return "\"" + part.name + "\"";
  if (part.is_slender())
    return fmt::format("\"{}.{}\"", part.name, size(x - part.ends[0]) < size(x - part.ends[1]) ? "start" : "end");
  if (part.kind != Part::Kind::body) return "\"" + part.name + ".corner_end_top\"";
  const Vec d = x - part.at;
  const Vec local{dot(part.axes[0], d), dot(part.axes[1], d), dot(part.axes[2], d)};
  const std::string name = named("q");
  const std::string entry = m_.dim == 2
                                ? fmt::format("{} = [{:.17g}, {:.17g}]", name, local[0], local[1])
                                : fmt::format("{} = [{:.17g}, {:.17g}, {:.17g}]", name, local[0], local[1], local[2]);
  std::string& t = table(part.table).text;
  if (const size_t at = t.find("points = { "); at != std::string::npos && t[at - 1] == '\n')
    t.insert(at + 11, entry + ", ");
  else
    t += "points = { " + entry + " }\n";
  return "\"" + part.name + "." + name + "\"";
}

// ------------------------------------------------------------------------------------------------ joints

void Maker::after_joint(const std::string& name, const std::string& type, bool driven) {
  joints_.emplace_back(name, type);
  feature("joint." + type);
  if (type == "revolute") coordinates_.push_back({name, true, driven});
  if (type == "prismatic" || type == "point_on_line") coordinates_.push_back({name, false, driven});
}

void Maker::join(size_t a, size_t b, const Vec& x, bool loop) {
  Part &first = parts_[a], &second = parts_[b];
  if (first.is_rigid() && second.is_rigid())
    join_rigid(first, second, x, loop);
  else
    join_flexible(first, second, x);
}

void Maker::join_rigid(Part& a, Part& b, const Vec& x, bool loop) {
  static constexpr const char* planar[] = {"revolute",  "revolute",      "pin",     "weld",
                                           "prismatic", "point_on_line", "distance"};
  static constexpr const char* spatial[] = {"revolute", "revolute",      "spherical",      "pin",
                                            "weld",     "prismatic",     "cylindrical",    "universal",
                                            "planar",   "point_on_line", "point_on_plane", "distance"};
  static constexpr const char* drivable[] = {"revolute", "revolute", "prismatic"};
  const bool chain = aim_ == Aim::chain;
  const std::string type = chain ? one_of(drivable) : m_.dim == 2 ? one_of(planar) : one_of(spatial);
  const std::string name = named("j");
  std::string t = "type = \"" + type + "\"\n";
  const std::vector<std::string> needs = needs_of({&a, &b});
  Part *first = &a, *second = &b;
  if (!chain && chance(0.3)) std::swap(first, second);
  if (type == "distance") {
    t += fmt::format("of = [{}, {}]\n", place_on(*first, x), place_on(*second, rounded(x + 0.5 * step())));
    add("joint." + name, t, needs);
    joints_.emplace_back(name, type);
    feature("joint.distance");
    return;
  }
  const Vec axis = direction();
  const bool along = type == "prismatic" || type == "cylindrical" || type == "point_on_line";
  if (chance(0.6)) {
    t += fmt::format("of = [\"{}\", \"{}\"]\nat = {}\n", first->name, second->name, text(x));
  } else {  // named places; along an axis, apart
    const Vec other = along && chance(0.5) ? x + (0.1 / size(axis)) * axis : x;
    const std::string one = place_on(*first, x), two = place_on(*second, other);
    t += fmt::format("of = [{}, {}]\n", one, two);
  }
  if (type == "universal") {
    const Vec second_axis = across(axis);
    t += fmt::format("axes = [{}, [{:.17g}, {:.17g}, {:.17g}]]\n", text(axis), second_axis[0], second_axis[1],
                     second_axis[2]);
  } else if (type == "planar" || type == "point_on_plane") {
    t += "normal = " + text(axis) + "\n";
  } else if (along || (m_.dim == 3 && type == "revolute")) {
    t += "axis = " + text(axis) + "\n";
  }
  if (chance(0.15)) t += "method = \"multipliers\"\n";
  const bool can_drive = type == "revolute" || type == "prismatic";
  const bool driven = can_drive && !loop && (chain || (!loops_ && chance(0.15)));
  if (driven) {
    const bool angle = type == "revolute";
    t += fmt::format("{} = {}\n", angle ? "angle" : "displacement", smooth_signal(angle ? 1 : 0.2));
    feature("joint.driven");
  }
  add("joint." + name, t, needs);
  after_joint(name, type, driven);
}

/// An end of a cable or beam: welded, pinned, hinged.
void Maker::join_flexible(Part& a, Part& b, const Vec& x) {
  const auto is_cable = [](const Part& p) { return p.kind == Part::Kind::cable || p.kind == Part::Kind::point; };
  const bool limp =
      (m_.dim == 3 && (is_cable(a) || is_cable(b))) || a.kind == Part::Kind::point || b.kind == Part::Kind::point;
  const std::string name = named("j");
  const bool held = aim_ == Aim::structure && !limp;  // what could turn freely has no equilibrium of its own
  std::string type = limp || (!held && chance(0.3)) ? "pin" : "weld", more;
  const bool full = a.kind == Part::Kind::full_beam || b.kind == Part::Kind::full_beam;
  if (m_.dim == 3 && !limp && !held && !full && chance(0.2))
    type = "revolute", more = "axis = " + text(direction()) + "\n";
  const std::string one = place_on(a, x), two = place_on(b, x);
  add("joint." + name, fmt::format("type = \"{}\"\nof = [{}, {}]\n{}", type, one, two, more), needs_of({&a, &b}));
  joints_.emplace_back(name, type + " of flexible");
  feature("joint." + type);
}

// ------------------------------------------------------------------------------------------------ machines

void Maker::mechanism() {
  loops_ = chance(0.4);
  parallel_ = chance(0.3);
  if (parallel_ && m_.dim == 2) common_ = {1, 0, 0};
  const bool flexible = chance(0.35), may_move = !flexible && chance(0.5);
  for (int k = integer(1, chance(0.1) ? 7 : 4); k > 0; --k) {
    const size_t on = chance(0.3) ? 0 : static_cast<size_t>(integer(0, static_cast<int>(parts_.size()) - 1));
    const bool rigid = parts_[on].is_rigid();
    const Vec x = joint_place(parts_[on]);
    if (flexible && rigid && chance(0.4)) {
      add_slender(x);
    } else if (chance(0.1)) {
      if (parts_[on].is_slender() || parts_[on].kind == Part::Kind::point) continue;
      Part& point = add_point(rounded(x + step()));
      const std::string spring = named("k"), foot = place_on(parts_[on], x);
      add("spring." + spring,
          fmt::format("type = \"linear\"\nbetween = [{}, \"{}\"]\nstiffness = {}\ndamping = {}\n", foot, point.name,
                      spread(30, 3000), number(0, 3)),
          needs_of({&parts_[on], &point}));
      forces_.push_back(spring);
      feature("spring.linear");
      if (chance(0.3)) {
        const std::string joint = named("j");
        add("joint." + joint,
            fmt::format("type = \"prescribed\"\nof = [\"ground\", \"{}\"]\nx = {}\n", point.name, smooth_signal(0.1)),
            {point.table});
        feature("joint.prescribed");
      }
      continue;
    } else {
      add_body(x, may_move);
      if (chance(0.05)) continue;  // flies freely
    }
    join(on, parts_.size() - 1, x, false);
  }
  if (loops_)
    for (int k = integer(1, 2); k > 0; --k) {
      const int last = static_cast<int>(parts_.size()) - 1;
      const auto a = static_cast<size_t>(integer(0, last)), b = static_cast<size_t>(integer(0, last));
      if (a == b || !parts_[a].is_rigid() || !parts_[b].is_rigid()) continue;
      join(a, b, joint_place(parts_[b]), true);
    }
  springs();
  coordinate_loads();
  if (chance(0.3)) ball();
  if (m_.dim == 2 && chance(0.15)) truss_frame();
}

void Maker::structure() {
  aim_ = Aim::structure;
  const int kind = m_.dim == 2 ? 0 : integer(0, 2);
  if (kind == 0) {
    const Vec foot = rounded(step());
    add_slender(foot);
    const size_t part = parts_.size() - 1;
    const std::string name = named("j");
    const bool cable = m_.dim == 3 && parts_[part].kind == Part::Kind::cable;
    add("joint." + name,
        fmt::format("type = \"{}\"\nof = [\"ground\", \"{}.start\"]\n", cable ? "clamp_direction" : "weld",
                    parts_[part].name),
        {parts_[part].table});
    feature(cable ? "joint.clamp_direction" : "joint.weld");
    joints_.emplace_back(name, cable ? "clamp" : "weld of flexible");
    if (!cable && chance(0.5)) {
      const Vec tip = parts_[part].at;
      add_body(tip, false);
      join(part, parts_.size() - 1, tip, false);
    }
    loads_on(parts_[part]);
    if (parts_[part].kind == Part::Kind::cable && chance(0.2)) {
      add("constraint.keeps", "type = \"length\"\non = [\"" + parts_[part].name + "\"]\n", {parts_[part].table});
      sensor("tension", "of = \"keeps\"", {"constraint.keeps"});
      feature("constraint.length");
    }
    if (m_.dim == 2 && chance(0.25)) planar_chamber();
  } else if (kind == 1) {
    loads_on(add_sheet());
  } else {
    loads_on(add_solid());
  }
}

/// Every coordinate follows a signal: what kinematic analyses need.
void Maker::driven_chain() {
  aim_ = Aim::chain;
  size_t on = 0;
  for (int k = integer(1, 3); k > 0; --k) {
    const Vec x = joint_place(parts_[on]);
    add_body(x, false);
    join(on, parts_.size() - 1, x, false);
    on = parts_.size() - 1;
  }
}

/// A ball that falls on a plane, beside the rest.
void Maker::ball() {
  contacts_ = true;
  ball_ = named("ball"), plane_ = named("floor");
  const Vec at = rounded(Vec{3, 3, m_.dim == 2 ? 0.0 : 3} + step());
  const Vec n = m_.dim == 2 ? Vec{0, 1, 0} : Vec{0, 0, 1};
  const double radius = number(0.05, 0.1);
  add("sphere." + ball_, fmt::format("radius = {}\nposition = {}\nm = {}\nvelocity = {}\n", radius, text(at),
                                     spread(0.1, 2), text(rounded(0.5 * random_direction() - n))));
  add("plane." + plane_, fmt::format("point = {}\nnormal = {}\n", text(at - (radius + number(0.005, 0.05)) * n),
                                     text(rounded(n + 0.1 * random_direction()))));
  add("contact.touch",
      fmt::format("between = [\"{}\", \"{}\"]\nrestitution = {}\n", ball_, plane_,
                  chance(0.5) ? 0.0 : number(0.2, 0.9)),
      {"sphere." + ball_, "plane." + plane_});
  feature("contact");
}

/// A triangle of trusses on two fixed points, one of which is elastic or moves.
void Maker::truss_frame() {
  const Vec a = rounded(Vec{-3, 0, 0} + step()), b = a + Vec{0.5, 0, 0},
            c = a + Vec{number(0.1, 0.4), number(0.2, 0.5), 0};
  Part& tip = add_point(c);
  const std::string point = tip.name, one = named("t"), two = named("t");
  add("truss." + one, fmt::format("type = \"rigid\"\nbetween = [{}, \"{}\"]\nm = {}\n", text(a), point, spread(0.1, 1)),
      {"point." + point});
  switch (integer(0, 4)) {
    case 3:
      add("truss." + two,
          fmt::format("type = \"cylinder\"\nbetween = [{}, \"{}\"]\nthrust = {}\nmax_rate = 20\nm = {}\n", text(b),
                      point, signal(5), spread(0.1, 1)),
          {"point." + point});
      feature("truss.cylinder");
      break;
    case 4:
      add("truss." + two,
          fmt::format(
              "type = \"drive\"\nbetween = [{}, \"{}\"]\nextension = {}\nstiffness = {}\nsettling = 0.01\nm = {}\n",
              text(b), point, smooth_signal(0.05), spread(300, 3000), spread(0.1, 1)),
          {"point." + point});
      remembers_ = true;
      feature("truss.drive");
      break;
    case 0:
      add("truss." + two,
          fmt::format("type = \"elastic\"\nbetween = [{}, \"{}\"]\nEA = {}\nprestress = {}\nm = {}\n", text(b), point,
                      spread(100, 3000), number(-5, 5), spread(0.1, 1)),
          {"point." + point});
      feature("truss.elastic");
      break;
    case 1:
      add("truss." + two,
          fmt::format("type = \"actuator\"\nbetween = [{}, \"{}\"]\nextension = {}\nm = {}\n", text(b), point,
                      smooth_signal(0.05), spread(0.1, 1)),
          {"point." + point});
      feature("truss.actuator");
      break;
    default:
      add("truss." + two, fmt::format("type = \"free\"\nbetween = [{}, \"{}\"]\n", text(b), point), {"point." + point});
      add("spring." + named("k"),
          fmt::format("type = \"joint\"\nat = \"{}\"\nstiffness = {}\ndamping = {}\n", two, spread(100, 3000),
                      number(0, 5)),
          {"truss." + two});
      feature("truss.free");
  }
  lengths_.push_back(two);
  feature("truss.rigid");
}

/// Gas between a bent cable and the straight line from its end to its start.
void Maker::planar_chamber() {
  const Vec at = rounded(Vec{2, -2, 0} + step());
  const std::string cable = named("cable"), section = "s" + cable;
  add("section." + section, fmt::format("EA = {}\nEI = {}\nrhoA = {}\ndamping_bend = 1e-2\ndamping_stretch = 1e-2\n",
                                        spread(1e3, 1e4), spread(0.05, 1), number(0.1, 1)));
  add("cable." + cable,
      fmt::format("section = \"{}\"\npath = {{ spline = [{}, {}, {}] }}\nelements = 4\n", section, text(at),
                  text(at + Vec{0.2, 0.15, 0}), text(at + Vec{0.4, 0, 0})),
      {"section." + section});
  for (const char* end : {"start", "end"}) {
    const std::string joint = named("j");
    add("joint." + joint, fmt::format("type = \"pin\"\nof = [\"ground\", \"{}.{}\"]\n", cable, end),
        {"cable." + cable});
  }
  chamber_ = named("c");
  std::string t = fmt::format("surfaces = [\"{}\"]\nlids = true\ndepth = 0.1\n", cable);
  if (chance(0.5))
    t += fmt::format("type = \"gas\"\noverpressure = {}\nexponent = {}\n", number(0, 500), chance(0.5) ? 1.0 : 1.4);
  else
    t += "type = \"pressure\"\npressure = " + smooth_signal(500) + "\n";
  add("chamber." + chamber_, t, {"cable." + cable});
  feature("chamber");
}

// ------------------------------------------------------------------------------------------------ loads

void Maker::springs() {
  const int last = static_cast<int>(parts_.size()) - 1;
  for (int k = integer(-1, 2); k > 0; --k) {
    Part &a = parts_[static_cast<size_t>(integer(0, last))], &b = parts_[static_cast<size_t>(integer(0, last))];
    if (&a == &b || !a.is_rigid() || b.kind != Part::Kind::body) continue;
    const Vec x = joint_place(a), y = joint_place(b);
    if (size(x - y) < 0.05) continue;
    const std::string name = named("k");
    const std::string one = place_on(a, x), two = place_on(b, y);
    std::string t = fmt::format("type = \"linear\"\nbetween = [{}, {}]\nstiffness = {}\ndamping = {}\n", one, two,
                                spread(1, 1000), chance(0.5) ? 0.0 : number(0, 5));
    if (chance(0.15)) {
      t += "relaxation = [[0.4, 0.03]]\n";
      remembers_ = true;
      feature("relaxation");
    }
    add("spring." + name, t, needs_of({&a, &b}));
    forces_.push_back(name);
    feature("spring.linear");
  }
  if (const Part& body = parts_.back(); m_.dim == 2 && body.kind == Part::Kind::body && chance(0.3)) {
    const std::string name = named("k");
    add("spring." + name,
        fmt::format("type = \"torsional\"\nbetween = [\"ground\", \"{}\"]\nstiffness = {}\ndamping = {}\nturn = {}\n",
                    body.name, spread(0.3, 30), number(0, 0.1), number(-0.5, 0.5)),
        {body.table});
    feature("spring.torsional");
  }
  for (Part& part : parts_)
    if (part.kind == Part::Kind::body && chance(0.3)) loads_on(part);
}

void Maker::loads_on(Part& part) {
  const std::string name = named("f"), table = "load." + name;
  const auto add = [&](const std::string& to, std::string keys, std::vector<std::string> needs) {
    if (chance(0.15)) keys += "until = 0.01\n", feature("load.until");
    this->add(to, std::move(keys), std::move(needs));
  };
  const bool slender = part.is_slender(), beam = part.kind == Part::Kind::beam || part.kind == Part::Kind::full_beam;
  const std::string at = part.kind == Part::Kind::body    ? part.name + ".center"
                         : slender                        ? part.name + ".end"
                         : part.kind == Part::Kind::solid ? part.name + "@(1, 1, 1)"
                                                          : part.name + "@(1, 1)";
  const double force = part.kind == Part::Kind::body ? 5 : slender ? 0.5 : part.kind == Part::Kind::solid ? 3 : 0.3;
  const int how = integer(0, 5);
  const std::string normal = m_.dim == 3 && (part.kind == Part::Kind::cable || part.kind == Part::Kind::full_beam)
                                 ? "normal = " + text(across(part.ends[1] - part.ends[0])) + "\n"
                                 : "";
  if (how == 0 && (slender || part.kind == Part::Kind::body)) {
    add(table,
        fmt::format("type = \"follower_force\"\nat = \"{}\"\nforce = {}\nsignal = {}\n{}", at,
                    text(rounded(force * random_direction())), signal(1), normal),
        {part.table});
    feature("load.follower_force");
  } else if (how == 1 && slender) {
    const bool follower = chance(0.5);
    add(table,
        fmt::format("type = \"distributed\"\non = \"{}\"\nforce = {}\nsignal = {}\nframe = \"{}\"\n{}", part.name,
                    text(rounded(3.0 * random_direction())), signal(1), follower ? "follower" : "fixed",
                    follower ? normal : ""),
        {part.table});
    feature(follower ? "load.distributed.follower" : "load.distributed");
  } else if (how == 2 && (beam || part.kind == Part::Kind::body || (slender && m_.dim == 2))) {
    add(table,
        fmt::format("type = \"moment\"\nat = \"{}\"\nmoment = {}\nsignal = {}\n",
                    part.kind == Part::Kind::body ? part.name : at, turning_text(0.2 * force), signal(1)),
        {part.table});
    feature("load.moment");
  } else if (how == 3 && slender) {
    add(table,
        fmt::format("type = \"pneumatic\"\nbetween = [\"{0}.start\", \"{0}.end\"]\nradius = 0.005\narm = "
                    "0.008\npressure = {1}\n{2}",
                    part.name, signal(2e4), normal),
        {part.table});
    feature("load.pneumatic");
  } else {
    add(table,
        fmt::format("type = \"force\"\nat = \"{}\"\nforce = {}\nsignal = {}\n", at,
                    text(rounded(force * random_direction())), signal(1)),
        {part.table});
    feature("load.force");
  }
}

/// On angles and displacements; gears.
void Maker::coordinate_loads() {
  for (const Coordinate& c : coordinates_) {
    if (c.is_driven || !chance(0.5)) continue;
    const std::string name = named("n");
    const std::vector<std::string> needs{"joint." + c.joint};
    const double unit = c.is_angle ? 1 : 0.2;
    switch (integer(0, 4)) {
      case 0:
        add("load." + name, fmt::format("type = \"motor\"\nat = \"{}\"\neffort = {}\n", c.joint, signal(2)), needs);
        feature("load.motor");
        break;
      case 1:
        add("load." + name,
            fmt::format("type = \"servo\"\nat = \"{}\"\ntarget = {}\nkp = {}\nkd = {}\nlimit = {}\n", c.joint,
                        smooth_signal(0.5 * unit), number(5, 50), number(0.5, 3), number(5, 50)),
            needs);
        feature("load.servo");
        break;
      case 2:
        add("load." + name,
            fmt::format("type = \"friction\"\nat = \"{}\"\ncoulomb = {}\nviscous = {}\nstribeck = "
                        "0.05\npresliding = 1e-3\n",
                        c.joint, number(0.1, 2), number(0, 0.5)),
            needs);
        remembers_ = true;
        feature("load.friction");
        break;
      case 3:
        add("load." + name,
            fmt::format("type = \"drive\"\nat = \"{}\"\ntarget = {}\nstiffness = {}\nsettling = 0.01\n", c.joint,
                        smooth_signal(0.3 * unit), number(50, 500)),
            needs);
        remembers_ = true;
        feature("load.drive");
        break;
      default:
        add("spring." + name,
            fmt::format("type = \"joint\"\nat = \"{}\"\nstiffness = {}\ndamping = {}\nrest = {}\nupper "
                        "= {}\nstop_stiffness = 200\nstop_width = 0.05\n",
                        c.joint, number(1, 30), number(0, 1), number(-0.3, 0.3) * unit, number(0.05, 0.5) * unit),
            needs);
        feature("spring.joint");
    }
    if (chance(0.7)) forces_.push_back(name + (c.is_angle ? "" : " N"));
  }
  std::vector<const Coordinate*> angles;
  for (const Coordinate& c : coordinates_)
    if (c.is_angle && !c.is_driven) angles.push_back(&c);
  if (!loops_ && angles.size() >= 2 && chance(0.4)) {
    add("joint.gears",
        fmt::format("type = \"gear\"\nfirst = \"{}\"\nsecond = \"{}\"\nratio = {}\n", angles[0]->joint,
                    angles[1]->joint, (chance(0.5) ? 1 : -1) * number(0.3, 3)),
        {"joint." + angles[0]->joint, "joint." + angles[1]->joint});
    feature("joint.gear");
  }
}

// ------------------------------------------------------------------------------------------------ what is read

void Maker::sensor(const std::string& type, const std::string& keys, std::vector<std::string> needs) {
  add("sensor." + named("x"), "type = \"" + type + "\"\n" + keys + "\n", std::move(needs));
}

void Maker::sensors_of(const Part& part) {
  const std::vector<std::string> needs{part.table};
  const auto at = [&](const char* type, const std::string& place, double probability, const std::string& more = "") {
    if (chance(probability)) sensor(type, "at = \"" + place + "\"" + more, needs);
  };
  switch (part.kind) {
    case Part::Kind::ground:
      return;
    case Part::Kind::body:
      at("frame", part.name, 1);
      at("velocity", part.name, 0.5);
      at("acceleration", part.name + ".center", 0.3);
      at("angular_velocity", part.name, 0.5);
      at("angular_acceleration", part.name, 0.2);
      return;
    case Part::Kind::point:
      at("position", part.name, 1);
      at("velocity", part.name, 0.5);
      return;
    case Part::Kind::plate:
    case Part::Kind::membrane:
      at("position", part.name + "@(1, 1)", part.kind == Part::Kind::plate ? 1 : 0);
      at("position", part.name + "@(0.5, 0.5)", 1);
      at("velocity", part.name + "@(0.5, 0.5)", 0.5);
      if (part.kind == Part::Kind::membrane) return at("cauchy_stress", part.name + "@(0.5, 0.5)", 0.7);
      at("membrane_force", part.name + "@(0.5, 0.5)", 0.5);
      at("bending_moment", part.name + "@(0.5, 0.5)", 0.5);
      at("stress", part.name + "@(0.5, 0.5)", 0.3, "\nface = \"bottom\"");
      at("direction", part.name + "@(1, 0.5)", 0.3, "\naxis = \"normal\"");
      return;
    case Part::Kind::solid:
      at("position", part.name + "@(1, 1, 1)", 1);
      at("velocity", part.name + "@(1, 0.5, 0.5)", 0.5);
      at("cauchy_stress", part.name + "@(0.5, 0.5, 0.5)", 0.5);
      at("green_strain", part.name + "@(0.25, 0.5, 0.5)", 0.5);
      at("principal_stretches", part.name + "@(0.5, 0.25, 0.5)", 0.3);
      at("von_mises", part.name + "@(0.5, 0.5, 0.25)", 0.3);
      return;
    default:
      at("position", part.name + ".end", 1);
      at("position", part.name + "@0.4", 0.5);
      at("velocity", part.name + ".end", 0.5);
      at("direction", part.name + ".end", 0.3);
      at("axial_force", part.name + "@0.5", 0.4);
      at("curvature", part.name + "@0.3", 0.4);
      at("stretch", part.name + "@0.7", 0.3);
      if (part.kind == Part::Kind::cable) return at("moment", part.name + "@0.3", 0.4);
      at("section_force", part.name + "@0.3", 0.4);
      at("section_moment", part.name + "@0.3", 0.4);
      if (part.kind == Part::Kind::beam) at("frame", part.name + ".end", 0.5);
  }
}

void Maker::sensors() {
  for (const char* energy : {"kinetic", "strain", "gravity", "dissipated", "work"})
    sensor("energy", fmt::format("of = \"{}\"", energy), {});
  if (chance(0.4)) sensor("momentum", "", {});
  if (chance(0.4)) sensor("angular_momentum", "", {});
  for (const Part& part : parts_) sensors_of(part);
  for (const auto& [joint, type] : joints_) {
    const std::string of = "of = \"" + joint + "\"";
    const std::vector<std::string> needs{"joint." + joint};
    const bool rigid = type.find(' ') == std::string::npos && type != "clamp";
    if (chance(0.4) && type != "gear") sensor("reaction", of, needs);
    if (rigid && chance(0.3) && (type == "weld" || type == "prismatic" || (m_.dim == 3 && type == "revolute")))
      sensor("reaction_moment", of, needs);
  }
  for (const Coordinate& c : coordinates_) {
    const std::string of = "of = \"" + c.joint + "\"";
    const std::vector<std::string> needs{"joint." + c.joint};
    sensor(c.is_angle ? "angle" : "displacement", of, needs);
    if (chance(0.4)) sensor(c.is_angle ? "angle_rate" : "displacement_rate", of, needs);
    if (c.is_driven) sensor(c.is_angle ? "drive_torque" : "drive_force", of, needs);
  }
  for (const std::string& length : lengths_) {
    sensor("displacement", "of = \"" + length + "\"", {"truss." + length});
    sensor("force", "of = \"" + length + "\"", {"truss." + length});
  }
  for (const std::string& force : forces_) {
    const bool linear = force[0] == 'k' || force.ends_with(" N");
    const std::string name = force.substr(0, force.find(' '));
    const bool spring = std::any_of(m_.tables.begin(), m_.tables.end(),
                                    [&](const MachineTable& t) { return t.name == "spring." + name; });
    const bool driven = std::any_of(m_.tables.begin(), m_.tables.end(), [&](const MachineTable& t) {
      return t.name == "load." + name && t.text.find("\"drive\"") != std::string::npos;
    });
    if (driven) continue;
    sensor(linear ? "force" : "torque", "of = \"" + name + "\"", {(spring ? "spring." : "load.") + name});
  }
  if (!chamber_.empty()) {
    sensor("pressure", "of = \"" + chamber_ + "\"", {"chamber." + chamber_});
    sensor("volume", "of = \"" + chamber_ + "\"", {"chamber." + chamber_});
  }
  if (!ball_.empty()) {
    sensor("position", "at = \"" + ball_ + "\"", {"sphere." + ball_});
    sensor("velocity", "at = \"" + ball_ + "\"", {"sphere." + ball_});
    sensor("gap", fmt::format("first = \"{}\"\nsecond = \"{}\"", ball_, plane_), {"contact.touch"});
    sensor("contact_force", "of = \"" + ball_ + "\"", {"contact.touch"});
  }
}

std::string Maker::integrator() {
  const bool explicit_ones = !flexible_ && !remembers_ && !contacts_ && !stiff_ && chamber_.empty();
  if (explicit_ones && chance(0.4)) {
    m_.integrator = one_of({"rk4", "rk45", "rk853", "adams"});
    if (m_.integrator == "rk4") return "\"rk4\"";
    return fmt::format("{{ type = \"{}\", rtol = 1e-9, atol = 1e-11, atol_vector = 1e-11, atol_velocity = 1e-9 }}",
                       m_.integrator);
  }
  m_.integrator = contacts_ ? one_of({"generalized-alpha", "hht"})
                            : one_of({"generalized-alpha", "generalized-alpha", "hht", "energy-momentum"});
  if (m_.integrator == "generalized-alpha" && chance(0.3))
    return fmt::format("{{ type = \"generalized-alpha\", rho_inf = {} }}", number(0.3, 1));
  return "\"" + m_.integrator + "\"";
}

void Maker::analyses() {
  const auto add_one = [&](const char* name, const char* type, const std::string& more) {
    m_.analyses += fmt::format("[[analysis]]\nname = \"{}\"\ntype = \"{}\"\n{}", name, type, more);
    feature(std::string("analysis.") + type);
  };
  const auto over_time = [&](const char* type, const std::string& more) {
    m_.step = chance(0.5) ? 1e-3 : 2e-3;
    m_.end = m_.step * 10 * integer(2, 5);
    add_one("move", type, fmt::format("end = {:.6g}\nstep = {:.6g}\n", m_.end, m_.step) + more);
    m_.analyses += fmt::format("[output]\nsensor_interval = {:.6g}\n", 10 * m_.step);
  };
  if (aim_ == Aim::chain && chance(0.7)) return over_time(chance(0.5) ? "kinematic" : "inverse_dynamics", "");
  if (aim_ == Aim::structure) {
    const bool static_first = chance(0.6);
    if (static_first) add_one("rest", "static", "tolerance = 1e-12\n");
    if (static_first && chance(0.5) && !remembers_) {
      add_one("modes", "modes", fmt::format("count = {}\n{}", integer(1, 4), chance(0.3) ? "damped = true\n" : ""));
      if (chance(0.5)) return;
    } else if (static_first && chance(0.3)) {
      return;
    }
    m_.timed_analysis = static_cast<size_t>(m_.features.contains("analysis.static")) +
                        static_cast<size_t>(m_.features.contains("analysis.modes"));
  }
  const std::string method = integrator();
  feature("integrator." + m_.integrator);
  const bool solves = m_.integrator.find("rk") == std::string::npos && m_.integrator != "adams";
  over_time("dynamic", "integrator = " + method + "\n" + (solves ? "tolerance = 1e-12\n" : ""));
}

Machine Maker::operator()() {
  m_.dim = chance(0.4) ? 2 : 3;
  const Vec gravity = chance(0.15)  ? Vec{}
                      : chance(0.5) ? (m_.dim == 2 ? Vec{0, -9.81, 0} : Vec{0, 0, -9.81})
                                    : rounded(9.0 * random_direction());
  m_.head = fmt::format("space = \"{}\"\ngravity = {}\n", m_.dim == 2 ? "planar" : "spatial", text(gravity));
  if (chance(0.15)) m_.head += fmt::format("mass_damping = {}\n", number(0.1, 2));
  const double which = random_.uniform(0, 1);
  if (which < 0.5)
    mechanism();
  else if (which < 0.85)
    structure();
  else
    driven_chain();
  sensors();
  analyses();
  return m_;
}

}  // namespace

std::string Machine::scene() const {
  std::string text = head;
  for (const MachineTable& table : tables) text += "\n" + table.text;
  return text + "\n" + analyses;
}

Machine Machine::without_table(size_t index) const {
  std::set<std::string> gone{tables[index].name};
  for (bool more = true; more;) {
    more = false;
    for (const MachineTable& table : tables)
      if (!gone.contains(table.name) && std::any_of(table.needs.begin(), table.needs.end(),
                                                    [&](const std::string& name) { return gone.contains(name); }))
        more = gone.insert(table.name).second;
  }
  Machine less = *this;
  std::erase_if(less.tables, [&](const MachineTable& table) { return gone.contains(table.name); });
  return less;
}

Machine random_machine(std::uint64_t seed) { return Maker(seed)(); }

}  // namespace flexura::test
