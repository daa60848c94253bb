/** The code of the functions that all ranks call together. */
import { marked, Text } from "@groupwise/core/kernel";
import { printList } from "../../print/arguments.ts";
import { printFirst } from "../../print/header.ts";
import { DIVISOR_STATUS, fileOf } from "../../print/names.ts";
import { notAppended } from "../state/appended.ts";
import type { CarriedC } from "../state/carried.ts";
import { stateOf, totalsOf } from "../state/header.ts";
import { lines } from "../state/lines.ts";
import { countIn, isMap, type RanksC, textIn, unusedIn } from "../state/ranks.ts";
import { printDevice } from "./device.ts";
import { beforeArguments, firstArguments, placeOf, sharingArguments, wholeArguments } from "./header.ts";
import { head, OPERATION, ordered, printOperation, TURNED } from "./operation.ts";
import { printRound, printRoundCall } from "./rounds.ts";

/** The text of `gw_<name>_mpi.c`, with marked names. */
export function printMpiCode(ranks: RanksC): string {
  const { given, earlier, isTurned } = ranks;
  const { artifact } = given;
  const text = new Text();
  printFirst(text, artifact.manifest);
  text.line(`#include "${fileOf(artifact.manifest.pipeline)}_mpi.h"`);
  text.line();
  text.line("#include <string.h>");
  text.line();
  lines(text, COMMON);
  text.line();
  if (isTurned) {
    lines(text, TURNED);
    text.line();
  }
  if (!isMap(ranks)) {
    printOperation(text, given);
    text.line();
  }
  printFirstItem(text, ranks);
  text.line();
  printDevice(text, ranks);
  for (const round of earlier) {
    printRound(text, ranks, round);
    text.line();
  }
  if (!isMap(ranks)) {
    printBefore(text, ranks);
    text.line();
  }
  printShare(text, ranks);
  text.line();
  printWhole(text, ranks);
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

function printFirstItem(text: Text, ranks: RanksC): void {
  const { given, items, needsItems, isTurned } = ranks;
  const { name: n } = countIn(ranks);
  const isCounted = items !== undefined || needsItems;
  head(text, `${given.symbol}_mpi_first`, firstArguments(ranks));
  text.indent(() => {
    text.line("const MPI_Errhandler handler = end_on_errors(comm);");
    text.line(`uint64_t before = 0${isCounted ? ", all" : ""};`);
    text.line("int rank;");
    ordered(text, isTurned, (comm) => {
      text.line(`MPI_Comm_rank(${comm}, &rank);`);
      text.line(`MPI_Exscan(&${n}, &before, 1, MPI_UINT64_T, MPI_SUM, ${comm});`);
    });
    text.line("*from = rank == 0 ? 0 : before; // rank 0 receives an undefined value");
    const test = `${n} > UINT64_MAX - *from`;
    if (isCounted) {
      text.line(`MPI_Allreduce(&${n}, &all, 1, MPI_UINT64_T, MPI_SUM, comm);`);
      text.line(`int status = ${needsItems ? "all == 0 ? GW_NO_ITEM : " : ""}GW_OK;`);
      text.line(`if (${test}${items ? " || all > UINT32_MAX" : ""}) status = GW_TOO_MANY_ITEMS;`);
      if (items) text.line(`*${items.name} = (uint32_t)all;`);
      text.line("status = agreed(comm, status);");
    } else text.line(`const int status = agreed(comm, ${test} ? GW_TOO_MANY_ITEMS : GW_OK);`);
    text.line("restore(comm, handler);");
    text.line("return status;");
  });
  text.line("}");
}

function printBefore(text: Text, { given, isTurned }: RanksC): void {
  const { symbol } = given;
  head(text, `${symbol}_mpi_before`, beforeArguments(given));
  text.indent(() => {
    text.line("const MPI_Errhandler handler = end_on_errors(comm);");
    text.line("status = agreed(comm, status);");
    text.block("if (status == GW_OK) {", () => {
      lines(text, OPERATION("merge"));
      text.line(`${stateOf(given)} received;`);
      text.line("spoil(&received);");
      text.line("int rank;");
      ordered(text, isTurned, (comm) => {
        text.line(`MPI_Comm_rank(${comm}, &rank);`);
        text.line(`MPI_Exscan(own, &received, 1, type, operation, ${comm});`);
      });
      lines(
        text,
        `
if (rank == 0) ${symbol}_start(before, 0); // rank 0 receives an undefined value
else *before = received;
MPI_Op_free(&operation);
MPI_Type_free(&type);
// Detects an MPI library that combines ranks in another order.
status = agreed(comm, before->from == 0 && before->to == own->from ? GW_OK : GW_BAD_STATE);
`,
      );
    });
    text.line("restore(comm, handler);");
    text.line("return status;");
  });
  text.line("}");
}

/** The last items are those of the last rank, or of the first one. */
function printShare(text: Text, { given, isTurned }: RanksC): void {
  head(text, `${given.symbol}_mpi_share`, sharingArguments(given));
  text.indent(() => {
    text.line("const MPI_Errhandler handler = end_on_errors(comm);");
    text.line("status = agreed(comm, status);");
    const totals = totalsOf(given);
    if (totals.length > 0 && !isTurned) {
      text.line("int ranks;");
      text.line("MPI_Comm_size(comm, &ranks);");
    }
    const root = isTurned ? "0" : "ranks - 1";
    for (const { name } of totals)
      text.line(`if (status == GW_OK) MPI_Bcast(${name}, (int)sizeof *${name}, MPI_BYTE, ${root}, comm);`);
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

function printWhole(text: Text, ranks: RanksC): void {
  const { given, earlier, items } = ranks;
  const { symbol, device } = given;
  const { name: n } = countIn(ranks);
  head(text, `${symbol}_mpi`, wholeArguments(ranks));
  text.indent(() => {
    for (const name of unusedIn(ranks)) text.line(`(void)${name};`);
    text.line("uint64_t from;");
    if (items) text.line(`${items.type} ${items.name};`);
    const opened = `int status = ${symbol}_mpi_device(comm, -1);\nif (status == GW_OK) status`;
    const counted = items ? `, &${items.name}` : "";
    lines(text, `${device ? opened : "int status"} = ${symbol}_mpi_first(comm, ${n}, &from${counted});`);
    text.line("if (status != GW_OK) return status;");
    printDivision(text, ranks);
    for (const round of earlier) printRoundCall(text, ranks, round);
    if (isMap(ranks)) printItems(text, ranks);
    else printPasses(text, ranks);
    const shared = totalsOf(given).map(({ name }) => name);
    printList(text, `return ${symbol}_mpi_share`, ["comm", "status", ...shared], ";");
  });
  text.line("}");
}

/** The check of parameters that divide the number of items. */
function printDivision(text: Text, ranks: RanksC): void {
  const isWrong = ranks.divisors
    .map(marked)
    .map((name) => `${name} == 0 || all % ${name} != 0`)
    .join(" || ");
  if (isWrong === "") return;
  lines(
    text,
    `
const MPI_Errhandler handler = end_on_errors(comm);
uint64_t all;
MPI_Allreduce(&${countIn(ranks).name}, &all, 1, MPI_UINT64_T, MPI_SUM, comm);
status = agreed(comm, ${isWrong} ? ${DIVISOR_STATUS[0]} : GW_OK);
restore(comm, handler);
if (status != GW_OK) return status;
`,
  );
}

/** The only pass of a last round whose items need no others. */
function printItems(text: Text, ranks: RanksC): void {
  const { given } = ranks;
  const { symbol } = given;
  text.line(`${stateOf(given)} before; // of no scan: the number of items`);
  text.line(`${symbol}_start(&before, 0);`);
  text.line("before.to = from;");
  const names = given.own.map((one) => textIn(ranks, given, one));
  printList(text, `status = ${symbol}_step`, ["&before", countIn(ranks).name, ...names, "&before"], ";");
}

/** The pass for the state of a part, and the pass for its items. */
function printPasses(text: Text, ranks: RanksC): void {
  const { given, isTurned } = ranks;
  const { symbol, appended } = given;
  const { name: n } = countIn(ranks);
  const names = given.own.map((one) => textIn(ranks, given, one));
  const read = notAppended(given).map((one) => textIn(ranks, given, one));
  text.line(`${stateOf(given)} alone, before;`);
  text.line(`${symbol}_start(&before, 0);`);
  text.line(
    `// A part that ${isTurned ? "ends at the last item" : "begins at item 0"} needs no state of other ranks.`,
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
}
