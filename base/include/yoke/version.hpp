// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which Yoke this is: the headers by macros, the library by functions.

#include <string_view>

#include <yoke/cpp20.hpp>

/// The version of the headers. CMake reads it here.
#define YOKE_VERSION_MAJOR 0
#define YOKE_VERSION_MINOR 1
#define YOKE_VERSION_PATCH 0
/// One number that grows with each version, for `#if`: 10203 is 1.2.3.
#define YOKE_VERSION (YOKE_VERSION_MAJOR * 10000 + YOKE_VERSION_MINOR * 100 + YOKE_VERSION_PATCH)

namespace yoke {

/// "major.minor.patch" of the library that is linked.
std::string_view version() noexcept;

/// How the library that is linked was built. Which backends it has is a question to all_backends().
struct build_options {
  std::string_view compiler;      ///< with its version
  std::string_view type;          ///< "Release", … (CMAKE_BUILD_TYPE)
  std::string_view gpu;           ///< the vendor of GPUs: "none", "cuda" or "hip" (YOKE_GPU)
  std::string_view gpu_compiler;  ///< its version; empty without a vendor
  std::string_view sanitizers;    ///< "thread", …; empty where there are none
  bool checks = false;            ///< whether schedules are checked where YOKE_CHECK does not say
};
const build_options& options_of_build() noexcept;

}  // namespace yoke
