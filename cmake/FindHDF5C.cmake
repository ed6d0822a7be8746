# The C library of HDF5 as target HDF5::C, without trial compilations and without enabling C in the consumer's project.

find_path(HDF5C_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial hdf5)
find_library(HDF5C_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
mark_as_advanced(HDF5C_INCLUDE_DIR HDF5C_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HDF5C REQUIRED_VARS HDF5C_LIBRARY HDF5C_INCLUDE_DIR)

if(HDF5C_FOUND AND NOT TARGET HDF5::C)
  add_library(HDF5::C UNKNOWN IMPORTED)
  set_target_properties(HDF5::C PROPERTIES IMPORTED_LOCATION "${HDF5C_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES
                                                                              "${HDF5C_INCLUDE_DIR}")
endif()
