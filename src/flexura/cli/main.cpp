#include <fmt/format.h>

#include <string_view>

#include "flexura/version.hpp"

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--version") {
    fmt::print("flexura {}\n", flexura::version);
    return 0;
  }
  fmt::print(stderr, "usage: flexura --version\n");
  return 2;
}
