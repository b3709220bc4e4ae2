# Headers that many files include are read once, where the build is to be quick; elsewhere each file reads what it includes, and
# nothing else, which shows what it forgot to include.

# yoke_headers(NAME  HEADERS header…  [USES target…]  [OPTIONS option…])
# Reads HEADERS once, with the include folders of USES and with OPTIONS, for the targets of yoke_use_headers(NAME …).
function(yoke_headers name)
  cmake_parse_arguments(headers "" "" "HEADERS;USES;OPTIONS" ${ARGN})
  if(NOT yoke_quick_build)
    return()
  endif()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/headers_${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// Nothing but what is included before.\n")
  add_library(yoke_headers_${name} OBJECT "${source}")
  target_link_libraries(yoke_headers_${name} PRIVATE ${headers_USES} yoke_options)
  # A compiler cache knows what is read by its text, not by when it was written.
  target_compile_options(yoke_headers_${name} PRIVATE ${OpenMP_CXX_FLAGS} "SHELL:-Xclang -fno-pch-timestamp" ${headers_OPTIONS})
  target_precompile_headers(yoke_headers_${name} PRIVATE ${headers_HEADERS})
endfunction()

# yoke_use_headers(NAME target…): the C++ files of each target have the headers of NAME in front. What a compiler compares between
# the two, optimization or none, the processor, position independence, is the target's own business; OpenMP is set, for headers
# that are read once have one setting.
function(yoke_use_headers name)
  if(NOT TARGET yoke_headers_${name})
    return()
  endif()
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:${OpenMP_CXX_FLAGS}>" "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
    target_precompile_headers(${target} REUSE_FROM yoke_headers_${name})
  endforeach()
endfunction()
