#include "flexura/run/run_checkpoint.hpp"

namespace flexura {

RunCheckpoint::RunCheckpoint(const State<double>& s, const RunProgress& p, int model)
    : counts_{p.segment, p.step, p.steps, p.iterations, p.factorizations, p.load_steps, p.states, p.energies, model},
      numbers_{s.t,
               p.step_size,
               p.baseline,
               p.violation,
               s.energy.gravity,
               s.energy.loads,
               s.energy.prescribed,
               s.energy.dissipated,
               p.numerical},
      energy_{p.energy.any ? 1.0 : 0.0, p.energy.kinetic, p.energy.strain_least,
              p.energy.strain_most,     p.energy.work,    p.energy.gained},
      contacts_(s.contacts),
      arrays_{ArrayView{"counts", std::span<const std::int64_t>(counts_)},
              {"numbers", std::span<const double>(numbers_)},
              {"energy_range", std::span<const double>(energy_)},
              {"q", std::span<const double>(s.q)},
              {"v", std::span<const double>(s.v)},
              {"a", std::span<const double>(s.a)},
              {"a_alg", std::span<const double>(s.a_alg)},
              {"lags", std::span<const double>(s.lags)},
              {"loads", std::span<const double>(s.loads)},
              {"term_history", std::span<const double>(s.history)},
              {"multistep", std::span<const double>(s.multistep)},
              {"angles", std::span<const double>(s.angles)},
              {"drawn", p.drawn},
              {"sampler_next", std::span<const double>(p.sampler_next)},
              {"frames", std::span<const double>(p.frames)},
              {"last", std::span<const double>(p.last)},
              {"least", std::span<const double>(p.least)},
              {"greatest", std::span<const double>(p.greatest)},
              {"low", std::span<const double>(p.low)},
              {"high", std::span<const double>(p.high)},
              {"turned", std::span<const double>(p.turned)},
              {"rotated", std::span<const double>(p.rotated)},
              {"notes", std::span<const std::int64_t>(p.notes)},
              {"contact_keys", std::span<const std::int64_t>(contacts_.keys)},
              {"contact_numbers", std::span<const double>(contacts_.numbers)}} {}

Checkpoint RunCheckpoint::owned() const {
  Checkpoint checkpoint;
  for (const ArrayView& view : arrays()) {
    NamedArray array;
    array.name = view.name;
    array.type = view.type;
    array.reals.assign(view.reals.begin(), view.reals.end());
    array.integers.assign(view.integers.begin(), view.integers.end());
    array.shape = {array.reals.size() + array.integers.size()};
    checkpoint.arrays.push_back(std::move(array));
  }
  return checkpoint;
}

int restore_run(const Checkpoint& checkpoint, RunProgress& p, State<double>& s) {
  const auto real = [&](const char* name) { return *checkpoint.reals(name); };
  const std::vector<std::int64_t> counts = *checkpoint.integers("counts");
  p.segment = counts[0], p.step = counts[1], p.steps = counts[2], p.iterations = counts[3],
  p.factorizations = counts[4];
  p.load_steps = counts[5], p.states = counts[6], p.energies = counts[7];
  const std::vector<double> numbers = real("numbers");
  s.t = numbers[0], p.step_size = numbers[1], p.baseline = numbers[2], p.violation = numbers[3];
  s.energy = {numbers[4], numbers[5], numbers[6], numbers[7]};
  p.numerical = numbers[8];
  s.q = real("q"), s.v = real("v"), s.a = real("a"), s.a_alg = real("a_alg"), s.lags = real("lags"),
  s.loads = real("loads");
  const auto if_there = [&](const char* name) {
    const std::vector<double>* numbers = checkpoint.reals(name);
    return numbers != nullptr ? *numbers : std::vector<double>();
  };
  if (const std::vector<double> range = if_there("energy_range"); range.size() >= 5)
    p.energy = {range[0] != 0, range[1], range[2], range[3], range[4], range.size() > 5 ? range[5] : 0};
  s.history = if_there("term_history");
  s.multistep = if_there(checkpoint.reals("multistep") != nullptr ? "multistep" : "history");  // its name at first
  s.angles = if_there("angles");  // since revolutions belong to the state
  const std::vector<std::int64_t>* keys = checkpoint.integers("contact_keys");
  s.contacts = keys == nullptr ? ContactHistory() : contact_history(*keys, real("contact_numbers"));
  const std::vector<std::int64_t>* drawn = checkpoint.integers("drawn");  // since results hold their drawing
  p.drawn = drawn != nullptr && !drawn->empty() ? drawn->front() : 0;
  const std::vector<std::int64_t>* notes = checkpoint.integers("notes");  // since resumed runs tell what they were told
  p.notes = notes != nullptr ? *notes : std::vector<std::int64_t>();
  p.turned = if_there("turned");
  p.rotated = if_there("rotated");
  p.sampler_next = real("sampler_next"), p.frames = real("frames");
  p.last = real("last"), p.least = real("least"), p.greatest = real("greatest");
  const bool enveloped = checkpoint.reals("low") != nullptr;  // since every step is looked at
  p.low = enveloped ? real("low") : p.last;
  p.high = enveloped ? real("high") : p.last;
  return counts.size() > 8 ? static_cast<int>(counts[8]) : -1;
}

}  // namespace flexura
