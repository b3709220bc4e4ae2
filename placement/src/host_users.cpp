#include <mutex>
#include <utility>

#include <yoke/host_users.hpp>

namespace yoke::detail {

namespace {

/// Needs no memory and no end, as statics of a program may outlive it.
struct host_users {
  std::mutex lock;
  host_user* first = nullptr;
};
constinit host_users users;

}  // namespace

host_user::host_user(std::string name, shares_bytes shares)
    : name_{std::move(name)}, shares_{std::move(shares)} {
  const std::lock_guard guard{users.lock};
  next_ = std::exchange(users.first, this);
}

host_user::~host_user() {
  const std::lock_guard guard{users.lock};
  host_user** at = &users.first;
  while (*at != this) at = &(*at)->next_;
  *at = next_;
}

std::string name_of_host_user(const void* start, std::size_t bytes) {
  const std::lock_guard guard{users.lock};
  for (const host_user* each = users.first; each != nullptr; each = each->next_)
    if (each->shares_(start, bytes)) return each->name_;
  return {};
}

}  // namespace yoke::detail
