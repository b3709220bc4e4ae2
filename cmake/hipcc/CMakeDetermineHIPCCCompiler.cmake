# hipcc as a language: enable_language(HIPCC). CMake's own language HIP refuses hipcc, and does not find the HIP
# 5.2.3 of Debian 12; hipcc exists wherever HIP is, and brings the clang that fits its device libraries.
find_program(CMAKE_HIPCC_COMPILER hipcc HINTS ENV ROCM_PATH PATHS /opt/rocm PATH_SUFFIXES bin REQUIRED)
mark_as_advanced(CMAKE_HIPCC_COMPILER)
# What g++ and clang++ search by themselves must not be named to clang once more: libstdc++ includes past it.
set(CMAKE_HIPCC_IMPLICIT_INCLUDE_DIRECTORIES "${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES}")
# Whoever links kernels links HIP's runtime, as with nvcc.
cmake_path(GET CMAKE_HIPCC_COMPILER PARENT_PATH hip_root)
cmake_path(GET hip_root PARENT_PATH hip_root)
execute_process(COMMAND "${CMAKE_HIPCC_COMPILER}" --version OUTPUT_VARIABLE hip_version ERROR_QUIET)
string(REGEX MATCH "HIP version: ([^ \n]+)" hip_version "${hip_version}")
set(CMAKE_HIPCC_COMPILER_VERSION "${CMAKE_MATCH_1}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/CMakeHIPCCCompiler.cmake.in"
               "${CMAKE_PLATFORM_INFO_DIR}/CMakeHIPCCCompiler.cmake" @ONLY)
