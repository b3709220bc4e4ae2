// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Another body of a loop for a kind of compute unit.
///
///   yoke::for_each<yoke::variants<cpu<relax_rows>, gpu<relax_tiles>>>(rt, {n, m}, in(old), out(u));
///
/// Both bodies get the same arguments and must compute the same, for which indices go to which kind is a
/// matter of configuration; bits agree where both compute them alike.
///
/// Source: Communicators (Alonso-Mayo et al.), KERNEL_CPU and KERNEL_GPU.

#include <yoke/cpp20.hpp>

namespace yoke {

namespace loops {

/// For CPU CUs; Body may be a function of the host alone: it needs no YOKE_HD, may use the standard library
/// and throw, and is called by all CPUs of the unit at once, each for its own indices.
template <class Body>
struct cpu {};
/// For GPU CUs, those of emulated devices too: Body is a kernel (kernel.hpp), or a function of the host that
/// queues work for its whole part (part.hpp).
template <class Body>
struct gpu {};

}  // namespace loops

/// One of cpu<…> and gpu<…>, or both in any order: bodies that take the same arguments. A CU for whose kind
/// there is none takes no part: of the arrays of the loop it must own none of the loop's indices (usage_error
/// that names unit and indices); a loop without arrays is shared among the others. Errors: usage_error where
/// no CU of the runtime has a body.
template <class... Of>
struct variants {};

}  // namespace yoke
