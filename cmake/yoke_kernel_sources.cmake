# Files that hold kernels, for the compiler of the vendor that YOKE_GPU names. Used by the project and installed with it.
set(yoke_cmake_dir "${CMAKE_CURRENT_LIST_DIR}")

# Enables the language of kernel files, CUDA or HIPCC; to be called where project() is.
macro(yoke_enable_kernel_language)
  if(YOKE_GPU STREQUAL "cuda" OR YOKE_HIP_OVER_CUDA)
    include("${yoke_cmake_dir}/yoke_cuda.cmake")
  elseif(YOKE_GPU STREQUAL "hip")
    list(APPEND CMAKE_MODULE_PATH "${yoke_cmake_dir}/hipcc")
    set(CMAKE_HIP_ARCHITECTURES "gfx906;gfx90a" CACHE STRING "AMD GPUs to make code for")
    enable_language(HIPCC)
  endif()
endmacro()

# yoke_kernel_sources(file…): C++ where there is no GPU backend.
function(yoke_kernel_sources)
  if(YOKE_GPU STREQUAL "cuda" OR YOKE_HIP_OVER_CUDA)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
  elseif(YOKE_GPU STREQUAL "hip")
    list(TRANSFORM CMAKE_HIP_ARCHITECTURES PREPEND "--offload-arch=" OUTPUT_VARIABLE architectures)
    # nvcc brings the words of kernels by itself, hipcc does not.
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE HIPCC
      COMPILE_OPTIONS "-std=c++20;-include;hip/hip_runtime.h;${architectures}")
  endif()
endfunction()
