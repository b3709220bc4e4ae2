# Misuse of the libraries, and device calls that fail, in programs that go on afterwards.
foreach(program misuse failing_calls)
  add_executable(attack_${program} ${program}.cpp)
  target_link_libraries(attack_${program} PRIVATE yoke_test_main yoke_options yoke::yoke yoke::devices)
  set_target_properties(attack_${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
endforeach()
target_sources(attack_misuse PRIVATE misuse_of_loops.cpp misuse_of_regions.cpp misuse_of_runs.cpp misuse_of_settings.cpp)

foreach(cus 2x1 1x2 1x1+1 +1)
  yoke_add_test(attack_misuse_${cus} COMMAND attack_misuse
    ENVIRONMENT YOKE_CUS=${cus} YOKE_DEVICES=emulated:1 YOKE_EMULATED=memory=64MiB YOKE_CHECK=1 LABELS concurrent)
endforeach()
foreach(cus 1x1+1 +1 1x1+2)
  yoke_add_test(attack_failing_calls_${cus} COMMAND attack_failing_calls
    ENVIRONMENT YOKE_CUS=${cus} YOKE_DEVICES=emulated:2 LABELS concurrent)
endforeach()
