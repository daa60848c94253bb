/** The code of states in C. */
import { marked, Text, unmarked } from "@groupwise/core/kernel";
import { PLACE_BITS } from "@groupwise/core/state";
import {
  type Argument,
  declared,
  entryArguments,
  lengthOf,
  printList,
  sidesOf,
} from "../../print/arguments.ts";
import { printFirst } from "../../print/header.ts";
import { fileOf } from "../../print/names.ts";
import {
  notAppended,
  ofPiece,
  printAppending,
  printNoElements,
  printTaken,
  withoutArrays,
} from "./appended.ts";
import type { CarriedC, StateValue } from "./carried.ts";
import { combine, printCover, printTables, sizeOf } from "./cover.ts";
import { roomCall } from "./device.ts";
import { countOf, extra, itemsOf, partArguments, stateOf, stepArguments } from "./header.ts";
import { lines } from "./lines.ts";

// States as bytes: the totals in the order of the binary form.
/** Values by scan, in the order of the pipeline. */
function scansOf({ values }: CarriedC): readonly (readonly StateValue[])[] {
  const scans = new Map<number, StateValue[]>();
  for (const value of values) scans.set(value.scan, [...(scans.get(value.scan) ?? []), value]);
  return [...scans.entries()].sort(([a], [b]) => a - b).map(([, list]) => list);
}

/** Statements for each value, in order. */
function walk(text: Text, given: CarriedC, statement: (element: string) => readonly string[]): void {
  for (const scan of scansOf(given)) {
    const isCover = scan[0]?.kind === "cover";
    const each = (): void => {
      for (const { member } of scan)
        for (const line of statement(`state->${member}${isCover ? "[block]" : ""}`)) text.line(line);
    };
    if (isCover) text.block("for (uint32_t block = 0; block < state->blocks; block++) {", each);
    else each();
  }
}

/** The definitions of `pack` and `unpack`. */
function printBytes(text: Text, given: CarriedC): void {
  const { symbol, blocks, values } = given;
  const state = stateOf(given);
  text.block(`size_t ${symbol}_pack(const ${state} *state, unsigned char *bytes) {`, () => {
    text.line("size_t at = 0;");
    if (values.length === 0) for (const name of ["state", "bytes"]) text.line(`(void)${name};`);
    walk(text, given, (element) => [
      `if (bytes != NULL) memcpy(bytes + at, &${element}, sizeof ${element});`,
      `at += sizeof ${element};`,
    ]);
    text.line("return at;");
  });
  text.line();
  const head = `void ${symbol}_unpack(${state} *state, uint64_t from, uint64_t to, const unsigned char *bytes) {`;
  text.block(head, () => {
    text.line(`${symbol}_start(state, from);`);
    text.line("state->to = to;");
    if (values.length === 0) text.line("(void)bytes;");
    if (blocks)
      lines(
        text,
        `
// The largest blocks that begin at a multiple of their length.
for (uint64_t start = from; start < to; state->blocks++) {
  uint8_t level = 0;
  while (level < 63 && (start >> level & 1) == 0 && to - start >= UINT64_C(2) << level) level++;
  state->level[state->blocks] = level;
  start += UINT64_C(1) << level;
}
`,
      );
    walk(text, given, (element) => [
      `memcpy(&${element}, bytes, sizeof ${element});`,
      `bytes += sizeof ${element};`,
    ]);
    for (const { elements, counted } of given.appended)
      text.line(`state->${elements} = state->${counted.member};`);
  });
}

/** The text of `gw_<name>_state.c`, with marked names. */
export function printStateCode(given: CarriedC): string {
  const { artifact, blocks, totals, totalsOnly, values } = given;
  const text = new Text();
  printFirst(text, artifact.manifest);
  const headers = [`${fileOf(artifact.manifest.pipeline)}_state`];
  if (given.device) headers.push(`${fileOf(artifact.manifest.pipeline)}_device`);
  for (const part of [totalsOnly, blocks, totals])
    if (part) headers.push(fileOf(part.artifact.manifest.pipeline));
  for (const header of headers) text.line(`#include "${header}.h"`);
  text.line();
  if (values.some(({ identity }) => /INFINITY|NAN/.test(identity))) text.line("#include <math.h>");
  text.line("#include <string.h>");
  text.line();
  text.line('_Static_assert(SIZE_MAX == UINT64_MAX, "sizes must have 64 bits");');
  text.line();
  text.line(`#define PIECE (UINT64_C(1) << ${PLACE_BITS})`);
  if (blocks) printCover(text, given, blocks);
  if (values.length > 0) printTables(text, given);
  text.line();
  printStart(text, given);
  text.line();
  printMerge(text, given);
  text.line();
  printPiece(text, given);
  text.line();
  if (given.totalsOnly) {
    printPiece(text, given, given.totalsOnly);
    text.line();
  }
  printFits(text, given);
  printRoom(text, given);
  printAppending(text, given);
  text.line();
  printStep(text, given);
  text.line();
  printPart(text, given);
  text.line();
  printBytes(text, given);
  return text.toString();
}

function printStart(text: Text, given: CarriedC): void {
  const { symbol, totals } = given;
  text.block(`void ${symbol}_start(${stateOf(given)} *state, uint64_t at) {`, () => {
    text.line("memset(state, 0, sizeof *state);");
    text.line("state->from = at;");
    text.line("state->to = at;");
    for (const { member, identity } of totals?.values ?? []) text.line(`state->${member} = ${identity};`);
  });
}

function printMerge(text: Text, given: CarriedC): void {
  const { symbol, blocks, totals, appended } = given;
  const state = stateOf(given);
  text.block(`int ${symbol}_merge(const ${state} *left, const ${state} *right, ${state} *both) {`, () => {
    text.line("const bool are_ranges = left->from <= left->to && right->from <= right->to;");
    text.line("if (!are_ranges || left->to != right->from) return GW_BAD_STATE;");
    text.line(`${state} merged = *left;`);
    if (blocks)
      lines(
        text,
        `
for (uint32_t block = 0; block < right->blocks; block++)
  append(&merged, right->level[block], total_of(right, block));
`,
      );
    text.line("merged.to = right->to;");
    for (const { elements } of appended) text.line(`merged.${elements} += right->${elements};`);
    if (totals)
      combine(text, totals, (side, { member }) => `&${side === "both" ? "merged." : `${side}->`}${member}`);
    text.line("*both = merged;");
    text.line("return GW_OK;");
  });
}

const namesOf = (args: readonly Argument[]): string[] => args.map(({ name }) => name);

/** The name of the function over a piece. */
const pieceOf = (given: CarriedC, loops: CarriedC): string =>
  loops === given.totalsOnly ? "piece_of_totals" : "piece";

/** The function over items that end at the end of a block of 2^30 at the latest. @param loops that it calls */
function printPiece(text: Text, given: CarriedC, loops: CarriedC = given): void {
  const { symbol, artifact, carried, values, device, appended } = loops;
  const { manifest } = artifact;
  text.line("// Calls the loops once, for items that are in one block of PIECE items.");
  const args = [
    ...(device ? [extra("reads_items", "bool", "")] : []),
    extra("*state", stateOf(given), ""),
    extra("number", "uint64_t", ""),
    extra("count", "uint64_t", ""),
    ...ofPiece(loops),
  ];
  printList(
    text,
    `static int ${pieceOf(given, loops)}`,
    args.map((one) => declared(one, "restrict")),
    " {",
  );
  text.indent(() => {
    if (!values.length) text.line("(void)number;");
    if (values.length > 0) {
      text.line("struct tables tables;");
      text.line("take(state, &tables);");
    }
    const call = new Map<string, string>([
      [sidesOf(manifest)[0] as string, "(size_t)count"],
      [carried.place, "(uint32_t)(state->to & (PIECE - 1)) | (state->to < PIECE ? 0 : UINT32_C(0x80000000))"],
    ]);
    if (carried.first !== undefined)
      call.set(carried.first, carried.edges ? "number > 0" : "(uint32_t)number");
    for (const { before, after, member, kind } of values) {
      call.set(before, `tables.${member}`);
      call.set(lengthOf(manifest, before), String(sizeOf(kind)));
      call.set(after, `tables.${member}_after`);
    }
    if (appended.length > 0) text.line(`uint32_t lengths[${appended.length}]; // the state counts elements`);
    appended.forEach(({ room, length }, i) => {
      call.set(unmarked(room.name), `(uint32_t)(${room.name} < count ? ${room.name} : count)`);
      call.set(unmarked(length.name), `&lengths[${i}]`);
    });
    if (loops !== given) ignoreOutputs(text, loops, call);
    const passed = entryArguments(manifest).map(({ name }) => call.get(unmarked(name)) ?? name);
    if (device) {
      text.line("int status;");
      printList(text, `if (count < GW_DEVICE_LEAST) status = ${symbol}`, passed, ";");
      printList(text, `else status = ${symbol}_on_device`, ["reads_items", ...passed], ";");
    } else printList(text, `${appended.length > 0 ? "" : "const "}int status = ${symbol}`, passed, ";");
    if (appended.length > 0)
      text.line(
        "if (status == GW_OUTSIDE) status = GW_OK; // the caller compares the elements with the room",
      );
    if (carried.first === undefined && values.length > 0) text.line("(void)number;");
    if (values.length > 0) text.line("if (status == GW_OK) give(&tables, count, state);");
    else text.line("if (status == GW_OK) state->to += count;");
    text.line("return status;");
  });
  text.line("}");
}

/** The loops for a state have outputs of their own, which no one reads. */
function ignoreOutputs(text: Text, { artifact: { manifest } }: CarriedC, call: Map<string, string>): void {
  for (const { name, role } of manifest.bindings) {
    if (role !== "output" || call.has(name)) continue;
    const { type } = entryArguments(manifest).find((one) => one.name === marked(name)) as Argument;
    text.line(`${type} ${marked(name)};`);
    call.set(name, `&${marked(name)}`);
  }
}

/** Whether the numbers of items are in range. */
function printFits(text: Text, { carried }: CarriedC): void {
  const isNarrow = carried.first !== undefined && !carried.edges;
  text.block("static bool fits(uint64_t from, uint64_t count) {", () => {
    if (isNarrow) text.line("// The pipeline reads indexes of items, which have 32 bits.");
    const most = isNarrow ? "UINT64_C(0x100000000)" : "UINT64_MAX";
    text.line(`return from <= ${most} && count <= ${most} - from;`);
  });
}

/** The function for the maximum number of items of a piece that begins at an item. */
function printRoom(text: Text, { device }: CarriedC): void {
  if (!device) return;
  text.line();
  lines(
    text,
    `
// The device runs pieces that begin where an aligned block of at least their length begins: their blocks are those of a range from 0. The
// loops run the items before such an index.
static uint64_t room_at(uint64_t item, uint64_t most) {
  const uint64_t place = item & (PIECE - 1);
  const uint64_t block = place != 0 ? place & (0 - place) : PIECE;
  if (block < GW_DEVICE_LEAST) return GW_DEVICE_LEAST - place % GW_DEVICE_LEAST;
  return block < most ? block : most;
}
`,
  );
}

/** Statements after a piece, if items follow it. In turned arrays the items before a piece follow it. */
function printAdvance(text: Text, given: CarriedC, length: string): void {
  if (given.carried.isTurned) return;
  const items = itemsOf(given);
  for (const { name } of notAppended(given).filter(({ name }) => items.has(name)))
    text.line(`${name} += ${length};`);
}

/** The arguments of a call for a piece, which in turned arrays ends where the items begin that are left. */
function argumentsOf(given: CarriedC, names: readonly string[]): readonly string[] {
  if (!given.carried.isTurned) return names;
  const items = itemsOf(given);
  return names.map((name) => (items.has(name) ? `${name} + ${countOf(given).name}` : name));
}

/** A statement before a call for a piece. */
function printTaking(text: Text, given: CarriedC): void {
  if (given.carried.isTurned)
    text.line(`${countOf(given).name} -= count; // those before the piece are left`);
}

function head(text: Text, name: string, args: readonly Argument[]): void {
  // The pointers are advanced, so they cannot be restrict.
  printList(
    text,
    `int ${name}`,
    args.map((one) => declared(one, "restrict")),
    " {",
  );
}

/** The maximum number of items of a piece of the device. */
function printMost(text: Text, given: CarriedC): void {
  text.line("uint64_t most;");
  text.line(`int status = ${roomCall(given, "&most")};`);
  text.line("if (status != GW_OK) return status;");
}

function printStep(text: Text, given: CarriedC): void {
  const { symbol, device } = given;
  const { name: n } = countOf(given);
  head(text, `${symbol}_step`, stepArguments(given));
  text.indent(() => {
    if (device) printMost(text, given);
    text.line("if (before->from != 0) return GW_BAD_STATE;");
    text.line(`if (!fits(before->to, ${n})) return GW_TOO_MANY_ITEMS;`);
    text.line(`${stateOf(given)} state = *before;`);
    printNoElements(text, given);
    text.block("for (;;) {", () => {
      text.line(
        `const uint64_t room = ${device ? "room_at(state.to, most)" : "PIECE - (state.to & (PIECE - 1))"};`,
      );
      text.line(`const uint64_t count = ${n} < room ? ${n} : room;`);
      printTaking(text, given);
      const own = argumentsOf(given, namesOf(ofPiece(given)));
      const call = [...(device ? ["true"] : []), "&state", "state.to", "count", ...own];
      printList(text, `${device ? "" : "const int "}status = piece`, call, ";");
      text.line("if (status != GW_OK) return status;");
      printTaken(text, given);
      if (!given.carried.isTurned) text.line(`${n} -= count;`);
      text.line(`if (${n} == 0) break;`);
      printAdvance(text, given, "count");
    });
    if (given.appended.length > 0) text.line("if (result != GW_OK) return result;");
    text.line("*after = state;");
    text.line("return GW_OK;");
  });
  text.line("}");
}

function printPart(text: Text, given: CarriedC): void {
  const { symbol, device, totalsOnly: loops = given } = given;
  const { name: n } = countOf(given);
  head(text, `${symbol}_state_of`, partArguments(given));
  text.indent(() => {
    if (device) printMost(text, given);
    text.line(`if (!fits(from, ${n})) return GW_TOO_MANY_ITEMS;`);
    text.line(`${symbol}_start(state, from);`);
    text.line(
      "// A piece begins where an aligned block of at least its length begins, so that its blocks are those of a range from 0.",
    );
    text.block(`while (${n} > 0) {`, () => {
      lines(
        text,
        `
const uint64_t place = state->to & (PIECE - 1);
const uint64_t ${device ? "block" : "room"} = place == 0 ? PIECE : place & (0 - place);
${device ? "const uint64_t room = block < most ? block : most;\n" : ""}const uint64_t count = ${n} < room ? ${n} : room;
${stateOf(given)} alone;
${symbol}_start(&alone, 0);
`,
      );
      printTaking(text, given);
      const own = argumentsOf(loops, withoutArrays(loops));
      const call = [...(device ? ["false"] : []), "&alone", "state->to", "count", ...own];
      printList(text, `${device ? "" : "const int "}status = ${pieceOf(given, loops)}`, call, ";");
      lines(
        text,
        `
if (status != GW_OK) return status;
alone.from = state->to;
alone.to = state->to + count;
${symbol}_merge(state, &alone, state);${given.carried.isTurned ? "" : `\n${n} -= count;`}
`,
      );
      text.line(`if (${n} == 0) break;`);
      printAdvance(text, loops, "count");
    });
    text.line("return GW_OK;");
  });
  text.line("}");
}
