// flexura._core: the engine for the Python package. Nothing here is meant to be called by users.

#include "binding.hpp"
#include "flexura/version.hpp"
#include "functions.hpp"
#include "interpreter.hpp"

NB_MODULE(_core, m) {
  namespace python = flexura::python;
  m.doc() = "The engine of flexura.";
  m.attr("version") = nanobind::str(flexura::version.data(), flexura::version.size());
  m.attr("build_arch") = nanobind::str(flexura::build_arch.data(), flexura::build_arch.size());
  nanobind::set_leak_warnings(false);  // a simulation that is alive at exit is no mistake
  python::bind_errors(m);
  python::bind_functions(m);
  python::bind_scene(m);
  python::bind_run(m);
  python::bind_session(m);
  python::bind_results(m);
  python::bind_fit(m);
  python::bind_gradient(m);
  python::bind_fmu(m);
  python::bind_formula(m);
  python::bind_ensemble(m);
  // Registered before what users register, it is called behind that.
  nanobind::module_::import_("atexit").attr("register")(nanobind::cpp_function(&python::close_interpreter));
}
