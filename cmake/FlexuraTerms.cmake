# One small translation unit per line of terms.def
#
#     FLEXURA_TERM(AncfCable2d, "flexura/element/ancf_cable_2d.hpp")
#
# always at -O3 (the contractions run three times slower at -O2), and one list of them all. Self-registration would be
# lost in a static library, and one file that includes every header would recompile everything.

function(flexura_add_terms target definition)
  # Globbed, so that the files may appear later: without the first no list is made, without the others an empty one.
  file(GLOB list_header CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/flexura/model/term_type.hpp")
  file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${definition}"
       "${PROJECT_SOURCE_DIR}/src/flexura/assembly/register_term.hpp")
  if(NOT list_header)
    return()
  endif()
  set(lines "")
  list(LENGTH found count)
  if(count EQUAL 2)
    set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${definition}")
    file(STRINGS "${definition}" lines REGEX "^[ \t]*FLEXURA_TERM")
  endif()

  set(directory "${PROJECT_BINARY_DIR}/generated/terms")
  set(sources "")
  set(declarations "")
  set(calls "")
  set(count 0)
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^[ \t]*FLEXURA_TERM\\([ \t]*([A-Za-z_0-9]+)[ \t]*,[ \t]*\"([^\"]+)\"[ \t]*\\)[ \t]*(//.*)?$")
      message(FATAL_ERROR "${definition}: not of the form FLEXURA_TERM(Type, \"header\"): ${line}")
    endif()
    set(type ${CMAKE_MATCH_1})
    set(header ${CMAKE_MATCH_2})
    set(source "${directory}/${type}.cpp")
    file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
         "#include \"@header@\"\n#include \"flexura/assembly/register_term.hpp\"\n\nFLEXURA_REGISTER_TERM(@type@)\n")
    list(APPEND sources "${source}")
    string(APPEND declarations "const TermType& term_type_${type}();\n")
    string(APPEND calls "      &term_type_${type}(),\n")
    math(EXPR count "${count} + 1")
  endforeach()
  set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "$<$<NOT:$<CONFIG:Sanitize>>:-O3>")

  file(CONFIGURE OUTPUT "${directory}/term_list.cpp" @ONLY CONTENT
"#include <array>
#include <span>

#include \"flexura/model/term_type.hpp\"

namespace flexura {

@declarations@
std::span<const TermType* const> registered_terms() {
  static const std::array<const TermType*, @count@> terms{
@calls@  };
  return terms;
}

}  // namespace flexura
")
  target_sources(${target} PRIVATE ${sources} "${directory}/term_list.cpp")
endfunction()
