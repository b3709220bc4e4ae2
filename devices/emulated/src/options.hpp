#pragma once
/// What YOKE_EMULATED takes, for its help and its errors.

#include <string_view>

namespace yoke::emulated {

inline constexpr std::string_view accepted_options =
    "option=value{,option=value}; options memory=BYTES[KiB|MiB|GiB], slowdown=X (X >= 1), "
    "processors=N (N >= 1), shared-memory=BYTES[KiB|MiB|GiB], peers=n (n >= 0), fail-alloc=n, fail-copy=n, "
    "fail-launch=n, fail-call=n (n >= 1), lost-after=n (n >= 0)";

}  // namespace yoke::emulated
