# One GoogleTest executable per folder tests/<room>/, one ctest entry each; all run in the root of the source tree.

find_package(GTest REQUIRED)
enable_testing()

set(test_libraries flexura_ensemble flexura fmt::fmt Eigen3::Eigen Threads::Threads GTest::gtest GTest::gmock)
if(NOT FLEXURA_CORE_ONLY)
  list(PREPEND test_libraries flexura_study flexura_fmi flexura_session)
  list(APPEND test_libraries flexura_validation HDF5::C ZLIB::ZLIB)
endif()

# GoogleTest and the standard headers, compiled once for all tests of a level of optimisation; the library is built without, so that its
# headers are seen to include what they use. Tests that run kernels of their own or Eigen, which g++ does not compile at -O0 behind such
# headers, are compiled at -O1, in two thirds to four fifths of the time of -O3; the rest, which waits for the library alone, at -O0, in half.
set(number_tests assembly constraint element integrate linear load material math mesh solve study term validation)
function(flexura_test target level)
  flexura_target(${target})
  target_compile_options(${target} PRIVATE ${level})
endfunction()
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/test_pch.cpp" CONTENT "")
foreach(level IN ITEMS -O0 -O1)
  add_library(flexura_test_pch${level} OBJECT "${PROJECT_BINARY_DIR}/generated/test_pch.cpp")
  flexura_test(flexura_test_pch${level} ${level})
  target_link_libraries(flexura_test_pch${level} PRIVATE ${test_libraries})
  flexura_precompile(
    flexura_test_pch${level} <algorithm> <array> <cmath> <functional> <map> <memory> <optional> <span> <sstream> <string>
    <unordered_map> <vector> <fmt/format.h> <gmock/gmock.h> <gtest/gtest.h>)
endforeach()

# Eigen at -O0 compiles without the headers of before alone.
set_source_files_properties("${PROJECT_SOURCE_DIR}/tests/run/initial_velocity_test.cpp" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

# Counts the heap's use of every test executable.
add_library(flexura_count_allocations OBJECT "${PROJECT_SOURCE_DIR}/tests/support/count_allocations.cpp")
flexura_target(flexura_count_allocations)
target_include_directories(flexura_count_allocations PRIVATE "${PROJECT_SOURCE_DIR}")

file(GLOB test_folders CONFIGURE_DEPENDS LIST_DIRECTORIES true RELATIVE "${PROJECT_SOURCE_DIR}/tests"
     "${PROJECT_SOURCE_DIR}/tests/*")
list(REMOVE_ITEM test_folders consumer fuzz support)
if(FLEXURA_CORE_ONLY)
  list(REMOVE_ITEM test_folders part observe)  # they compare with scenes
endif()
foreach(folder IN LISTS test_folders)
  if(FLEXURA_CORE_ONLY AND NOT folder IN_LIST library_rooms)
    continue()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${folder}/*.cpp")
  if(NOT sources)
    continue()
  endif()
  add_executable(test_${folder} ${sources} $<TARGET_OBJECTS:flexura_count_allocations>)
  set(level -O0)
  if(folder IN_LIST number_tests)
    set(level -O1)
  endif()
  flexura_test(test_${folder} ${level})
  set_target_properties(test_${folder} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_include_directories(test_${folder} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(test_${folder} PRIVATE ${test_libraries} GTest::gmock_main)
  target_precompile_headers(test_${folder} REUSE_FROM flexura_test_pch${level})
  add_test(NAME ${folder} COMMAND test_${folder} --gtest_brief=1 WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${folder} PROPERTIES TIMEOUT 2400)
endforeach()
