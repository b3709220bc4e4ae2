#include "moved_bytes.hpp"

namespace npb {

byte_counts counts_of(yoke::runtime& rt) {
  byte_counts counts;
  for (const yoke::transfer_count& t : rt.memory().transfers()) counts[{t.from, t.to}] += t.bytes;
  return counts;
}

void add_bytes(run_result& r, yoke::runtime& rt, const byte_counts& before,
               std::span<const unit_account> accounts) {
  byte_counts counts = counts_of(rt);
  for (const auto& [pair, n] : before) counts[pair] -= n;
  for (const yoke::compute_unit& unit : rt.units().all()) {
    const unit_account& account = accounts[static_cast<std::size_t>(unit.id)];
    counts[{0, unit.space}] += account.bytes_in;
    counts[{unit.space, 0}] += account.bytes_out;
    for (std::size_t to = 0; to < account.bytes_to.size(); ++to)
      counts[{unit.space, static_cast<int>(to)}] += account.bytes_to[to];
  }
  for (const auto& [pair, n] : counts)
    if (n > 0) r.bytes.push_back({pair.first, pair.second, n});
}

}  // namespace npb
