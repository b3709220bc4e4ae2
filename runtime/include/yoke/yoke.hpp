// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Everything: compute units, placement, scheduling and the runtime.

#include <yoke/atomic.hpp>
#include <yoke/cu.hpp>
#include <yoke/error.hpp>
#include <yoke/ids.hpp>
#include <yoke/kernel.hpp>
#include <yoke/launch.hpp>
#include <yoke/placed.hpp>
#include <yoke/placement.hpp>
#include <yoke/runtime.hpp>
#include <yoke/scheduling.hpp>
#include <yoke/task_loop.hpp>
#include <yoke/version.hpp>
#include <yoke/view.hpp>
