#pragma once
/// A hand-written loop for one single model, the yardstick the engine is measured against.
///
///     ground                        planar ANCF cable, n = 4, nodes (r, r_x), hanging along −Y,
///     ////o--1--o--2--o--3--o--4--o) M(t)       node 0 held (r and r_x), end moment on node 4
///
///     r   = M (q̈ + c q̇) + ∂U/∂q − M g − Q,   Q = m(t) J n/(n·n) on the last gradient n,   m = S P(t)
///     P   = P₀ (1 − cos 2πft)
///
/// Linear solve: block-tridiagonal elimination of 4 × 4 node blocks, unsymmetric because of Q.
/// Integrators: generalized-α (Arnold & Brüls 2007) and Newmark β = 1/4, γ = 1/2. No heap, no output, SI units.
/// Parameters: rong2024 (EA and rhoA are chosen, see its brief).

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <type_traits>

#include "yardstick_cable.hpp"

namespace flexura::bench {

/// T = double evaluates the elements one by one, T = Lanes4 all four side by side.
template <class T>
class YardstickActuatorOf {
 public:
  static constexpr int elements = 4, nodes = elements + 1;
  enum class Scheme { generalized_alpha, newmark };
  enum class Newton { full, modified };             ///< fresh tangent in each iteration, or one per step
  enum class Predictor { zero, constant, linear };  ///< first guess of q̈ₙ₊₁: 0, q̈ₙ, 2 q̈ₙ − q̈ₙ₋₁

  struct Options {
    double step = 1e-3;                      ///< [s]
    double length = 0.175;                   ///< [m]
    double EA = 2000, EI = 0.0186;           ///< [N], [N m²]
    double rhoA = 0.12;                      ///< [kg/m]
    double damping = 2.4;                    ///< c in c M q̇ [1/s]
    double gravity = 9.81;                   ///< along −Y [m/s²]
    double moment_per_pressure = 1.0179e-6;  ///< [m³]
    double pressure = 20e3;                  ///< P₀ [Pa]
    double frequency = 1;                    ///< f [Hz]
    double rho_inf = 0.9;                    ///< generalized-α: spectral radius at infinite frequency
    double tolerance = 1e-8;                 ///< converged when max |r_i| ≤ tolerance [N, N m]
    int max_iterations = 20;
    Scheme scheme = Scheme::generalized_alpha;
    Newton newton = Newton::full;
    Predictor predictor = Predictor::constant;
    bool start_in_equilibrium = false;  ///< else: straight, unstretched and at rest at t = 0
  };

  using Node = std::array<double, 4>;  ///< x, y, r_x.x, r_x.y
  using Vector = std::array<Node, nodes>;

  explicit YardstickActuatorOf(const Options& options) : o_(options) { prepare(), reset(); }

  /// Back to t = 0.
  void reset() {
    t_ = 0, count_ = 0;
    for (int i = 0; i < nodes; ++i) q_[i] = {0, -l_ * i, 0, -1}, v_[i] = a_[i] = alg_[i] = old_[i] = {};
    const double cm = mass_weight_;
    if (o_.start_in_equilibrium) {
      mass_weight_ = 0;
      for (int k = 0; k < 30 && residual(q_, v_, a_, moment(0)) > 1e-13; ++k) factor_and_solve(true), add(q_, 1.0);
    }
    mass_weight_ = 1;  // M q̈₀ = −(∂U/∂q − M g − Q)
    residual(q_, v_, a_, moment(0));
    stiffness_weight_ = 0;
    factor_and_solve(true);
    stiffness_weight_ = 1, mass_weight_ = cm;
    if (!o_.start_in_equilibrium) add(a_, 1.0);
    alg_ = old_ = a_;
  }

  /// One step; returns the number of Newton corrections, or −1 if they did not converge.
  int step() {
    const double h = o_.step, m = moment(h * static_cast<double>(++count_));
    const double w0 = o_.predictor == Predictor::zero ? 0 : o_.predictor == Predictor::constant ? 1 : 2;
    const double w1 = o_.predictor == Predictor::linear ? -1 : 0;
    for (int i = 1; i < nodes; ++i)
      for (int k = 0; k < 4; ++k) {
        const double a = w0 * a_[i][k] + w1 * old_[i][k];
        const double alg = ((1 - alpha_f_) * a + alpha_f_ * a_[i][k] - alpha_m_ * alg_[i][k]) * inv_alpha_m_;
        q_[i][k] += h * v_[i][k] + h * h * ((0.5 - beta_) * alg_[i][k] + beta_ * alg);
        v_[i][k] += h * ((1 - gamma_) * alg_[i][k] + gamma_ * alg);
        old_[i][k] = a_[i][k], a_[i][k] = a, alg_[i][k] = alg;
      }
    t_ = h * static_cast<double>(count_);
    for (int it = 0; it <= o_.max_iterations; ++it) {
      if (residual(q_, v_, a_, m) <= o_.tolerance) return it;
      factor_and_solve(o_.newton == Newton::full || it == 0);
      add(q_, 1.0), add(v_, velocity_per_position_), add(a_, acceleration_per_position_), add(alg_, algorithmic_);
    }
    return -1;
  }

  double time() const { return t_; }                 ///< [s]
  double tip_x() const { return q_[nodes - 1][0]; }  ///< [m]
  double tip_y() const { return q_[nodes - 1][1]; }  ///< [m]
  const Vector& position() const { return q_; }
  const Vector& velocity() const { return v_; }
  Vector& position() { return q_; }
  double moment() const { return moment(t_); }  ///< on the tip [N m]

  /// Kinetic, strain and gravity energy [J].
  std::array<double, 3> energy() const {
    std::array<double, 3> e{};
    Vector f{}, mg{}, g{};
    mass_times(v_, f);
    for (auto& n : g) n = {0, -o_.gravity, 0, 0};
    mass_times(g, mg);
    for (int i = 0; i < nodes; ++i)
      for (int k = 0; k < 4; ++k) e[0] += 0.5 * f[i][k] * v_[i][k], e[2] -= mg[i][k] * q_[i][k];
    constexpr int width = sizeof(T) / sizeof(double);
    for (int j = 0; j < elements; j += width) {
      const T u = element_.energy(relative<T>(q_, j));
      for (int k = 0; k < width; ++k) e[1] += at(u, k);
    }
    return e;
  }

  /// Residual of the free nodes at the present state, and the tangent mass_weight M + ∂²U − ∂Q as a dense 16 × 16
  /// matrix: for checks only.
  double residual_now(std::array<double, 16>& r) {
    const double largest = residual(q_, v_, a_, moment(t_));
    for (int i = 0; i < 16; ++i) r[i] = rhs_[i / 4][i % 4];
    return largest;
  }
  void tangent_now(std::array<std::array<double, 16>, 16>& K, double mass_weight) {
    const double kept = mass_weight_;
    mass_weight_ = mass_weight;
    tangent();
    mass_weight_ = kept;
    K = {};
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j) {
        if (i / 4 == j / 4) K[i][j] = diagonal_[i / 4][i % 4][j % 4];
        if (i / 4 == j / 4 + 1) K[i][j] = lower_[j / 4][i % 4][j % 4];
        if (i / 4 + 1 == j / 4) K[i][j] = lower_[i / 4][j % 4][i % 4];
      }
  }

 private:
  using Block = std::array<Lanes4, 4>;  ///< four rows of four
  using Element = YardstickCable<T>;

  template <class V>
  static std::array<std::array<V, 2>, 3> relative(const Vector& q, int e) {
    std::array<std::array<V, 2>, 3> u;
    for (int k = 0; k < 2; ++k) {
      if constexpr (std::is_same_v<V, double>) {
        u[0][k] = q[e + 1][k] - q[e][k], u[1][k] = q[e][2 + k], u[2][k] = q[e + 1][2 + k];
      } else {
        u[0][k] = V{q[1][k] - q[0][k], q[2][k] - q[1][k], q[3][k] - q[2][k], q[4][k] - q[3][k]};
        u[1][k] = V{q[0][2 + k], q[1][2 + k], q[2][2 + k], q[3][2 + k]};
        u[2][k] = V{q[1][2 + k], q[2][2 + k], q[3][2 + k], q[4][2 + k]};
      }
    }
    return u;
  }

  void prepare() {
    l_ = o_.length / elements;
    const double l = l_, m = o_.rhoA * l;
    mass_ = {13.0 / 35 * m, 11.0 / 210 * l * m, l * l / 105 * m, 9.0 / 70 * m, 13.0 / 420 * l * m, -l * l / 140 * m};
    element_ = Element(l_, o_.EA, o_.EI);
    if (o_.scheme == Scheme::generalized_alpha) {
      alpha_m_ = (2 * o_.rho_inf - 1) / (o_.rho_inf + 1), alpha_f_ = o_.rho_inf / (o_.rho_inf + 1);
      gamma_ = 0.5 + alpha_f_ - alpha_m_, beta_ = 0.25 * (gamma_ + 0.5) * (gamma_ + 0.5);
    } else {
      alpha_m_ = alpha_f_ = 0, gamma_ = 0.5, beta_ = 0.25;
    }
    const double h = o_.step;
    inv_alpha_m_ = 1 / (1 - alpha_m_);
    algorithmic_ = 1 / (beta_ * h * h);
    velocity_per_position_ = gamma_ / (beta_ * h);
    acceleration_per_position_ = (1 - alpha_m_) / ((1 - alpha_f_) * beta_ * h * h);
    mass_weight_ = acceleration_per_position_ + o_.damping * velocity_per_position_;
    Vector g{};
    for (auto& n : g) n = {0, -o_.gravity, 0, 0};
    mass_times(g, weight_);
  }

  double moment(double t) const {
    return o_.moment_per_pressure * o_.pressure * (1 - std::cos(2 * std::numbers::pi * o_.frequency * t));
  }

  /// y = M x on all nodes.
  void mass_times(const Vector& x, Vector& y) const {
    const auto& [rr, rg, gg, rr1, rg1, gg1] = mass_;
    for (int k = 0; k < 2; ++k) {
      y[0][k] = rr * x[0][k] + rg * x[0][2 + k], y[0][2 + k] = rg * x[0][k] + gg * x[0][2 + k];
      for (int i = 1; i < nodes - 1; ++i) y[i][k] = 2 * rr * x[i][k], y[i][2 + k] = 2 * gg * x[i][2 + k];
      constexpr int z = nodes - 1;
      y[z][k] = rr * x[z][k] - rg * x[z][2 + k], y[z][2 + k] = gg * x[z][2 + k] - rg * x[z][k];
      for (int i = 0; i < elements; ++i) {
        const double r0 = x[i][k], g0 = x[i][2 + k], r1 = x[i + 1][k], g1 = x[i + 1][2 + k];
        y[i][k] += mul_add(rr1, r1, -rg1 * g1), y[i][2 + k] += mul_add(rg1, r1, gg1 * g1);
        y[i + 1][k] += mul_add(rr1, r0, rg1 * g0), y[i + 1][2 + k] += mul_add(gg1, g0, -rg1 * r0);
      }
    }
  }

  void add(Vector& x, double c) const {
    for (int i = 1; i < nodes; ++i)
      for (int k = 0; k < 4; ++k) x[i][k] = mul_add(c, correction_[i - 1][k], x[i][k]);
  }

  static double at(double x, int) { return x; }
  static double at(const Lanes4& x, int lane) { return x[lane]; }

  /// rhs_ = −r on the free nodes; returns max |r_i|. Keeps what the tangent needs.
  double residual(const Vector& q, const Vector& v, const Vector& a, double m) {
    Vector w, r;
    for (int i = 0; i < nodes; ++i)
      for (int k = 0; k < 4; ++k) w[i][k] = mul_add(o_.damping, v[i][k], a[i][k]);
    mass_times(w, r);
    constexpr int step = sizeof(T) / sizeof(double);
    for (int e = 0; e < elements; e += step) {
      const auto f = element_.force(relative<T>(q, e), kept_[e / step]);
      for (int j = e; j < e + step; ++j)
        for (int k = 0; k < 2; ++k) {
          r[j][k] -= at(f[0][k], j - e), r[j + 1][k] += at(f[0][k], j - e);
          r[j][2 + k] += at(f[1][k], j - e), r[j + 1][2 + k] += at(f[2][k], j - e);
        }
    }
    const double nx = q[nodes - 1][2], ny = q[nodes - 1][3], over = 1 / (nx * nx + ny * ny);
    r[nodes - 1][2] += m * ny * over, r[nodes - 1][3] -= m * nx * over;
    const double c = 2 * m * over * over;  // ∂Q/∂n = m (J/(n·n) − 2 J n nᵀ/(n·n)²)
    follower_ = {c * ny * nx, -m * over + c * ny * ny, m * over - c * nx * nx, -c * nx * ny};
    double largest = 0;
    for (int i = 1; i < nodes; ++i)
      for (int k = 0; k < 4; ++k) {
        const double d = r[i][k] - weight_[i][k];
        rhs_[i - 1][k] = -d;
        largest = std::fmax(largest, std::fabs(d));
      }
    return largest;
  }

  static Lanes4 row(double a, double b, double c, double d) { return Lanes4{a, b, c, d}; }

  /// diagonal_ and lower_ from what the last residual left.
  void tangent() {
    const auto& [mrr, mrg, mgg, mrr1, mrg1, mgg1] = mass_;
    const double cm = mass_weight_, ck = stiffness_weight_;
    constexpr int step = sizeof(T) / sizeof(double);
    const double rr = cm * mrr, rg = cm * mrg, gg = cm * mgg, rr1 = cm * mrr1, rg1 = cm * mrg1, gg1 = cm * mgg1;
    for (int e = 0; e < elements; e += step) {
      std::array<std::array<T, 4>, 6> KT;
      element_.tangent(kept_[e / step], KT);
      for (int j = e; j < e + step; ++j) {
        std::array<std::array<double, 4>, 6> K;
        for (int b = 0; b < 6; ++b)
          for (int k = 0; k < 4; ++k) K[b][k] = ck * at(KT[b][k], j - e);
        // Node j + 1 (its r and gradient are u₀ and u₂) starts its diagonal block here.
        diagonal_[j] = {
            row(rr + K[0][0], K[0][1], K[2][0] - rg, K[2][1]), row(K[0][2], rr + K[0][3], K[2][2], K[2][3] - rg),
            row(K[2][0] - rg, K[2][2], gg + K[5][0], K[5][1]), row(K[2][1], K[2][3] - rg, K[5][2], gg + K[5][3])};
        if (j == 0) continue;
        Block& d = diagonal_[j - 1];  // node j: −u₀ and u₁
        d[0] += row(rr + K[0][0], K[0][1], rg - K[1][0], -K[1][1]),
            d[1] += row(K[0][2], rr + K[0][3], -K[1][2], rg - K[1][3]);
        d[2] += row(rg - K[1][0], -K[1][2], gg + K[3][0], K[3][1]),
            d[3] += row(-K[1][1], rg - K[1][3], K[3][2], gg + K[3][3]);
        // Rows of node j + 1, columns of node j.
        lower_[j - 1] = {row(rr1 - K[0][0], -K[0][1], rg1 + K[1][0], K[1][1]),
                         row(-K[0][2], rr1 - K[0][3], K[1][2], rg1 + K[1][3]),
                         row(-rg1 - K[2][0], -K[2][2], gg1 + K[4][0], K[4][2]),
                         row(-K[2][1], -rg1 - K[2][3], K[4][1], gg1 + K[4][3])};
      }
    }
    Block& tip = diagonal_[elements - 1];
    tip[2] += row(0, 0, -ck * follower_[0], -ck * follower_[1]);
    tip[3] += row(0, 0, -ck * follower_[2], -ck * follower_[3]);
  }

  /// correction_ = J⁻¹ rhs_. Gauss elimination without pivoting, node by node; multipliers are kept for later solves.
  void factor_and_solve(bool fresh) {
    if (fresh) {
      tangent();
      for (int i = 0; i < elements; ++i) eliminate(i);
    }
    for (int i = 0; i < elements; ++i) {
      Lanes4& b = rhs_[i];
      for (int k = 0; k < 4; ++k) {
        const Lanes4 x{b[k], b[k], b[k], b[k]};
        b = mul_add(-within_[i][k], x, b);
        if (i + 1 < elements) rhs_[i + 1] = mul_add(-below_[i][k], x, rhs_[i + 1]);
      }
    }
    for (int i = elements - 1; i >= 0; --i) {
      std::array<double, 4> x;
      for (int k = 3; k >= 0; --k) {
        double s = rhs_[i][k];
        if (i + 1 < elements)
          for (int j = 0; j < 4; ++j) s = mul_add(-upper_[i][k][j], correction_[i + 1][j], s);
        for (int j = k + 1; j < 4; ++j) s = mul_add(-diagonal_[i][k][j], x[j], s);
        x[k] = s * pivot_[i][k];
      }
      correction_[i] = row(x[0], x[1], x[2], x[3]);
    }
  }

  void eliminate(int i) {
    Block& d = diagonal_[i];
    const bool last = i + 1 == elements;
    Block u{}, low{};
    if (!last) {
      low = lower_[i];
      for (int r = 0; r < 4; ++r) u[r] = row(low[0][r], low[1][r], low[2][r], low[3][r]);  // symmetric coupling
    }
    for (int k = 0; k < 4; ++k) {
      const double inverse = 1 / d[k][k];
      pivot_[i][k] = inverse;
      Lanes4 in{}, be{};
      for (int r = k + 1; r < 4; ++r) {
        const double f = d[r][k] * inverse;
        in[r] = f;
        d[r] = mul_add(-f, d[k], d[r]), u[r] = mul_add(-f, u[k], u[r]);
      }
      if (!last)
        for (int r = 0; r < 4; ++r) {
          const double f = low[r][k] * inverse;
          be[r] = f;
          low[r] = mul_add(-f, d[k], low[r]), diagonal_[i + 1][r] = mul_add(-f, u[k], diagonal_[i + 1][r]);
        }
      within_[i][k] = in, below_[i][k] = be;
    }
    upper_[i] = u;
  }

  Options o_;
  double l_ = 0, t_ = 0;
  long count_ = 0;
  double alpha_m_ = 0, alpha_f_ = 0, beta_ = 0, gamma_ = 0, inv_alpha_m_ = 1;
  double algorithmic_ = 0, velocity_per_position_ = 0, acceleration_per_position_ = 0;
  double mass_weight_ = 0, stiffness_weight_ = 1;
  std::array<double, 6> mass_{};
  Element element_;
  Vector q_{}, v_{}, a_{}, alg_{}, old_{}, weight_{};
  std::array<typename Element::Kept, elements * sizeof(double) / sizeof(T)> kept_{};
  std::array<double, 4> follower_{};
  std::array<Block, elements> diagonal_{}, lower_{}, upper_{}, within_{}, below_{};
  std::array<Lanes4, elements> rhs_{}, correction_{}, pivot_{};
};

using YardstickActuator = YardstickActuatorOf<double>;
using YardstickActuatorLanes = YardstickActuatorOf<Lanes4>;

}  // namespace flexura::bench
