#pragma once
// The one concept: everything that contributes to the equations is a Term.
//
//     r(x, v) = forces and constraint rows of one item         (forces: what the item does to the coordinates)
//     K       = −(∂r/∂x + c_d ∂r/∂v)
//     m       = Σ m_ab v_a·v_b / 2, constant
//
// A term is a stateless struct E with
//
//     name, dim               its name in terms.def's sense; 2 or 3
//     slots                   std::array of SlotKind: what it touches, in local order
//     Params<T>, fields(p, f) parameters; f(member, Field{...}) once per parameter (T or Vec<D, T>); a member{} with a
//                             default in its Field may be left out where an item is written (term/numbers.hpp)
//     Options, options(o, f)  choices, uniform in a batch; f(member, Option{...}) (members are enums)   [optional]
//     Data<T>, prepare        per-item data from parameters and reference coordinates                   [optional: Data = Params]
//     residual, tangent       together or not at all
//     symmetric               constexpr bool, or bool symmetric(const Options&)
//     uses_velocity           bool uses_velocity(const Options&): false where v is not read              [optional: true]
//     mass(data, m)           m[a][b]: scalar for each pair of slots                                    [optional]
//     energy(data, o, c, x)   stored energy [J]; also (…, x, v) where what is remembered depends on v   [optional]
//     dissipation(…, x, v)    dissipated power [W], ≥ 0                                                 [optional]
//     history                 constexpr int: numbers that an item remembers; with a constexpr most_history,
//                             int history(const Options&). Then also
//       remember(…, x, v, next)   the numbers at the end of a step                                      [required]
//       begin(data, o, c, x, next)  those of an item that has always been at x                          [optional: 0]
//       loss(…, x, v)           energy lost since t_n [J], ≥ 0                                          [optional]
//     probe(data, o, x, xi, out), probes      quantities inside an item, by name, for sensors; of a surface
//                             probe(data, o, x, xi, eta, out), of a solid probe(…, xi, eta, zeta, out)  [optional]
//     alone                   constexpr bool: items are evaluated one at a time, not in lanes: kernels that call functions of
//                             the program                                                               [optional: false]
//     role                    conservative: has an energy; load: its work is recorded; dissipative; constraint
//     scene                   SceneForm: how a scene writes it
//
// Kernels see local coordinates x, v of all slots but signals, in slot order, and signal values c.sig in slot order.
//
// Terms that remember are functions of the motion since t_n, the end of the last step that was accepted: kernels read
// c.past, the item's numbers at t_n, and c.h, the time since then, and never change them. So iterations, failed steps and
// steps that are tried again all see the same past. h = 0 asks for what answers at once: at t_n itself, and after a jump;
// h = forever for what is left when all has come to rest (statics). With energy V and loss L of such a term
//     −∂(V + L)/∂x is its force at h = 0, and V + L at x = x_n is V of t_n for any h: without motion nothing does work.

#include <array>
#include <concepts>
#include <span>
#include <string_view>
#include <vector>

#include "flexura/math/vec.hpp"
#include "flexura/term/field.hpp"

namespace flexura {

/// point: moves under translation; vector: does not; scalar: an unknown number; signal: a value read only.
enum class SlotKind { point, vector, scalar, signal };

enum class Role { conservative, load, dissipative, constraint };

/// Local coordinates of a slot in a space of `dim` dimensions.
constexpr int slot_size(SlotKind kind, int dim) {
  return kind == SlotKind::scalar ? 1 : kind == SlotKind::signal ? 0 : dim;
}

/// What a kernel may know beside coordinates: time, the item's signal values and their rates.
template <class T>
struct Context {
  double t = 0;
  const T* sig = nullptr;
  const T* sig_rate = nullptr;
  const T* past = nullptr;  ///< the item's history at t_n
  double h = 0;             ///< since t_n [s]
};

/// A step so long that all has come to rest at its end [s].
inline constexpr double forever = 1e100;

/// Where a slot comes from in a scene: entry `index` of the places under `key`; scalars: fresh; signals: the key itself.
struct SlotSource {
  std::string_view key;
  int index = 0;
  bool only_read = false;  ///< a direction that says which way; no force acts on it
};

/// [table.NAME] with type = "type": a term that a scene names directly. An empty table: built only by parts.
struct SceneForm {
  std::string_view table, type, doc;
  std::span<const SlotSource> sources{};
};

template <class E>
inline constexpr int dofs_of = [] {
  int n = 0;
  for (SlotKind kind : E::slots) n += slot_size(kind, E::dim);
  return n;
}();
template <class E>
inline constexpr int slots_of = static_cast<int>(E::slots.size());
template <class E>
inline constexpr int signals_of = [] {
  int n = 0;
  for (SlotKind kind : E::slots) n += kind == SlotKind::signal;
  return n;
}();
/// Local offset of each slot (signals: where the next begins).
template <class E>
inline constexpr auto slot_offsets = [] {
  std::array<int, E::slots.size() + 1> offset{};
  for (size_t a = 0; a < E::slots.size(); ++a) offset[a + 1] = offset[a] + slot_size(E::slots[a], E::dim);
  return offset;
}();

struct NoOptions {
  bool operator==(const NoOptions&) const = default;
};

namespace detail {

template <class E>
concept has_options = requires { typename E::Options; };
template <class E, bool>
struct OptionsOf {
  using type = NoOptions;
};
template <class E>
struct OptionsOf<E, true> {
  using type = typename E::Options;
};

template <class E>
concept has_data = requires { typename E::template Data<double>; };
template <class E, class T, bool>
struct DataOf {
  using type = typename E::template Params<T>;
};
template <class E, class T>
struct DataOf<E, T, true> {
  using type = typename E::template Data<T>;
};

}  // namespace detail

template <class E>
using OptionsOf = typename detail::OptionsOf<E, detail::has_options<E>>::type;
template <class E>
using ParamsOf = typename E::template Params<double>;
template <class E, class T>
using DataOf = typename detail::DataOf<E, T, detail::has_data<E>>::type;

template <class E>
concept HasResidual = requires(const DataOf<E, double>& d, const OptionsOf<E>& o, const Context<double>& c,
                               const double* x, double* r, double* k) {
  E::residual(d, o, c, x, x, r);
  E::tangent(d, o, c, x, x, 0.0, k);
};
template <class E>
concept HasMass = requires(const DataOf<E, double>& d, double* m) { E::mass(d, m); };
template <class E>
concept HasEnergy = requires(const DataOf<E, double>& d, const OptionsOf<E>& o, const Context<double>& c,
                             const double* x) { E::energy(d, o, c, x); };
template <class E>
concept HasDissipation = requires(const DataOf<E, double>& d, const OptionsOf<E>& o, const Context<double>& c,
                                  const double* x) { E::dissipation(d, o, c, x, x); };

/// Items one at a time, not in lanes.
template <class E>
inline constexpr bool evaluated_alone = requires { requires E::alone; };
template <class E>
concept HasHistory = requires { E::history; };
template <class E>
concept HasLoss = HasHistory<E> && requires(const DataOf<E, double>& d, const OptionsOf<E>& o, const Context<double>& c,
                                            const double* x) { E::loss(d, o, c, x, x); };

/// Numbers that an item remembers, at most and with given options.
template <class E>
inline constexpr int most_history_of = [] {
  int most = 0;
  if constexpr (HasHistory<E> && !requires { E::most_history; }) most = E::history;
  if constexpr (requires { E::most_history; }) most = E::most_history;
  return most;
}();
template <class E>
int history_of(const OptionsOf<E>& options) {
  if constexpr (requires { E::history(options); }) {
    return E::history(options);
  } else {
    return most_history_of<E>;
  }
}

/// What a term says of itself; enough to write an item of it.
template <class E>
concept DeclaredTerm = requires(ParamsOf<E>& p) {
  { E::name } -> std::convertible_to<std::string_view>;
  { E::dim } -> std::convertible_to<int>;
  E::slots;
  { E::role } -> std::convertible_to<Role>;
  E::fields(p, [](auto&, const Field&) {});
};
template <class E>
concept Term = DeclaredTerm<E> && (HasResidual<E> || HasMass<E>);

template <class E>
bool is_symmetric(const OptionsOf<E>& options) {
  if constexpr (!HasResidual<E>) {
    return true;
  } else if constexpr (requires { E::symmetric(options); }) {
    return E::symmetric(options);
  } else {
    return E::symmetric;
  }
}

/// Field descriptors of E in declaration order, vectors with their size.
template <class E>
std::vector<Field> fields_of() {
  std::vector<Field> out;
  ParamsOf<E> p{};
  E::fields(p, [&]<class M>(M&, Field field) {
    field.size = static_cast<int>(sizeof(M) / sizeof(double));
    out.push_back(field);
  });
  return out;
}

template <class E>
std::vector<Option> options_of() {
  std::vector<Option> out;
  if constexpr (detail::has_options<E>) {
    OptionsOf<E> o{};
    E::options(o, [&](auto&, const Option& option) { out.push_back(option); });
  }
  return out;
}

}  // namespace flexura
