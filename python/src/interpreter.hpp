#pragma once
// The interpreter's lock, also for threads that are still at work when the interpreter ends.
//
// A daemon thread may be inside the engine then. Until Python 3.14 the interpreter ends such a thread where it asks for the
// lock, which unwinds the engine by force and aborts the process. Here it waits for the end of the process instead.

#include <Python.h>

namespace flexura::python {

/// The interpreter is about to end: waits, without the lock, until no other thread is on its way into it. [with the lock]
void close_interpreter();

/// Lets go of the lock while it lives.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

/// Holds the lock while Python is called from inside the engine. Any thread may, whether it has the lock or not.
class Locked {
 public:
  Locked();
  ~Locked();
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  PyGILState_STATE state_;
};

/// Makes a thread count as the one that has made it, for as long as that waits for it.
class WorksFor {
 public:
  /// In the thread that makes it.
  WorksFor();
  /// In the thread that is made.
  void begin() const;

 private:
  bool closes_;
};

}  // namespace flexura::python
