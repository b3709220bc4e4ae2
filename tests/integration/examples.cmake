# Each example of docs/examples, on every kind of configuration. Under a sanitizer two do for all: the one of loops over tasks
# and the one of arrays.
set(examples_under_a_sanitizer heat_short heat_explicit jacobi)
# example_test(NAME EXECUTABLE EXPRESSION [arg…])
function(example_test name executable expression)
  set(slow slow)
  if(name IN_LIST examples_under_a_sanitizer)
    set(slow "")
  endif()
  foreach(cus 2x1 1x2 1x1+1 +1 1x1+2)
    yoke_add_test(example_${name}_${cus} COMMAND ${executable} ${ARGN}
      ENVIRONMENT YOKE_CUS=${cus} YOKE_DEVICES=emulated:2 LABELS concurrent ${slow})
    # A regular expression stands in for the exit status, so it must say that the result is right.
    if(expression)
      set_tests_properties(example_${name}_${cus} PROPERTIES PASS_REGULAR_EXPRESSION "${expression}")
    endif()
  endforeach()
endfunction()

if(YOKE_BUILD_EXAMPLES)
  example_test(hello yoke-hello "")
  # Who asks a program what a variable accepts is told, and the program ends as one that failed.
  foreach(program hello zones jacobi)
    yoke_add_test(example_${program}_asked_for_help COMMAND yoke-${program} ENVIRONMENT YOKE_SCHEDULE=help)
    set_tests_properties(example_${program}_asked_for_help PROPERTIES PASS_REGULAR_EXPRESSION "^${program}: .*memorizing")
  endforeach()
  example_test(cholesky yoke-cholesky "the error is [0-9.]+e-1[3-9]" 5 9)
  # The sum has the bits of plain OpenMP, whose program is a test of its own below.
  set(sum_over_zones "6 zones, 49572 points: sum 49428.970162198326")
  example_test(zones yoke-zones "${sum_over_zones}" 3 2 6 20)
  yoke_add_test(example_zones_plain COMMAND yoke-zones-plain 3 2 6 20)
  set_tests_properties(example_zones_plain PROPERTIES PASS_REGULAR_EXPRESSION "${sum_over_zones}")
  if(TARGET yoke-zones-ranks)
    # Open MPI: more ranks than CPUs, in a container. Slow: a sanitizer looks for leaks in MPI for minutes.
    set(ranks_on_any_machine OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
      OMPI_MCA_hwloc_base_binding_policy=none)
    foreach(cus 1x1 2x1)
      yoke_add_test(example_rod_ranks_${cus}
        COMMAND "${YOKE_MPIEXEC}" -n 2 $<TARGET_FILE:yoke-rod-ranks> 300 51
        ENVIRONMENT YOKE_CUS=${cus} ${ranks_on_any_machine} LABELS slow)
      set_tests_properties(example_rod_ranks_${cus} PROPERTIES
        PASS_REGULAR_EXPRESSION "2 ranks of 300 points: equal to the serial solution")
    endforeach()
    foreach(n 1 3)
      yoke_add_test(example_zones_ranks_${n}
        COMMAND "${YOKE_MPIEXEC}" -n ${n} $<TARGET_FILE:yoke-zones-ranks> 5 30 20
        ENVIRONMENT YOKE_CUS=1x1 ${ranks_on_any_machine} LABELS slow)
      set_tests_properties(example_zones_ranks_${n} PROPERTIES PASS_REGULAR_EXPRESSION "5 zones: sum 2283.3[0-9]*\n${n} ranks")
    endforeach()
  endif()
  foreach(cus 2x1 1x2)
    set(command "${CMAKE_COMMAND}" -E echo "[skipped] needs libopenblas-dev [all skipped]")
    if(TARGET yoke-blas-cholesky)
      set(command yoke-blas-cholesky 200 37)
    endif()
    if(YOKE_SANITIZE MATCHES "thread")
      set(command "${CMAKE_COMMAND}" -E echo "[skipped] OpenBLAS's locks are unknown to ThreadSanitizer [all skipped]")
    endif()
    yoke_add_test(example_blas_cholesky_${cus} COMMAND ${command} ENVIRONMENT YOKE_CUS=${cus} LABELS integration slow)
  endforeach()
  example_test(lookahead_lu yoke-lookahead-lu "residual [0-9.]+, right" 150 16)
  example_test(saxpy_range yoke-saxpy-range "3 passes: 0 wrong" 100003 4096)
  example_test(user_schedule yoke-user-schedule "user schedule: 0 of 24 sums wrong")
  example_test(heat_short yoke-heat "short form, 25 steps of 15 blocks: equal to the serial solution")
  example_test(heat_explicit yoke-heat "explicit form, 7 steps of 15 blocks: equal to the serial solution" explicit 7)
  # Blocks of one point hurry, and wait for each other in every pass; a single block is its own neighbour.
  example_test(ordered_passes yoke-ordered-passes "200 passes of 7 blocks: equal to the serial solution" 7 1 200)
  # So many that a task goes from one CU to the other while that is held up.
  yoke_add_test(example_ordered_passes_handed_on COMMAND yoke-ordered-passes 12 10 20000 ENVIRONMENT YOKE_CUS=2x1 LABELS concurrent)
  set_tests_properties(example_ordered_passes_handed_on PROPERTIES
    PASS_REGULAR_EXPRESSION "20000 passes of 12 blocks: equal to the serial solution" TIMEOUT 120)
  example_test(ordered_passes_alone yoke-ordered-passes "9 passes of 1 blocks: equal to the serial solution" 1 5 9)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  foreach(run "heat short 2" "heat explicit 2" "hello" "cholesky 4 5" "lookahead-lu 40 8" "saxpy-range 1003 64" "user-schedule" "rod 103 4" "jacobi 103 20 6" "jacobi-tasks 53 20 4")
    string(REPLACE " " ";" command "${run}")
    list(POP_FRONT command program)
    string(REPLACE " " "_" name "${run}")
    yoke_add_test(example_with_a_failing_device_${name}
      COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/failing_examples.py" "$<TARGET_FILE:yoke-${program}>" ${command}
      ENVIRONMENT YOKE_CUS=1x1+1 YOKE_DEVICES=emulated:1 LABELS concurrent slow)
  endforeach()
  # Replayed steps come to the same bits; a rod that is cut into single points as well.
  example_test(rod yoke-rod "1003 points: .* equal to the serial solution, warmest at 1 and coldest at 41" 1003 40)
  example_test(short_rod yoke-rod "3 points: .* equal to the serial solution, warmest at 1 and coldest at 1" 3 8)
  yoke_add_test(example_rod_refuses_no_steps COMMAND yoke-rod 1003 0 LABELS slow)
  set_tests_properties(example_rod_refuses_no_steps PROPERTIES PASS_REGULAR_EXPRESSION "usage: rod")
  example_test(beside yoke-beside "9592 primes by [0-9]+ threads beside [0-9]+ units: right")
  yoke_add_test(example_near COMMAND yoke-near LABELS slow)
  yoke_add_test(example_near_elsewhere COMMAND yoke-near "${PROJECT_SOURCE_DIR}/tests/machines/epyc-7742-2-mi50.xml" LABELS slow)
  set_tests_properties(example_near_elsewhere PROPERTIES PASS_REGULAR_EXPRESSION
    "hip:0 is 0000:[0-9a-f:.]+, led from CPU [0-9]+, which is near\nhip:1 is 0000:83:00.0.* near\n2 accelerators: right")
  yoke_add_test(example_near_nowhere COMMAND yoke-near nowhere.xml LABELS slow)
  set_tests_properties(example_near_nowhere PROPERTIES PASS_REGULAR_EXPRESSION "near: nowhere.xml: no machine")
  # Bits and error are the same on all of them.
  example_test(jacobi yoke-jacobi "203 x 120, 61 iterations in .* s, error 6.371639e-07, .*, bits a753f6911b37715e" 203 120 61)
  example_test(jacobi_tasks yoke-jacobi-tasks "61 iterations in .* s, residual .*: equal to the serial solution" 203 61 13)
  yoke_add_test(example_jacobi_tasks_hybrid COMMAND yoke-jacobi-tasks 203 120 13
    ENVIRONMENT YOKE_CUS=2x1+1 YOKE_DEVICES=emulated:1 LABELS concurrent slow)
  set_tests_properties(example_jacobi_tasks_hybrid PROPERTIES PASS_REGULAR_EXPRESSION "equal to the serial solution")
  # CPU CUs are heard of while it runs, and may do all of it then.
  yoke_add_test(example_jacobi_tasks_heard COMMAND yoke-jacobi-tasks 100 400 40
    ENVIRONMENT YOKE_CUS=2x1+1 YOKE_DEVICES=emulated:1 YOKE_EMULATED=processors=132 LABELS concurrent slow)
  set_tests_properties(example_jacobi_tasks_heard PROPERTIES PASS_REGULAR_EXPRESSION "equal to the serial solution")
  # Half of the blocks fit into the device's memory, with what they read of others.
  yoke_add_test(example_jacobi_tasks_short_memory COMMAND yoke-jacobi-tasks 300 50 30
    ENVIRONMENT YOKE_CUS=2x1+1 YOKE_DEVICES=emulated:1 YOKE_EMULATED=processors=132,memory=1MiB LABELS concurrent slow)
  set_tests_properties(example_jacobi_tasks_short_memory PROPERTIES PASS_REGULAR_EXPRESSION "equal to the serial solution")
  yoke_add_test(example_jacobi_tasks_compare COMMAND yoke-jacobi-tasks compare 40 7 5
    ENVIRONMENT YOKE_CUS=1x1+1 YOKE_DEVICES=emulated:1 LABELS concurrent slow)
  set_tests_properties(example_jacobi_tasks_compare PROPERTIES
    PASS_REGULAR_EXPRESSION "auto +[0-9.]+ s, share of the best .[a-z-]+. [0-9.]+.*static +[0-9.]+ s, share")
  foreach(wrong "0" "x" "10 5 20" "compare 10 5 5 5")
    string(REPLACE " " ";" arguments "${wrong}")
    string(REPLACE " " "_" name "${wrong}")
    yoke_add_test(example_jacobi_tasks_wrong_${name} COMMAND yoke-jacobi-tasks ${arguments} LABELS slow)
    set_tests_properties(example_jacobi_tasks_wrong_${name} PROPERTIES PASS_REGULAR_EXPRESSION "usage: jacobi-tasks")
  endforeach()
  # A schedule of one's own in a shared object, named to programs that were built without it.
  set(plugin "$<TARGET_FILE:heavy_to_gpus>:heavy-to-gpus")
  foreach(cus 2x1 1x1+1 1x1+2)
    yoke_add_test(example_plugin_hello_${cus} COMMAND yoke-hello
      ENVIRONMENT YOKE_CUS=${cus} YOKE_DEVICES=emulated:2 "YOKE_SCHEDULE=${plugin}" LABELS concurrent slow)
    if(YOKE_BUILD_BENCHMARKS)
      yoke_add_test(example_plugin_sp_${cus}
        COMMAND sp-mz --class S --cus ${cus} --devices emulated:2 --schedule "${plugin}" --explain LABELS concurrent slow)
      set_tests_properties(example_plugin_sp_${cus} PROPERTIES
        PASS_REGULAR_EXPRESSION "SUCCESSFUL.*heavy-to-gpus: anew in every pass" FAIL_REGULAR_EXPRESSION "UNSUCCESSFUL")
    endif()
  endforeach()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  # The tutorial: its tests, and its commands.
  yoke_add_test(example_your_schedule COMMAND yoke-your-schedule-test LABELS concurrent slow)
  if(YOKE_BUILD_BENCHMARKS)
    yoke_add_test(example_tutorial
      COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/tutorial.py" "${PROJECT_SOURCE_DIR}"
              "$<TARGET_FILE_DIR:yoke_command>" "$<TARGET_FILE:weighted_factoring>" LABELS integration slow)
  endif()
  yoke_add_test(example_heat_under_every_schedule
    COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/every_schedule.py" "$<TARGET_FILE:yoke-heat>"
    LABELS concurrent)
  yoke_add_test(example_jacobi_tasks_under_every_schedule
    COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/every_schedule.py" "$<TARGET_FILE:yoke-jacobi-tasks>" 203 61 13
    LABELS concurrent slow)
  # Bad input, a fault of the device and its loss end with one message and not in a hang.
  yoke_add_test(example_heat_wrong_form COMMAND yoke-heat tiny)
  set_tests_properties(example_heat_wrong_form PROPERTIES PASS_REGULAR_EXPRESSION "usage: heat")
  foreach(fault fail-launch=4 fail-copy=5 lost-after=30)
    yoke_add_test(example_heat_${fault} COMMAND yoke-heat
      ENVIRONMENT YOKE_CUS=1x1+1 YOKE_DEVICES=emulated:1 YOKE_EMULATED=${fault} YOKE_SCHEDULE=static LABELS concurrent)
    set_tests_properties(example_heat_${fault} PROPERTIES PASS_REGULAR_EXPRESSION "heat: .*emulated:0.*failed")
  endforeach()
endif()
