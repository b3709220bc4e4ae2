# Programs beside libraries that have threads of their own: BLAS, FFTW, MPI, libgomp. Where one is not installed, its tests
# say so and count as skipped.
set(libraries_dir "${CMAKE_CURRENT_SOURCE_DIR}/libraries")

# library_program(NAME SOURCE library…): none where a library was not found.
function(library_program name source)
  foreach(library IN LISTS ARGN)
    if(NOT library)
      return()
    endif()
  endforeach()
  add_executable(${name} "${libraries_dir}/${source}")
  target_link_libraries(${name} PRIVATE yoke::yoke ${ARGN})
  yoke_test_helper(${name})
endfunction()

# runs_beside(NAME PROGRAM PACKAGE COMMAND … [ENVIRONMENT …] [LABELS …]): the command is without the program's name.
function(runs_beside name program package)
  cmake_parse_arguments(test "" "" "BY;ARGS;ENVIRONMENT;LABELS" ${ARGN})
  set(command ${test_BY} "$<TARGET_FILE:${program}>" ${test_ARGS})
  if(NOT TARGET ${program})
    set(command "${CMAKE_COMMAND}" -E echo "[skipped] needs ${package} [all skipped]")
  endif()
  if(YOKE_SANITIZE MATCHES "thread")  # they count the threads of the process
    set(command "${CMAKE_COMMAND}" -E echo "[skipped] ThreadSanitizer has a thread of its own [all skipped]")
  endif()
  yoke_add_test(beside_${name} COMMAND ${command} ENVIRONMENT ${test_ENVIRONMENT} LABELS integration slow ${test_LABELS})
endfunction()

cmake_host_system_information(RESULT cpus QUERY NUMBER_OF_LOGICAL_CORES)
set(two_cpus "1x1")
if(cpus GREATER 1)
  set(two_cpus "1x1;2x1;1x2")
endif()

# Debian has the builds side by side, in folders of their own.
foreach(build pthread openmp)
  find_library(YOKE_OPENBLAS_${build} NAMES libopenblas.so.0 libopenblas.so PATH_SUFFIXES openblas-${build})
  library_program(with_blas_${build} with_blas.cpp "${YOKE_OPENBLAS_${build}}")
  foreach(cus IN LISTS two_cpus)
    string(REGEX REPLACE ".*x" "" each "${cus}")
    runs_beside(blas_${build}_${cus} with_blas_${build} libopenblas0-${build} ARGS ${cus} ${each}
      ENVIRONMENT OPENBLAS_NUM_THREADS=1)
    runs_beside(blas_${build}_${cus}_slices with_blas_${build} libopenblas0-${build} ARGS ${cus} ${each} slices
      ENVIRONMENT OPENBLAS_NUM_THREADS=1)
  endforeach()
  # That of pthreads with more threads than CPUs, so that one CPU shows whether they stay.
  set(threads 1)
  if(build STREQUAL "pthread")
    set(threads 3)
  endif()
  runs_beside(blas_${build}_hosted with_blas_${build} libopenblas0-${build} ARGS 1x1 ${threads} hosted
    ENVIRONMENT OPENBLAS_NUM_THREADS=1)
endforeach()

find_path(YOKE_FFTW fftw3.h)
find_library(YOKE_FFTW_LIBRARY fftw3)
foreach(kind threads omp)
  find_library(YOKE_FFTW_${kind} fftw3_${kind})
  library_program(with_fftw_${kind} with_fftw.cpp "${YOKE_FFTW_${kind}}" "${YOKE_FFTW_LIBRARY}")
  foreach(cus IN LISTS two_cpus)
    string(REGEX REPLACE ".*x" "" each "${cus}")
    runs_beside(fftw_${kind}_${cus} with_fftw_${kind} libfftw3-dev ARGS ${cus} ${each} ${each})
    runs_beside(fftw_${kind}_${cus}_team with_fftw_${kind} libfftw3-dev ARGS ${cus} 4 ${each} team)
  endforeach()
endforeach()
# More threads than CPUs: those of pthreads stay on the unit's CPU, OpenMP's are as many as it has.
runs_beside(fftw_threads_many with_fftw_threads libfftw3-dev ARGS 1x1 3 3)
runs_beside(fftw_omp_many with_fftw_omp libfftw3-dev ARGS 1x1 3 1)

# Two processes on one node, each with a core of its own.
set(bound_to_cores --map-by slot:PE=1 --bind-to core)
if(YOKE_HAS_MPI)
  library_program(with_mpi with_mpi.cpp MPI::MPI_CXX)
  set_target_properties(with_mpi PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)  # its options are those that its MPI wants
  if(YOKE_MPI_LIBRARY STREQUAL "mpich")
    set(bound_to_cores -bind-to core)
  endif()
endif()
runs_beside(mpi with_mpi libopenmpi-dev
  BY "${YOKE_MPIEXEC}" -n 2 ${bound_to_cores} ARGS 1x1
  ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 LABELS full)

find_program(YOKE_GXX g++)
if(YOKE_GXX)
  set(gomp_team "${CMAKE_CURRENT_BINARY_DIR}/libgomp_team.so")
  add_custom_command(OUTPUT "${gomp_team}"
    COMMAND "${YOKE_GXX}" -fopenmp -shared -fPIC "${libraries_dir}/gomp_team.cpp" -o "${gomp_team}"
    DEPENDS "${libraries_dir}/gomp_team.cpp" COMMENT "A library of g++'s with libgomp")
  add_custom_target(gomp_team DEPENDS "${gomp_team}")
  library_program(with_libgomp with_libgomp.cpp "${gomp_team}")
  add_dependencies(with_libgomp gomp_team)
endif()
foreach(cus IN LISTS two_cpus)
  runs_beside(libgomp_${cus} with_libgomp g++ ARGS ${cus})
endforeach()
