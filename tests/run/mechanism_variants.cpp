// A mechanism's scene, and the same mechanism written in other ways.

#include <fmt/format.h>

#include <set>

#include "tests/run/random_mechanism.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {

std::string Mechanism::scene() const {
  std::string text = fmt::format("title = \"mechanism {}\"\n", seed);
  text += dim == 2 ? "gravity = [0, -9.81]\n" : "space = \"spatial\"\ngravity = [0, 0, -9.81]\n";
  for (const MechanismTable& table : tables) text += table.text;
  return text + fmt::format("[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = {}\nstep = {}\n", end, step);
}

Mechanism Mechanism::shuffled(std::uint64_t seed) const {
  Mechanism m = *this;
  Random random(seed);
  for (size_t i = m.tables.size(); i > 1; --i)
    std::swap(m.tables[i - 1], m.tables[static_cast<size_t>(random.uniform(0, static_cast<double>(i)))]);
  return m;
}

Mechanism Mechanism::with_multipliers(bool multipliers) const {
  Mechanism m = *this;
  const std::string key = "method = \"multipliers\"\n";
  for (MechanismTable& table : m.tables) {
    if (!table.name.starts_with("joint.") || table.text.find("\"gear\"") != std::string::npos ||
        table.text.find("\"distance\"") != std::string::npos || table.text.find("cable") != std::string::npos)
      continue;
    if (const size_t at = table.text.find(key); at != std::string::npos) table.text.erase(at, key.size());
    if (multipliers) table.text += key;
  }
  return m;
}

Mechanism Mechanism::of_trusses() const {
  Mechanism m = *this;
  for (MechanismTable& table : m.tables)
    if (table.name.starts_with("body.")) table.text += "as = \"trusses\"\n";
  return m;
}

Mechanism Mechanism::at_rest() const {
  Mechanism m = *this;
  for (MechanismTable& table : m.tables)
    for (const char* key : {"\nvelocity = ", "\nangular_velocity = "})
      if (const size_t at = table.text.find(key); at != std::string::npos)
        table.text.erase(at, table.text.find('\n', at + 1) - at);
  return m;
}

Mechanism Mechanism::without(const std::string& prefix) const {
  Mechanism m = *this;
  std::erase_if(m.tables, [&](const MechanismTable& table) { return table.name.starts_with(prefix); });
  return m;
}

Mechanism Mechanism::without_table(size_t index) const {
  Mechanism m = *this;
  std::set<std::string> gone{m.tables[index].name};
  for (bool again = true; again;) {
    again = false;
    for (const MechanismTable& table : m.tables)
      for (const std::string& need : table.needs)
        if (gone.contains(need) && gone.insert(table.name).second) again = true;
  }
  std::erase_if(m.tables, [&](const MechanismTable& table) { return gone.contains(table.name); });
  return m;
}

}  // namespace flexura::test
