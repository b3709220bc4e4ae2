// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Hosting threads that call libraries of OpenMP.

#include <yoke/hosting.hpp>

namespace yoke {

/// hosting::bind_self, and the team too that OpenMP gives the calling thread: from here on its parallel
/// regions have a thread for each of the CPUs of `who`, on these. libomp, which takes over a thread at its
/// first call, gives it and its team all CPUs of the process otherwise. In a thread of its own, outside of
/// parallel regions; once, before the library is called. A team of more threads than there are compute units
/// stays so while its regions have the same number of threads: libomp deals its places out anew for another.
/// Starts libomp. Errors: as bind_self; config_error where KMP_HOT_TEAMS_MAX_LEVEL or OMP_THREAD_LIMIT keep
/// OpenMP from giving it so many threads, and the same ones each time.
void bind_team(const hosting& cores, hosted who);

}  // namespace yoke
