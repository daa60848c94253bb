// prefix-sum: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target c --mpi
// Inputs: f32 x[n], f32 add_before[], u32 place
// Outputs: f32 sum[n], f32 add_after[32]
// Strategy: one-thread
#include "gw_prefix-sum_mpi.h"

#include <string.h>

// Errors of MPI end the job: if one rank returned, the others would wait for it.
static MPI_Errhandler end_on_errors(MPI_Comm comm) {
  MPI_Errhandler handler;
  MPI_Comm_get_errhandler(comm, &handler);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  return handler;
}

static void restore(MPI_Comm comm, MPI_Errhandler handler) {
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler);
}

// The largest status of any rank.
static int agreed(MPI_Comm comm, int status) {
  int worst;
  MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, comm);
  return worst;
}

// Makes a state invalid. An MPI operation cannot return a status, but merging keeps states invalid.
static void spoil(struct gw_prefix_sum_state *state) {
  memset(state, 0, sizeof *state);
  state->from = 1;
}

// The MPI operation. The first operand is from earlier ranks. MPI does not align the arrays.
static void merge(void *earlier, void *later, int *count, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *count; i++) {
    struct gw_prefix_sum_state left, right;
    memcpy(&left, (const char *)earlier + (size_t)i * sizeof left, sizeof left);
    memcpy(&right, (const char *)later + (size_t)i * sizeof right, sizeof right);
    if (gw_prefix_sum_merge(&left, &right, &right) != GW_OK) spoil(&right);
    memcpy((char *)later + (size_t)i * sizeof right, &right, sizeof right);
  }
}

int gw_prefix_sum_mpi_first(MPI_Comm comm, uint64_t n, uint64_t *from) {
  const MPI_Errhandler handler = end_on_errors(comm);
  uint64_t before = 0;
  int rank;
  MPI_Comm_rank(comm, &rank);
  MPI_Exscan(&n, &before, 1, MPI_UINT64_T, MPI_SUM, comm);
  *from = rank == 0 ? 0 : before; // rank 0 receives an undefined value
  const int status = agreed(comm, n > UINT64_MAX - *from ? GW_TOO_MANY_ITEMS : GW_OK);
  restore(comm, handler);
  return status;
}

int gw_prefix_sum_mpi_before(
  MPI_Comm comm,
  int status,
  const struct gw_prefix_sum_state *own,
  struct gw_prefix_sum_state *before) {
  const MPI_Errhandler handler = end_on_errors(comm);
  status = agreed(comm, status);
  if (status == GW_OK) {
    MPI_Datatype type;
    MPI_Op operation;
    MPI_Type_contiguous((int)sizeof *own, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(merge, 0, &operation);
    struct gw_prefix_sum_state received;
    spoil(&received);
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Exscan(own, &received, 1, type, operation, comm);
    if (rank == 0) gw_prefix_sum_start(before, 0); // rank 0 receives an undefined value
    else *before = received;
    MPI_Op_free(&operation);
    MPI_Type_free(&type);
    // Detects an MPI library that combines ranks in another order.
    status = agreed(comm, before->from == 0 && before->to == own->from ? GW_OK : GW_BAD_STATE);
  }
  restore(comm, handler);
  return status;
}

int gw_prefix_sum_mpi_share(MPI_Comm comm, int status) {
  const MPI_Errhandler handler = end_on_errors(comm);
  status = agreed(comm, status);
  restore(comm, handler);
  return status;
}

int gw_prefix_sum_mpi(MPI_Comm comm, uint64_t n, const float *restrict x, float *restrict sum) {
  uint64_t from;
  int status = gw_prefix_sum_mpi_first(comm, n, &from);
  if (status != GW_OK) return status;
  struct gw_prefix_sum_state alone, before;
  gw_prefix_sum_start(&before, 0);
  // A part that begins at item 0 needs no state of other ranks.
  if (from == 0) status = gw_prefix_sum_step(&before, n, x, sum, &alone);
  else status = gw_prefix_sum_state_of(from, n, x, sum, &alone);
  status = gw_prefix_sum_mpi_before(comm, status, &alone, &before);
  if (status != GW_OK) return status;
  if (from != 0) status = gw_prefix_sum_step(&before, n, x, sum, &before);
  return gw_prefix_sum_mpi_share(comm, status);
}
