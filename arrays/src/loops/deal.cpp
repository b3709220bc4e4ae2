/// Loops that no array shares out.
#include "balance.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include <yoke/error.hpp>

namespace yoke::detail {

/// Of the number of indices: a loop of twice as many takes twice as long.
int digits_of(const any_box& over) {
  std::int64_t n = 1;
  for (int d = 0; d < over.dimensions; ++d) n *= over[d].size();
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n)));
}

namespace {

/// Units with a body that have all that the loop reads.
std::vector<int> units_to_deal_to(const loop_parts& parts) {
  std::vector<int> units;
  for (int unit = 0; unit < parts.context.n_units(); ++unit) {
    const auto has_elements = [&](const used_array& use) {
      const layout& shape = use.elements->shape();
      return use.is_everywhere || shape.has_elements(unit) || shape.bytes() == 0;
    };
    if (parts.takes_part(unit) && std::ranges::all_of(parts.uses, has_elements)) units.push_back(unit);
  }
  if (!units.empty()) return units;
  throw usage_error{fmt::format(
      "for_each '{}': no unit has all arrays that the loop reads{}; put them on the same grid of units",
      parts.name, parts.who.cpus && parts.who.gpus ? "" : " and a body among the variants")};
}

dealt_loops& dealt_loops_of(const loop_parts& parts, const std::vector<int>& units) {
  dealt_key key{parts.name, digits_of(parts.over), units};
  const auto known = parts.context.dealt.find(key);
  if (known != parts.context.dealt.end()) return known->second;
  dealt_loops made{units, make_balancer(dealt_loops::parts, units, parts.context)};
  return parts.context.dealt.emplace(std::move(key), std::move(made)).first->second;
}

}  // namespace

bool look_at_dealt(dealt_loops& loops) {
  if (!loops.sharing.is_time_to_look()) return false;
  std::optional<std::vector<std::int64_t>> shares = loops.sharing.look(0);
  if (!shares) return false;
  loops.sharing.move_to(*std::move(shares));
  return true;
}

void deal(loop_parts& parts) {
  const bound& all = parts.over[0];
  parts.deals = nullptr;
  parts.dealt.assign(static_cast<std::size_t>(parts.context.n_units()), bound{all.begin, all.begin});
  if (parts.over.empty()) return;
  const std::vector<int> units = units_to_deal_to(parts);
  if (units.size() == 1) {
    parts.dealt[static_cast<std::size_t>(units.front())] = all;
    return;
  }
  parts.deals = &dealt_loops_of(parts, units);
  look_at_dealt(*parts.deals);
  const std::vector<std::int64_t> cuts = cuts_after(parts.deals->sharing.shares());
  const auto index_at = [&](std::int64_t part) {
    return all.begin +
           static_cast<std::int64_t>(static_cast<__int128>(all.size()) * part / dealt_loops::parts);
  };
  for (std::size_t at = 0; at < units.size(); ++at)
    parts.dealt[static_cast<std::size_t>(units[at])] = {index_at(cuts[at]), index_at(cuts[at + 1])};
}

}  // namespace yoke::detail
