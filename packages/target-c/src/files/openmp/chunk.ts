/** The function on several threads over a chunk: it takes the state before the chunk and returns the state after it, as the function on one thread does. */
import type { Manifest } from "@groupwise/core";
import { marked, type Text } from "@groupwise/core/kernel";
import { AT_LAST, type Carried, type CarriedScan, HIGHEST, PLACE_BITS } from "@groupwise/core/state";
import { lengthOf } from "../../print/arguments.ts";
import type { CarriedC, StateValue } from "../state/carried.ts";
import { stateOf } from "../state/header.ts";
import { lines } from "../state/lines.ts";

/** The tables and outputs of a value, in the function over the chunk. */
function arraysOf({ scan, before }: StateValue, loops: CarriedC, chunk: Carried): readonly [string, string] {
  const { from, to } = chunk.scans[scan] as CarriedScan;
  const field = (loops.carried.scans[scan] as CarriedScan).from.indexOf(before);
  return [marked(from[field] as string), marked(to[field] as string)];
}

/** The functions for the first item of a chunk, and a condition for it to be known. */
export function printPlace(text: Text, { first, edges }: Carried): void {
  text.line();
  text.line("// The number of a chunk's first item, or a number in its place that is equal modulo 2^30.");
  const known = first !== undefined && !edges;
  text.line(`static uint64_t number_of(uint32_t place${known ? ", uint32_t first" : ""}) {`);
  const within = `(place & ${2 ** PLACE_BITS - 1}u)`;
  text.indent(() => {
    if (known) text.line("(void)place;");
    text.line(known ? "return first;" : `return ${within} + ((uint64_t)(place >> 31) << 31);`);
  });
  text.line("}");
}

/** The condition for a chunk that begins where its state ends. A part alone need not: its state is that before item 0. */
export function placeTest({ place, first, edges }: Carried): string | undefined {
  if (first === undefined) return undefined;
  const [at, number] = [marked(place), marked(first)];
  if (edges) return `(${at} > 0) == (${number} > 0)`;
  const most = 2 ** PLACE_BITS - 1;
  return `${at} == ((${number} & ${most}u) | (${number} > ${most}u ? 0x80000000u : 0u))`;
}

/** Statements that make the variables `base` and `before`: the state before the chunk. */
export function printBefore(text: Text, manifest: Manifest, loops: CarriedC, chunk: Carried): void {
  const { place, first, edges, scans } = chunk;
  const { symbol, blocks, totals } = loops;
  const known = first !== undefined && !edges;
  for (const table of scans.flatMap(({ from }) => from))
    text.line(`(void)${marked(lengthOf(manifest, table))};`);
  if (first !== undefined && edges) text.line(`(void)${marked(first)};`);
  text.line(`const uint64_t base = number_of(${[place, ...(known ? [first] : [])].map(marked).join(", ")});`);
  text.line(`${stateOf(loops)} before;`);
  text.line(`${symbol}_start(&before, 0);`);
  text.line("before.to = base;");
  if (blocks) {
    const put = (index: string): void => {
      for (const value of blocks.values)
        text.line(`before.${value.member}[before.blocks] = ${arraysOf(value, loops, chunk)[0]}[${index}];`);
    };
    text.block(`if (${marked(place)} >> 31 != 0) {`, () => {
      text.line(`before.level[before.blocks] = ${HIGHEST};`);
      put(String(AT_LAST));
      text.line("before.blocks++;");
    });
    text.block(`for (uint32_t level = ${PLACE_BITS}; level-- > 0;) {`, () => {
      text.line(`if ((${marked(place)} >> level & 1) == 0) continue;`);
      text.line("before.level[before.blocks] = (uint8_t)level;");
      put("level");
      text.line("before.blocks++;");
    });
  }
  for (const value of totals?.values ?? [])
    text.line(`before.${value.member} = ${arraysOf(value, loops, chunk)[0]}[0];`);
}

/** Statements that store the state after the chunk. @param state an expression */
export function printEnded(text: Text, state: string, loops: CarriedC, chunk: Carried): void {
  const { blocks, totals } = loops;
  if (blocks)
    text.block(`for (uint32_t block = 0; block < ${state}.blocks; block++) {`, () => {
      lines(text, `const uint32_t level = ${state}.level[block];\nif (level > ${PLACE_BITS}) continue;`);
      for (const value of blocks.values)
        text.line(`${arraysOf(value, loops, chunk)[1]}[level] = ${state}.${value.member}[block];`);
    });
  for (const value of totals?.values ?? [])
    text.line(`${arraysOf(value, loops, chunk)[1]}[0] = ${state}.${value.member};`);
}
