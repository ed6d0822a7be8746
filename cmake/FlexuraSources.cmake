# Sources by folder, compiled several at a time: most of a file's time goes into headers that its neighbours read too.
# -DFLEXURA_UNIT=1 compiles each by itself, as scripts/tidy does, which sees that it includes what it uses.

set(FLEXURA_UNIT 64 CACHE STRING "Files of a folder that are compiled together, at most")

# Headers that take two seconds of each unit which reads them. Files that do are compiled together: those of the library whatever
# their rooms, others by their folder, where most do not.
set(FLEXURA_HEAVY_HEADERS "#include <(nlohmann/json.hpp|CLI/CLI.hpp)>")
set(FLEXURA_HEAVY_src_flexura_base src_flexura_json)
set(FLEXURA_HEAVY_src_flexura_output src_flexura_json)
set(FLEXURA_HEAVY_src_flexura_run src_flexura_json)
set(FLEXURA_HEAVY_src_flexura_scene src_flexura_json)
set(FLEXURA_HEAVY_src_flexura_cli src_flexura_cli_heavy)
set(FLEXURA_HEAVY_src_flexura_study src_flexura_study_heavy)

# Sets `out` to folder/*.cpp, grouped for compilation in alphabetical order.
function(flexura_folder out folder)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  list(REMOVE_ITEM sources ${FLEXURA_DERIVATIVE_SOURCES} ${FLEXURA_SESSION_SOURCES})
  set(${out} ${sources} PARENT_SCOPE)
  string(REPLACE "/" "_" name "${folder}")
  if(FLEXURA_HEAVY_${name})
    foreach(source IN LISTS sources)
      file(STRINGS "${source}" found REGEX "${FLEXURA_HEAVY_HEADERS}" LIMIT_COUNT 1)
      if(found)
        list(REMOVE_ITEM sources "${source}")
        set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${FLEXURA_HEAVY_${name}}")
      endif()
    endforeach()
  endif()
  list(LENGTH sources count)
  math(EXPR units "(${count} + ${FLEXURA_UNIT} - 1) / ${FLEXURA_UNIT}")
  set(k 0)
  foreach(source IN LISTS sources)
    math(EXPR unit "${k} * ${units} / ${count}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${name}_${unit}")
    math(EXPR k "${k} + 1")
  endforeach()
endfunction()

# Rooms whose loops are the program's time. What factors and what goes through the items of terms stay by themselves: together g++
# inlines less of them (factors of plates by blocks took 15 % longer). Others that are in every step are few together.
set(FLEXURA_HOT_ROOMS linear assembly)
set(FLEXURA_GROUP_hot_assembly assembly/assembler assembly/assembler_maps assembly/assembler_mass assembly/drives assembly/make_batch
                               assembly/thread_pool)
set(FLEXURA_GROUP_hot_linear linear/front_forest linear/linear_solver linear/overlay_analysis linear/overlay_factor
                             linear/scalar_factor linear/supernodes linear/value_layout)
set(FLEXURA_GROUP_hot_solve solve/constant_mass solve/constraint_matrix solve/contacts solve/index1_solver solve/newton
                            integrate/generalized_alpha integrate/generalized_alpha_account)

# Under sanitizers g++ takes 130 s of factors in lanes, which few tests make, and 60 s at -O0.
if(CMAKE_BUILD_TYPE STREQUAL Sanitize AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  file(GLOB factors_in_lanes "${PROJECT_SOURCE_DIR}/src/flexura/linear/*_factor_*lanes.cpp")
  set_source_files_properties(${factors_in_lanes} PROPERTIES COMPILE_OPTIONS -O0 SKIP_PRECOMPILE_HEADERS ON)
endif()

# Files of rooms that read, build and write in which a run is at each step: not at -Og.
set(FLEXURA_STEP_FILES run/run_dynamics run/recorder_sensors run/turn_watch run/rotation_monitor part/element_rotation
                       part/deforming_rotation part/tetrahedron_rotation observe/sensor_probe observe/place_quantities)
set(FLEXURA_STEP_SOURCES ${FLEXURA_STEP_FILES})
list(TRANSFORM FLEXURA_STEP_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/src/flexura/")
list(TRANSFORM FLEXURA_STEP_SOURCES APPEND ".cpp")
set(FLEXURA_GROUP_steps ${FLEXURA_STEP_FILES})

# What differentiates runs is compiled into flexura_ensemble alone, with the duals that it takes.
set(FLEXURA_DERIVATIVE_FILES solve/dual_residual solve/tangent_factor solve/item_products integrate/newmark_tangent
                             solve/start_equations integrate/energy_momentum_tangent integrate/runge_kutta_tangent
                             integrate/index1_tangent integrate/adams_tangent integrate/kinematic_tangent
                             study/scene_copy study/scene_change study/scene_variation study/table_samples study/sensor_cotangent
                             study/sensor_row study/gradient_run study/gradient study/mode_slopes study/run_events
                             study/number_cotangent study/number_products study/state_carry
                             study/gradient_back study/gradient_back_events study/gradient_way study/gradient_check study/linearise
                             study/linear_point study/steered_statics study/lane_steps study/ensemble study/varied_scene
                             solve/linear_motion solve/frequency_response solve/flow_rows solve/drive_rows
                             solve/state_tangents material/taped_laws)
set(FLEXURA_DERIVATIVE_SOURCES ${FLEXURA_DERIVATIVE_FILES})
list(TRANSFORM FLEXURA_DERIVATIVE_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/src/flexura/")
list(TRANSFORM FLEXURA_DERIVATIVE_SOURCES APPEND ".cpp")

# Those that multiply and factor Eigen's matrices share what g++ makes of them, as do others of their rooms.
set(FLEXURA_DERIVATIVE_GROUP_0 solve/linear_motion solve/frequency_response solve/flow_rows solve/drive_rows
                               study/linear_point)
set(FLEXURA_DERIVATIVE_GROUP_1 study/linearise study/steered_statics study/mode_slopes)
set(FLEXURA_DERIVATIVE_GROUP_2 study/scene_copy study/scene_change study/scene_variation study/table_samples study/sensor_cotangent
                               study/sensor_row study/number_cotangent study/number_products study/run_events
                               study/state_carry)
set(FLEXURA_DERIVATIVE_GROUP_3 study/gradient_run study/gradient study/gradient_back study/gradient_back_events study/gradient_way study/gradient_check
                               study/lane_steps study/ensemble study/varied_scene)
set(FLEXURA_DERIVATIVE_GROUP_4 solve/dual_residual solve/tangent_factor solve/start_equations solve/state_tangents
                               integrate/newmark_tangent integrate/energy_momentum_tangent integrate/runge_kutta_tangent
                               integrate/index1_tangent integrate/adams_tangent integrate/kinematic_tangent)
foreach(group RANGE 4)
  foreach(file IN LISTS FLEXURA_DERIVATIVE_GROUP_${group})
    set_source_files_properties("${PROJECT_SOURCE_DIR}/src/flexura/${file}.cpp" PROPERTIES UNITY_GROUP derivatives_${group})
  endforeach()
endforeach()

# What the program never calls: runs that another program steps, numbers of scenes by path, and what studies read and draw.
set(FLEXURA_SESSION_FILES run/session scene/scene_number scene/tension_file scene/tension_table scene/tension_branch output/snapshot output/snapshot_mesh
                          output/surface_svg output/hdf5_compare)
set(FLEXURA_SESSION_SOURCES ${FLEXURA_SESSION_FILES})
list(TRANSFORM FLEXURA_SESSION_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/src/flexura/")
list(TRANSFORM FLEXURA_SESSION_SOURCES APPEND ".cpp")
set_source_files_properties(${FLEXURA_SESSION_SOURCES} PROPERTIES UNITY_GROUP src_flexura_session)

# Eigen's products and decompositions are most of what these cost, whatever else is in them: compiled together.
set(FLEXURA_GROUP_eigen math/decompositions solve/frame_states solve/modes solve/quadratic_modes solve/steady_rotation
                        solve/symmetric_modes solve/unbalanced_force)
set(FLEXURA_GROUP_sparse math/minimum_degree linear/sparse_fallback linear/sparse_qr)

# The same of rooms of src/flexura.
function(flexura_sources out)
  set(all "")
  foreach(room IN LISTS ARGN)
    if(room IN_LIST FLEXURA_HOT_ROOMS)
      file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/flexura/${room}/*.cpp")
      list(FILTER sources EXCLUDE REGEX "_lanes\\.cpp$")  # of flexura_ensemble
    else()
      flexura_folder(sources src/flexura/${room})
    endif()
    list(APPEND all ${sources})
  endforeach()
  foreach(group IN ITEMS hot_assembly hot_linear hot_solve steps eigen sparse)
    foreach(file IN LISTS FLEXURA_GROUP_${group})
      set_source_files_properties("${PROJECT_SOURCE_DIR}/src/flexura/${file}.cpp" PROPERTIES UNITY_GROUP src_flexura_${group})
    endforeach()
  endforeach()
  set(${out} ${all} PARENT_SCOPE)
endfunction()
