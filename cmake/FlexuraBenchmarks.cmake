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

# The tables of docs/validation: plates.md, solids.md.
foreach(name plates solids)
  add_executable(validate_${name} "${PROJECT_SOURCE_DIR}/validation/${name}/tables.cpp")
  flexura_target(validate_${name})
  set_target_properties(validate_${name} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/validation")
  target_include_directories(validate_${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(validate_${name} PRIVATE flexura fmt::fmt Eigen3::Eigen Threads::Threads)
endforeach()
