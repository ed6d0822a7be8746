#pragma once
// A term's kernels for one scalar behind pointers: all of a term that is compiled, each kernel once. What evaluates them
// knows no term, and is compiled once for each scalar (assembly/term_batch.hpp).

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

#include "flexura/math/dual.hpp"
#include "flexura/math/taylor.hpp"
#include "flexura/term/numbers.hpp"

namespace flexura {

/// What an item stores at the end of a step depends on its rate in the step: energy(data, o, c, x, v).
template <class E>
concept stores_by_rate =
    HasHistory<E> && requires(const DataOf<E, double>& d, const OptionsOf<E>& o, const Context<double>& c,
                              const double* x) { E::energy(d, o, c, x, x); };

/// Says what its strains are and how to be free of stress at others (viscoelastic.hpp).
template <class E>
concept has_strains = requires(DataOf<E, double>& d, const OptionsOf<E>& o, const double* x, double* e) {
  E::strain_count;
  E::strains(d, o, x, e);
  E::set_free(d, o, e[0], x);
};

/// Whether the coordinates of an item are nothing but points and vectors with an energy of their own: rigid motions do not change
/// that.
template <class E>
constexpr bool turns_freely = [] {
  if constexpr (!HasEnergy<E>) return false;
  if (E::role != Role::conservative || slots_of<E> < 2) return false;
  bool signals = false;  // after all others, if there are any
  for (const SlotKind kind : E::slots) {
    signals = signals || kind == SlotKind::signal;
    if (signals ? kind != SlotKind::signal : kind == SlotKind::scalar) return false;
  }
  return true;
}();

/// A constraint's residual is evaluated on Taylor numbers along the motion, too.
template <class E>
constexpr bool is_constraint = HasResidual<E> && E::role == Role::constraint;

/// What a term touches, as numbers.
struct TermShape {
  int dim = 0, slots = 0, dofs = 0, signals = 0;
  const SlotKind* kinds = nullptr;  ///< [slots]
  const int* offsets = nullptr;     ///< [slots + 1] local coordinates of each slot
  Role role = Role::conservative;
  bool turns_freely = false;
  bool remembers = false;
  int most_history = 0;
  int probes = 0;   ///< numbers that a probe writes
  int strains = 0;  ///< 0: does not say what they are

  int size(int slot) const { return offsets[slot + 1] - offsets[slot]; }
};

template <class E>
constexpr TermShape shape_of() {
  TermShape shape{.dim = E::dim,
                  .slots = slots_of<E>,
                  .dofs = dofs_of<E>,
                  .signals = signals_of<E>,
                  .kinds = E::slots.data(),
                  .offsets = slot_offsets<E>.data(),
                  .role = E::role,
                  .turns_freely = turns_freely<E>,
                  .remembers = HasHistory<E>,
                  .most_history = most_history_of<E>};
  if constexpr (requires { E::probes; }) shape.probes = static_cast<int>(std::size(E::probes));
  if constexpr (has_strains<E>) shape.strains = E::strain_count;
  return shape;
}

/// Kernels of a term on the scalar T; what the term has not is nullptr. `data` is one DataOf<E, T>, `options` OptionsOf<E>.
template <class T>
struct Kernels {
  using Along = Taylor<T>;

  TermShape shape;
  std::size_t data_size = 0, data_size_along = 0;

  void (*read_options)(std::span<const int> choices, void* options) = nullptr;
  bool (*uses_velocity)(const void* options) = nullptr;  ///< nullptr: always
  /// From as many numbers as the fields have components; writes the data.
  void (*prepare)(const T* numbers, const void* options, const T* X, void* data) = nullptr;
  void (*destroy)(void* data) = nullptr;  ///< nullptr: nothing has to be done

  void (*residual)(const void* data, const void* options, const Context<T>&, const T* x, const T* v, T* r) = nullptr;
  void (*tangent)(const void* data, const void* options, const Context<T>&, const T* x, const T* v, double cd,
                  T* K) = nullptr;
  void (*mass)(const void* data, T* m) = nullptr;
  T (*energy)(const void* data, const void* options, const Context<T>&, const T* x) = nullptr;
  T (*energy_by_rate)(const void* data, const void* options, const Context<T>&, const T* x, const T* v) = nullptr;
  T (*dissipation)(const void* data, const void* options, const Context<T>&, const T* x, const T* v) = nullptr;
  T (*loss)(const void* data, const void* options, const Context<T>&, const T* x, const T* v) = nullptr;
  void (*remember)(const void* data, const void* options, const Context<T>&, const T* x, const T* v, T* next) = nullptr;
  void (*begin)(const void* data, const void* options, const Context<T>&, const T* x, T* next) = nullptr;
  void (*probe)(const void* data, const void* options, const Context<T>&, const T* x,
                const std::array<double, 3>& place, T* out) = nullptr;
  void (*discrete_gradient)(const void* data, const void* options, const Context<T>&, const T* x0, const T* x1,
                            T* r) = nullptr;
  void (*strains)(const void* data, const void* options, const T* x, T* e) = nullptr;
  /// The data of an item that is free of stress at the strains `shift` more.
  void (*free_at)(const void* data, const void* options, const T* shift, void* freed) = nullptr;

  // Of constraints, along a motion.
  void (*prepare_along)(const Along* numbers, const void* options, const Along* X, void* data) = nullptr;
  void (*residual_along)(const void* data, const void* options, const Context<Along>&, const Along* x,
                         Along* r) = nullptr;
};

/// Options of every term take no more room.
inline constexpr std::size_t most_options = 64;

/// The entries of Kernels<T> for E. What a kernel writes overlaps nothing that it reads.
template <class E, class T>
struct KernelsOf {
  using Options = OptionsOf<E>;
  using C = Context<T>;
  static_assert(sizeof(Options) <= most_options && std::is_trivially_destructible_v<Options>);
  static_assert(alignof(DataOf<E, T>) <= alignof(T));
  static_assert(std::is_trivially_destructible_v<DataOf<E, T>> || !(is_constraint<E> || has_strains<E>));
  static_assert(!(is_constraint<E> && HasHistory<E>), "constraints are differentiated along the motion");

  static const DataOf<E, T>& data(const void* p) { return *static_cast<const DataOf<E, T>*>(p); }
  static const Options& options(const void* p) { return *static_cast<const Options*>(p); }

  static void read_options(std::span<const int> choices, void* out) { new (out) Options(options_from<E>(choices)); }
  static bool uses_velocity(const void* o) { return E::uses_velocity(options(o)); }
  template <class U>
  static void prepare(const U* numbers, const void* o, const U* X, void* out) {
    typename E::template Params<U> params;
    for_each_number<E>(params, [&](U& number, const Field&) { number = *numbers++; });
    if constexpr (detail::has_data<E>) {
      new (out) DataOf<E, U>(E::prepare(params, options(o), X));
    } else {
      new (out) DataOf<E, U>(params);
    }
  }

  static void destroy(void* d) { std::destroy_at(static_cast<DataOf<E, T>*>(d)); }

  static void residual(const void* d, const void* o, const C& c, const T* __restrict x, const T* __restrict v,
                       T* __restrict r) {
    E::residual(data(d), options(o), c, x, v, r);
  }
  static void tangent(const void* d, const void* o, const C& c, const T* __restrict x, const T* __restrict v, double cd,
                      T* __restrict K) {
    E::tangent(data(d), options(o), c, x, v, cd, K);
  }
  static void mass(const void* d, T* m) { E::mass(data(d), m); }
  static T energy(const void* d, const void* o, const C& c, const T* x) { return E::energy(data(d), options(o), c, x); }
  static T energy_by_rate(const void* d, const void* o, const C& c, const T* x, const T* v) {
    return E::energy(data(d), options(o), c, x, v);
  }
  static T dissipation(const void* d, const void* o, const C& c, const T* x, const T* v) {
    return E::dissipation(data(d), options(o), c, x, v);
  }
  static T loss(const void* d, const void* o, const C& c, const T* x, const T* v) {
    return E::loss(data(d), options(o), c, x, v);
  }
  static void remember(const void* d, const void* o, const C& c, const T* x, const T* v, T* __restrict next) {
    E::remember(data(d), options(o), c, x, v, next);
  }
  static void begin(const void* d, const void* o, const C& c, const T* x, T* __restrict next) {
    E::begin(data(d), options(o), c, x, next);
  }
  static void probe(const void* d, const void* o, const C& c, const T* x, const std::array<double, 3>& place,
                    T* __restrict out) {
    [[maybe_unused]] const auto [xi, eta, zeta] = place;
    if constexpr (HasHistory<E>) {
      if constexpr (requires { E::probe(data(d), options(o), c, x, xi, eta, zeta, out); }) {
        E::probe(data(d), options(o), c, x, xi, eta, zeta, out);
      } else if constexpr (requires { E::probe(data(d), options(o), c, x, xi, eta, out); }) {
        E::probe(data(d), options(o), c, x, xi, eta, out);
      } else {
        E::probe(data(d), options(o), c, x, xi, out);
      }
    } else if constexpr (requires { E::probe(data(d), options(o), x, xi, eta, zeta, out); }) {
      E::probe(data(d), options(o), x, xi, eta, zeta, out);
    } else if constexpr (requires { E::probe(data(d), options(o), x, xi, eta, out); }) {
      E::probe(data(d), options(o), x, xi, eta, out);
    } else {
      E::probe(data(d), options(o), x, xi, out);
    }
  }
  static void discrete_gradient(const void* d, const void* o, const C& c, const T* x0, const T* x1, T* __restrict r) {
    E::discrete_gradient(data(d), options(o), c, x0, x1, r);
  }
  static void strains(const void* d, const void* o, const T* x, T* __restrict e) {
    E::strains(data(d), options(o), x, e);
  }
  static void free_at(const void* d, const void* o, const T* shift, void* out) {
    DataOf<E, T>& freed = *new (out) DataOf<E, T>(data(d));
    E::set_free(freed, options(o), T(1.0), shift);
  }
  static void residual_along(const void* d, const void* o, const Context<Taylor<T>>& c, const Taylor<T>* __restrict x,
                             Taylor<T>* __restrict r) {
    E::residual(*static_cast<const DataOf<E, Taylor<T>>*>(d), options(o), c, x, x, r);
  }
};

template <class E, class T>
constexpr Kernels<T> make_kernels() {
  using Of = KernelsOf<E, T>;
  Kernels<T> k;
  k.shape = shape_of<E>();
  k.data_size = sizeof(DataOf<E, T>);
  k.read_options = Of::read_options;
  k.prepare = Of::template prepare<T>;
  if constexpr (!std::is_trivially_destructible_v<DataOf<E, T>>) k.destroy = Of::destroy;
  if constexpr (HasMass<E>) k.mass = Of::mass;
  if constexpr (HasResidual<E>) {
    k.residual = Of::residual;
    k.tangent = Of::tangent;
    if constexpr (requires(const OptionsOf<E>& o) { E::uses_velocity(o); }) k.uses_velocity = Of::uses_velocity;
  }
  if constexpr (HasEnergy<E>) k.energy = Of::energy;
  if constexpr (HasDissipation<E>) k.dissipation = Of::dissipation;
  if constexpr (HasHistory<E>) {
    k.remember = Of::remember;
    if constexpr (requires(const DataOf<E, T>& d, const OptionsOf<E>& o, const Context<T>& c, const T* x, T* next) {
                    E::begin(d, o, c, x, next);
                  })
      k.begin = Of::begin;
    if constexpr (HasLoss<E>) k.loss = Of::loss;
  }
  if constexpr (requires { E::probes; }) k.probe = Of::probe;
  if constexpr (stores_by_rate<E>) k.energy_by_rate = Of::energy_by_rate;
  if constexpr (requires(const DataOf<E, T>& d, const OptionsOf<E>& o, const Context<T>& c, const T* x, T* r) {
                  E::discrete_gradient(d, o, c, x, x, r);
                })
    k.discrete_gradient = Of::discrete_gradient;
  if constexpr (has_strains<E>) {
    k.strains = Of::strains;
    k.free_at = Of::free_at;
  }
  if constexpr (is_constraint<E>) {
    k.data_size_along = sizeof(DataOf<E, Taylor<T>>);
    k.prepare_along = Of::template prepare<Taylor<T>>;
    k.residual_along = Of::residual_along;
  }
  return k;
}

template <class E, class T>
inline constexpr Kernels<T> kernels_of = make_kernels<E, T>();

}  // namespace flexura
