/** States as bytes: the totals in the order of the binary form. */
import type { Text } from "@groupwise/core/kernel";
import type { CarriedC, StateValue } from "./carried.ts";
import { stateOf } from "./header.ts";
import { lines } from "./lines.ts";

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
export function printBytes(text: Text, given: CarriedC): void {
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
