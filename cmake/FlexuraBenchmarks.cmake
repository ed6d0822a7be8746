# Each benchmarks/*.cpp is an executable of its own, linked with Google Benchmark.

find_package(benchmark REQUIRED)
file(GLOB benchmark_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/benchmarks/*.cpp")
add_custom_target(flexura_benchmarks)
foreach(source IN LISTS benchmark_sources)
  get_filename_component(name "${source}" NAME_WE)
  add_executable(bench_${name} "${source}")
  flexura_target(bench_${name})
  set_target_properties(bench_${name} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY
                                                                     "${PROJECT_BINARY_DIR}/benchmarks")
  target_include_directories(bench_${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(bench_${name} PRIVATE flexura_ensemble flexura fmt::fmt Eigen3::Eigen Threads::Threads benchmark::benchmark)
  add_dependencies(flexura_benchmarks bench_${name})
endforeach()

# The tables of docs/validation/plates.md.
add_executable(validate_plates "${PROJECT_SOURCE_DIR}/validation/plates/tables.cpp")
flexura_target(validate_plates)
set_target_properties(validate_plates PROPERTIES OUTPUT_NAME plates RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/validation")
target_include_directories(validate_plates PRIVATE "${PROJECT_SOURCE_DIR}")
target_link_libraries(validate_plates PRIVATE flexura fmt::fmt Eigen3::Eigen Threads::Threads)
