# Installs the programs, the library, its headers and a package file for find_package(flexura).

include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/flexura")

install(TARGETS flexura flexura_session flexura_ensemble flexura_fmi flexura_study EXPORT flexura_targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
install(TARGETS flexura_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
install(TARGETS flexura_reproduce flexura_study_program RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program OPTIONAL)  # where it was built
install(TARGETS flexura_fmu LIBRARY DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program OPTIONAL)  # beside the program, where it was built
install(DIRECTORY src/flexura "${PROJECT_BINARY_DIR}/generated/include/flexura" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        COMPONENT development FILES_MATCHING PATTERN "*.hpp" PATTERN "cli" EXCLUDE)
install(EXPORT flexura_targets NAMESPACE flexura:: DESTINATION "${package_dir}" COMPONENT development)

configure_package_config_file(cmake/flexura-config.cmake.in "${PROJECT_BINARY_DIR}/flexura-config.cmake" INSTALL_DESTINATION
                              "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/flexura-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/flexura-config.cmake" "${PROJECT_BINARY_DIR}/flexura-config-version.cmake"
              cmake/FindHDF5C.cmake DESTINATION "${package_dir}" COMPONENT development)
