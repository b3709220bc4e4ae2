// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// All of groups of tasks.

#include <yoke/task_group.hpp>
#include <yoke/task_roles.hpp>
#include <yoke/yoke.hpp>
