#include "flexura/scene/source_texts.hpp"

#include <algorithm>
#include <tuple>

namespace flexura {

void SourceTexts::add(const std::string& file, const std::string& text) {
  std::vector<std::string>& lines = lines_[file];
  lines.clear();
  size_t begin = 0;
  while (begin <= text.size()) {
    size_t end = text.find('\n', begin);
    if (end == std::string::npos) end = text.size();
    std::string line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.pop_back();
    std::replace(line.begin(), line.end(), '\t', ' ');
    lines.push_back(std::move(line));
    begin = end + 1;
  }
}

std::string SourceTexts::line(const Source& source) const {
  const auto found = lines_.find(source.file);
  if (found == lines_.end() || source.line < 1 || source.line > static_cast<int>(found->second.size())) return {};
  const std::string& line = found->second[source.line - 1];
  return line.size() <= 200 ? line : std::string();
}

std::string describe_all(const std::vector<Problem>& problems, const SourceTexts& texts) {
  std::string text;
  for (const Problem& problem : problems) {
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
