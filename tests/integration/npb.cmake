# NPB-MZ end to end, on the real programs: everything with SP-MZ, what differs with the others.
if(YOKE_BUILD_BENCHMARKS)
  set(npb_dir "${CMAKE_CURRENT_SOURCE_DIR}/npb")
  function(npb_test name)
    cmake_parse_arguments(npb "" "PROGRAM" "ARGS;LABELS" ${ARGN})
    if(NOT npb_PROGRAM)
      set(npb_PROGRAM sp-mz)
    endif()
    yoke_add_test(${name} COMMAND "${Python3_EXECUTABLE}" ${npb_ARGS} "$<TARGET_FILE:${npb_PROGRAM}>" LABELS integration ${npb_LABELS})
  endfunction()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)

  npb_test(npb_bad_input ARGS "${npb_dir}/bad_input.py")
  npb_test(npb_odd_texts_and_files ARGS "${npb_dir}/odd_texts_and_files.py")
  npb_test(npb_output ARGS "${npb_dir}/output.py")
  npb_test(npb_uneven_zones ARGS "${npb_dir}/uneven.py")
  npb_test(npb_approved_texts ARGS "${npb_dir}/approved.py")
  npb_test(npb_trace ARGS "${npb_dir}/trace.py" LABELS concurrent)

  foreach(name bt lu sp)
    # One of each is enough there: what zones share is the driver's.
    set(not_under_a_sanitizer slow)
    if(name STREQUAL "lu")
      set(not_under_a_sanitizer "")
    endif()
    npb_test(npb_${name}_matrix_S PROGRAM ${name}-mz ARGS "${npb_dir}/matrix.py" S LABELS concurrent ${not_under_a_sanitizer})
    npb_test(npb_${name}_slices_S PROGRAM ${name}-mz ARGS "${npb_dir}/matrix.py" S-slices LABELS slow)
    npb_test(npb_${name}_many_S PROGRAM ${name}-mz ARGS "${npb_dir}/matrix.py" S-many LABELS slow)
    npb_test(npb_${name}_many_W PROGRAM ${name}-mz ARGS "${npb_dir}/matrix.py" W-many LABELS full slow)
    npb_test(npb_${name}_slices_W PROGRAM ${name}-mz ARGS "${npb_dir}/matrix.py" W-slices LABELS full slow)
    npb_test(npb_${name}_matrix_W_part PROGRAM ${name}-mz ARGS "${npb_dir}/matrix.py" W-part LABELS slow)
    npb_test(npb_${name}_A_once PROGRAM ${name}-mz ARGS "${npb_dir}/matrix.py" A-once LABELS slow)
    npb_test(npb_${name}_matrix_W PROGRAM ${name}-mz ARGS "${npb_dir}/matrix.py" W LABELS full slow)
    npb_test(npb_${name}_matrix_A PROGRAM ${name}-mz ARGS "${npb_dir}/matrix.py" A LABELS full slow)
    npb_test(npb_${name}_B_once PROGRAM ${name}-mz ARGS "${npb_dir}/matrix.py" B-once LABELS full slow)
    set_tests_properties(npb_${name}_slices_W npb_${name}_many_W npb_${name}_matrix_W npb_${name}_matrix_A npb_${name}_B_once PROPERTIES TIMEOUT 14400)
  endforeach()
  npb_test(npb_shared_memory ARGS "${npb_dir}/shared_memory.py" "$<TARGET_FILE:bt-mz>" "$<TARGET_FILE:lu-mz>")
  set(npb_limit "")
  if(YOKE_SANITIZE)
    set(npb_limit --no-data-limit)
  endif()
  npb_test(npb_short_memory
    ARGS "${npb_dir}/memory.py" few --runs 5 ${npb_limit} "$<TARGET_FILE:bt-mz>" "$<TARGET_FILE:lu-mz>" LABELS concurrent)
  npb_test(npb_short_memory_everywhere
    ARGS "${npb_dir}/memory.py" many ${npb_limit} "$<TARGET_FILE:bt-mz>" "$<TARGET_FILE:lu-mz>" LABELS full slow)
  set_tests_properties(npb_short_memory_everywhere PROPERTIES TIMEOUT 14400)
  npb_test(npb_lu_uneven_zones PROGRAM lu-mz ARGS "${npb_dir}/uneven.py")

  yoke_test(npb_team_test SOURCES npb/team_test.cpp USES npb_driver npb_bt npb_lu npb_sp npb_test_numbers LABELS concurrent)
  yoke_test(npb_team_order_test SOURCES npb/team_order_test.cpp USES npb_driver npb_bt npb_lu npb_sp npb_test_numbers LABELS concurrent)
  yoke_test(npb_seam_test SOURCES npb/seam_test.cpp USES npb_driver npb_bt npb_lu npb_sp npb_test_numbers yoke::devices LABELS concurrent)
  yoke_test(npb_driver_test
    SOURCES npb/publication_test.cpp npb/faces_test.cpp npb/balance_test.cpp
            npb/device_setup_test.cpp npb/march_test.cpp npb/looks_test.cpp npb/face_message_test.cpp npb/plans_test.cpp npb/order_test.cpp npb/rehearsal_test.cpp npb/result_test.cpp
            npb/zone_store_test.cpp npb/step_run_test.cpp npb/memory_plan_test.cpp npb/peer_test.cpp
    USES npb_driver npb_bt npb_lu npb_sp npb_test_numbers yoke::devices
    LABELS concurrent)
endif()
