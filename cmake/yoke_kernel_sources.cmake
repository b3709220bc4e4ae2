# yoke_kernel_sources(file…): files that hold kernels, for the compiler of the vendor that YOKE_GPU names; C++
# otherwise. Used by the project and installed with it; the language (CUDA or HIPCC) must be enabled.
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
