#include "flexura/base/nearest_name.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace flexura {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// Edits from a to each beginning of b, with swaps of neighbours (optimal string alignment); each costs 2, a change of
/// case 1.
std::vector<int> distances(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = 2 * static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = 2 * static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int change = a[i - 1] == b[j - 1] ? 0 : lower(a[i - 1]) == lower(b[j - 1]) ? 1 : 2;
      row[j] = std::min({above[j] + 2, row[j - 1] + 2, above[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 2);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above;
}

int distance(std::string_view a, std::string_view b) { return distances(a, b).back(); }

/// Least distance from what a word of b begins with: "cantilver" for "cantilever_tip_force".
int distance_from_a_word(std::string_view a, std::string_view b) {
  const auto letter = [&](std::size_t i) { return std::isalnum(static_cast<unsigned char>(b[i])) != 0; };
  int least = 2 * static_cast<int>(a.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (!letter(i) || (i > 0 && letter(i - 1))) continue;
    const std::vector<int> row = distances(a, b.substr(i));
    least = std::min(least, *std::min_element(row.begin(), row.end()));
  }
  return least;
}

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  constexpr std::size_t longest = 200;
  std::string nearest;
  if (name.empty() || name.size() > longest) return nearest;
  int least = 0;
  for (const std::string& candidate : candidates) {
    if (candidate.empty() || candidate.size() > longest) continue;
    const int d = distance(name, candidate);
    const int allowed = std::max<int>(2, 2 * static_cast<int>(std::max(name.size(), candidate.size())) / 3);
    const bool only_changes = name.size() == 1 && candidate.size() == 1 && d > 1;
    if (d <= allowed && !only_changes && (nearest.empty() || d < least)) {
      nearest = candidate;
      least = d;
    }
  }
  if (!nearest.empty() || name.size() < 4) return nearest;
  least = static_cast<int>(name.size()) / 2;  // an edit in four letters
  for (const std::string& candidate : candidates) {
    if (candidate.size() < name.size() || candidate.size() > longest) continue;
    if (const int d = distance_from_a_word(name, candidate); d <= least && (nearest.empty() || d < least)) {
      nearest = candidate;
      least = d;
    }
  }
  return nearest;
}

std::string list_of(const std::vector<std::string>& names, const std::string& last_word) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " " + last_word + " " : ", ";
    text += "\"" + names[i] + "\"";
  }
  return text;
}

}  // namespace flexura
