// A project that knows only the installed package.
#include <iostream>

#include "flexura/version.hpp"

int main() {
  std::cout << "flexura " << flexura::version << '\n';
  return flexura::version.empty() ? 1 : 0;
}
