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

# yoke_kernel_sources(file…): C++ where there is no GPU backend. Nothing is contracted to an fma that the source does
# not write as one, on the host and on a GPU: so that all compilers and devices give the same bits.
function(yoke_kernel_sources)
  set(options "-ffp-contract=off")
  if(YOKE_GPU STREQUAL "cuda" OR YOKE_HIP_OVER_CUDA)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
    set(options "--fmad=false" "-Xcompiler=-ffp-contract=off")
  elseif(YOKE_GPU STREQUAL "hip")
    list(TRANSFORM CMAKE_HIP_ARCHITECTURES PREPEND "--offload-arch=" OUTPUT_VARIABLE architectures)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE HIPCC)
    # nvcc brings the words of kernels by itself, hipcc does not.
    list(APPEND options "-std=c++20" "-include" "hip/hip_runtime.h" ${architectures})
  endif()
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS ${options})
endfunction()
