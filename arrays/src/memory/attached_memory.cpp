#include "attached_memory.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

/// Without end: statics of a program may outlive it.
struct all_attached {
  std::mutex lock;
  std::vector<const attached_memory*> list;
};
all_attached& all() {
  static auto* const the = new all_attached;
  return *the;
}

std::string name_of(const host_section& section) {
  return fmt::format("the {} bytes at {}", section.bytes(), fmt::ptr(section.first()));
}

shares_bytes shared_with(const host_section& section) {
  return [section](const void* start, std::size_t bytes) { return section.has_bytes_of(start, bytes); };
}

}  // namespace

attached_memory::attached_memory(const host_section& section, const array_context& context, bool is_const,
                                 std::string called)
    : section_{section},
      is_const_{is_const},
      called_{std::move(called)},
      context_{context},
      no_region_{fmt::format("{}, which is attached to {}", called_, name_of(section)),
                 shared_with(section)} {
  if (const std::string region = region_that_shares(shared_with(section)); !region.empty())
    throw usage_error{
        fmt::format("attach: {} share bytes with {}, which is placed by itself; unregister that one "
                    "first (the end of a yoke::placed does)",
                    name_of(section), region)};
  const std::lock_guard guard{all().lock};
  refuse_shared();
  all().list.push_back(this);
}

attached_memory::~attached_memory() {
  const std::lock_guard guard{all().lock};
  std::erase(all().list, this);
}

void attached_memory::refuse_shared() const {
  for (const attached_memory* other : all().list) {
    if ((is_const_ && other->is_const_) || !section_.shares_elements_with(other->section_)) continue;
    throw usage_error{
        fmt::format("attach: {} share elements with {}, to which {}{} is attached; detach that one first",
                    name_of(section_), name_of(other->section_), other->called_,
                    &other->context_ == &context_ ? "" : ", of another runtime,")};
  }
}

bool is_attached(const void* start, std::size_t bytes, bool to_read) {
  const auto* const first = static_cast<const std::byte*>(start);
  const std::less<> before{};
  const std::lock_guard guard{all().lock};
  return bytes > 0 && std::ranges::any_of(all().list, [&](const attached_memory* each) {
           const host_section& of = each->section_;
           return !(to_read && each->is_const_) && !of.empty() && before(first, of.first() + of.span()) &&
                  before(of.first(), first + bytes);
         });
}

}  // namespace yoke::detail
