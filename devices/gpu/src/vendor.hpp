#pragma once
/// What the records of cuda and hip share, built or not.

#include <yoke/backends.hpp>

namespace yoke::gpu {

/// The records without what counts and opens devices.
backend cuda_record();
backend hip_record();
/// The record of devices that this build does not have: "this build has no CUDA: configure with
/// -DYOKE_GPU=cuda".
backend missing(backend record, std::string_view why);

}  // namespace yoke::gpu
