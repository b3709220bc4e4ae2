// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Arrays, loops with roles, halos and reductions, with everything that they stand on.
///
/// Read first array.hpp, for_each.hpp and roles.hpp; distribution.hpp for how arrays are cut, reduction.hpp
/// for results of loops. The others are for those who need them: record.hpp (loops that repeat), streamed.hpp
/// (data larger than a GPU), scan.hpp, transpose.hpp, tile.hpp (memory on chip), part.hpp (libraries),
/// variants.hpp (a body for each kind of unit), loop_sharing.hpp (loops distributed by hand).

#include <yoke/array.hpp>
#include <yoke/box.hpp>
#include <yoke/distribution.hpp>
#include <yoke/exchange.hpp>
#include <yoke/for_each.hpp>
#include <yoke/loop_sharing.hpp>
#include <yoke/operations.hpp>
#include <yoke/part.hpp>
#include <yoke/record.hpp>
#include <yoke/reduction.hpp>
#include <yoke/roles.hpp>
#include <yoke/scan.hpp>
#include <yoke/streamed.hpp>
#include <yoke/tile.hpp>
#include <yoke/transpose.hpp>
#include <yoke/variants.hpp>
#include <yoke/yoke.hpp>
