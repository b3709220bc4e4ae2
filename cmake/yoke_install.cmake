# Package files: yokeConfig.cmake for find_package(yoke CONFIG) and yoke.pc for pkg-config.
# Every room keeps an include directory of its own, so that a room that is not linked cannot be included.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/yoke")
get_property(rooms GLOBAL PROPERTY YOKE_ROOMS)
install(EXPORT yokeTargets NAMESPACE yoke:: DESTINATION "${package_dir}")

# What a user reads, and the examples that it tells of, in folders as here, so that paths and links of the guide hold there.
set(doc_dir "${CMAKE_INSTALL_DATADIR}/doc/yoke")
install(FILES LICENSE README.md CITATION.cff CHANGELOG.md CONTRIBUTING.md SECURITY.md SUPPORT.md DESTINATION "${doc_dir}")
install(FILES docs/design.md docs/results.md docs/yoke.svg DESTINATION "${doc_dir}/docs")
install(DIRECTORY docs/guide docs/examples DESTINATION "${doc_dir}/docs")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS docs/results.md)
file(READ docs/results.md text_of_results)  # plots and texts that it shows; the data stay with the source
string(REGEX MATCHALL "\\(results/[^)#]*" linked_results "${text_of_results}")
foreach(linked IN LISTS linked_results)
  string(REPLACE "(" "docs/" linked "${linked}")
  cmake_path(GET linked PARENT_PATH folder)
  install(FILES "${linked}" DESTINATION "${doc_dir}/${folder}")
endforeach()

list(GET OpenMP_CXX_LIBRARIES 0 yoke_libomp)
configure_package_config_file(cmake/yokeConfig.cmake.in yokeConfig.cmake INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(yokeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/yokeConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/yokeConfigVersion.cmake"
        cmake/yoke_kernel_language.cmake cmake/yoke_kernel_sources.cmake cmake/yoke_cuda.cmake cmake/yoke_schedule_plugin.cmake
        DESTINATION "${package_dir}")
install(DIRECTORY cmake/hipcc DESTINATION "${package_dir}")

# What was installed, tried by a program that is built against it.
install(PROGRAMS packaging/test_install.sh DESTINATION "${CMAKE_INSTALL_DATADIR}/yoke")
if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(test_install COMMAND packaging/test_install.sh "${CMAKE_INSTALL_PREFIX}" "${CMAKE_CXX_COMPILER}"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" USES_TERMINAL VERBATIM)
endif()

# Rooms are declared from the lowest up; a linker reads static archives from the highest down.
# Without the flag a compiler skips the pragmas of the program and says nothing.
set(pc_cflags " -fopenmp")
set(pc_libs "")
get_property(include_rooms GLOBAL PROPERTY YOKE_INCLUDE_ROOMS)
foreach(room IN LISTS include_rooms)
  string(APPEND pc_cflags " -I\${includedir}/yoke/${room}")
endforeach()
foreach(room IN LISTS rooms)
  get_target_property(archive ${room} OUTPUT_NAME)
  if(NOT archive)
    set(archive ${room})
  endif()
  string(PREPEND pc_libs " -l${archive}")
endforeach()
get_target_property(link_options yoke_yoke INTERFACE_LINK_OPTIONS)
foreach(option IN LISTS link_options)
  string(REPLACE "LINKER:" "-Wl," option "${option}")
  string(PREPEND pc_libs " ${option}")
endforeach()
cmake_path(GET yoke_libomp PARENT_PATH libomp_dir)
if(YOKE_GPU STREQUAL "cuda")
  string(APPEND pc_libs " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt")
elseif(YOKE_GPU STREQUAL "hip")
  string(APPEND pc_libs " -lamdhip64")
endif()
string(APPEND pc_libs " -ldl")
string(APPEND pc_libs " -L${libomp_dir} -Wl,-rpath,${libomp_dir} -lomp -pthread")
# g++ -fopenmp puts libgomp behind all this: libomp has answered its calls by then, and it is left out.
string(APPEND pc_libs " -Wl,--as-needed")
# Found from the .pc file's own place, so that an installed tree can be moved.
set(pc_dir "/${CMAKE_INSTALL_LIBDIR}/pkgconfig")
cmake_path(RELATIVE_PATH pc_dir BASE_DIRECTORY "/" OUTPUT_VARIABLE pc_depth)
string(REGEX REPLACE "[^/]+" ".." pc_prefix "${pc_depth}")
configure_file(cmake/yoke.pc.in yoke.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/yoke.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
