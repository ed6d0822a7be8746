// What weighted forces and memories feel of all that an item reads, of every term that relaxes: backwards, against duals one by one.

#include "flexura/solve/item_products.hpp"

#include "tests/support/term_setting.hpp"

namespace flexura::test {
namespace {

class EveryTermThatRelaxes : public EveryTerm {};

struct Feeling {
  std::vector<double> q, v, u, du, past;
};

/// λ·r + w·next with the entry `index` of q (0), v (1) or the history (2) changing by 1.
double by_dual(Dense<Dual<double>>& dense, const Setting& s, const Feeling& weights, int of, int index) {
  std::vector<Dual<double>> parts[] = {to_dual(s.q), to_dual(s.v), to_dual(s.history)};
  parts[of][index].d = 1;
  dense.assembler.set_history(parts[2], s.h);
  const std::vector<Dual<double>> forces = dense.residual(parts[0], parts[1]);
  std::vector<Dual<double>> next(s.history.size());
  dense.assembler.remember(0, parts[0].data(), parts[1].data(), next.data());
  double sum = 0;
  for (size_t i = 0; i < forces.size(); ++i) sum += weights.q[i] * forces[i].d;
  for (size_t k = 0; k < next.size(); ++k) sum += weights.past[k] * next[k].d;
  return sum;
}

TEST_P(EveryTermThatRelaxes, BackwardsIsForwards) {
  const int count = native_lanes + 1;  // a block that is full and one that is not
  const Setting s = setting(term(), random_items(term(), count, random), random);
  const Topology& topology = *s.model.topology;
  const auto draw = [&](size_t size) {
    std::vector<double> out(size);
    for (double& x : out) x = random.uniform(-1, 1);
    return out;
  };
  const Feeling weights{draw(topology.nq), {}, {}, {}, draw(topology.history)};
  std::vector<ItemSeed> seeds;
  const int coordinates = info().dofs(), remembered = topology.batches[0].history;
  for (int item = 0; item < count; ++item) {
    for (int k = 0; k < coordinates; ++k)
      seeds.push_back({ItemSeed::q, item, k}), seeds.push_back({ItemSeed::v, item, k});
    for (int k = 0; k < remembered; ++k) seeds.push_back({ItemSeed::past, item, k});
  }
  const auto products = make_item_products(topology, s.model.values, 0, {}, seeds);
  std::vector<double> u, du;
  for (const SignalValue& signal : s.signals) u.push_back(signal.u), du.push_back(signal.du);
  const In<double> in{0, s.q.data(), s.v.data(), u.data(), du.data(), nullptr, nullptr, s.history.data(), s.h};
  Feeling felt{std::vector<double>(topology.nq),
               std::vector<double>(topology.nq),
               {},
               {},
               std::vector<double>(topology.history)};
  products->by_state(in, {weights.q.data(), weights.past.data()},
                     {felt.q.data(), felt.v.data(), nullptr, nullptr, felt.past.data()});

  Dense<Dual<double>> dense(s.model);
  std::vector<Dual<double>> signals, rates, accelerations;
  for (const SignalValue& signal : s.signals)
    signals.emplace_back(signal.u), rates.emplace_back(signal.du), accelerations.emplace_back(signal.ddu);
  dense.assembler.set_signals(signals, rates, accelerations);
  const std::vector<double>* felts[] = {&felt.q, &felt.v, &felt.past};
  for (int of = 0; of < 3; ++of) {
    const double size = largest(*felts[of]);
    for (int k = 0; k < 8; ++k) {
      const int index = static_cast<int>(random.uniform(0, 1) * (static_cast<double>(felts[of]->size()) - 1e-9));
      // rounding of some thousand operations
      EXPECT_NEAR((*felts[of])[index], by_dual(dense, s, weights, of, index), 1e-11 * (1 + size) * cancellation(info()))
          << "of " << of << ", " << index;
    }
  }
  EXPECT_GT(largest(felt.q), 0);
  EXPECT_GT(largest(felt.past), 0);
}

std::vector<TermCase> relaxing_cases() {
  std::vector<TermCase> out;
  for (const TermCase& c : all_term_cases())
    if (c.type->info.role == Role::conservative && c.type->history && c.type->history(c.options) > 0) out.push_back(c);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Suite, EveryTermThatRelaxes, ::testing::ValuesIn(relaxing_cases()), case_name);

}  // namespace
}  // namespace flexura::test
