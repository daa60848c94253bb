/** The passes of an emitted program over its files. */
import { marked, type Text, unmarked } from "@groupwise/core/kernel";
import { printList } from "../../../print/arguments.ts";
import { notAppended } from "../../state/appended.ts";
import type { CarriedC } from "../../state/carried.ts";
import { stateOf, totalsOf, withoutItems } from "../../state/header.ts";
import { lines } from "../../state/lines.ts";
import { deviceOf, type EarlierC, isMap, type RanksC } from "../../state/ranks.ts";
import { usersOf } from "./arguments.ts";
import { callWith, fileAt, type ProgramArrays } from "./arrays.ts";
import { TYPES } from "./values.ts";

/** The remaining code of the program. */
export function printRun(text: Text, ranks: RanksC, arrays: ProgramArrays): void {
  lines(text, ranks.isTurned ? PARTS.replace(MINE, `${MINE}\n${AFTER}`) : PARTS);
  text.line();
  for (const round of ranks.earlier) printRound(text, ranks, round, arrays);
  printPass(text, ranks, arrays);
  text.line();
  printAll(text, ranks, arrays);
  text.line();
  printTotals(text, ranks, arrays);
  text.line();
  lines(text, ranks.given.device ? closing(deviceOf(ranks)) : MAIN);
}

const MINE = "static uint64_t count, first, mine;";
const AFTER = "static uint64_t after; // the items of later ranks: states count from the last item";

const PARTS = `
// The items of this rank.
${MINE}

static bool open_all(void) {
  for (int i = 0; i < INPUTS; i++) {
    if (!open_input(&inputs[i])) return false;
    if (inputs[i].items != inputs[0].items) fail("%s and %s differ in length", inputs[i].name, inputs[0].name);
  }
  for (int i = 0; i < TABLES; i++) {
    if (!open_input(&tables[i])) return false;
    tables[i].array = calloc(tables[i].items + 1, tables[i].bytes);
    if (tables[i].array == NULL) fail("%s", MESSAGES[GW_NO_MEMORY]);
    if (!fine()) return false;
    for (uint64_t at = 0; at < tables[i].items; at += chunk) {
      const uint64_t left = tables[i].items - at;
      read_items(&tables[i], at, left < chunk ? left : chunk, (char *)tables[i].array + at * tables[i].bytes);
    }
  }
  return fine();
}

// Arrays for a chunk.
static bool allocate(void) {
  const uint64_t room = chunk < mine ? chunk : mine;
  for (int i = 0; i < INPUTS; i++) inputs[i].array = calloc(room + 1, inputs[i].bytes);
  for (int i = 0; i < OUTPUTS; i++) {
    outputs[i].room = outputs[i].per_item || outputs[i].appended ? room : 0;
    outputs[i].array = calloc(outputs[i].room + 1, outputs[i].bytes);
  }
  for (int i = 0; i < INPUTS; i++)
    if (inputs[i].array == NULL) fail("%s", MESSAGES[GW_NO_MEMORY]);
  for (int i = 0; i < OUTPUTS; i++)
    if (outputs[i].array == NULL) fail("%s", MESSAGES[GW_NO_MEMORY]);
  return fine();
}

// Makes the files of outputs. The number of appended elements is known at the end.
static bool open_outputs(void) {
  for (int i = 0; i < OUTPUTS; i++)
    if (outputs[i].path != NULL) clear_output(&outputs[i]);
  if (!fine()) return false;
  for (int i = 0; i < OUTPUTS; i++) {
    if (outputs[i].path == NULL) continue;
    if (!open_output(&outputs[i])) return false;
    if (!outputs[i].appended) write_head(&outputs[i], outputs[i].per_item ? count : 1);
  }
  return fine();
}

// Writes the outputs of the items of a chunk. All ranks call it, also for no items.
static void write_chunk(uint64_t from, uint64_t n) {
  for (int i = 0; i < OUTPUTS; i++) {
    struct file *const f = &outputs[i];
    if (f->path != NULL && f->per_item) write_items(f, from, n);
    if (f->path != NULL && f->appended) write_items(f, f->at, f->length);
    f->at += f->length;
  }
}

// Writes the outputs that are known at the end.
static void write_rest(void) {
  for (int i = 0; i < OUTPUTS; i++) {
    struct file *const f = &outputs[i];
    if (f->appended) f->items = most(f->at);
    if (f->path == NULL || f->per_item) continue;
    if (f->appended) write_head(f, f->items);
    else write_items(f, 0, rank == 0);
  }
}
`;

/** The places of a chunk: the number of its first item for states, and that of its first element in files. */
const placesOf = ({ isTurned }: RanksC): { readonly item: string; readonly element: string } =>
  isTurned
    ? { item: "after + at", element: "first + (mine - at - n)" }
    : { item: "first + at", element: "first + at" };

/** The start of the loop over chunks, which is the same loop on all ranks. */
const chunksOf = (item: string, start: string): string => `
uint64_t at = 0;
const uint64_t turns = most((${start} % chunk + mine) / chunk + 1);
for (uint64_t turn = 0; turn < turns; turn++) {
  // Chunks end at multiples of their length, so that most are one aligned block.
  const uint64_t room = chunk - (${item}) % chunk;
  const uint64_t n = mine - at < room ? mine - at : room;
`;

/** The loop over the chunks of a pass. All ranks run the same number of iterations. @param loops that read the chunks */
function printChunks(
  text: Text,
  ranks: RanksC,
  loops: CarriedC,
  arrays: ProgramArrays,
  body: () => void,
): void {
  const { item, element } = placesOf(ranks);
  lines(text, chunksOf(item, ranks.isTurned ? "after" : "first"));
  text.indent(() => {
    const names = new Set(loops.own.map(({ name }) => unmarked(name)));
    const read = arrays.inputs.filter(({ name }) => names.has(name)).map(({ name }) => fileAt(arrays, name));
    if (read.length === arrays.inputs.length)
      text.line(`for (int i = 0; i < INPUTS; i++) read_items(&inputs[i], ${element}, n, inputs[i].array);`);
    else for (const file of read) text.line(`read_items(&${file}, ${element}, n, ${file}.array);`);
    body();
    text.line("at += n;");
  });
  text.line("}");
  text.line("return true;");
}

/** Statements that add a chunk to the state of a part. @param status the variable, or its declaration */
function printPart(text: Text, ranks: RanksC, loops: CarriedC, arrays: ProgramArrays, status: string): void {
  const { symbol } = loops;
  const read = callWith(loops, notAppended(loops), arrays);
  text.line(`${stateOf(loops)} alone;`);
  printList(text, `${status} = ${symbol}_state_of`, [placesOf(ranks).item, "n", ...read, "&alone"], ";");
  text.line(`if (status == GW_OK) status = ${symbol}_merge(state, &alone, state);`);
}

/** The pass of a round before the last one. */
function printRound(text: Text, ranks: RanksC, { number, loops }: EarlierC, arrays: ProgramArrays): void {
  const { symbol } = ranks.given;
  text.line(`// Reads all chunks for the results of round ${number}.`);
  text.block(`static bool read_round${number}(${stateOf(loops)} *state) {`, () => {
    printChunks(text, ranks, loops, arrays, () => {
      printPart(text, ranks, loops, arrays, "int status");
      text.line("fail_by(status);");
      text.line("if (!fine()) return false;");
    });
  });
  text.line();
  text.block(`static bool round${number}(void) {`, () => {
    text.line(`${stateOf(loops)} state;`);
    text.line(`${loops.symbol}_start(&state, ${ranks.isTurned ? "after" : "first"});`);
    text.line(`if (!read_round${number}(&state)) return false;`);
    const args = callWith(loops, withoutItems(loops), arrays);
    printList(
      text,
      `fail_by(${symbol}_mpi_round${number}`,
      ["MPI_COMM_WORLD", "GW_OK", "&state", ...args],
      ");",
    );
    text.line("return fine();");
  });
  text.line();
}

/** The passes of the last round: first for the state of the part, and then for its outputs. */
function printPass(text: Text, ranks: RanksC, arrays: ProgramArrays): void {
  const { given, isTurned } = ranks;
  const { symbol } = given;
  const call = callWith(given, given.own, arrays);
  const step = (status: string): void =>
    printList(text, `${status} = ${symbol}_step`, ["state", "n", ...call, "state"], ";");
  const { element } = placesOf(ranks);
  if (isMap(ranks)) {
    text.line("// Reads all chunks for the outputs. All ranks run the same number of iterations.");
    text.block(`static bool pass(${stateOf(given)} *state) {`, () => {
      printChunks(text, ranks, given, arrays, () => {
        step("const int status");
        text.line("fail_by(status);");
        text.line(`write_chunk(${element}, n);`);
        text.line("if (!fine()) return false;");
      });
    });
    return;
  }
  text.line(
    "// Reads all chunks: first for the state of this rank's items, then for the outputs. All ranks run the same number of iterations.",
  );
  if (isTurned) text.line("// The first chunk has the last items.");
  text.block(`static bool pass(bool is_last, ${stateOf(given)} *state) {`, () => {
    printChunks(text, ranks, given, arrays, () => {
      text.line("int status;");
      text.line("if (is_last) {");
      text.indent(() => step("status"));
      text.line("} else {");
      text.indent(() => printPart(text, ranks, given, arrays, "status"));
      text.line("}");
      text.line("fail_by(status);");
      text.line(`if (is_last) write_chunk(${element}, n);`);
      text.line("if (!fine()) return false;");
    });
  });
}

/** The check of parameters that divide the number of items. All ranks fail, and `allocate` ends them. */
const divisionOf = (ranks: RanksC): string =>
  usersOf(ranks)
    .filter(({ name }) => ranks.divisors.includes(name))
    .map(({ name }) => {
      const value = `values.${marked(name)}`;
      const message = `"${name}: %" PRIu32 " does not divide %" PRIu64 " items"`;
      return `if (${value} == 0 || count % ${value} != 0) fail(${message}, ${value}, count);\n`;
    })
    .join("");

function printAll(text: Text, ranks: RanksC, arrays: ProgramArrays): void {
  const { given, earlier } = ranks;
  const { symbol } = given;
  const items = arrays.inputs.length === 0 ? "items" : "inputs[0].items";
  const totals = totalsOf(given).map(({ name }) => `${fileAt(arrays, name.slice(0, -1))}.array`);
  text.block("static bool run(void) {", () => {
    if (given.device)
      text.line(`if (!fine_after(${symbol}_mpi_device(MPI_COMM_WORLD, device))) return false;`);
    lines(
      text,
      `
if (!open_all()) return false;
count = ${items};
${divisionOf(ranks)}mine = count / (uint64_t)ranks;
const uint64_t more = count % (uint64_t)ranks;
first = mine * (uint64_t)rank + ((uint64_t)rank < more ? (uint64_t)rank : more);
if ((uint64_t)rank < more) mine++;
if (!allocate()) return false;
`,
    );
    printFirst(text, ranks);
    for (const { number } of earlier) text.line(`if (!round${number}()) return false;`);
    if (isMap(ranks)) printItems(text, ranks);
    else printStates(text, ranks, arrays);
    const shared = `${isMap(ranks) ? "const int " : ""}status = ${symbol}_mpi_share`;
    printList(text, shared, ["MPI_COMM_WORLD", "GW_OK", ...totals], ";");
    lines(
      text,
      `
fail_by(status);
write_rest();
return fine();
`,
    );
  });
}

function printTotals(text: Text, { own }: RanksC, arrays: ProgramArrays): void {
  text.block("static void print_totals(void) {", () => {
    for (const { name, type, elements, scatter } of arrays.outputs) {
      if (scatter) text.line(`printf("${name}: %" PRIu64 " elements\\n", ${fileAt(arrays, name)}.items);`);
      if (elements === "n" || scatter) continue;
      const { format, shown } = TYPES[type];
      const array = own.find((one) => one.name === marked(name));
      const value = shown(`*(const ${array?.type} *)${fileAt(arrays, name)}.array`);
      text.line(`printf("${name} = ${format}\\n", ${value});`.replace(' ""', ""));
    }
  });
}

/** The number of items of later ranks, and of all ranks. */
function printFirst(text: Text, { given, items, needsItems, isTurned }: RanksC): void {
  if (!isTurned && !items && !needsItems) return;
  const args = ["MPI_COMM_WORLD", "mine", isTurned ? "&after" : "&first"];
  if (items) args.push(`&values.${items.name}`);
  text.line(`fail_by(${given.symbol}_mpi_first(${args.join(", ")}));`);
  text.line("if (!fine()) return false;");
}

/** The statements of a last round whose items need no others. */
function printItems(text: Text, { given: { symbol, ...given }, isTurned }: RanksC): void {
  text.line("if (!open_outputs()) return false;");
  text.line(`${stateOf({ symbol, ...given })} before; // of no scan: the number of items`);
  text.line(`${symbol}_start(&before, 0);`);
  text.line(`before.to = ${isTurned ? "after" : "first"};`);
  text.line("if (!pass(&before)) return false;");
}

function printStates(text: Text, { given, isTurned }: RanksC, arrays: ProgramArrays): void {
  const { symbol } = given;
  lines(
    text,
    `
${stateOf(given)} state, before;
${symbol}_start(&state, ${isTurned ? "after" : "first"});
if (ranks > 1 && !pass(false, &state)) return false;
int status = ${symbol}_mpi_before(MPI_COMM_WORLD, GW_OK, &state, &before);
fail_by(status);
if (!fine()) return false;
if (!open_outputs()) return false;
`,
  );
  for (const { name, elements } of given.appended)
    text.line(`${fileAt(arrays, name)}.at = before.${elements};`);
  text.line("if (!pass(true, &before)) return false;");
}

const MAIN = `
static void release(struct file *files, int number) {
  for (int i = 0; i < number; i++) free(files[i].array);
}

int main(int arguments, char **words) {
  MPI_Init(&arguments, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 1; i < arguments; i++) take(words[i]);
  if (lacks()) fail("%s", USAGE);
  bool is_well = fine() && run();
  close_all(inputs, INPUTS, false, false);
  close_all(tables, TABLES, false, false);
  is_well = close_all(outputs, OUTPUTS, true, is_well);
  if (is_well) is_well = fine();
  if (is_well && rank == 0) print_totals();
  release(inputs, INPUTS);
  release(tables, TABLES);
  release(outputs, OUTPUTS);
  MPI_Finalize();
  return is_well ? EXIT_SUCCESS : EXIT_FAILURE;
}
`;

/** The program, which also closes its device. */
const closing = (device: string): string =>
  MAIN.replace("  MPI_Finalize();", `  ${device}_close();\n  MPI_Finalize();`);
