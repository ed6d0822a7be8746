# Puts scenes, tables and the viewer into the library, so that the program carries them wherever it is copied.
# flexura_embed(TARGET FUNCTION FOLDER... FILE...): every *.toml, *.csv, *.stl, *.obj, *.html and *.urdf below the folders, and every file, is found by its
# path from the root in what flexura::FUNCTION() returns (embedded.hpp).

function(flexura_embed target function)
  set(globs "")
  foreach(folder IN LISTS ARGN)
    list(APPEND globs "${PROJECT_SOURCE_DIR}/${folder}/*.toml" "${PROJECT_SOURCE_DIR}/${folder}/*.csv"
         "${PROJECT_SOURCE_DIR}/${folder}/*.stl" "${PROJECT_SOURCE_DIR}/${folder}/*.obj"
         "${PROJECT_SOURCE_DIR}/${folder}/*.html" "${PROJECT_SOURCE_DIR}/${folder}/*.urdf")
  endforeach()
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" ${globs})
  list(FILTER files EXCLUDE REGEX "^examples/studies/")  # they are no scenes, and `flexura example` lists those
  foreach(file IN LISTS ARGN)
    if(NOT IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${file}")
      list(APPEND files "${file}")
    endif()
  endforeach()
  list(SORT files)

  set(data "")
  set(symbols "")
  set(entries "")
  set(inputs "")
  set(count 0)
  foreach(file IN LISTS files)
    set(symbol flexura_${function}_${count})
    string(APPEND data
           ".hidden ${symbol}\n.globl ${symbol}\n${symbol}:\n.incbin \"${PROJECT_SOURCE_DIR}/${file}\"\n"
           ".hidden ${symbol}_end\n.globl ${symbol}_end\n${symbol}_end:\n.byte 0\n")
    string(APPEND symbols "extern const char ${symbol}[];\nextern const char ${symbol}_end[];\n")
    string(APPEND entries "      {\"${file}\", {${symbol}, static_cast<std::size_t>(${symbol}_end - ${symbol})}},\n")
    list(APPEND inputs "${PROJECT_SOURCE_DIR}/${file}")
    math(EXPR count "${count} + 1")
  endforeach()

  set(source "${PROJECT_BINARY_DIR}/generated/${function}.cpp")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
"#include \"flexura/embedded.hpp\"

#include <array>

asm(R\"(.section .rodata
@data@.text
)\");

extern \"C\" {
@symbols@}

namespace flexura {

std::span<const EmbeddedFile> @function@();
std::span<const EmbeddedFile> @function@() {
  static const std::array<EmbeddedFile, @count@> files{{
@entries@  }};
  return files;
}

}  // namespace flexura
")
  set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${inputs}")
  target_sources(${target} PRIVATE "${source}")
endfunction()
