/** The MPI operation that merges states, and the order of ranks. */
import type { Text } from "@groupwise/core/kernel";
import { type Argument, declared, printList } from "../../print/arguments.ts";
import type { CarriedC } from "../state/carried.ts";
import { stateOf } from "../state/header.ts";
import { lines } from "../state/lines.ts";

/** The head of a function that returns a status. */
export const head = (text: Text, name: string, args: readonly Argument[]): void =>
  printList(
    text,
    `int ${name}`,
    args.map((one) => declared(one, "restrict")),
    " {",
  );

/** The function for scans that begin at the last item. */
export const TURNED = `
// The ranks from the last one to the first one: scans begin at the last item.
static MPI_Comm turned(MPI_Comm comm) {
  MPI_Comm ranks_turned;
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_split(comm, 0, ranks - 1 - rank, &ranks_turned);
  return ranks_turned;
}
`;

/** Statements on a communicator whose ranks are in the order of the scans. */
export function ordered(text: Text, isTurned: boolean, print: (comm: string) => void): void {
  if (isTurned) text.line("MPI_Comm from_last = turned(comm);");
  print(isTurned ? "from_last" : "comm");
  if (isTurned) text.line("MPI_Comm_free(&from_last);");
}

/** Statements that make an operation on the states that `own` points to. */
export const OPERATION = (merge: string): string => `
MPI_Datatype type;
MPI_Op operation;
MPI_Type_contiguous((int)sizeof *own, MPI_BYTE, &type);
MPI_Type_commit(&type);
MPI_Op_create(${merge}, 0, &operation);
`;

/** @param ending of the names of the functions */
export function printOperation(text: Text, given: CarriedC, ending: string = ""): void {
  const { symbol } = given;
  const state = stateOf(given);
  lines(
    text,
    `
// Makes a state invalid. An MPI operation cannot return a status, but merging keeps states invalid.
static void spoil${ending}(${state} *state) {
  memset(state, 0, sizeof *state);
  state->from = 1;
}

// The MPI operation. The first operand is from earlier ranks. MPI does not align the arrays.
static void merge${ending}(void *earlier, void *later, int *count, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *count; i++) {
    ${state} left, right;
    memcpy(&left, (const char *)earlier + (size_t)i * sizeof left, sizeof left);
    memcpy(&right, (const char *)later + (size_t)i * sizeof right, sizeof right);
    if (${symbol}_merge(&left, &right, &right) != GW_OK) spoil${ending}(&right);
    memcpy((char *)later + (size_t)i * sizeof right, &right, sizeof right);
  }
}
`,
  );
}
