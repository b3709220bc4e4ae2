# cmake -D NM=… -D OBJECTS=… -P private_code.cmake
# Fails when an object for a wider instruction set defines a function that the linker could take for the whole
# program: a weak one.
foreach(object IN LISTS OBJECTS)
  if(object MATCHES "step_8")
    execute_process(COMMAND "${NM}" -C "${object}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^\n]* [WVu] [^\n]*" weak "${symbols}")
    if(weak)
      message(FATAL_ERROR "${object} defines ${weak}")
    endif()
    set(seen TRUE)
  endif()
endforeach()
if(NOT seen)
  message(FATAL_ERROR "no object for a wider instruction set among ${OBJECTS}")
endif()
