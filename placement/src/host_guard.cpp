#include "host_guard.hpp"

#include "copies.hpp"
#include "region_store.hpp"

#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/host_guards.hpp>

namespace yoke::detail {

namespace {
/// What is larger and cannot be protected, as memory of a driver, would be read as a whole each time.
constexpr std::size_t most_checked = std::size_t{1} << 20;
}  // namespace

host_guard::host_guard(const void* start, std::size_t n, bool reserved) : pages_{start, n, reserved} {
  if (reserved) return;  // ends at the end of a page, for nobody else has that
  const bytes all{static_cast<const unsigned char*>(start), n};
  const std::size_t before = pages_.first() - reinterpret_cast<std::uintptr_t>(start);
  const std::size_t within = pages_.last() - pages_.first();
  ends_ = {all.first(before), all.subspan(before + within)};
  if (ends_[0].size() + ends_[1].size() > most_checked) ends_ = {};
}

/// FNV-1a: of less than two pages, or a region that has no page for itself.
std::uint64_t host_guard::checksum() const {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const bytes& end : ends_)
    for (const unsigned char each : end) sum = (sum ^ each) * 0x100000001b3;
  return sum;
}

void host_guard::allow(rights now, std::string_view why) {
  if (now == rights::all) {
    ends_were_.reset();
  } else if (now_ == rights::all) {
    ends_were_ = checksum();
  }
  now_ = now;
  pages_.allow(now, why);
}

bool host_guard::was_written() const { return ends_were_ && *ends_were_ != checksum(); }

namespace {

rights allowed_by(const region& of, const versions::table& table) {
  if (of.address_in(host_space) == nullptr) return rights::none;  // reserved: there is nothing to touch
  if (of.placement == space_id{} || of.guard->is_left_to_program()) return rights::all;
  if (!table.is_idle(of.piece, host_space)) return rights::all;  // work that is told there goes on by itself
  if (!table.holds(of.piece, host_space)) return rights::none;
  return table.has_replicas(of.piece) ? rights::read : rights::all;
}

constexpr const char* way_to_the_host =
    "migrate it to the host first (placement::migrate to host_space, or host() of a yoke::placed)";

}  // namespace

void guard_host_copies(region_table& regions) { store_of(regions).guard_host_copies(); }

std::string region_store::why_guarded(const region& of, rights now) const {
  const space_id placement{of.placement};
  const std::string name = name_of(of);
  if (placement == space_id{})
    return fmt::format(", in {}, which is reserved and placed nowhere yet; {}", name, way_to_the_host);
  if (now == rights::none)
    return fmt::format(", in {}, which is placed in {}: the host has no copy of it, or an old one; {}", name,
                       copies_.name_of(placement), way_to_the_host);
  return fmt::format(
      ", to write in {}, which is placed in {} and of which there are copies for reading elsewhere, that "
      "would be "
      "old then; {}",
      name, copies_.name_of(placement), way_to_the_host);
}

void region_store::guard_host(const region& of) {
  if (of.guard == nullptr) return;
  const rights now = allowed_by(of, *versions_.lock());
  of.guard->allow(now, now == rights::all ? std::string{} : why_guarded(of, now));
}

void region_store::check_host(const region& of) const {
  if (of.guard == nullptr || !of.guard->was_written()) return;
  throw usage_error{fmt::format(
      "{}: the program has written to the host's bytes of it while it was placed in {}{}; {}", name_of(of),
      copies_.name_of(space_id{of.placement}),
      of.placement == host_space ? " and there were copies for reading elsewhere, which are old now"
                                 : ", and what brings it to the host overwrites that",
      way_to_the_host)};
}

void region_store::check_host_range(const location& end, std::size_t bytes, bool writes) const {
  if (end.space != host_space) return;
  region* const of = regions_.guarded_in(end.address, bytes);
  if (of == nullptr) return;
  const std::lock_guard lock{of->lock};
  if (of->guard == nullptr) return;  // it has gone meanwhile
  const rights now = of->guard->allowed();
  if (now == rights::all || (now == rights::read && !writes)) return;
  throw usage_error{fmt::format("copying {} bytes {} the host's address {}{}", bytes, writes ? "to" : "from",
                                fmt::ptr(end.address), why_guarded(*of, now))};
}

}  // namespace yoke::detail
