// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Who can say what is at an address.

#include <string>

#include <yoke/cpp20.hpp>

namespace yoke::detail {

/// "the host's copy of region 'forces' at …"; empty where it is nobody's that is known. Called by any thread.
using address_namer = std::string (*)(const void* address);
/// For messages about addresses that a kernel must not use; placement has one.
void set_address_namer(address_namer next) noexcept;

}  // namespace yoke::detail
