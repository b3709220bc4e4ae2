# yoke_schedule_plugin(NAME file…): NAME.so, whose schedules any program of Yoke takes as YOKE_SCHEDULE=./NAME.so:name.
# It sees the headers of base and scheduling and links nothing of them: the program has them.
function(yoke_schedule_plugin name)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so")
  target_compile_features(${name} PRIVATE cxx_std_20)
  foreach(room base scheduling)
    target_include_directories(${name} PRIVATE "$<TARGET_PROPERTY:yoke::${room},INTERFACE_INCLUDE_DIRECTORIES>")
  endforeach()
endfunction()
