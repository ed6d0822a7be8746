// What weighted forces and memories feel of all that an item reads, and of its own numbers: in lanes, and of what relaxes backwards, against
// duals one by one. Of every term: kernels on duals in lanes are compiled for nothing else.

#include "flexura/solve/item_products.hpp"

#include "flexura/solve/dual_residual.hpp"
#include "tests/support/term_setting.hpp"

namespace flexura::test {
namespace {

class ProductsOfEveryTerm : public EveryTerm {
 protected:
  std::vector<double> draw(size_t size) {
    std::vector<double> out(size);
    for (double& x : out) x = random.uniform(-1, 1);
    return out;
  }
};

struct Feeling {
  std::vector<double> q, v, u, du, past;
};
constexpr std::vector<double> Feeling::* parts[] = {&Feeling::q, &Feeling::v, &Feeling::u, &Feeling::du,
                                                    &Feeling::past};

/// λ·r + w·next of a state by duals, with what it and the numbers change by.
class ByDuals {
 public:
  ByDuals(const Model& model, const Values& direction) : residual_(model.topology, model.values, direction) {}

  double operator()(const Setting& s, const Feeling& weights, const Feeling& change) {
    const auto dual = [](const std::vector<double>& x, const std::vector<double>& d) {
      std::vector<Tangent> out(x.begin(), x.end());
      for (size_t i = 0; i < d.size(); ++i) out[i].d = d[i];
      return out;
    };
    Assembler<Tangent>& assembler = residual_.assembler;
    std::vector<double> u, du;
    for (const SignalValue& signal : s.signals) u.push_back(signal.u), du.push_back(signal.du);
    assembler.set_signals(dual(u, change.u), dual(du, change.du), std::vector<Tangent>(u.size(), Tangent(0.0)));
    assembler.set_history(dual(s.history, change.past), s.h);
    const std::vector<Tangent> q = dual(s.q, change.q), v = dual(s.v, change.v);
    std::vector<Tangent> forces(assembler.residual_size()), next(s.history.size());
    assembler.residual(0, q.data(), v.data(), forces.data());
    if (!next.empty()) assembler.remember(0, q.data(), v.data(), next.data());
    double sum = 0;
    for (size_t i = 0; i < weights.q.size(); ++i) sum += weights.q[i] * forces[i].d;
    for (size_t k = 0; k < next.size(); ++k) sum += weights.past[k] * next[k].d;
    return sum;
  }

 private:
  DualResidual residual_;
};

TEST_P(ProductsOfEveryTerm, AreThoseOfDuals) {
  const int count = native_lanes + 1;  // a block that is full and one that is not
  const Setting s = setting(term(), random_items(term(), count, random), random);
  const Topology& topology = *s.model.topology;
  const ItemBatch& items = topology.batches[0];
  const Feeling weights{draw(topology.nq), {}, {}, {}, draw(topology.history)};
  std::vector<ItemSeed> seeds;
  std::vector<ItemDirection> directions;
  Values direction = no_direction(s.model.values);
  const int numbers = info().parameter_count();
  const int signals = static_cast<int>(std::ranges::count(info().slots, SlotKind::signal));
  for (int item = 0; item < count; ++item) {
    for (int k = 0; k < info().dofs(); ++k)
      for (const ItemSeed::Of of : {ItemSeed::q, ItemSeed::v}) seeds.push_back({of, item, k});
    for (int k = 0; k < signals; ++k)
      for (const ItemSeed::Of of : {ItemSeed::signal, ItemSeed::signal_rate}) seeds.push_back({of, item, k});
    for (int k = 0; k < items.history; ++k) seeds.push_back({ItemSeed::past, item, k});
    ItemDirection own{item, draw(numbers), draw(info().dofs()), 0};
    int k = 0;
    for (const Field& field : info().fields)
      for (int i = 0; i < field.size; ++i, ++k)
        if (field.is_law) own.parameters[k] = 0;
    std::ranges::copy(own.parameters, direction.parameters[0].begin() + item * numbers);
    const std::vector<int> at = local_places(s.model, item);
    for (size_t i = 0; i < at.size(); ++i) direction.reference[at[i]] = own.reference[i];
    directions.push_back(std::move(own));
  }
  const auto products = make_item_products(topology, s.model.values, 0, directions, seeds);
  std::vector<double> u, du;
  for (const SignalValue& signal : s.signals) u.push_back(signal.u), du.push_back(signal.du);
  const In<double> in{0, s.q.data(), s.v.data(), u.data(), du.data(), nullptr, nullptr, s.history.data(), s.h};
  Feeling felt{std::vector<double>(topology.nq), std::vector<double>(topology.nq), std::vector<double>(u.size()),
               std::vector<double>(u.size()), std::vector<double>(topology.history)};
  const ItemWeights by{weights.q.data(), topology.history > 0 ? weights.past.data() : nullptr};
  products->by_state(in, by, {felt.q.data(), felt.v.data(), felt.u.data(), felt.du.data(), felt.past.data()});
  std::vector<double> sums(directions.size() + native_lanes, 0.0);
  products->by_numbers(in, {}, by, sums.data());

  // Rounding of some thousand operations on what is far larger than what is felt.
  const auto expect_same = [&](double is, double should, double size, const std::string& what) {
    EXPECT_NEAR(is, should, 1e-10 * (1 + size) * cancellation(info())) << what;
  };
  ByDuals state(s.model, no_direction(s.model.values)), own(s.model, direction);
  for (const auto part : parts) {
    const std::vector<double>& all = felt.*part;
    for (int k = 0; k < 4 && !all.empty(); ++k) {
      const int index = static_cast<int>(random.uniform(0, 1) * (static_cast<double>(all.size()) - 1e-9));
      Feeling change;
      (change.*part).assign(all.size(), 0.0);
      (change.*part)[index] = 1;
      expect_same(all[index], state(s, weights, change), largest(all), fmt::format("number {} of a part", index));
    }
  }
  double sum = 0, size = 0;
  for (const double x : sums) sum += x, size = std::max(size, std::fabs(x));
  expect_same(sum, own(s, weights, {}), size, "by numbers");
}

std::vector<TermCase> cases_with_forces() {
  std::vector<TermCase> out;
  for (const TermCase& c : all_term_cases())
    if (c.type->info.has_residual) out.push_back(c);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Suite, ProductsOfEveryTerm, ::testing::ValuesIn(cases_with_forces()), case_name);

}  // namespace
}  // namespace flexura::test
