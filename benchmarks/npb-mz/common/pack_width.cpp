#include "pack_width.hpp"

#include <yoke/error.hpp>

namespace npb {

bool has_packs_of_eight() { return __builtin_cpu_supports("x86-64-v4") != 0; }

bool use_packs_of_eight(pack_width width) {
  if (width == pack_width::four) return false;
  if (width == pack_width::eight && !has_packs_of_eight())
    throw yoke::config_error{"packs of eight doubles: this CPU has no AVX-512"};
  return has_packs_of_eight();
}

}  // namespace npb
