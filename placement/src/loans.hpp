#pragma once
/// Plain addresses that GPU units were given. Kernels that use them are unknown to the table, so whoever must
/// come after them waits for the unit's whole stream, unless the unit has waited for it since.

#include "region.hpp"

#include <yoke/compute_units.hpp>

namespace yoke::detail {

/// A loan is the unit's count of finished work, from 1, and whether the address may be written through. Only
/// the unit's own thread changes it.
inline std::uint64_t loan_of(const compute_units& units, const compute_unit& unit, access how) {
  return (units.times_finished(unit.id) + 1) << 1 | (how == access::write ? 1u : 0u);
}

inline std::atomic<std::uint64_t>& loan_slot(const region& of, const compute_units& units,
                                             const compute_unit& unit) {
  return of.loans[static_cast<std::size_t>(unit.id - units.shape().cpu_units)];
}

/// No effect for CPU units, whose work has been done when they call again.
inline void lend(const region& of, const compute_units& units, const compute_unit& unit, access how) {
  if (unit.dev == nullptr) return;
  std::atomic<std::uint64_t>& slot = loan_slot(of, units, unit);
  const std::uint64_t before = slot.load(std::memory_order_relaxed);
  std::uint64_t next = loan_of(units, unit, how);
  if (before >> 1 == next >> 1) next |= before;
  if (next != before) slot.store(next, std::memory_order_release);
}

/// Whether kernels of `unit` that the table does not know may still use the region, in a way that an access
/// `how` must not overlap.
inline bool is_lent(const region& of, const compute_units& units, const compute_unit& unit, access how) {
  const std::uint64_t loan = loan_slot(of, units, unit).load(std::memory_order_acquire);
  if (loan >> 1 != units.times_finished(unit.id) + 1) return false;
  return how == access::write || (loan & 1) != 0;
}

}  // namespace yoke::detail
