#pragma once
// Names as other programs take them.

#include <string>

namespace flexura {

/// A word of a command line, in single quotes where a POSIX shell would read something else into it.
std::string shell_word(const std::string& text);

/// file:// and the whole path; what has a meaning in an address, or is no ASCII, as %XX.
std::string file_url(const std::string& path);

}  // namespace flexura
