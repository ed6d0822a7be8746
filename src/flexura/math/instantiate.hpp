#pragma once
// Assembler, Newton and integrators are templates on the scalar. The engine's library holds them for double; the library
// flexura_ensemble compiles the same files once more, with FLEXURA_ENSEMBLE defined, for lanes of whole simulations and for
// dual numbers, so that a program pays only for what it uses.
//
//     #define FLEXURA_INSTANTIATE(S) template class Newton<S>;
//     FLEXURA_FOR_EACH_SCALAR(FLEXURA_INSTANTIATE)

//
// FLEXURA_FOR_EACH_VALUE is the same for factors of matrices, whose values are no duals: those ride on right-hand sides.

#include "flexura/math/dual.hpp"

#ifdef FLEXURA_ENSEMBLE
#define FLEXURA_FOR_EACH_SCALAR(INSTANTIATE) INSTANTIATE(Lanes) INSTANTIATE(Dual<double>)
#define FLEXURA_FOR_EACH_VALUE(INSTANTIATE) INSTANTIATE(Lanes)
#else
#define FLEXURA_FOR_EACH_SCALAR(INSTANTIATE) INSTANTIATE(double)
#define FLEXURA_FOR_EACH_VALUE(INSTANTIATE) INSTANTIATE(double)
#endif
