/** The code of the function that uses several threads. */
import type { Binding, Manifest } from "@groupwise/core";
import { marked, Text } from "@groupwise/core/kernel";
import type { Carried } from "@groupwise/core/state";
import { entryArguments, printHead, printList, sidesOf } from "../../print/arguments.ts";
import { printChecks } from "../../print/checks.ts";
import { printFirst } from "../../print/header.ts";
import { fileOf, symbolOf } from "../../print/names.ts";
import type { AppendedC } from "../state/appended.ts";
import type { CarriedC } from "../state/carried.ts";
import { stateOf, totalsOf } from "../state/header.ts";
import { lines } from "../state/lines.ts";
import { placeTest, printBefore, printEnded, printPlace } from "./chunk.ts";
import type { DividedPipeline } from "./files.ts";
import { parallelArguments } from "./header.ts";

// Outputs whose elements the parts of a range append, in parallel.
/** Where a part writes its elements. */
interface ElementsOfPart {
  /** The state that counts the elements of earlier parts. Default: that of the first part. */
  readonly earlier?: string;
  /** The room for the elements that a member of states counts. Default: an element for each item. */
  readonly room?: (elements: string) => string;
}

/** A part after the first one. It has room for its own elements only, because a step clears all of the room. Other threads read the states. */
const FOLLOWING: ElementsOfPart & { readonly after: string } = {
  after: "&after",
  earlier: "states[part - 1]",
  room: (elements) => `part < threads ? states[part].${elements} - states[part - 1].${elements} : count`,
};

/** The arguments for an output, by name. @param i its number */
const appendedCall = (
  { array, room, length, elements }: AppendedC,
  i: number,
  { earlier = "states[0]", room: roomOf = () => "count" }: ElementsOfPart,
): (readonly [string, string])[] => [
  [array.name, `${array.name} + ${earlier}.${elements}`],
  [room.name, roomOf(elements)],
  [length.name, `&lengths[${i}]`],
];

/**
 * Statements after the last part: lengths that are no outputs of the pipeline, each once, and zeros after the elements of outputs that the
 * function on one thread clears.
 * @param length the number of items
 */
function endsOf({ bindings }: Manifest, appended: readonly AppendedC[], length: string): readonly string[] {
  const bindingOf = (name: string | undefined): Binding | undefined =>
    bindings.find((one) => one.name === name);
  const lengths = new Map(appended.map(({ name, elements }) => [bindingOf(name)?.lengthFrom, elements]));
  const hidden = [...lengths].filter(([name]) => bindingOf(name)?.hidden);
  const cleared = appended.filter(({ name }) => bindingOf(name)?.cleared);
  return [
    ...hidden.map(([name, elements]) => `*${marked(name as string)} = (uint32_t)after.${elements};`),
    ...cleared.map(({ array, elements }) => {
      const rest = `(size_t)(${length} - after.${elements}) * sizeof *${array.name}`;
      return `memset(${array.name} + after.${elements}, 0, ${rest});`;
    }),
  ];
}

/** The text of `gw_<name>_parallel.c`, with marked names. */
export function printParallelCode(manifest: Manifest, divided: DividedPipeline | string): string {
  const text = new Text();
  printFirst(text, manifest);
  text.line(`#include "${fileOf(manifest.pipeline)}_parallel.h"`);
  text.line();
  if (typeof divided === "string") printOnOne(text, manifest);
  else printOnSeveral(text, manifest, divided);
  return text.toString();
}

const namesOf = (manifest: Manifest): string[] => entryArguments(manifest).map(({ name }) => name);

/** A call of the function on one thread. */
const callWhole = (text: Text, manifest: Manifest): void =>
  printList(text, `return ${symbolOf(manifest)}`, namesOf(manifest), ";");

function printOnOne(text: Text, manifest: Manifest): void {
  printHead(text, `int ${symbolOf(manifest)}_parallel`, parallelArguments(manifest), " {");
  text.indent(() => {
    text.line("(void)threads;");
    callWhole(text, manifest);
  });
  text.line("}");
}

function printOnSeveral(text: Text, manifest: Manifest, divided: DividedPipeline): void {
  const { loops, division, chunk } = divided;
  const args = parallelArguments(manifest);
  const top = TOP.replace("STATE", `${fileOf(loops.artifact.manifest.pipeline)}_state`);
  lines(text, loops.appended.length > 0 ? top.replace("<stdlib.h>", "<stdlib.h>\n#include <string.h>") : top);
  text.line();
  lines(text, firstOf(CUTS[division], chunk !== undefined));
  if (chunk) printPlace(text, chunk);
  text.line();
  printHead(text, "static int in_parts", args, " {");
  text.indent(() => {
    printChecks(text, manifest);
    if (chunk) printBefore(text, manifest, loops, chunk);
    BODIES[division](text, new Calls(manifest, divided));
  });
  text.line("}");
  text.line("#endif");
  text.line();
  printHead(text, `int ${symbolOf(manifest)}_parallel`, args, " {");
  text.line("#ifdef _OPENMP");
  text.indent(() => {
    const length = marked(sidesOf(manifest)[0] as string);
    text.line(`threads = threads_for(${length}, threads);`);
    const test = chunk ? placeTest(chunk) : undefined;
    printList(
      text,
      `if (threads > 1${test ? ` && ${test}` : ""}) return in_parts`,
      [...namesOf(manifest), "threads"],
      ";",
    );
  });
  lines(text, "#else\n  (void)threads;\n#endif");
  text.indent(() => callWhole(text, manifest));
  text.line("}");
}

const TOP = `
#ifdef _OPENMP
#include "STATE.h"

#include <omp.h>
#include <stdlib.h>

// Parts of fewer items take less time than starting a thread for them.
#ifndef GW_PARALLEL_LEAST
#define GW_PARALLEL_LEAST (UINT64_C(1) << 15)
#endif

// The number of threads that have enough items.
static int threads_for(uint64_t items, int threads) {
  const int most = items / GW_PARALLEL_LEAST < 1024 ? (int)(items / GW_PARALLEL_LEAST) : 1024;
  if (threads < 1) threads = omp_get_max_threads();
  return threads < most ? threads : most;
}
`;

interface Cuts {
  readonly about: string;
  /** The operator by which the number of the last part and that of threads compare. */
  readonly last: string;
  /** The share of the items before a part. */
  readonly share: string;
}
/** @param isChunk whether parts begin at multiples in the whole range, of which item `base` is the first one here */
const firstOf = ({ about, last, share }: Cuts, isChunk: boolean): string => `
// The first item of a part. ${about}It is a multiple of a power of two, where loops run at full speed and blocks of states begin.
static uint64_t first_of(int part, int threads, uint64_t items${isChunk ? ", uint64_t base" : ""}) {
  const uint64_t before = (uint64_t)part, all = (uint64_t)threads;
  uint64_t step = 1;
  while (step * 64 * all <= items) step *= 2;
${
  isChunk
    ? `  if (part ${last} threads) return items;
  const uint64_t end = (base + items * ${share}) / step * step;
  return end > base ? end - base : 0;`
    : `  return part ${last} threads ? items : items * ${share} / step * step;`
}
}
`;

const EVEN: Cuts = { about: "", last: "==", share: "before / all" };
const CUTS: Readonly<Record<DividedPipeline["division"], Cuts>> = {
  map: EVEN,
  reduce: EVEN,
  scan: {
    about: "There is one part more than threads. Part 0 has 4/5 of the items of the others.\n// ",
    last: ">",
    share: "(before > 0 ? 5 * before - 1 : 0) / (5 * all + 4)",
  },
};

interface StepCall extends ElementsOfPart {
  readonly state: string;
  /** Where the state after the part is stored. Default: in `state`. */
  readonly after?: string;
  readonly count: string;
  /** Whether its totals are those of all items; or a condition for that. */
  readonly isLast: boolean | string;
}

/** Calls of the functions on states. */
class Calls {
  readonly symbol: string;
  readonly state: string;
  readonly length: string;
  readonly whole: Manifest;
  readonly loops: CarriedC;
  readonly chunk: Carried | undefined;
  private readonly totals: readonly string[];
  private readonly items: readonly string[];
  /** By input: the output that takes its array. */
  private readonly places: ReadonlyMap<string, string>;

  constructor(whole: Manifest, { loops, chunk }: DividedPipeline) {
    const { bindings } = whole;
    this.whole = whole;
    this.symbol = loops.symbol;
    this.state = stateOf(loops);
    this.length = marked(sidesOf(whole)[0] as string);
    this.loops = loops;
    this.chunk = chunk;
    this.totals = totalsOf(loops).map(({ name }) => name);
    this.items = bindings.filter(({ elements }) => elements === "n").map(({ name }) => marked(name));
    this.places = new Map(
      bindings.flatMap(({ name, inPlace }) =>
        inPlace === undefined ? [] : [[marked(inPlace), marked(name)] as const],
      ),
    );
  }

  /** The number of a part's first item in the whole range. */
  get number(): string {
    return this.chunk ? "base + from" : "from";
  }

  /** Stores the state after a chunk. */
  ended(text: Text, state: string): void {
    if (this.chunk) printEnded(text, state, this.loops, this.chunk);
  }

  /** Variables for the totals of parts before the last one. */
  ignored(text: Text): void {
    this.totals.forEach((name, i) => {
      const { type } = this.loops.own.find((one) => one.name === name) as CarriedC["own"][number];
      text.line(`${type} ignored_${i};`);
    });
    const { appended } = this.loops;
    if (appended.length > 0) text.line(`uint64_t lengths[${appended.length}];`);
  }

  /** A step over a part. */
  step(text: Text, head: string, given: StepCall): void {
    const { state, after = state, count, isLast } = given;
    const appended = new Map(this.loops.appended.flatMap((one, i) => appendedCall(one, i, given)));
    const own = this.loops.own.map(({ name }) => {
      const value = appended.get(name);
      if (value !== undefined) return value;
      const total = this.totals.indexOf(name);
      if (total < 0 || isLast === true) return this.moved(name);
      return `${isLast === false ? "" : `${isLast} ? ${name} : `}&ignored_${total}`;
    });
    printList(text, `${head}${this.symbol}_step`, [state, count, ...own, after], ";");
  }

  /** The state of a part. */
  stateOf(text: Text, head: string, state: string): void {
    const own = this.loops.totalsOnly?.own.map(({ name }) => this.moved(this.places.get(name) ?? name)) ?? [];
    printList(text, `${head}${this.symbol}_state_of`, [this.number, "count", ...own, state], ";");
  }

  private moved(name: string): string {
    return this.items.includes(name) ? `${name} + from` : name;
  }
}

/** A loop over parts, in parallel. */
function eachPart(text: Text, calls: Calls, range: string, body: () => void): void {
  text.line("#pragma omp parallel for num_threads(threads) schedule(static, 1) reduction(max : status)");
  text.block(`for (int part = ${range}; part++) {`, () => {
    const given = `threads, ${calls.length}${calls.chunk ? ", base" : ""}`;
    text.line(`const uint64_t from = first_of(part, ${given});`);
    text.line(`const uint64_t count = first_of(part + 1, ${given}) - from;`);
    body();
    text.line("if (one > status) status = one;");
  });
}

function allocate(text: Text, { state }: Calls): void {
  text.line(`${state} *states = malloc((size_t)threads * sizeof *states);`);
  text.line("if (states == NULL) return GW_NO_MEMORY;");
  text.line("int status = GW_OK;");
}

/** Each part takes the state of all parts before it. */
function printMerging(text: Text, { symbol }: Calls): void {
  text.line("for (int part = 1; part < threads && status == GW_OK; part++)");
  text.indent(() => text.line(`status = ${symbol}_merge(&states[part - 1], &states[part], &states[part]);`));
}

function printMap(text: Text, calls: Calls): void {
  text.line("int status = GW_OK;");
  eachPart(text, calls, "0; part < threads", () => {
    calls.ignored(text);
    text.line(`${calls.state} state${calls.chunk ? " = before" : ""};`);
    if (!calls.chunk) text.line(`${calls.symbol}_start(&state, 0);`);
    text.line(`state.to = ${calls.number};`);
    calls.step(text, "const int one = ", { state: "&state", count: "count", isLast: "part == threads - 1" });
  });
  text.line("return status;");
}

function printReduce(text: Text, calls: Calls): void {
  allocate(text, calls);
  eachPart(text, calls, "0; part < threads", () => calls.stateOf(text, "const int one = ", "&states[part]"));
  if (calls.chunk)
    text.line(`if (status == GW_OK) status = ${calls.symbol}_merge(&before, &states[0], &states[0]);`);
  printMerging(text, calls);
  text.line("// A step over no items computes the outputs.");
  text.line(`const uint64_t from = ${calls.length};`);
  calls.step(text, "if (status == GW_OK) status = ", {
    state: "&states[threads - 1]",
    count: "0",
    isLast: true,
  });
  if (calls.chunk) text.block("if (status == GW_OK) {", () => calls.ended(text, "states[threads - 1]"));
  text.line("free(states);");
  text.line("return status;");
}

function printScan(text: Text, calls: Calls): void {
  allocate(text, calls);
  text.line(
    "// The first part needs no other state: its items are written while other threads compute the states of the parts that follow.",
  );
  eachPart(text, calls, "0; part < threads", () => {
    text.line("int one;");
    text.block("if (part > 0) {", () => calls.stateOf(text, "one = ", "&states[part]"), "} else {");
    text.indent(() => {
      calls.ignored(text);
      text.line(calls.chunk ? "states[0] = before;" : `${calls.symbol}_start(states, 0);`);
      calls.step(text, "one = ", { state: "states", count: "count", isLast: false });
    });
    text.line("}");
  });
  printMerging(text, calls);
  text.line("if (status == GW_OK) {");
  text.indent(() => eachPart(text, calls, "1; part <= threads", () => printContinued(text, calls)));
  text.line("}");
  text.line("free(states);");
  text.line("return status;");
}

/** A part after the first one, whose state before it is known. */
function printContinued(text: Text, calls: Calls): void {
  const { loops, whole, length, chunk } = calls;
  const isAppended = loops.appended.length > 0;
  const given = { state: "&states[part - 1]", count: "count", isLast: "part == threads" };
  calls.ignored(text);
  if (isAppended) text.line(`${calls.state} after;`);
  calls.step(text, "const int one = ", isAppended ? { ...given, ...FOLLOWING } : given);
  const ends = endsOf(whole, loops.appended, length);
  if (ends.length === 0 && !chunk) return;
  text.block("if (part == threads && one == GW_OK) {", () => {
    for (const line of ends) text.line(line);
    calls.ended(text, isAppended ? "after" : "states[part - 1]");
  });
}

const BODIES: Readonly<Record<DividedPipeline["division"], (text: Text, calls: Calls) => void>> = {
  map: printMap,
  reduce: printReduce,
  scan: printScan,
};
