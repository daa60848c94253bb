/** The passes of an emitted program over its files. */
import { marked, type Text } from "@groupwise/core/kernel";
import { printList } from "../../print/arguments.ts";
import { notAppended } from "../../state/appended.ts";
import type { CarriedC } from "../../state/carried.ts";
import { lines } from "../../state/cover.ts";
import { stateOf, totalsOf } from "../../state/header.ts";
import { type Arrays, callWith, fileAt } from "./arrays.ts";
import { TYPES } from "./values.ts";

/** The remaining code of the program. */
export function printRun(text: Text, given: CarriedC, arrays: Arrays): void {
  lines(text, PARTS);
  text.line();
  printPass(text, given, arrays);
  text.line();
  printAll(text, given, arrays);
  text.line();
  lines(text, given.device ? closing(given.symbol) : MAIN);
}

const PARTS = `
// The items of this rank.
static uint64_t count, first, mine;

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

/** The loop over chunks, first for the state of the part and then for its outputs. */
function printPass(text: Text, given: CarriedC, arrays: Arrays): void {
  const { symbol } = given;
  const state = stateOf(given);
  const call = callWith(given, given.own, arrays);
  const read = callWith(given, notAppended(given), arrays);
  text.line(
    "// Reads all chunks: first for the state of this rank's items, then for the outputs. All ranks run the same number of iterations.",
  );
  text.line("// Chunks end at multiples of their length.");
  text.block(`static bool pass(bool is_last, ${state} *state) {`, () => {
    lines(
      text,
      `
const uint64_t turns = most(mine / chunk + 1);
for (uint64_t turn = 0; turn < turns; turn++) {
  const uint64_t at = turn * chunk < mine ? turn * chunk : mine;
  const uint64_t n = mine - at < chunk ? mine - at : chunk;
  for (int i = 0; i < INPUTS; i++) read_items(&inputs[i], first + at, n, inputs[i].array);
  int status;
  if (is_last) {
`,
    );
    text.indent(() =>
      text.indent(() => printList(text, `status = ${symbol}_step`, ["state", "n", ...call, "state"], ";")),
    );
    text.indent(() => text.line("} else {"));
    text.indent(() => {
      text.indent(() => {
        text.line(`${state} alone;`);
        printList(text, `status = ${symbol}_state_of`, ["first + at", "n", ...read, "&alone"], ";");
        text.line(`if (status == GW_OK) status = ${symbol}_merge(state, &alone, state);`);
      });
    });
    lines(
      text,
      `
  }
  fail_by(status);
  if (is_last) write_chunk(first + at, n);
  if (!fine()) return false;
}
return true;
`,
    );
  });
}

function printAll(text: Text, given: CarriedC, arrays: Arrays): void {
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
mine = count / (uint64_t)ranks;
const uint64_t more = count % (uint64_t)ranks;
first = mine * (uint64_t)rank + ((uint64_t)rank < more ? (uint64_t)rank : more);
if ((uint64_t)rank < more) mine++;
if (!allocate()) return false;
${stateOf(given)} state, before;
${symbol}_start(&state, first);
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
    printList(text, `status = ${symbol}_mpi_share`, ["MPI_COMM_WORLD", "GW_OK", ...totals], ";");
    lines(
      text,
      `
fail_by(status);
write_rest();
return fine();
`,
    );
  });
  text.line();
  text.block("static void print_totals(void) {", () => {
    for (const { name, type, elements, scatter } of arrays.outputs) {
      if (scatter) text.line(`printf("${name}: %" PRIu64 " elements\\n", ${fileAt(arrays, name)}.items);`);
      if (elements === "n" || scatter) continue;
      const { format, shown } = TYPES[type];
      const array = given.own.find((one) => one.name === marked(name));
      const value = shown(`*(const ${array?.type} *)${fileAt(arrays, name)}.array`);
      text.line(`printf("${name} = ${format}\\n", ${value});`.replace(' ""', ""));
    }
  });
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
const closing = (symbol: string): string =>
  MAIN.replace("  MPI_Finalize();", `  ${symbol}_device_close();\n  MPI_Finalize();`);
