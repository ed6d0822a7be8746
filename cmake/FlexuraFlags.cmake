# Flags of every target of the project, and the compiler cache.

set(FLEXURA_ARCH x86-64-v3 CACHE STRING "Instruction set: x86-64-v3 (AVX2) or x86-64-v4 (AVX-512)")
set_property(CACHE FLEXURA_ARCH PROPERTY STRINGS x86-64-v3 x86-64-v4)
if(NOT FLEXURA_ARCH MATCHES "^x86-64-v[34]$")
  message(FATAL_ERROR "FLEXURA_ARCH is '${FLEXURA_ARCH}'; allowed: x86-64-v3, x86-64-v4")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or Sanitize" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")
# AddressSanitizer and the processor find what the five left-out checks would; the first four double the compile time of a term, that of
# pointers takes a quarter to two thirds of that of tests and of the solvers of equations.
set(CMAKE_CXX_FLAGS_SANITIZE "-O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all \
-fno-sanitize=null,alignment,object-size,vptr,pointer-overflow")
if(FLEXURA_CORE_ONLY)
  # Marking the scope of each object on the stack takes six sevenths of the compile time of kernels; sanitize-full and the fuzz targets have it.
  string(APPEND CMAKE_CXX_FLAGS_SANITIZE " -fno-sanitize-address-use-after-scope")
endif()
set(CMAKE_EXE_LINKER_FLAGS_SANITIZE "-fsanitize=address,undefined")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
  set(FLEXURA_OWN_CACHE CCACHE_NAMESPACE=${PROJECT_SOURCE_DIR})
endif()

# Headers that are read once for all files of a target. Their names are in what g++ makes of them: a copy of the tree that took them from
# another's cache would compile the other's.
function(flexura_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  if(FLEXURA_OWN_CACHE)
    list(INSERT CMAKE_CXX_COMPILER_LAUNCHER 3 ${FLEXURA_OWN_CACHE})
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
endfunction()

# A target that reads, builds and writes: at -Og it compiles in seven tenths of the time of -O1, and nothing in it is waited for.
# Its functions are sections of their own: a program that records nothing is linked without what writes (-Wl,--gc-sections).
function(flexura_words target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og> -ffunction-sections -fdata-sections)
endfunction()

# Warnings are errors, except under sanitizers. g++ 12 warns of overlaps, bounds and uninitialized values inside
# std::string where there are none; Of files compiled together it
# says that types in anonymous namespaces might differ elsewhere. clang checks the same code in the fuzz build and in scripts/tidy.
function(flexura_target target)
  if(FLEXURA_UNIT GREATER 1)  # FlexuraSources.cmake
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
  target_compile_options(${target} PRIVATE -fno-math-errno -Wall -Wextra -Wpedantic $<$<NOT:$<CONFIG:Sanitize>>:-Werror>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow -Wno-maybe-uninitialized -Wno-array-bounds
                                             -Wno-subobject-linkage)
    # Below so many KiB g++ looks for no memory that it could use again, which takes a tenth of its time. clang-tidy, which reads
    # the commands of files by themselves, does not know it.
    if(FLEXURA_UNIT GREATER 1)
      target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=600000)
    endif()
  endif()
endfunction()
