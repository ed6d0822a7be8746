#include "flexura/scene/text_places.hpp"

#include <algorithm>

namespace flexura {
namespace {

bool goes_on(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

TextPlaces::TextPlaces(std::string_view text) : text_(text) {
  std::size_t character = 0;
  first_.push_back(0);
  marks_.push_back(0);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && text[i - 1] == '\n') {
      first_.push_back(marks_.size());
      marks_.push_back(i);
      character = 0;
    } else if (i > 0 && !goes_on(text[i]) && ++character % stride == 0) {
      marks_.push_back(i);
    }
  }
  if (!text.empty() && text.back() == '\n') {
    first_.push_back(marks_.size());
    marks_.push_back(text.size());
  }
  first_.push_back(marks_.size());
}

std::size_t TextPlaces::byte(std::size_t line, std::size_t column) const {
  walked_ = 0;
  if (line == 0 || line >= first_.size()) return 0;
  const std::size_t character = std::max<std::size_t>(column, 1) - 1, marks = first_[line] - first_[line - 1];
  const std::size_t mark = std::min(character / stride, marks - 1);
  std::size_t at = marks_[first_[line - 1] + mark];
  for (std::size_t k = mark * stride; k < character && at < text_.size(); ++k, ++walked_) {
    ++at;
    while (at < text_.size() && goes_on(text_[at])) ++at;
  }
  return at;
}

std::string TextPlaces::line(std::size_t line) const {
  if (line < 1 || line >= first_.size()) return {};
  const std::string_view rest = text_.substr(marks_[first_[line - 1]]);
  return std::string(rest.substr(0, rest.find_first_of("\r\n")));
}

}  // namespace flexura
