/** Functions of emitted C on covers. They are the same for all operators: only the members of structs differ. */
import { marked, type Text } from "@groupwise/core/kernel";
import { PLACE_BITS } from "@groupwise/core/state";
import { entryArguments, printList } from "../../print/arguments.ts";
import type { CarriedC, Combined, StateValue } from "./carried.ts";
import { stateOf } from "./header.ts";
import { lines } from "./lines.ts";

/** A statement that combines one total with another. @param of the expression for a member on each side */
export function combine(
  text: Text,
  { artifact, symbol, values }: Combined,
  of: (side: "left" | "right" | "both", value: StateValue) => string,
): void {
  const sides = new Map(
    values.flatMap((value) =>
      (["left", "right", "both"] as const).map((side) => [marked(value.combining[side]), of(side, value)]),
    ),
  );
  const given = entryArguments(artifact.manifest).map(({ name }) => sides.get(name) ?? "1");
  printList(text, symbol, given, ";");
}

/** The total of a block, and the function that adds a block to the end of a cover. */
export function printCover(text: Text, given: CarriedC, blocks: Combined): void {
  const state = stateOf(given);
  const { values } = blocks;
  text.line();
  text.block(
    "struct total {",
    () => {
      for (const { type, member } of values) text.line(`${type} ${member};`);
    },
    "};",
  );
  text.line();
  text.block(
    "static void combine(const struct total *left, const struct total *right, struct total *both) {",
    () => combine(text, blocks, (side, { member }) => `&${side}->${member}`),
  );
  text.line();
  text.block(`static struct total total_of(const ${state} *state, uint32_t block) {`, () => {
    text.line("struct total total;");
    for (const { member } of values) text.line(`total.${member} = state->${member}[block];`);
    text.line("return total;");
  });
  text.line();
  lines(
    text,
    `
// Adds the block that follows a state. Blocks that are halves of one become that one.
static void append(${state} *state, uint32_t level, struct total total) {
  uint64_t start = state->to;
  state->to += UINT64_C(1) << level;
  while (state->blocks > 0 && state->level[state->blocks - 1] == level && (start >> level & 1) != 0) {
    const struct total left = total_of(state, --state->blocks), right = total;
    combine(&left, &right, &total);
    start -= UINT64_C(1) << level++;
  }
  const uint32_t last = state->blocks++;
  state->level[last] = (uint8_t)level;
${values.map(({ member }) => `  state->${member}[last] = total.${member};`).join("\n")}
}
`,
  );
}

/** The state that the loops of a chunk take, and the state that they return. */
export function printTables(text: Text, given: CarriedC): void {
  const { blocks, totals, values, appended } = given;
  const state = stateOf(given);
  text.line();
  text.line(
    "// The state in the form that the loops take and return: totals by the level of their blocks; the last one is that of all items",
  );
  text.line(`// before the block of 2^${PLACE_BITS} items.`);
  text.block(
    "struct tables {",
    () => {
      for (const { type, member, kind } of values)
        text.line(`${type} ${member}[${sizeOf(kind)}], ${member}_after[${sizeOf(kind)}];`);
    },
    "};",
  );
  text.line();
  text.block(`static void take(const ${state} *state, struct tables *tables) {`, () => {
    text.line("memset(tables, 0, sizeof *tables);");
    if (blocks) {
      text.line("struct total before;");
      text.block("for (uint32_t block = 0; block < state->blocks; block++) {", () => {
        text.line("const struct total total = total_of(state, block);");
        text.line("const uint32_t level = state->level[block];");
        text.block(
          `if (level < ${PLACE_BITS}) {`,
          () => put(text, blocks.values, "level", "total"),
          "} else if (block == 0) {",
        );
        text.indent(() => text.line("before = total;"));
        text.block("} else {", () => {
          text.line("const struct total left = before;");
          text.line("combine(&left, &total, &before);");
        });
        text.line(`if (level >= ${PLACE_BITS}) {`);
        text.indent(() => put(text, blocks.values, String(LAST), "before"));
        text.line("}");
      });
    }
    for (const { member } of totals?.values ?? []) text.line(`tables->${member}[0] = state->${member};`);
  });
  text.line();
  text.block(`static void give(const struct tables *tables, uint64_t count, ${state} *state) {`, () => {
    if (!blocks) text.line("state->to += count;");
    else printGive(text, blocks);
    for (const { elements, counted } of appended)
      text.line(
        `state->${elements} += (uint32_t)(tables->${counted.member}_after[0] - state->${counted.member});`,
      );
    for (const { member } of totals?.values ?? [])
      text.line(`state->${member} = tables->${member}_after[0];`);
  });
}

/** Elements of the tables of a state. */
export const sizeOf = (kind: StateValue["kind"]): number => (kind === "cover" ? SIZES : 1);
const SIZES = 32;
const LAST = SIZES - 1;

function put(text: Text, values: readonly StateValue[], index: string, total: string): void {
  for (const { member } of values) text.line(`tables->${member}[${index}] = ${total}.${member};`);
}

/** The blocks after a piece: those of 2^30 items and more are unchanged, and the sizes of the others are the 1 bits of the number of items after them. */
function printGive(text: Text, { values }: Combined): void {
  text.line(`const uint64_t within = (state->to & (PIECE - 1)) + count;`);
  text.line("if (count > 0) {");
  text.indent(() => {
    text.line(
      `while (state->blocks > 0 && state->level[state->blocks - 1] < ${PLACE_BITS}) state->blocks--;`,
    );
    text.line("state->to &= ~(PIECE - 1);");
    text.block(`for (uint32_t level = ${LAST}; level-- > 0;) {`, () => {
      text.line("if ((within >> level & 1) == 0) continue;");
      text.line("struct total total;");
      for (const { member } of values) text.line(`total.${member} = tables->${member}_after[level];`);
      text.line("append(state, level, total);");
    });
  });
  text.line("}");
}
