/** Fixed text of emitted programs: the problem of a rank, and the end of all ranks with one message. */
export const AGREEMENT = `
static int rank, ranks;
static char *problem; // the first problem of this rank; NULL if there is none

static void fail(const char *format, ...) {
  static char no_message[] = "there is no memory for its message";
  if (problem != NULL) return;
  va_list values;
  va_start(values, format);
  const int length = vsnprintf(NULL, 0, format, values);
  va_end(values);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  problem = text == NULL ? no_message : text;
  if (text == NULL) return;
  va_start(values, format);
  vsnprintf(text, (size_t)length + 1, format, values);
  va_end(values);
}

static void fail_in(const char *path, const char *what, int error) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(error, text, &length);
  fail("%s: %s: %s", path, what, text);
}

// Rank 0 prints the problem of a rank; both call it.
static void report(int first) {
  const int length = (int)strlen(problem == NULL ? "" : problem) + 1;
  if (rank == first && rank != 0) MPI_Send(problem, length, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  char *text = problem;
  if (first != 0) {
    MPI_Status status;
    int count;
    MPI_Probe(first, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_CHAR, &count);
    text = malloc((size_t)count);
    if (text == NULL) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    MPI_Recv(text, count, MPI_CHAR, first, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  fprintf(stderr, "%s: rank %d: %s\\n", PROGRAM, first, text);
  if (first != 0) free(text);
}

// All ranks call it. True if no rank has a problem; otherwise rank 0 prints that of the first such rank.
static bool fine(void) {
  int mine = problem == NULL ? ranks : rank, first;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first < ranks) report(first);
  return first == ranks;
}

static uint64_t most(uint64_t x) {
  uint64_t all;
  MPI_Allreduce(&x, &all, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  return all;
}
`;
