# Files that hold kernels, for the compiler of the vendor that YOKE_GPU names. Used by the project and installed with it.

# yoke_kernel_sources(TARGET file…): files of TARGET that launch kernels, or hold them; TARGET gets those that it lacks. C++ where there
# is no GPU backend. Nothing is contracted to an fma that the source does not write as one, on the host and on a GPU: so that all
# compilers and devices give the same bits.
macro(yoke_kernel_sources)
  yoke_kernel_language_here(yoke_kernel_language)
  if(yoke_kernel_language)  # the folder lies beside that of find_package, or Yoke is a folder of the project
    include("${yoke_kernel_language}")
  endif()
  yoke_add_kernel_sources(${ARGN})
endmacro()

# The file that enables the language, where the caller's folder does not have it.
function(yoke_kernel_language_here file)
  set(wanted "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/yoke_kernel_language.cmake")
  if(YOKE_GPU STREQUAL "none" OR CMAKE_CUDA_COMPILER_LOADED OR CMAKE_HIPCC_COMPILER_LOADED)
    set(wanted "")
  endif()
  set(${file} "${wanted}" PARENT_SCOPE)
endfunction()

# The options of C++ that choose instructions (-march=…), for the half of a kernel file that the host runs.
function(yoke_machine_options result)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  separate_arguments(options UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
  list(FILTER options INCLUDE REGEX "^-m(arch|tune|cpu)=|^-m(avx|fma|sse|prefer|no-)")
  set(${result} "${options}" PARENT_SCOPE)
endfunction()

# yoke_compile_kernels(FOLDER file…): how the files are compiled; FOLDER is DIRECTORY and a folder of the project, or TARGET_DIRECTORY
# and a target. A file may be in several targets.
function(yoke_compile_kernels kind folder)
  yoke_machine_options(machine)
  set(language CXX)
  set(options "-ffp-contract=off")
  if(YOKE_GPU STREQUAL "cuda" OR YOKE_HIP_OVER_CUDA)
    set(language CUDA)
    list(TRANSFORM machine PREPEND "-Xcompiler=")
    set(options "--fmad=false" "-Xcompiler=-ffp-contract=off,-fopenmp" "--expt-relaxed-constexpr" "--extended-lambda" ${machine})
  elseif(YOKE_GPU STREQUAL "hip")
    set(language HIPCC)
    list(TRANSFORM CMAKE_HIP_ARCHITECTURES PREPEND "--offload-arch=" OUTPUT_VARIABLE architectures)
    # nvcc brings the words of kernels by itself, hipcc does not.
    list(APPEND options "-fopenmp" "-std=c++20" "-include" "hip/hip_runtime.h" ${architectures} ${machine})
  endif()
  foreach(file IN LISTS ARGN)
    get_source_file_property(is_named "${file}" ${kind} ${folder} YOKE_KERNELS)
    if(NOT is_named)
      set_property(SOURCE "${file}" ${kind} ${folder} APPEND PROPERTY COMPILE_OPTIONS ${options})
      if(NOT language STREQUAL "CXX" OR file MATCHES "\\.(cu|hip)$")
        set_property(SOURCE "${file}" ${kind} ${folder} PROPERTY LANGUAGE ${language})
      endif()
      set_property(SOURCE "${file}" ${kind} ${folder} PROPERTY YOKE_KERNELS ON)
    endif()
  endforeach()
endfunction()

function(yoke_add_kernel_sources target)
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "yoke_kernel_sources(${target} …): ${target} is no target; wanted: a target, then its files with kernels")
  elseif(NOT ARGN)
    message(FATAL_ERROR "yoke_kernel_sources(${target}): no files; wanted: a target, then its files with kernels")
  endif()
  target_sources(${target} PRIVATE ${ARGN})
  get_target_property(standard ${target} CUDA_STANDARD)
  if(NOT standard OR standard LESS 20)
    set_target_properties(${target} PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON)
  endif()
  get_target_property(architectures ${target} CUDA_ARCHITECTURES)
  if(NOT architectures)  # it is older than the language
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}")
  endif()
  yoke_compile_kernels(TARGET_DIRECTORY ${target} ${ARGN})
endfunction()
