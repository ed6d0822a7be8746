// Which way takes fewer solves.

#include <algorithm>

#include "flexura/scene/scene_model.hpp"
#include "flexura/study/gradient.hpp"

namespace flexura {
namespace {

constexpr size_t cost_of_result = 2;  ///< backwards, in numbers forwards: a run is gone through and done again in part

/// Results of the question, without a run: a row for each time.
size_t results(const SceneDocument& document, const GradientQuestion& question) {
  const size_t columns = question.of.empty() ? 3 * document.of_kind("sensor").size() : 3 * question.of.size();
  return columns * std::max<size_t>(1, question.times.size() + question.after.size());
}

}  // namespace

Derivatives differentiate(const SceneDocument& document, const ReadScene& read, const GradientQuestion& question,
                          GradientWay way) {
  if (way == GradientWay::forwards) return differentiate(document, read, question);
  if (way == GradientWay::backwards) return differentiate_by_results(document, read, question);
  const SceneModels scene = interpret_scene(document);
  const bool has_modes =
      std::ranges::any_of(scene.timeline.analyses, [](const AnalysisSpec& a) { return a.finds_modes(); });
  if (has_modes || question.wrt.size() <= cost_of_result * results(document, question))
    return differentiate(document, read, question);
  try {
    return differentiate_by_results(document, read, question);
  } catch (const InputError&) {
    return differentiate(document, read, question);
  } catch (const GradientError&) {
    return differentiate(document, read, question);
  }
}

}  // namespace flexura
