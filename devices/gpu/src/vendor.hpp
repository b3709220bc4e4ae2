#pragma once
/// What the records of cuda and hip share, built or not.

#include <yoke/backends.hpp>

namespace yoke::gpu {

/// The record without what counts and opens devices.
backend vendor_record(std::string_view name);
/// "cuda", "this build has no CUDA: configure with -DYOKE_GPU=cuda".
backend missing_vendor(std::string_view name, std::string_view why);

}  // namespace yoke::gpu
