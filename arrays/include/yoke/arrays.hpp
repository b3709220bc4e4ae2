#pragma once
/// Arrays, loops with roles, halos and reductions, with everything that they stand on.

#include <yoke/array.hpp>
#include <yoke/box.hpp>
#include <yoke/distribution.hpp>
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
