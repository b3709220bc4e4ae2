// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// All of groups of tasks.

#include <yoke/task.hpp>
#include <yoke/task_agent.hpp>
#include <yoke/task_context.hpp>
#include <yoke/task_group.hpp>
#include <yoke/task_recording.hpp>
#include <yoke/task_reduce.hpp>
#include <yoke/task_roles.hpp>
#include <yoke/task_starter.hpp>
#include <yoke/tiles.hpp>
#include <yoke/variants.hpp>
#include <yoke/yoke.hpp>
