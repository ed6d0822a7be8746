/* CHOLMOD's supernodal factorisation, with METIS and whatever BLAS it is linked with, of the matrices of linear_bench's mesh/…/cubeN:
 * nodes of a cube of hexahedra of 8 nodes, 3 unknowns each, 100 on the diagonal.
 *
 *     cholmod_cube CELLS ROUNDS        benchmarks/peers/linear.py runs it beside linear_bench
 *
 * Prints what it read as JSON: GFLOP of L Lᵀ and entries of L as CHOLMOD counts them, least seconds of wall and of processor time. */
#include <stdio.h>
#include <stdlib.h>
#include <suitesparse/cholmod.h>
#include <time.h>

struct Time {
  double wall, cpu;
};
static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static struct Time now(void) { return (struct Time){seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID)}; }
static void least(struct Time* least, struct Time start) {
  const struct Time end = now();
  if (end.wall - start.wall < least->wall) least->wall = end.wall - start.wall;
  if (end.cpu - start.cpu < least->cpu) least->cpu = end.cpu - start.cpu;
}

/* Lower half. Node (i, j, k) is (i n + j) n + k; entries off the diagonal between -1 and 1, so that the diagonal outweighs them. */
static cholmod_sparse* cube(int cells, cholmod_common* c) {
  const int n = cells + 1;
  const SuiteSparse_long unknowns = 3L * n * n * n;
  cholmod_triplet* t = cholmod_l_allocate_triplet(unknowns, unknowns, unknowns * 42, -1, CHOLMOD_REAL, c);
  SuiteSparse_long *row = t->i, *column = t->j, count = 0;
  double* value = t->x;
  for (int a = 0; a < n * n * n; ++a) {
    const int ai = a / (n * n), aj = a / n % n, ak = a % n;
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          const int i = ai + x, j = aj + y, k = ak + z;
          if (i < 0 || i >= n || j < 0 || j >= n || k < 0 || k >= n) continue;
          const int b = (i * n + j) * n + k;
          for (int r = 0; r < 3; ++r)
            for (int s = 0; s < 3; ++s) {
              if (3 * b + s > 3 * a + r) continue;
              row[count] = 3 * a + r;
              column[count] = 3 * b + s;
              value[count] = row[count] == column[count] ? 100 : 2.0 * rand() / RAND_MAX - 1;
              ++count;
            }
        }
  }
  t->nnz = count;
  cholmod_sparse* matrix = cholmod_l_triplet_to_sparse(t, count, c);
  cholmod_l_free_triplet(&t, c);
  return matrix;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  cholmod_common common, *c = &common;
  cholmod_l_start(c);
  c->supernodal = CHOLMOD_SUPERNODAL;
  c->nmethods = 1;
  c->method[0].ordering = CHOLMOD_METIS;
  c->postorder = 1;
  c->itype = CHOLMOD_LONG;
  cholmod_sparse* matrix = cube(atoi(argv[1]), c);
  cholmod_dense* ones = cholmod_l_ones(matrix->nrow, 1, CHOLMOD_REAL, c);
  struct Time analysis = {1e9, 1e9}, factor = analysis, solve = analysis;
  cholmod_factor* l = NULL;
  for (int round = 0; round < atoi(argv[2]); ++round) {
    struct Time start = now();
    if (round < 2) {
      if (l) cholmod_l_free_factor(&l, c);
      l = cholmod_l_analyze(matrix, c);
      least(&analysis, start);
    }
    start = now();
    if (!cholmod_l_factorize(matrix, l, c) || c->status != CHOLMOD_OK) return 1;
    least(&factor, start);
    start = now();
    cholmod_dense* x = cholmod_l_solve(CHOLMOD_A, l, ones, c);
    least(&solve, start);
    cholmod_l_free_dense(&x, c);
  }
  printf("{\"unknowns\": %ld, \"gflop\": %.4f, \"entries\": %.0f, ", (long)matrix->nrow, c->fl * 1e-9, c->lnz);
  printf("\"analyse\": [%.4f, %.4f], \"factor\": [%.4f, %.4f], \"solve\": [%.4f, %.4f]}\n", analysis.wall, analysis.cpu,
         factor.wall, factor.cpu, solve.wall, solve.cpu);
  return 0;
}
