// Where a scene is linearised, and the eigenvalues there.

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "flexura/base/nearest_name.hpp"
#include "flexura/study/linearise.hpp"

namespace flexura {

Session session_at(SceneDocument document, const LinearisationPoint& at, const std::atomic<bool>* stop) {
  RunOptions options;
  options.record = false;
  options.stop = stop;
  const std::string file = document.file;
  const auto refuse = [&](const std::string& message, const std::string& nearest = {}) {
    throw InputError({{{file, 0, 0, 1}, "at", message, nearest}});
  };
  Session session(std::move(document), options);
  if (at.start) return session;
  const std::vector<AnalysisSpec>& all = session.scene().timeline.analyses;
  const auto named = [&](const std::string& name) {
    return std::find_if(all.begin(), all.end(), [&](const AnalysisSpec& a) { return a.name == name; });
  };
  std::vector<std::string> names;
  for (const AnalysisSpec& a : all) names.push_back(a.name);
  if (!at.analysis.empty() && named(at.analysis) == all.end())
    refuse(fmt::format("the scene has no analysis \"{}\"", at.analysis), nearest_name(at.analysis, names));
  const auto advance = [&] {
    session.advance();
    if (session.status() == RunStatus::failed) throw LinearisationError(session.message());
    if (session.status() == RunStatus::interrupted) throw LinearisationError("interrupted");
  };
  const auto near = [](double t) { return 1e-9 * std::max(1e-3, std::fabs(t)); };
  if (at.t && (!std::isfinite(*at.t) || *at.t < session.time() - near(*at.t)))
    refuse(fmt::format("{:.6g} s is no time of the run, which begins at {:.6g} s", *at.t, session.time()));
  if (!at.analysis.empty()) {
    const auto wanted = named(at.analysis);
    while (!session.is_finished()) {
      const auto now = named(session.analysis());
      if (now > wanted || (now == wanted && now->over_time() && session.time() >= now->end - near(now->end))) break;
      advance();
      if (now == wanted && !now->over_time()) break;
    }
    return session;
  }
  // One step does an analysis without time; those that come first are the way to the equilibrium.
  for (const AnalysisSpec& a : all) {
    if (a.over_time() || session.is_finished()) break;
    advance();
  }
  while (at.t && !session.is_finished() && session.time() < *at.t - near(*at.t)) advance();
  if (at.t && session.time() < *at.t - near(*at.t))
    refuse(fmt::format("the run ends at {:.6g} s, before {:.6g} s", session.time(), *at.t));
  return session;
}

std::vector<std::complex<double>> poles_of(const LinearModel& model) {
  const auto n = static_cast<Eigen::Index>(model.states.size());
  if (n == 0) return {};
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::MatrixXd A = Eigen::Map<const Rows>(model.A.data(), n, n);
  const Eigen::VectorXcd values = Eigen::EigenSolver<Eigen::MatrixXd>(A, false).eigenvalues();
  std::vector<std::complex<double>> out(values.begin(), values.end());
  const auto size = [](std::complex<double> s) { return std::abs(s); };
  std::ranges::sort(out, {}, size);
  for (auto first = out.begin(); first != out.end();) {
    const double equal = std::abs(*first) * (1 + 1e-9);
    const auto last = std::ranges::find_if(first, out.end(), [&](double s) { return s > equal; }, size);
    std::sort(first, last,
              [](auto a, auto b) { return std::pair(a.imag(), a.real()) < std::pair(b.imag(), b.real()); });
    first = last;
  }
  return out;
}

}  // namespace flexura
