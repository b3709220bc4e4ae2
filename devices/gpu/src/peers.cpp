#include "peers.hpp"

#include <fmt/format.h>

#include <yoke/gpu.hpp>

namespace yoke::gpu {

namespace {

void give_access(int from, int to) {
  int possible = 0;
  if (device_can_access_peer(&possible, from, to) != success) (void)get_last_error();
  if (possible == 0) return;
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

}  // namespace yoke::gpu
