#pragma once
// Parameters and choices of a term as numbers, in the order in which the term declares them, and back. Whatever carries
// them by position goes through these visitors, so that the order is written once.

#include <span>
#include <vector>

#include "flexura/term/term.hpp"

namespace flexura {

/// A number that may be left out: it then takes the default that its field declares.
struct Given {
  double value = unset;
  constexpr Given() = default;
  constexpr Given(double x) : value(x) {}
};

/// Parameters of an item as a caller writes them: GivenParams<E>{.EA = 2000.0, .length = 0.1}.
template <class E>
using GivenParams = typename E::template Params<Given>;

template <int D>
Vec<D, Given> given(const Vec<D, double>& numbers) {
  Vec<D, Given> out;
  for (int i = 0; i < D; ++i) out[i] = numbers[i];
  return out;
}

/// The numbers of one member of Params.
template <class T>
std::span<T, 1> components(T& number) {
  return std::span<T, 1>(&number, 1);
}
template <int D, class T>
std::span<T, D> components(Vec<D, T>& vector) {
  return vector.c;
}
template <int D, class T>
std::span<const T, D> components(const Vec<D, T>& vector) {
  return vector.c;
}

/// f(number, field) for every number of the parameters, in the order of the fields.
template <class E>
void for_each_number(auto&& parameters, auto&& f) {
  E::fields(parameters, [&](auto& member, const Field& field) {
    for (auto& number : components(member)) f(number, field);
  });
}

/// What is left out has its default; NaN where there is none.
template <class E>
std::vector<double> numbers_of(const GivenParams<E>& parameters) {
  std::vector<double> out;
  for_each_number<E>(parameters, [&](const Given& number, const Field& field) {
    out.push_back(std::isnan(number.value) ? field.value : number.value);
  });
  return out;
}

/// From as many numbers as the fields have components.
template <class E>
ParamsOf<E> params_from(std::span<const double> numbers) {
  ParamsOf<E> out;
  const double* next = numbers.data();
  for_each_number<E>(out, [&](double& number, const Field&) { number = *next++; });
  return out;
}

/// Each choice by its index among the option's choices.
template <class E>
std::vector<int> choices_of(OptionsOf<E> options) {
  std::vector<int> out;
  if constexpr (detail::has_options<E>)
    E::options(options, [&](const auto& member, const Option&) { out.push_back(static_cast<int>(member)); });
  return out;
}
template <class E>
OptionsOf<E> options_from(std::span<const int> choices) {
  OptionsOf<E> out{};
  if constexpr (detail::has_options<E>) {
    const int* next = choices.data();
    E::options(out, [&]<class M>(M& member, const Option&) { member = static_cast<M>(*next++); });
  }
  return out;
}

}  // namespace flexura
