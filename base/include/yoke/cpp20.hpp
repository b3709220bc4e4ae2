// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The first that a compiler reads of any header: which standard it must be told.

#if __cplusplus < 202002L
#error \
    "Yoke needs C++20: compile with -std=c++20, in CMake target_compile_features(TARGET PRIVATE cxx_std_20)"
#endif
