/** Outputs whose elements are appended from chunk to chunk: scatters whose elements are in the order of their items. */
import type { Manifest } from "@groupwise/core";
import { marked, type Text } from "@groupwise/core/kernel";
import type { Carried } from "@groupwise/core/state";
import { type Argument, printList } from "../../print/arguments.ts";
import type { CarriedC, StateValue } from "./carried.ts";
import { lines } from "./lines.ts";

/** One such output. */
export interface AppendedC {
  readonly name: string;
  /** The arguments that follow one another: the array, the elements that it has room for, and the pointer to their number. */
  readonly array: Argument;
  readonly room: Argument;
  readonly length: Argument;
  /** The member of the struct of a state that counts its elements. */
  readonly elements: string;
  /** The total that counts them modulo 2^32. */
  readonly counted: StateValue;
}

/** The appended outputs of a carried pipeline, in the order of its arguments. */
export function appendedIn(
  { appended, rooms }: Carried,
  { bindings }: Manifest,
  values: readonly StateValue[],
  args: readonly Argument[],
): readonly AppendedC[] {
  return bindings.flatMap(({ name, lengthFrom }): AppendedC[] => {
    const scan = appended.get(name);
    if (scan === undefined) return [];
    const array = args.find((one) => one.name === marked(name)) as Argument;
    const room = marked(rooms.get(name) as string);
    const length = marked(lengthFrom as string);
    return [
      {
        name,
        array: {
          ...array,
          about: `output, its first ${lengthFrom} elements are written${ofType(array.about)}`,
        },
        room: scalar(room, `elements that ${name} has room for; n always suffice`),
        length: { ...scalar(length, `the number of elements of ${name}`), isPointer: true },
        elements: `elements_of_${name}`,
        counted: values.find((value) => value.scan === scan) as StateValue,
      },
    ];
  });
}

const scalar = (name: string, about: string): Argument => ({
  name,
  type: "uint64_t",
  isPointer: false,
  about,
});

/** The notes on the elements of an output. */
const ofType = (about: string): string =>
  [", 0 or 1", ", the 16 bits of halves", ", the 16 bits of bfloat16"].find((note) => about.includes(note)) ??
  "";

/** Each array with its room and its length after it. @param args without rooms and lengths */
export const withRooms = (args: readonly Argument[], appended: readonly AppendedC[]): readonly Argument[] =>
  args.flatMap((one) => {
    const found = appended.find(({ array }) => array.name === one.name);
    return found ? [found.array, found.room, found.length] : [one];
  });

/** The arguments of a function over a piece, whose elements the state counts. */
export const ofPiece = ({ own, appended }: CarriedC): readonly Argument[] =>
  own.filter((one) => !appended.some(({ length }) => length === one));

/** The arguments without appended outputs. */
export const notAppended = ({ own, appended }: CarriedC): readonly Argument[] =>
  own.filter((one) => !appended.some(({ array, room, length }) => [array, room, length].includes(one)));

/** The arguments of a piece of which no elements are appended. */
export const withoutArrays = (given: CarriedC): readonly string[] =>
  ofPiece(given).map((one) => {
    if (given.appended.some(({ array }) => array === one)) return "NULL";
    return given.appended.some(({ room }) => room === one) ? "0" : one.name;
  });

/** The function that the loop over pieces calls after each. */
export function printAppending(text: Text, { appended }: CarriedC): void {
  if (appended.length === 0) return;
  text.line();
  lines(
    text,
    `
// Counts the elements of a piece. Returns the number of those that had room.
static uint64_t take_room(uint64_t elements, uint64_t *length, uint64_t *room, int *result) {
  uint64_t taken = elements - *length;
  *length = elements;
  if (taken > *room) {
    taken = *room;
    *result = GW_OUTSIDE;
  }
  *room -= taken;
  return taken;
}
`,
  );
}

/** Statements before the first piece. */
export function printNoElements(text: Text, { appended }: CarriedC): void {
  if (appended.length === 0) return;
  text.line("int result = GW_OK;");
  text.line("uint64_t taken;");
  for (const { length } of appended) text.line(`*${length.name} = 0;`);
}

/** Statements after a piece: the room that is left, and the place after the elements. */
export function printTaken(text: Text, { appended }: CarriedC): void {
  for (const { array, room, length, elements } of appended) {
    const all = `state.${elements} - before->${elements}`;
    printList(text, "taken = take_room", [all, length.name, `&${room.name}`, "&result"], ";");
    text.line(`if (taken > 0) ${array.name} += taken; // an array without room may be NULL`);
  }
}
