# Misuse of the libraries, and device calls that fail, in programs that go on afterwards.
yoke_test_program(attack_misuse
  SOURCES misuse.cpp misuse_of_loops.cpp misuse_of_regions.cpp misuse_of_runs.cpp misuse_of_settings.cpp
  USES yoke::yoke yoke::devices)
yoke_test_program(attack_failing_calls SOURCES failing_calls.cpp USES yoke::yoke yoke::devices)

foreach(cus 2x1 1x2 1x1+1 +1)
  yoke_add_test(attack_misuse_${cus} COMMAND attack_misuse
    ENVIRONMENT YOKE_CUS=${cus} YOKE_DEVICES=emulated:1 YOKE_EMULATED=memory=64MiB YOKE_CHECK=1 LABELS concurrent)
endforeach()
foreach(cus 1x1+1 +1 1x1+2)
  yoke_add_test(attack_failing_calls_${cus} COMMAND attack_failing_calls
    ENVIRONMENT YOKE_CUS=${cus} YOKE_DEVICES=emulated:2 LABELS concurrent)
endforeach()

# Random programs (programs/), beside serial models. Each draws what it runs on.
add_executable(attack_programs
  programs/main.cpp programs/program.cpp programs/setting.cpp programs/section.cpp programs/array_rooms.cpp programs/scan_room.cpp
  programs/placed_room.cpp programs/loop_room.cpp)
yoke_kernel_sources(attack_programs
  programs/array_kernels.cpp programs/placed_kernels.cpp programs/scan_kernels.cpp ../arrays/random_loops.cpp)
target_link_libraries(attack_programs PRIVATE yoke_test_crash yoke_options yoke::arrays yoke::devices fmt::fmt)
yoke_use_headers(programs_of_users attack_programs)
set_target_properties(attack_programs PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
set(programs 200)
if(YOKE_SANITIZE)
  set(programs 40)
endif()
yoke_add_test(attack_programs COMMAND attack_programs --count ${programs} LABELS concurrent)
yoke_add_test(attack_programs_long COMMAND attack_programs --count 10000 LABELS full)
