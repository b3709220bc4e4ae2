#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

#include <yoke/mapped.hpp>
#include <yoke/told_faults.hpp>

namespace yoke::detail {

namespace {

int as_system_has_it(rights now) {
  if (now == rights::none) return PROT_NONE;
  return now == rights::read ? PROT_READ : PROT_READ | PROT_WRITE;
}

}  // namespace

guarded_pages::guarded_pages(const void* start, std::size_t bytes, bool own) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(start);
  first_ = last_ = begin;
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t last = (begin + bytes + (own ? page - 1 : 0)) / page * page;
  if (first >= last) return;
  if (!own && !is_plain_memory(reinterpret_cast<const void*>(first), last - first)) return;
  first_ = first;
  last_ = last;
}

void guarded_pages::allow(rights now, std::string_view told) noexcept {
  if (first_ == last_) return;
  const bool is_other = now != now_;
  // In this order somebody who is refused is told why.
  if (now != rights::all && now_ == rights::all) {
    told_ = told_faults{touched::host_copy, first_, last_, told, true};
  } else if (now != rights::all) {
    told_.tell(told);
  }
  if (is_other && mprotect(reinterpret_cast<void*>(first_), last_ - first_, as_system_has_it(now)) == 0)
    now_ = now;
  if (now_ == rights::all) told_ = {};
}

}  // namespace yoke::detail
