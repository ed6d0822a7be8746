# The module flexura._core of the Python package, with its stubs, and the program beside it; built and installed by
# scikit-build-core (pyproject.toml).
#
# Both carry fmt, HDF5 and what HDF5 needs inside, so that the wheel works on machines without them and beside a Python
# package that brings an HDF5 of its own. Where the static libraries are missing they depend on the shared ones.

find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir OUTPUT_VARIABLE nanobind_ROOT
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind CONFIG REQUIRED)

file(GLOB python_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/src/*.cpp")
# Messages and the way back into a stopped run are those of the program.
list(APPEND python_sources "${PROJECT_SOURCE_DIR}/src/flexura/cli/messages.cpp"
     "${PROJECT_SOURCE_DIR}/src/flexura/cli/stopped_run.cpp")
nanobind_add_module(flexura_python NB_STATIC NOMINSIZE ${python_sources})
flexura_target(flexura_python)
set_target_properties(flexura_python PROPERTIES OUTPUT_NAME _core CXX_VISIBILITY_PRESET hidden)
target_include_directories(flexura_python PRIVATE "${PROJECT_SOURCE_DIR}/python/src")
target_include_directories(flexura_python SYSTEM PRIVATE ${NLOHMANN_JSON_INCLUDE_DIR} ${NB_DIR}/include ${Python_INCLUDE_DIRS})

# The program as `pip install` brings it, its reproductions and studies inside.
add_executable(flexura_python_program ${cli_sources} ${reproduce_sources} ${study_command_sources}
                                      "${PROJECT_SOURCE_DIR}/python/src/fmt_instances.cpp")
flexura_target(flexura_python_program)
flexura_words(flexura_python_program)
set_target_properties(flexura_python_program PROPERTIES OUTPUT_NAME flexura RUNTIME_OUTPUT_DIRECTORY
                                                                        "${PROJECT_BINARY_DIR}/python/bin")
target_include_directories(flexura_python_program SYSTEM PRIVATE ${NLOHMANN_JSON_INCLUDE_DIR})

# Static HDF5 of Debian: compiled for programs, not for modules, it may reach the streams of the C library only through
# names of our own; and it wants libcurl and libcrypto for files in S3, which without_s3.cpp refuses.
foreach(name IN ITEMS hdf5_serial sz aec z)
  find_library(FLEXURA_STATIC_${name} NAMES lib${name}.a)
  mark_as_advanced(FLEXURA_STATIC_${name})
endforeach()
if(FLEXURA_STATIC_hdf5_serial AND FLEXURA_STATIC_sz AND FLEXURA_STATIC_aec AND FLEXURA_STATIC_z AND CMAKE_OBJCOPY)
  set(static_hdf5 "${PROJECT_BINARY_DIR}/generated/libhdf5_module.a")
  add_custom_command(
    OUTPUT "${static_hdf5}"
    COMMAND "${CMAKE_OBJCOPY}" --redefine-sym stdin=flexura_stdin --redefine-sym stdout=flexura_stdout --redefine-sym
            stderr=flexura_stderr "${FLEXURA_STATIC_hdf5_serial}" "${static_hdf5}"
    DEPENDS "${FLEXURA_STATIC_hdf5_serial}"
    VERBATIM)
  add_custom_target(flexura_static_hdf5 DEPENDS "${static_hdf5}")
else()
  message(STATUS "flexura._core: no static HDF5, the module depends on the shared one")
endif()

# Links `target` with the libraries of the project that follow, and what these need, inside.
function(flexura_self_contained target)
  # As needed: fmt is compiled in (fmt_instances.cpp), which leaves nothing to take from its library.
  target_link_options(${target} PRIVATE -Wl,--as-needed -Wl,--exclude-libs,ALL)
  if(static_hdf5)
    add_dependencies(${target} flexura_static_hdf5)
    target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/python/src/static_hdf5/without_s3.cpp")
    list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)
    target_link_libraries(${target} PRIVATE ${archives} "${static_hdf5}" "${FLEXURA_STATIC_sz}" "${FLEXURA_STATIC_aec}"
                                            "${FLEXURA_STATIC_z}")
  endif()
  target_link_libraries(${target} PRIVATE ${ARGN} fmt::fmt)
endfunction()
flexura_self_contained(flexura_python flexura_study flexura_fmi flexura_session flexura_ensemble flexura)
flexura_self_contained(flexura_python_program flexura_study flexura_fmi flexura_session flexura_ensemble flexura_validation flexura)
target_link_libraries(flexura_python_program PRIVATE CLI11::CLI11)

nanobind_add_stub(
  flexura_python_stub
  MODULE _core
  OUTPUT "${PROJECT_BINARY_DIR}/python/_core.pyi"
  PYTHON_PATH $<TARGET_FILE_DIR:flexura_python>
  DEPENDS flexura_python)

if(NOT SKBUILD_SCRIPTS_DIR)  # where scikit-build-core collects what goes beside the interpreter
  set(SKBUILD_SCRIPTS_DIR "${CMAKE_INSTALL_BINDIR}")
endif()
install(TARGETS flexura_python_program RUNTIME DESTINATION "${SKBUILD_SCRIPTS_DIR}" COMPONENT python)
install(TARGETS flexura_fmu LIBRARY DESTINATION "${SKBUILD_SCRIPTS_DIR}" COMPONENT python)  # beside the program
install(TARGETS flexura_python LIBRARY DESTINATION flexura COMPONENT python)
install(FILES "${PROJECT_BINARY_DIR}/python/_core.pyi" DESTINATION flexura COMPONENT python)
