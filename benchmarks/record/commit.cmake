# cmake -DSOURCE=DIR -DOUT=FILE -P commit.cmake: writes the commit that SOURCE is at, as a file of C++, where it has changed.
# "-dirty" where tracked files differ from it; "unknown" where SOURCE is no clone of its own, as from a tarball.
set(commit unknown)
find_program(git git)
if(git)
  execute_process(COMMAND "${git}" -C "${SOURCE}" rev-parse --show-toplevel
                  OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  file(REAL_PATH "${SOURCE}" source)
  if(top STREQUAL source)
    execute_process(COMMAND "${git}" -C "${SOURCE}" describe --always --tags --dirty --abbrev=10
                    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed AND found)
      set(commit "${found}")
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT "${OUT}" @ONLY CONTENT [[
#include "record/commit.hpp"

namespace record {
std::string_view commit() noexcept { return "@commit@"; }
}  // namespace record
]])
