#include "tests/metamorphic/scene_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "flexura/scene/raw_nodes.hpp"
#include "flexura/scene/reader.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

using Kind = RawNode::Kind;

bool is_number(const RawNode& node) { return node.kind == Kind::number || node.kind == Kind::integer; }
double number_of(const RawNode& node) {
  return node.kind == Kind::integer ? static_cast<double>(node.integer) : node.number;
}
void set_number(RawNode& node, double x) {
  node.kind = Kind::number;
  node.number = x;
}
bool is_vector(const RawNode& node) {
  return node.kind == Kind::array && !node.items.empty() &&
         std::all_of(node.items.begin(), node.items.end(), is_number);
}
void for_each_number(RawNode& node, const std::function<double(double)>& change) {
  if (is_number(node)) set_number(node, change(number_of(node)));
  for (RawNode& item : node.items) for_each_number(item, change);
  for (RawEntry& entry : node.entries) for_each_number(entry.node, change);
}
/// Vectors in lists of vectors too.
void for_each_vector(RawNode& node, const std::function<void(std::vector<double>&)>& change) {
  if (!is_vector(node)) {
    for (RawNode& item : node.items) for_each_vector(item, change);
    return;
  }
  std::vector<double> x;
  for (const RawNode& item : node.items) x.push_back(number_of(item));
  change(x);
  for (size_t i = 0; i < x.size(); ++i) set_number(node.items[i], x[i]);
}

/// A table with what the schema says about it.
struct Table {
  RawNode& node;
  const TableSpec& spec;
  const VariantSpec* variant;
  std::string kind;  ///< "joint"; of a table within a table that of the outer one

  std::string type() const { return variant == nullptr ? "" : variant->type; }
  std::string text(std::string_view key) const {
    const RawNode* value = node.find(key);
    return value != nullptr && value->kind == Kind::text ? value->text : "";
  }
  std::vector<FieldSpec> fields() const {
    std::vector<FieldSpec> all = spec.fields;
    if (variant != nullptr) all.insert(all.end(), variant->fields.begin(), variant->fields.end());
    return all;
  }
};

const VariantSpec* variant_of(const RawNode& node, const TableSpec& spec) {
  const RawNode* type = node.find("type");
  if (type != nullptr) return spec.find_variant(type->text);
  return spec.type_optional && !spec.variants.empty() ? &spec.variants.front() : nullptr;
}

/// Visits every value of a scene with its field, and every table after its values.
class SceneWalk {
 public:
  std::function<void(RawNode& value, const FieldSpec& field, const Table& table)> value;
  std::function<void(const Table& table)> table = [](const Table&) {};

  void operator()(SceneTree& scene) const {
    TableSpec head;
    head.kind = "head";
    head.fields = scene.grammar->head;
    const Table top{scene.root, head, nullptr, "head"};
    for (RawEntry& entry : scene.root.entries) {
      if (const TableSpec* spec = scene.grammar->find_table(entry.key); spec != nullptr) {
        tables(entry.node, *spec);
      } else if (const FieldSpec* field = head.find_field(entry.key, nullptr); field != nullptr) {
        visit(entry.node, *field, top);
      }
    }
    table(top);
  }

 private:
  void tables(RawNode& node, const TableSpec& spec) const {
    if (spec.form == TableSpec::Form::single) return visit(node, spec, spec.kind);
    for (RawEntry& entry : node.entries) visit(entry.node, spec, spec.kind);
    for (RawNode& item : node.items) visit(item, spec, spec.kind);
  }
  void visit(RawNode& node, const TableSpec& spec, const std::string& kind) const {
    const Table here{node, spec, variant_of(node, spec), kind};
    for (RawEntry& entry : node.entries)
      if (const FieldSpec* field = spec.find_field(entry.key, here.variant)) visit(entry.node, *field, here);
    table(here);
  }
  void visit(RawNode& node, const FieldSpec& field, const Table& outer) const {
    if (field.table == nullptr) return value(node, field, outer);
    if (node.kind == Kind::text && field.kind == FieldKind::table) {  // the type alone
      RawNode whole = empty_table(node.source);
      add(whole, "type", node);
      node = std::move(whole);
    }
    if (node.kind != Kind::table) return value(node, field, outer);
    visit(node, *field.table, outer.kind);
  }
};

constexpr std::array meshed_kinds{"plate", "membrane", "solid"};  ///< their joints are eliminated

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }
bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }
bool is_formula(const RawNode& node) { return node.kind == Kind::text && node.text.starts_with("="); }

}  // namespace

double UnitFactors::of(const Dimension& d) const {
  return std::pow(length, d.power[0]) * std::pow(mass, d.power[1]) * std::pow(time, d.power[2]);
}
double UnitFactors::of(const std::string& unit) const {
  if (unit.empty() || unit == "*" || unit == "1") return 1;
  const std::optional<Unit> parsed = parse_unit(unit);
  return parsed ? of(parsed->dimension) : 1;
}

SceneTree::SceneTree(const std::string& text) : root(parse_toml(text, "machine.toml").root) {
  const RawNode* space = root.find("space");
  grammar = scene_grammar(space != nullptr && space->text == "spatial" ? 3 : 2, scene_terms());
}

// ------------------------------------------------------------------------------------------------ turned and moved

namespace {

class Placer {
 public:
  Placer(const SceneTree& scene, const Placement& placement) : dim_(scene.grammar->dim), placement_(placement) {}
  bool possible = true;

  void value(RawNode& node, const FieldSpec& field, const Table& table) {
    if (field.kind == FieldKind::place || field.kind == FieldKind::places) return ground_points(node);
    if (table.kind == "head" && (field.name == "gravity" || field.name == "vector")) return turn(node);
    switch (field.turns) {
      case Turns::position:
        return for_each_vector(node, [&](std::vector<double>& x) { placement_.place(x); });
      case Turns::direction:
        if (!is_along_part(field, table)) turn(node);
        return;
      case Turns::orientation:
        return orient(node, field);
      case Turns::component:
        possible = possible && !placement_.is_turned();
        return;
      default:
        return;
    }
  }
  /// What is left out stands for the origin and the axes of space.
  void defaults(const Table& table) const {
    bool has_position = false, has_orientation = false;
    const FieldSpec *position = nullptr, *orientation = nullptr;
    for (const FieldSpec& field : table.spec.fields) {
      if (!field.is_placement) continue;
      const bool is_there = table.node.find(field.name) != nullptr;
      if (field.turns == Turns::position) position = &field, has_position = is_there;
      if (field.turns == Turns::orientation) has_orientation = has_orientation || is_there;
      if (field.turns == Turns::orientation && field.kind != FieldKind::points) orientation = &field;
    }
    const Source& source = table.node.source;
    if (position != nullptr && !has_position)
      add(table.node, "position", node_of(std::span(placement_.p).first(dim_), source));
    if (orientation != nullptr && !has_orientation)
      add(table.node, orientation->name,
          dim_ == 2 ? node_of(placement_.angle(), source) : node_of(placement_.quat_xyzw(), source));
  }

 private:
  void turn(RawNode& node) const {
    for_each_vector(node, [&](std::vector<double>& x) { placement_.turn(x); });
  }
  void ground_points(RawNode& node) const {
    for_each_vector(node, [&](std::vector<double>& x) { placement_.place(x); });
  }
  void orient(RawNode& node, const FieldSpec& field) const {
    if (field.kind == FieldKind::number) return set_number(node, number_of(node) + placement_.angle());
    if (field.kind == FieldKind::points) return turn(node);
    for_each_vector(node, [&](std::vector<double>& q) {
      const Placement turned = placement_ * Placement::turned_by(std::array{q[0], q[1], q[2], q[3]});
      const std::array<double, 4> product = turned.quat_xyzw();
      std::copy(product.begin(), product.end(), q.begin());
    });
  }
  static bool is_along_part(const FieldSpec& field, const Table& table) {
    return table.text("frame") == "follower" && field.unit != "1";
  }

  int dim_;
  const Placement& placement_;
};

}  // namespace

bool place(SceneTree& scene, const Placement& placement) {
  Placer placer(scene, placement);
  SceneWalk walk;
  walk.value = [&](RawNode& node, const FieldSpec& field, const Table& table) { placer.value(node, field, table); };
  walk.table = [&](const Table& table) { placer.defaults(table); };
  walk(scene);
  return placer.possible;
}

// ------------------------------------------------------------------------------------------------ in other units

namespace {

class Scaler {
 public:
  Scaler(SceneTree& scene, const UnitFactors& factors) : scene_(scene), factors_(factors) { find_signals(); }

  /// Factors of the named signals: of the key that takes each, of a lag that of its signal.
  std::map<std::string, double> signals;

  void operator()() {
    SceneWalk walk;
    walk.value = [&](RawNode& node, const FieldSpec& field, const Table& table) { value(node, field, table); };
    walk.table = [&](const Table& table) { defaults(table); };
    for (RawEntry& entry : scene_.root.entries)
      if (entry.key == "signal")
        for (RawEntry& signal : entry.node.entries) signal_table(signal.node, factor_of_signal(signal.key));
    walk(scene_);
  }

 private:
  double factor_of_signal(const std::string& name) const {
    const auto found = signals.find(name);
    return found == signals.end() ? 1 : found->second;
  }
  void find_signals() {
    SceneWalk walk;
    walk.value = [&](RawNode& node, const FieldSpec& field, const Table& table) {
      if (field.kind == FieldKind::signal && node.kind == Kind::text && !is_formula(node))
        signals[node.text] = factor(field, table);
    };
    walk(scene_);
    const RawNode* named = scene_.root.find("signal");
    for (int pass = 0; named != nullptr && pass < 4; ++pass)
      for (const RawEntry& signal : named->entries)
        if (const RawNode* of = signal.node.find("of"); of != nullptr && signals.contains(signal.key))
          signals[of->text] = signals[signal.key];
  }

  /// Whether the value acts on a coordinate of a joint or truss, so that its unit depends on which.
  static bool acts_on_coordinate(const Table& table) {
    static const std::set<std::string> loads{"motor", "servo", "friction", "drive"};
    return (table.kind == "load" && loads.contains(table.type())) ||
           (table.kind == "spring" && table.type() == "joint");
  }
  double coordinate_factor(const std::string& joint) const {
    const RawNode* joints = scene_.root.find("joint");
    const RawNode* found = joints == nullptr ? nullptr : joints->find(joint);
    if (found == nullptr) return factors_.length;  // a truss
    const RawNode* type = found->find("type");
    return type != nullptr && type->text == "revolute" ? 1 : factors_.length;
  }
  double factor(const FieldSpec& field, const Table& table) const {
    if (table.kind == "joint" && table.type() == "gear") {
      const double first = coordinate_factor(table.text("first")), second = coordinate_factor(table.text("second"));
      return field.name == "ratio" ? second / first : field.name == "offset" ? second : 1;
    }
    if (!acts_on_coordinate(table) || field.unit == "s") return factors_.of(field.unit);
    const double u = coordinate_factor(table.text("at")), e = factors_.of("J"), t = factors_.time;
    static const std::set<std::string> efforts{"effort", "limit", "coulomb"}, rates{"max_rate", "stribeck"},
        values{"target", "rest", "lower", "upper", "stop_width", "presliding"},
        stiffnesses{"kp", "stiffness", "stop_stiffness"}, dampings{"kd", "damping", "stop_damping", "viscous"};
    if (efforts.contains(field.name)) return e / u;
    if (rates.contains(field.name)) return u / t;
    if (values.contains(field.name)) return u;
    if (stiffnesses.contains(field.name)) return e / (u * u);
    if (dampings.contains(field.name)) return e * t / (u * u);
    return 1;
  }

  void value(RawNode& node, const FieldSpec& field, const Table& table) const {
    if (table.kind == "signal") return;  // done, by the factors of their values
    const double f = factor(field, table);
    switch (field.kind) {
      case FieldKind::number:
      case FieldKind::vector:
      case FieldKind::points:
      case FieldKind::named:
        if (f != 1) scale(node, f);
        return;
      case FieldKind::series:
        for (RawNode& pair : node.items) scale(pair.items[1], factors_.time);
        return;
      case FieldKind::time:
        if (is_number(node)) scale(node, factors_.time);
        return;
      case FieldKind::place:
      case FieldKind::places:
        for_each_vector(node, [&](std::vector<double>& x) {
          for (double& c : x) c *= factors_.length;
        });
        return;
      case FieldKind::signal:
        return signal_value(node, f);
      default:
        return;
    }
  }
  static void scale(RawNode& node, double f) {
    for_each_number(node, [f](double x) { return f * x; });
  }
  void signal_value(RawNode& node, double f) const {
    if (is_number(node)) scale(node, f);
    if (is_formula(node)) node.text = "= " + formula(node.text.substr(1), f);
    if (node.kind == Kind::table) signal_table(node, f);
  }
  /// With t in the old unit of time.
  std::string formula(const std::string& text, double f) const {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
      const bool is_time =
          text[i] == 't' && (i == 0 || !in_word(text[i - 1])) && (i + 1 == text.size() || !in_word(text[i + 1]));
      out += is_time ? fmt::format("(t / {})", factors_.time) : std::string(1, text[i]);
    }
    return fmt::format("{} * ({})", f, out);
  }
  void signal_table(RawNode& node, double f) const {
    const TableSpec& spec = *scene_.grammar->find_table("signal");
    const VariantSpec* variant = variant_of(node, spec);
    for (RawEntry& entry : node.entries) {
      const FieldSpec* field = spec.find_field(entry.key, variant);
      if (field == nullptr) continue;
      if (entry.key == "formula")
        entry.node.text = formula(entry.node.text, f);
      else if (entry.key == "points")
        for (RawNode& point : entry.node.items) scale(point.items[0], factors_.time), scale(point.items[1], f);
      else if (field->kind == FieldKind::number)
        scale(entry.node, field->unit == "*" ? f : factors_.of(field->unit));
    }
  }
  /// Defaults that have a unit are written out.
  void defaults(const Table& table) const {
    constexpr double no_limit = 1e9;  // in any unit
    if (table.kind == "signal" || table.kind == "head") return;
    for (const FieldSpec& field : table.fields()) {
      if (field.kind != FieldKind::number || !field.value || *field.value == 0 || table.node.find(field.name)) continue;
      if (std::fabs(*field.value) >= no_limit) continue;
      if (field.name == "stop_width" && !table.node.find("lower") && !table.node.find("upper")) continue;
      const double f = factor(field, table);
      if (f != 1) add(table.node, field.name, node_of(f * *field.value, table.node.source));
    }
  }

  SceneTree& scene_;
  const UnitFactors& factors_;
};

}  // namespace

void rescale(SceneTree& scene, const UnitFactors& factors, std::map<std::string, double>& signals) {
  Scaler scaler(scene, factors);
  scaler();
  signals = scaler.signals;
}

// ------------------------------------------------------------------------------------------------ with other names

namespace {

class Renamer {
 public:
  std::map<std::string, std::string> names;  ///< old → new

  void value(RawNode& node, const FieldSpec& field, const Table& table) const {
    switch (field.kind) {
      case FieldKind::reference:
      case FieldKind::names:
      case FieldKind::place:
      case FieldKind::places:
        return replace(node);
      case FieldKind::signal:
        if (is_formula(node)) return replace_calls(node.text);
        if (node.kind == Kind::text) return replace(node);
        if (node.kind == Kind::table)
          for (const char* key : {"of", "formula"})
            if (RawNode* inner = node.find(key))
              key == std::string("of") ? replace(*inner) : replace_calls(inner->text);
        return;
      case FieldKind::text:
        if (table.kind == "signal" && field.name == "formula") replace_calls(node.text);
        return;
      default:
        return;
    }
  }

 private:
  /// "NAME", "NAME.place", "NAME@0.5", "KIND.NAME".
  void replace(RawNode& node) const {
    for (RawNode& item : node.items) replace(item);
    if (node.kind != Kind::text) return;
    const auto word_from = [&](size_t begin) {
      size_t end = begin;
      while (end < node.text.size() && in_name(node.text[end])) ++end;
      return node.text.substr(begin, end - begin);
    };
    std::string word = word_from(0);
    size_t begin = 0;
    if (!names.contains(word) && word.size() < node.text.size() && node.text[word.size()] == '.')
      begin = word.size() + 1, word = word_from(begin);
    if (const auto found = names.find(word); found != names.end()) node.text.replace(begin, word.size(), found->second);
  }
  /// signal(NAME).
  void replace_calls(std::string& text) const {
    const std::string call = "signal(";
    for (size_t at = text.find(call); at != std::string::npos; at = text.find(call, at + 1)) {
      const size_t begin = at + call.size(), end = text.find(')', begin);
      const auto found = names.find(text.substr(begin, end - begin));
      if (found != names.end()) text.replace(begin, end - begin, found->second);
    }
  }
};

}  // namespace

std::map<std::string, std::string> rename(SceneTree& scene,
                                          const std::function<std::string(const std::string&)>& name_of) {
  Renamer renamer;
  std::map<std::string, std::string> back;
  for (RawEntry& kind : scene.root.entries) {
    const TableSpec* spec = scene.grammar->find_table(kind.key);
    if (spec == nullptr || spec->form != TableSpec::Form::named) continue;
    for (RawEntry& entry : kind.node.entries) {
      const std::string name = name_of(entry.key);
      renamer.names[entry.key] = name;
      back[name] = entry.key;
      entry.key = name;
    }
  }
  SceneWalk walk;
  walk.value = [&](RawNode& node, const FieldSpec& field, const Table& table) { renamer.value(node, field, table); };
  walk(scene);
  return back;
}

// ------------------------------------------------------------------------------------------------ in another order

void reorder(SceneTree& scene, std::uint64_t seed) {
  Random random(seed);
  const auto shuffle = [&](std::vector<RawEntry>& entries) {
    for (size_t i = entries.size(); i > 1; --i)
      std::swap(entries[i - 1], entries[static_cast<size_t>(random.uniform(0, static_cast<double>(i)))]);
  };
  shuffle(scene.root.entries);
  for (RawEntry& kind : scene.root.entries) {
    const TableSpec* spec = scene.grammar->find_table(kind.key);
    if (spec == nullptr) continue;
    if (spec->form == TableSpec::Form::named && kind.key != "layer") shuffle(kind.node.entries);
    for (RawEntry& entry : kind.node.entries) shuffle(entry.node.entries);
  }
}

// ------------------------------------------------------------------------------------------------ otherwise computed

void split_analysis(SceneTree& scene, size_t index, double middle) {
  std::vector<RawNode>& analyses = scene.root.find("analysis")->items;
  RawNode first = analyses[index];
  first.find("name")->text += "_first";
  set_number(*first.find("end"), middle);
  analyses.insert(analyses.begin() + static_cast<std::ptrdiff_t>(index), std::move(first));
}

void set_method(SceneTree& scene, const std::string& method) {
  const auto is_meshed = [&](const RawNode& place) {
    const std::string name = place.text.substr(0, place.text.find_first_of(".@"));
    return std::any_of(meshed_kinds.begin(), meshed_kinds.end(), [&](const char* kind) {
      const RawNode* parts = scene.root.find(kind);
      return place.kind == Kind::text && parts != nullptr && parts->find(name) != nullptr;
    });
  };
  SceneWalk walk;
  walk.value = [](RawNode&, const FieldSpec&, const Table&) {};
  walk.table = [&](const Table& table) {
    const FieldSpec* field = table.kind == "joint" ? table.spec.find_field("method", table.variant) : nullptr;
    const RawNode* of = table.node.find("of");
    if (field == nullptr || std::any_of(of->items.begin(), of->items.end(), is_meshed)) return;
    if (RawNode* old = table.node.find("method"))
      old->text = method;
    else
      add(table.node, "method", node_of(method, table.node.source));
  };
  walk(scene);
}

}  // namespace flexura::test
