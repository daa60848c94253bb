/** Fixed text of emitted programs: the problem of a rank, and the end of all ranks with one message. */
export const AGREEMENT = `
static int rank, ranks;
static char problem[1024]; // the first problem of this rank; empty if there is none

static void fail(const char *format, ...) {
  if (problem[0] != '\\0') return;
  va_list values;
  va_start(values, format);
  vsnprintf(problem, sizeof problem, format, values);
  va_end(values);
}

static void fail_in(const char *path, const char *what, int error) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(error, text, &length);
  fail("%s: %s: %s", path, what, text);
}

// All ranks call it. True if no rank has a problem; otherwise rank 0 prints that of the first such rank.
static bool fine(void) {
  int mine = problem[0] == '\\0' ? ranks : rank, first;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == ranks) return true;
  char text[sizeof problem];
  memcpy(text, problem, sizeof text);
  MPI_Bcast(text, (int)sizeof text, MPI_CHAR, first, MPI_COMM_WORLD);
  if (rank == 0) fprintf(stderr, "%s: rank %d: %s\\n", PROGRAM, first, text);
  return false;
}

static uint64_t most(uint64_t x) {
  uint64_t all;
  MPI_Allreduce(&x, &all, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  return all;
}
`;
