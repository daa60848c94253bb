/** The code of the functions that all ranks call together. */
import { Text } from "@groupwise/core/kernel";
import { type Argument, declared, printList } from "../print/arguments.ts";
import { printFirst } from "../print/header.ts";
import { fileOf } from "../print/names.ts";
import { notAppended } from "../state/appended.ts";
import type { CarriedC } from "../state/carried.ts";
import { lines } from "../state/cover.ts";
import { countOf, stateOf, totalsOf } from "../state/header.ts";
import { beforeArguments, placeOf, sharingArguments, wholeArguments } from "./header.ts";

/** The text of `gw_<name>_mpi.c`, with marked names. */
export function printMpiCode(given: CarriedC): string {
  const { artifact } = given;
  const text = new Text();
  printFirst(text, artifact.manifest);
  text.line(`#include "${fileOf(artifact.manifest.pipeline)}_mpi.h"`);
  text.line();
  text.line("#include <string.h>");
  text.line();
  lines(text, COMMON);
  text.line();
  printOperation(text, given);
  text.line();
  printFirstItem(text, given);
  text.line();
  printDevice(text, given);
  printBefore(text, given);
  text.line();
  printShare(text, given);
  text.line();
  printWhole(text, given);
  return text.toString();
}

/** Errors of MPI, and the status of all ranks. */
const COMMON = `
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
`;

function printOperation(text: Text, given: CarriedC): void {
  const { symbol } = given;
  const state = stateOf(given);
  lines(
    text,
    `
// Makes a state invalid. An MPI operation cannot return a status, but merging keeps states invalid.
static void spoil(${state} *state) {
  memset(state, 0, sizeof *state);
  state->from = 1;
}

// The MPI operation. The first operand is from earlier ranks. MPI does not align the arrays.
static void merge(void *earlier, void *later, int *count, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *count; i++) {
    ${state} left, right;
    memcpy(&left, (const char *)earlier + (size_t)i * sizeof left, sizeof left);
    memcpy(&right, (const char *)later + (size_t)i * sizeof right, sizeof right);
    if (${symbol}_merge(&left, &right, &right) != GW_OK) spoil(&right);
    memcpy((char *)later + (size_t)i * sizeof right, &right, sizeof right);
  }
}
`,
  );
}

function printFirstItem(text: Text, given: CarriedC): void {
  const { name: n } = countOf(given);
  lines(
    text,
    `
int ${given.symbol}_mpi_first(MPI_Comm comm, uint64_t ${n}, uint64_t *from) {
  const MPI_Errhandler handler = end_on_errors(comm);
  uint64_t before = 0;
  int rank;
  MPI_Comm_rank(comm, &rank);
  MPI_Exscan(&${n}, &before, 1, MPI_UINT64_T, MPI_SUM, comm);
  *from = rank == 0 ? 0 : before; // rank 0 receives an undefined value
  const int status = agreed(comm, ${n} > UINT64_MAX - *from ? GW_TOO_MANY_ITEMS : GW_OK);
  restore(comm, handler);
  return status;
}
`,
  );
}

/** The function that opens the device of each rank. */
function printDevice(text: Text, { symbol, device }: CarriedC): void {
  if (!device) return;
  lines(
    text,
    `
int ${symbol}_mpi_device(MPI_Comm comm, int device) {
  const MPI_Errhandler handler = end_on_errors(comm);
  MPI_Comm machine;
  int rank, ranks;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  MPI_Comm_rank(machine, &rank);
  MPI_Comm_size(machine, &ranks);
  MPI_Comm_free(&machine);
  const int status = agreed(comm, ${symbol}_device_open(device, rank, ranks));
  restore(comm, handler);
  return status;
}
`,
  );
  text.line();
}

const head = (text: Text, name: string, args: readonly Argument[]): void =>
  printList(
    text,
    `int ${name}`,
    args.map((one) => declared(one, "restrict")),
    " {",
  );

function printBefore(text: Text, given: CarriedC): void {
  const { symbol } = given;
  head(text, `${symbol}_mpi_before`, beforeArguments(given));
  text.indent(() =>
    lines(
      text,
      `
const MPI_Errhandler handler = end_on_errors(comm);
status = agreed(comm, status);
if (status == GW_OK) {
  MPI_Datatype type;
  MPI_Op operation;
  MPI_Type_contiguous((int)sizeof *own, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Op_create(merge, 0, &operation);
  ${stateOf(given)} received;
  spoil(&received);
  int rank;
  MPI_Comm_rank(comm, &rank);
  MPI_Exscan(own, &received, 1, type, operation, comm);
  if (rank == 0) ${symbol}_start(before, 0); // rank 0 receives an undefined value
  else *before = received;
  MPI_Op_free(&operation);
  MPI_Type_free(&type);
  // Detects an MPI library that combines ranks in another order.
  status = agreed(comm, before->from == 0 && before->to == own->from ? GW_OK : GW_BAD_STATE);
}
restore(comm, handler);
return status;
`,
    ),
  );
  text.line("}");
}

function printShare(text: Text, given: CarriedC): void {
  head(text, `${given.symbol}_mpi_share`, sharingArguments(given));
  text.indent(() => {
    text.line("const MPI_Errhandler handler = end_on_errors(comm);");
    text.line("status = agreed(comm, status);");
    const totals = totalsOf(given);
    if (totals.length > 0) {
      text.line("int ranks;");
      text.line("MPI_Comm_size(comm, &ranks);");
    }
    for (const { name } of totals)
      text.line(`if (status == GW_OK) MPI_Bcast(${name}, (int)sizeof *${name}, MPI_BYTE, ranks - 1, comm);`);
    text.line("restore(comm, handler);");
    text.line("return status;");
  });
  text.line("}");
}

/** The elements of this rank, and of those before it. */
function printPlaces(text: Text, given: CarriedC): void {
  for (const one of given.appended) {
    const { length, elements, room } = one;
    text.line(`*${length.name} = alone.${elements};`);
    text.line(`*${placeOf(one).name} = before.${elements};`);
    text.line(`if (alone.${elements} > ${room.name}) status = GW_OUTSIDE;`);
  }
}

function printWhole(text: Text, given: CarriedC): void {
  const { symbol, own, device, appended } = given;
  const { name: n } = countOf(given);
  const state = stateOf(given);
  const names = own.map(({ name }) => name);
  const read = notAppended(given).map(({ name }) => name);
  head(text, `${symbol}_mpi`, wholeArguments(given));
  text.indent(() => {
    lines(
      text,
      `
uint64_t from;
${device ? `int status = ${symbol}_mpi_device(comm, -1);\nif (status == GW_OK) status` : "int status"} = ${symbol}_mpi_first(comm, ${n}, &from);
if (status != GW_OK) return status;
${state} alone, before;
${symbol}_start(&before, 0);
// A part that begins at item 0 needs no state of other ranks.
`,
    );
    printList(text, `if (from == 0) status = ${symbol}_step`, ["&before", n, ...names, "&alone"], ";");
    // A step without room for its elements returns no state.
    const isLacking = appended.length > 0 ? "if (from != 0 || status == GW_OUTSIDE)" : "else";
    printList(text, `${isLacking} status = ${symbol}_state_of`, ["from", n, ...read, "&alone"], ";");
    text.line(`status = ${symbol}_mpi_before(comm, status, &alone, &before);`);
    text.line("if (status != GW_OK) return status;");
    printPlaces(text, given);
    const isRun = appended.length > 0 ? "if (from != 0 && status == GW_OK)" : "if (from != 0)";
    printList(text, `${isRun} status = ${symbol}_step`, ["&before", n, ...names, "&before"], ";");
    const shared = totalsOf(given).map(({ name }) => name);
    printList(text, `return ${symbol}_mpi_share`, ["comm", "status", ...shared], ";");
  });
  text.line("}");
}
