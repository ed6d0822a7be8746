#include "flexura/linear/linear_solver.hpp"

#include <gtest/gtest.h>

#include <string>

#include "random_system.hpp"

namespace flexura::test {
namespace {

struct Solved {
  double error;             ///< against Eigen's pivoted dense LU, relative to the largest component
  double transposed_error;  ///< the same for Aᵀ
  double residual;          ///< backward error
  FactorReport<double> report;
};

Solved solve_and_compare(const BlockPattern& pattern, Symmetry symmetry, const Dense& a, Random& random) {
  LinearSolver<double> solver;
  solver.analyse(pattern, symmetry);
  std::vector<double> values;
  assemble(solver, pattern, symmetry, a, values);
  Solved out;
  out.report = solver.factor(values);
  const std::vector<double> b = random_vector(static_cast<int>(a.rows()), random);
  std::vector<double> x = b, xt = b;
  solver.solve(std::span(x));
  solver.solve_transposed(std::span(xt));
  const Eigen::PartialPivLU<Dense> lu(a), lut(a.transpose());
  const Eigen::VectorXd expected = lu.solve(as_eigen(b)), expected_t = lut.solve(as_eigen(b));
  out.error = (as_eigen(x) - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
  out.transposed_error = (as_eigen(xt) - expected_t).cwiseAbs().maxCoeff() / expected_t.cwiseAbs().maxCoeff();
  out.residual = backward_error(a, x, b);
  return out;
}

// Every block size, whole and mixed blocks, on a chain, a tree and a grid with fill. Tolerances leave a factor of about
// fifty over what was measured, for other compilers and random numbers.
class AnyBlockSize : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Linear, AnyBlockSize, testing::Range(1, 13), testing::PrintToStringParamName());

TEST_P(AnyBlockSize, SolvesPositiveDefiniteSystems) {
  Random random(GetParam());
  for (const BlockPattern& pattern :
       {chain(std::vector<int>(20, GetParam())), chain(mixed_sizes(20, GetParam(), random)),
        tree(mixed_sizes(30, GetParam(), random), random), grid(5, 6, GetParam())}) {
    const Solved solved = solve_and_compare(pattern, Symmetry::symmetric, random_matrix(pattern, random), random);
    EXPECT_TRUE(solved.report.ok);
    EXPECT_LT(solved.error, 1e-12);     // measured 2e-14
    EXPECT_LT(solved.residual, 2e-14);  // measured 5e-16
    EXPECT_EQ(solved.report.negative_pivots, 0);
    EXPECT_GT(solved.report.weakest_pivot, 1e-3);  // measured 0.05
    EXPECT_LE(solved.report.weakest_pivot, 1);
  }
}

TEST_P(AnyBlockSize, SolvesUnsymmetricSystemsAndTheirTransposes) {
  Random random(GetParam());
  for (const BlockPattern& pattern : {chain(mixed_sizes(20, GetParam(), random)),
                                      tree(mixed_sizes(30, GetParam(), random), random), grid(5, 6, GetParam())}) {
    Dense a = random_matrix(pattern, random);
    a.diagonal().array() += 1.0;  // keeps the perturbed matrix positive
    perturb(a, random);
    const Solved solved = solve_and_compare(pattern, Symmetry::unsymmetric, a, random);
    EXPECT_TRUE(solved.report.ok);
    EXPECT_LT(solved.error, 1e-13);  // measured 2e-15
    EXPECT_LT(solved.transposed_error, 1e-13);
  }
}

// Rows and columns in other units: 8 orders apart. The measure was max |A_ij − A_ji| / max |A_ij|, 1e-3 without units and 1e-11 in these.
TEST(Asymmetry, IsTheSameInAllUnits) {
  Random random(3);
  const BlockPattern pattern = chain(mixed_sizes(20, 6, random));
  Dense a = random_matrix(pattern, random);
  a.diagonal().array() += 1.0;
  perturb(a, random);
  const auto asymmetry = [&](const Dense& matrix) {
    LinearSolver<double> solver;
    solver.analyse(pattern, Symmetry::unsymmetric);
    std::vector<double> values;
    assemble(solver, pattern, Symmetry::unsymmetric, matrix, values);
    return solver.layout().asymmetry(values);
  };
  const double expected = asymmetry(a);
  EXPECT_GT(expected, 1e-3);
  Eigen::VectorXd unit(a.rows());
  for (int i = 0; i < unit.size(); ++i) unit[i] = i % 3 == 0 ? 0x1p14 : 0x1p-13;  // powers of two: nothing is rounded
  EXPECT_DOUBLE_EQ(asymmetry(unit.asDiagonal() * a * unit.asDiagonal()), expected);
  EXPECT_EQ(asymmetry((a + a.transpose()) / 2), 0);
}

}  // namespace
}  // namespace flexura::test
