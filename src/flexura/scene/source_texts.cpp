#include "flexura/scene/source_texts.hpp"

#include <algorithm>
#include <tuple>

namespace flexura {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// Nothing that a terminal would take as a command, and one line.
std::string printable(std::string text) {
  std::replace_if(text.begin(), text.end(), is_control, ' ');
  return text;
}

}  // namespace

bool is_utf8(const std::string& text) {
  for (size_t i = 0; i < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    const size_t length = c < 0x80                ? 1
                          : c >= 0xc2 && c < 0xe0 ? 2
                          : c >= 0xe0 && c < 0xf0 ? 3
                          : c >= 0xf0 && c < 0xf5 ? 4
                                                  : 0;
    if (length == 0 || i + length > text.size()) return false;
    for (size_t k = 1; k < length; ++k)
      if ((static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80) return false;
    i += length;
  }
  return true;
}

/// Kept whole: most scenes are read and nothing is wrong with them.
void SourceTexts::add(const std::string& file, const std::string& text) {
  Lines& lines = files_[file];
  lines = {text, {0}};
  for (size_t end = 0; (end = text.find('\n', end)) != std::string::npos;) lines.begins.push_back(++end);
}

std::string SourceTexts::line(const Source& source) const {
  const auto found = files_.find(source.file);
  if (found == files_.end()) return {};
  const auto& [text, begins] = found->second;
  if (source.line < 1 || source.line > static_cast<int>(begins.size())) return {};
  const size_t begin = begins[static_cast<size_t>(source.line) - 1];
  std::string line = text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
  if (line.ends_with('\r')) line.pop_back();
  line = printable(std::move(line));
  return line.size() <= 200 && is_utf8(line) ? line : std::string();
}

std::string describe_all(const std::vector<Problem>& problems, const SourceTexts& texts) {
  std::string text;
  for (Problem problem : problems) {
    for (std::string* part : {&problem.source.file, &problem.path, &problem.message, &problem.nearest})
      *part = printable(std::move(*part));
    if (!text.empty()) text += "\n";
    text += describe(problem, texts.line(problem.source));
  }
  return text;
}

void sort_problems(std::vector<Problem>& problems) {
  const auto place = [](const Problem& p) { return std::tie(p.source.file, p.source.line, p.source.column); };
  std::stable_sort(problems.begin(), problems.end(),
                   [&](const Problem& a, const Problem& b) { return place(a) < place(b); });
  const auto same = [](const Problem& a, const Problem& b) {
    return a.source.file == b.source.file && a.source.line == b.source.line && a.source.column == b.source.column &&
           a.path == b.path && a.message == b.message;
  };
  problems.erase(std::unique(problems.begin(), problems.end(), same), problems.end());
}

}  // namespace flexura
