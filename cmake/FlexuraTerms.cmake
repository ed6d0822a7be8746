# Small translation units for the lines of terms.def
#
#     FLEXURA_TERM(AncfCable2d, "flexura/element/ancf_cable_2d.hpp")
#
# one per header, always at -O3 (the contractions run three times slower at -O2), and one list of all terms. Self-registration
# would be lost in a static library, and one file that includes every header would recompile everything.
# flexura_add_terms(TARGET KIND RESULT LIST HEADER): the units expand FLEXURA_REGISTER_<KIND>(Type) of
# assembly/register_<kind>.hpp, which defines RESULT flexura::register_<kind>_Type(); all results, in order, are what
# flexura::LIST() returns, a std::span<RESULT const> declared in HEADER.

set(FLEXURA_TERMS_DEF "${PROJECT_SOURCE_DIR}/src/flexura/term/terms.def")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${FLEXURA_TERMS_DEF}")

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
    file(CONFIGURE OUTPUT "${directory}/${unit}.cpp" @ONLY CONTENT
         "#include \"@term_header@\"\n#include \"flexura/assembly/register_@kind@.hpp\"\n\n${registrations_${unit}}")
    list(APPEND sources "${directory}/${unit}.cpp")
  endforeach()
  set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "$<$<NOT:$<CONFIG:Sanitize>>:-O3>")

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
