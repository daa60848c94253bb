/** The header of states: the struct of a state, and the functions that make, merge and continue states. */
import { marked, Text } from "@groupwise/core/kernel";
import { type Argument, sidesOf } from "../../print/arguments.ts";
import { declare, forBoth, guarded, printFirst } from "../../print/header.ts";
import { fileOf } from "../../print/names.ts";
import { notAppended } from "./appended.ts";
import type { CarriedC } from "./carried.ts";

/** Blocks of a cover, at most: 126 of a range of 64-bit numbers, and room. */
export const BLOCKS = 128;

/** The struct of a state. */
export const stateOf = ({ symbol }: CarriedC): string => `struct ${symbol}_state`;

/** Arguments that are not part of the pipeline. */
export const extra = (name: string, type: string, about: string): Argument => ({
  name,
  type,
  isPointer: false,
  about,
});
/** The number of items of a chunk. */
export const countOf = ({ artifact }: CarriedC): Argument =>
  extra(marked(sidesOf(artifact.manifest)[0] as string), "uint64_t", "number of items, any");

/** The names of arrays of items. */
export const itemsOf = ({ artifact }: CarriedC): ReadonlySet<string> =>
  new Set(
    artifact.manifest.bindings.filter(({ elements }) => elements === "n").map(({ name }) => marked(name)),
  );

/** The arguments of the loops that are not arrays of items. */
export const withoutItems = (given: CarriedC): readonly Argument[] =>
  given.own.filter(({ name }) => !itemsOf(given).has(name));

/** The outputs with one value for the whole range. */
export function totalsOf({ own, artifact }: CarriedC): readonly Argument[] {
  const names = artifact.manifest.bindings
    .filter(({ role, elements, hidden }) => role === "output" && elements === 1 && !hidden)
    .map(({ name }) => name);
  return own.filter(({ name, isPointer }) => isPointer && names.includes(name.slice(0, -1)));
}

/** A pointer to a state, which may equal that of another argument. */
const pointer = (given: CarriedC, name: string, about: string, isRead: boolean): Argument =>
  extra(`*${name}`, `${isRead ? "const " : ""}${stateOf(given)}`, about);

/** The arguments of the function over a chunk that begins where a state ends. */
export const stepArguments = (given: CarriedC): readonly Argument[] => [
  pointer(given, "before", "the state of all items before the chunk, from item 0 on", true),
  countOf(given),
  ...given.own,
  pointer(given, "after", "the state up to the end of the chunk; may be the same", false),
];

const PART = {
  usual: "the number of the part's first item in the whole range",
  turned: "the number of items after the part in the whole range",
} as const;

/** The arguments of the function that returns the state of a part alone. */
export const partArguments = (given: CarriedC): readonly Argument[] => [
  extra("from", "uint64_t", PART[given.carried.isTurned ? "turned" : "usual"]),
  countOf(given),
  ...notAppended(given.totalsOnly ?? given),
  pointer(given, "state", "the state of the part", false),
];

/** The text of `gw_<name>_state.h`, with marked names. */
export function printStateHeader(given: CarriedC): string {
  const { artifact, symbol } = given;
  const state = stateOf(given);
  const text = new Text();
  printFirst(text, artifact.manifest);
  guarded(text, `${symbol}_STATE_H`, () => {
    text.line(`#include "${fileOf(artifact.manifest.pipeline)}.h"`);
    forBoth(text, () => {
      printStruct(text, given);
      text.line();
      text.line("// The state of an empty range that begins at an item.");
      text.line(`void ${symbol}_start(${state} *state, uint64_t at);`);
      text.line();
      text.line(
        "// The state of two adjacent ranges. Merging is associative to the bit. Any two of the pointers may be equal.",
      );
      text.line(
        "// Returns GW_OK, or GW_BAD_STATE if the right range does not begin where the left one ends.",
      );
      text.line(`int ${symbol}_merge(const ${state} *left, const ${state} *right, ${state} *both);`);
      text.line();
      text.line(
        "// Runs the pipeline over a chunk of any length, with the bits of the whole range. A reduce returns its result",
      );
      text.line(
        `// so far. Returns a status of ${symbol}, or GW_BAD_STATE if the state before does not begin at item 0.`,
      );
      if (given.carried.isTurned) for (const line of TURNED) text.line(line);
      if (given.appended.length > 0) for (const line of ROOM) text.line(line);
      declare(text, `int ${symbol}_step`, stepArguments(given));
      text.line();
      const written = isWritten(given) ? " Outputs are written with undefined values." : "";
      text.line(`// The state of a part alone, which may begin at any item.${written}`);
      declare(text, `int ${symbol}_state_of`, partArguments(given));
      text.line();
      text.line(
        "// The totals of a state as bytes, as they follow the header in the binary form of states, but in the",
      );
      text.line(
        "// machine's byte order. Returns their number; bytes may be NULL, or points to at least sizeof(the state) bytes.",
      );
      text.line(`size_t ${symbol}_pack(const ${state} *state, unsigned char *bytes);`);
      const counts = given.appended.length > 0 ? "; elements are counted modulo 2^32 in them" : "";
      text.line(`// The state of a range from such bytes${counts}.`);
      text.line(
        `void ${symbol}_unpack(${state} *state, uint64_t from, uint64_t to, const unsigned char *bytes);`,
      );
    });
  });
  return text.toString();
}

/** Whether the function that returns the state of a part has outputs. */
const isWritten = (given: CarriedC): boolean =>
  !given.totalsOnly &&
  notAppended(given).some(({ isPointer, type }) => isPointer && !type.startsWith("const "));

const TURNED = [
  "// States count items from the end of the range, so chunks follow one another from the last items to the first ones. Arrays hold",
  "// the items of a chunk in their usual order.",
];

const ROOM = [
  "// Elements that a chunk appends to an output are written from its first element on, in the order of the items. If they exceed the",
  "// room, it returns GW_OUTSIDE: nothing is written past the room, the lengths are those of all elements of the chunk, and the state",
  "// after is not written, so that the chunk can be run again.",
];

function printStruct(text: Text, given: CarriedC): void {
  const { values, blocks, appended } = given;
  text.line("// The intermediate results of the scans and reduces over the items of a range.");
  text.block(
    `${stateOf(given)} {`,
    () => {
      text.line("uint64_t from; // the first item");
      text.line("uint64_t to; // the first item after the range");
      if (blocks) {
        text.line("uint32_t blocks; // of the cover: its maximal aligned blocks of 2^level items, in order");
        text.line(`uint8_t level[${BLOCKS}];`);
      }
      for (const { type, member, kind, about } of values)
        text.line(
          kind === "cover"
            ? `${type} ${member}[${BLOCKS}]; // ${about}: the total of each block`
            : `${type} ${member}; // ${about}: the total of the range`,
        );
      for (const { name, elements } of appended)
        text.line(`uint64_t ${elements}; // the number of elements that the range appends to ${name}`);
    },
    "};",
  );
}
