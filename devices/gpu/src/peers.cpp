#include "peers.hpp"

#include <fmt/format.h>

#include <yoke/gpu.hpp>

namespace yoke::gpu {

namespace {

bool can_access(int from, int to) {
  int possible = 0;
  if (device_can_access_peer(&possible, from, to) == success) return possible != 0;
  (void)get_last_error();
  return false;
}

void give_access(int from, int to) {
  if (!can_access(from, to)) return;
  const auto intent = [&] {
    return fmt::format("giving {}:{} access to the memory of {}:{}", backend_name, from, backend_name, to);
  };
  check(set_device(from), intent);
  const error code = device_enable_peer_access(to, 0u);
  if (code == peer_access_already_enabled) {
    (void)get_last_error();
    return;
  }
  check(code, intent);
}

}  // namespace

void enable_peer_access(int ordinal, const std::vector<int>& others) {
  for (const int other : others) {
    if (other == ordinal) continue;
    give_access(ordinal, other);
    give_access(other, ordinal);
  }
}

link_kind link_between(int from, int to) {
  if (!can_access(from, to) || !can_access(to, from)) return link_kind::through_host;
  int has_atomics = 0;
  if (device_get_p2p_attribute(&has_atomics, native_atomics, from, to) != success) (void)get_last_error();
  if (has_atomics == 0) return link_kind::pcie;
  return direct_link;
}

}  // namespace yoke::gpu
