#include "flexura/math/local_minimum_degree.hpp"

#include <bit>

namespace flexura {

void LocalMinimumDegree::append(const std::vector<int>& nodes, std::vector<int>& order) {
  const std::size_t own = nodes.size();
  all_ = nodes;
  for (std::size_t i = 0; i < own; ++i) local_[nodes[i]] = static_cast<int>(i);
  for (const int v : nodes) {
    for (int e = graph_.start[v]; e < graph_.start[v + 1]; ++e) {
      const int u = graph_.neighbour[e];
      if (local_[u] >= 0) continue;
      local_[u] = static_cast<int>(all_.size());
      all_.push_back(u);
    }
  }
  words_ = (all_.size() + 63) / 64;
  joined_.assign(own * words_, 0);
  const auto bit = [](std::size_t i) { return std::uint64_t{1} << (i % 64); };
  for (std::size_t i = 0; i < own; ++i) {
    for (int e = graph_.start[nodes[i]]; e < graph_.start[nodes[i] + 1]; ++e) {
      const auto j = static_cast<std::size_t>(local_[graph_.neighbour[e]]);
      joined_[i * words_ + j / 64] |= bit(j);
    }
  }
  for (const int v : all_) local_[v] = -1;

  std::vector<std::int64_t> degrees(own);
  for (std::size_t i = 0; i < own; ++i) degrees[i] = degree(i);
  std::vector<char> done(own, 0);
  for (std::size_t k = 0; k < own; ++k) {
    std::size_t next = own;
    for (std::size_t i = 0; i < own; ++i)
      if (!done[i] && (next == own || degrees[i] < degrees[next])) next = i;
    done[next] = 1;
    order.push_back(nodes[next]);
    const std::uint64_t* pivot = joined_.data() + next * words_;
    for (std::size_t i = 0; i < own; ++i) {
      if (done[i] || (pivot[i / 64] & bit(i)) == 0) continue;
      std::uint64_t* row = joined_.data() + i * words_;
      for (std::size_t w = 0; w < words_; ++w) row[w] |= pivot[w];
      row[i / 64] &= ~bit(i);
      row[next / 64] &= ~bit(next);
      degrees[i] = degree(i);
    }
  }
}

std::int64_t LocalMinimumDegree::degree(std::size_t row) const {
  std::int64_t sum = 0;
  for (std::size_t w = 0; w < words_; ++w)
    for (std::uint64_t bits = joined_[row * words_ + w]; bits != 0; bits &= bits - 1)
      sum += weight_[all_[64 * w + static_cast<std::size_t>(std::countr_zero(bits))]];
  return sum;
}

}  // namespace flexura
