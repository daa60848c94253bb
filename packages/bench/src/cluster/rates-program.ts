/** A program of two ranks that measures the work of a rank: loops over items, merges of states, and calls of MPI. */

/** Each line of the output is a name and the least of several times: nanoseconds per item, or microseconds per call. */
export const RATES = `#include "gw_sums_mpi.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static size_t n;
static int rank;
static float *x, *y, total;
static double now(void) { return MPI_Wtime(); }
static void copy(void) { memcpy(y, x, n * sizeof *x); }
static void plain(void) {
  float sum = 0;
  for (size_t i = 0; i < n; i++) y[i] = sum += x[i];
}
static void steps(size_t chunk) {
  struct gw_sums_state state;
  gw_sums_start(&state, 0);
  for (size_t at = 0; at < n; at += chunk)
    gw_sums_step(&state, n - at < chunk ? n - at : chunk, x + at, y + at, &total, &state);
}
static void step_all(void) { steps(n); }
static void step_long(void) { steps((size_t)1 << 16); }
static void step_short(void) { steps(1000); }
static void part(void) {
  struct gw_sums_state state;
  gw_sums_state_of(12345, n, x, y, &total, &state);
}
// Covers of 62 blocks each, of every level.
static struct gw_sums_state left, right, both;
static void covers(void) {
  gw_sums_start(&left, 1);
  left.to = (uint64_t)1 << 62;
  gw_sums_start(&right, left.to);
  right.to = left.to + (left.to - 1);
  for (uint32_t i = 0; i < 62; i++) {
    left.level[i] = (uint8_t)i;
    right.level[i] = (uint8_t)(61 - i);
    left.v0[i] = right.v0[i] = 1;
  }
  left.blocks = right.blocks = 62;
}
enum { CALLS = 1000 };
static void merges(void) {
  for (int i = 0; i < CALLS; i++) gw_sums_merge(&left, &right, &both);
}
static void exscans(void) {
  gw_sums_start(&left, (uint64_t)rank);
  left.to++;
  for (int i = 0; i < CALLS; i++) gw_sums_mpi_before(MPI_COMM_WORLD, GW_OK, &left, &both);
}
static void agreements(void) {
  int status = 0, all;
  for (int i = 0; i < CALLS; i++) MPI_Allreduce(&status, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}
// Meanwhile the other rank waits in a barrier, in which libraries poll.
static void measure(const char *name, void (*run)(void), double unit, double count, int by_all) {
  double least = 1e9;
  for (int i = 0; i < 7; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = now();
    if (by_all || rank == 0) run();
    const double time = now() - start;
    if (time < least) least = time;
  }
  if (rank == 0) printf("%s %.4f\\n", name, least * unit / count);
}
int main(int count, char **words) {
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int is_alone = count > 2;
  n = strtoul(words[1], NULL, 10);
  x = malloc(n * sizeof *x);
  y = malloc(n * sizeof *y);
  for (size_t i = 0; i < n; i++) x[i] = (float)(i % 1000) - 499, y[i] = 0;
  if (is_alone) {
    measure("copy", copy, 1e9, (double)n, 0);
    measure("plain", plain, 1e9, (double)n, 0);
    measure("step", step_all, 1e9, (double)n, 0);
    measure("long", step_long, 1e9, (double)n, 0);
    measure("short", step_short, 1e9, (double)n, 0);
    measure("part", part, 1e9, (double)n, 0);
    covers();
    measure("merge", merges, 1e6, CALLS, 0);
    printf("bytes %zu\\n", sizeof(struct gw_sums_state));
  } else {
    measure("exscan", exscans, 1e6, CALLS, 1);
    measure("agree", agreements, 1e6, CALLS, 1);
  }
  MPI_Finalize();
  return 0;
}
`;
