# Small translation units for the lines of terms.def
#
#     FLEXURA_TERM(AncfCable2d, "flexura/element/ancf_cable_2d.hpp")
#
# at -O1 with loops of known length written out, which is all that kernels gain from -O3 (docs/architecture.md), and one list of all
# terms: a unit for each header of `element`, and one for up to twelve headers of another room, which share a third of their work (six
# constraints 31 → 21 s). Elements that share a law share theirs too (FLEXURA_KIN_OF_TERMS, seven of them 21 → 14 s), but for ensembles,
# whose units are several times as long. Self-registration would be lost in a static library, and one file that includes every header
# would recompile everything. With FLEXURA_UNIT = 1 each header has its own.
# flexura_add_terms(TARGET KIND RESULT LIST HEADER): the units expand FLEXURA_REGISTER_<KIND>(Type) of
# assembly/register_<kind>.hpp, which defines RESULT flexura::register_<kind>_Type(); all results, in order, are what
# flexura::LIST() returns, a std::span<RESULT const> declared in HEADER.

set(FLEXURA_TERMS_DEF "${PROJECT_SOURCE_DIR}/src/flexura/term/terms.def")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${FLEXURA_TERMS_DEF}")

set(FLEXURA_KIN_OF_TERMS composite solid membrane hexahedron)

function(flexura_add_terms target kind result list header)
  file(STRINGS "${FLEXURA_TERMS_DEF}" lines REGEX "^[ \t]*FLEXURA_TERM")
  list(LENGTH lines count)
  string(TOUPPER ${kind} macro)
  set(directory "${PROJECT_BINARY_DIR}/generated/${kind}")
  set(units "")
  set(declarations "")
  set(calls "")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^[ \t]*FLEXURA_TERM\\([ \t]*([A-Za-z_0-9]+)[ \t]*,[ \t]*\"([^\"]+)\"[ \t]*\\)[ \t]*(//.*)?$")
      message(FATAL_ERROR "${FLEXURA_TERMS_DEF}: not of the form FLEXURA_TERM(Type, \"header\"): ${line}")
    endif()
    set(type ${CMAKE_MATCH_1})
    list(APPEND units "${CMAKE_MATCH_2}")
    get_filename_component(unit "${CMAKE_MATCH_2}" NAME_WE)
    string(APPEND registrations_${unit} "FLEXURA_REGISTER_${macro}(${type})\n")
    string(APPEND declarations "${result} register_${kind}_${type}();\n")
    string(APPEND calls "      register_${kind}_${type}(),\n")
  endforeach()
  list(REMOVE_DUPLICATES units)

  set(sources "")
  foreach(term_header IN LISTS units)
    get_filename_component(unit "${term_header}" NAME_WE)
    get_filename_component(room "${term_header}" DIRECTORY)
    get_filename_component(room "${room}" NAME)
    set(file ${unit})
    if(NOT FLEXURA_UNIT EQUAL 1)
      if(NOT room STREQUAL element)
        math(EXPR group "${taken_${room}} + 0")
        math(EXPR taken_${room} "${group} + 1")
        math(EXPR group "${group} / 12")
        set(file ${room}_${group})
      elseif(kind STREQUAL term AND NOT CMAKE_BUILD_TYPE STREQUAL Sanitize)
        foreach(kin IN LISTS FLEXURA_KIN_OF_TERMS)
          if(unit MATCHES "${kin}")
            set(file composites_kernel)
          endif()
        endforeach()
      endif()
    endif()
    string(APPEND includes_${file} "#include \"${term_header}\"\n")
    string(APPEND contents_${file} "${registrations_${unit}}")
    list(APPEND sources "${directory}/${file}.cpp")
  endforeach()
  list(REMOVE_DUPLICATES sources)
  foreach(source IN LISTS sources)
    get_filename_component(file "${source}" NAME_WE)
    file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
         "${includes_${file}}#include \"flexura/assembly/register_@kind@.hpp\"\n\n${contents_${file}}")
  endforeach()
  set(term_level -O3)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(term_level -O1 -fpeel-loops)
  endif()
  set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "$<$<NOT:$<CONFIG:Sanitize>>:${term_level}>")
  # Under sanitizers g++ takes six times as long at -O1 as without, half of that at -Og and a quarter at -O0 (43, 21 and 11 s of a beam), where
  # it cannot use the headers that others have read. Elements of the engine itself, which most tests wait for, are at -Og.
  if(CMAKE_BUILD_TYPE STREQUAL Sanitize AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(waited_for ${sources})
    list(FILTER waited_for INCLUDE REGEX "/term/[^/]*_kernel\\.cpp$")
    set(others ${sources})
    list(REMOVE_ITEM others ${waited_for})
    set_source_files_properties(${waited_for} PROPERTIES COMPILE_OPTIONS -Og)
    set_source_files_properties(${others} PROPERTIES COMPILE_OPTIONS -O0 SKIP_PRECOMPILE_HEADERS ON)
  endif()

  file(CONFIGURE OUTPUT "${directory}/list.cpp" @ONLY CONTENT
"#include <array>
#include <span>

#include \"@header@\"

namespace flexura {

@declarations@
std::span<@result@ const> @list@() {
  static const std::array<@result@, @count@> all{
@calls@  };
  return all;
}

}  // namespace flexura
")
  target_sources(${target} PRIVATE ${sources} "${directory}/list.cpp")
endfunction()
