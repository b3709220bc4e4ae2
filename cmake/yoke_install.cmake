# Package files: yokeConfig.cmake for find_package(yoke CONFIG) and yoke.pc for pkg-config.
# Every room keeps an include directory of its own, so that a room that is not linked cannot be included.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/yoke")
get_property(rooms GLOBAL PROPERTY YOKE_ROOMS)
install(TARGETS ${rooms} EXPORT yokeTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT yokeTargets NAMESPACE yoke:: DESTINATION "${package_dir}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/yoke")

configure_package_config_file(cmake/yokeConfig.cmake.in yokeConfig.cmake INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(yokeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/yokeConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/yokeConfigVersion.cmake"
        DESTINATION "${package_dir}")

# Rooms are declared from the lowest up; a linker reads static archives from the highest down.
set(pc_cflags "")
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
list(GET OpenMP_CXX_LIBRARIES 0 libomp)
cmake_path(GET libomp PARENT_PATH libomp_dir)
if(YOKE_GPU STREQUAL "cuda")
  string(APPEND pc_libs " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt")
endif()
string(APPEND pc_libs " -L${libomp_dir} -Wl,-rpath,${libomp_dir} -lomp -pthread")
# Found from the .pc file's own place, so that an installed tree can be moved.
set(pc_dir "/${CMAKE_INSTALL_LIBDIR}/pkgconfig")
cmake_path(RELATIVE_PATH pc_dir BASE_DIRECTORY "/" OUTPUT_VARIABLE pc_depth)
string(REGEX REPLACE "[^/]+" ".." pc_prefix "${pc_depth}")
configure_file(cmake/yoke.pc.in yoke.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/yoke.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
