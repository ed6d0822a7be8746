# One GoogleTest executable per folder tests/<room>/, one ctest entry each; all run in the root of the source tree.

find_package(GTest REQUIRED)
enable_testing()

set(test_libraries flexura_ensemble flexura fmt::fmt Eigen3::Eigen Threads::Threads GTest::gtest GTest::gmock)
if(NOT FLEXURA_CORE_ONLY)
  list(PREPEND test_libraries flexura_study flexura_fmi flexura_session)
  list(APPEND test_libraries flexura_validation HDF5::C ZLIB::ZLIB)
endif()

# GoogleTest and the standard headers, compiled once for all tests; the library is built without, so that its headers
# are seen to include what they use.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/test_pch.cpp" CONTENT "")
add_library(flexura_test_pch OBJECT "${PROJECT_BINARY_DIR}/generated/test_pch.cpp")
flexura_target(flexura_test_pch)
target_link_libraries(flexura_test_pch PRIVATE ${test_libraries})
target_precompile_headers(
  flexura_test_pch PRIVATE <algorithm> <array> <cmath> <functional> <memory> <optional> <span> <sstream> <string>
  <unordered_map> <vector> <fmt/format.h> <gtest/gtest.h>)

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
  flexura_target(test_${folder})
  set_target_properties(test_${folder} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_include_directories(test_${folder} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(test_${folder} PRIVATE ${test_libraries} GTest::gmock_main)
  target_precompile_headers(test_${folder} REUSE_FROM flexura_test_pch)
  add_test(NAME ${folder} COMMAND test_${folder} --gtest_brief=1 WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${folder} PROPERTIES TIMEOUT 600)
endforeach()
