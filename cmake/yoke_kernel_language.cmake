# The language of kernel files, CUDA or HIPCC, for the folder of whoever includes this and for those below it.
if(NOT YOKE_GPU STREQUAL "none" AND CMAKE_CURRENT_FUNCTION)
  message(FATAL_ERROR "${CMAKE_CURRENT_FUNCTION}(): CMake enables no language inside of a function; "
                      "call find_package(yoke) and yoke_kernel_sources outside of one")
endif()
if(YOKE_GPU STREQUAL "cuda" OR YOKE_HIP_OVER_CUDA)
  include("${CMAKE_CURRENT_LIST_DIR}/yoke_cuda.cmake")
elseif(YOKE_GPU STREQUAL "hip")
  list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}/hipcc")
  set(CMAKE_HIP_ARCHITECTURES "gfx906;gfx90a" CACHE STRING "AMD GPUs to make code for")
  enable_language(HIPCC)
endif()
