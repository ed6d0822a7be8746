# Sources by folder, compiled several at a time: most of a file's time goes into headers that its neighbours read too.
# -DFLEXURA_UNIT=1 compiles each by itself, as scripts/tidy does, which sees that it includes what it uses.

set(FLEXURA_UNIT 16 CACHE STRING "Files of a folder that are compiled together, at most")

# Sets `out` to folder/*.cpp, grouped for compilation in alphabetical order.
function(flexura_folder out folder)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  list(REMOVE_ITEM sources ${FLEXURA_DERIVATIVE_SOURCES})
  string(REPLACE "/" "_" name "${folder}")
  list(LENGTH sources count)
  math(EXPR units "(${count} + ${FLEXURA_UNIT} - 1) / ${FLEXURA_UNIT}")
  set(k 0)
  foreach(source IN LISTS sources)
    math(EXPR unit "${k} * ${units} / ${count}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${name}_${unit}")
    math(EXPR k "${k} + 1")
  endforeach()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# Files whose loops are the program's time stay by themselves: together g++ inlines less of them (factors of plates by blocks
# took 15 % longer).
set(FLEXURA_HOT_ROOMS linear assembly)
set(FLEXURA_HOT_FILES solve/constant_mass solve/constraint_matrix solve/contacts solve/index1_solver solve/newton
                      integrate/generalized_alpha)

# What differentiates runs is compiled into flexura_ensemble alone, with the duals that it takes.
set(FLEXURA_DERIVATIVE_FILES solve/dual_residual solve/tangent_factor integrate/newmark_tangent study/scene_number
                             study/scene_copy study/scene_variation study/table_samples study/sensor_cotangent
                             study/gradient_run study/gradient study/gradient_back)
set(FLEXURA_DERIVATIVE_SOURCES ${FLEXURA_DERIVATIVE_FILES})
list(TRANSFORM FLEXURA_DERIVATIVE_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/src/flexura/")
list(TRANSFORM FLEXURA_DERIVATIVE_SOURCES APPEND ".cpp")

# The same of rooms of src/flexura.
function(flexura_sources out)
  set(all "")
  foreach(room IN LISTS ARGN)
    if(room IN_LIST FLEXURA_HOT_ROOMS)
      file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/flexura/${room}/*.cpp")
    else()
      flexura_folder(sources src/flexura/${room})
    endif()
    list(APPEND all ${sources})
  endforeach()
  foreach(file IN LISTS FLEXURA_HOT_FILES)
    set_source_files_properties("${PROJECT_SOURCE_DIR}/src/flexura/${file}.cpp" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
  set(${out} ${all} PARENT_SCOPE)
endfunction()
