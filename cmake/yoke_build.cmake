# How everything in the project is compiled. Rooms are declared with yoke_room().
include(GNUInstallDirs)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
endif()
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
  message(FATAL_ERROR "Yoke needs clang 19 or later with its libomp, found ${CMAKE_CXX_COMPILER_ID} "
                      "${CMAKE_CXX_COMPILER_VERSION}; configure with -DCMAKE_CXX_COMPILER=clang++-19 or a preset")
endif()
if(NOT YOKE_GPU MATCHES "^(none|cuda|hip)$")
  message(FATAL_ERROR "YOKE_GPU=${YOKE_GPU}: no such backend; one of none, cuda, hip")
endif()

find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(hwloc IMPORTED_TARGET hwloc)
if(NOT hwloc_FOUND)
  message(FATAL_ERROR "Yoke reads cores and NUMA nodes through hwloc: apt install libhwloc-dev")
endif()

if(YOKE_HIP_OVER_CUDA AND NOT YOKE_GPU STREQUAL "hip")
  message(FATAL_ERROR "YOKE_HIP_OVER_CUDA needs YOKE_GPU=hip, found ${YOKE_GPU}")
endif()
include(yoke_kernel_language)
include(yoke_kernel_sources)
include(yoke_schedule_plugin)
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)

# Warnings, sanitizers and floating-point rules (those of kernel files: yoke_kernel_sources); private to the project,
# never exported.
add_library(yoke_options INTERFACE)
target_compile_options(yoke_options INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wconversion;-Wno-sign-conversion>"
  "$<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>"
  # nvcc rewrites designated initialisers in GNU's old form for the host compiler.
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wno-gnu-designator>"
  "$<$<COMPILE_LANGUAGE:HIPCC>:-Wall;-Wextra>")
if(YOKE_WARNINGS_AS_ERRORS)
  target_compile_options(yoke_options INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Werror>" "$<$<COMPILE_LANGUAGE:CUDA>:--Werror=all-warnings>"
    "$<$<COMPILE_LANGUAGE:HIPCC>:-Werror>")
endif()
if(YOKE_SANITIZE)
  target_compile_options(yoke_options INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${YOKE_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all;-gline-tables-only>")
  target_link_options(yoke_options INTERFACE "-fsanitize=${YOKE_SANITIZE}")
  target_compile_definitions(yoke_options INTERFACE YOKE_SANITIZED=1)
endif()
target_compile_features(yoke_options INTERFACE cxx_std_20)

include(yoke_headers)
find_package(nlohmann_json REQUIRED)
yoke_headers(rooms
  HEADERS <algorithm> <array> <atomic> <chrono> <condition_variable> <cmath> <cstdint> <cstring> <deque> <filesystem> <fstream> <functional>
    <limits> <map> <memory> <mutex> <numeric> <optional> <set> <span> <sstream> <string> <string_view> <thread> <unordered_map> <utility>
    <variant> <vector> <fmt/format.h> <nlohmann/json.hpp>
  USES fmt::fmt nlohmann_json::nlohmann_json)

# yoke_room(NAME  SOURCES file…  [USES target…]  [PRIVATE_USES target…])
# A static library yoke_NAME with the alias yoke::NAME, whose include/ is visible only to those who link it.
function(yoke_room name)
  cmake_parse_arguments(room "" "" "SOURCES;USES;PRIVATE_USES" ${ARGN})
  add_library(yoke_${name} STATIC ${room_SOURCES})
  add_library(yoke::${name} ALIAS yoke_${name})
  if(name STREQUAL "yoke")
    set(archive yoke)
    set(room runtime)
  else()
    set(archive yoke_${name})
    set(room ${name})
  endif()
  set_target_properties(yoke_${name} PROPERTIES EXPORT_NAME ${name} OUTPUT_NAME ${archive})
  yoke_public_headers(yoke_${name} ${room} "${CMAKE_CURRENT_SOURCE_DIR}/include")
  target_link_libraries(yoke_${name} PUBLIC ${room_USES} PRIVATE ${room_PRIVATE_USES}
                        "$<BUILD_INTERFACE:yoke_options>")
  target_compile_features(yoke_${name} PUBLIC cxx_std_20)
  yoke_use_headers(rooms yoke_${name})
  set_property(GLOBAL APPEND PROPERTY YOKE_ROOMS yoke_${name})
endfunction()

# Headers that users of TARGET see, a set of files: with CMAKE_VERIFY_INTERFACE_HEADER_SETS, as in the preset release, the target
# all_verify_interface_header_sets compiles each alone. TARGET is installed with them, each room's in a directory of its own,
# include/yoke/ROOM.
function(yoke_public_headers target room directory)
  set(installed "${CMAKE_INSTALL_INCLUDEDIR}/yoke/${room}")
  get_target_property(type ${target} TYPE)
  set(scope PUBLIC)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(scope INTERFACE)
  endif()
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${directory}/*.hpp")
  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS "${directory}" FILES ${headers})
  target_include_directories(${target} ${scope} "$<INSTALL_INTERFACE:${installed}>")
  install(TARGETS ${target} EXPORT yokeTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          FILE_SET HEADERS DESTINATION "${installed}")
  set_property(GLOBAL APPEND PROPERTY YOKE_INCLUDE_ROOMS ${room})
endfunction()
