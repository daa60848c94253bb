/** Outputs whose elements the parts of a range append, in parallel. */
import type { Binding, Manifest } from "@groupwise/core";
import { marked } from "@groupwise/core/kernel";
import type { AppendedC } from "../state/appended.ts";

/** Where a part writes its elements. */
export interface ElementsOfPart {
  /** The state that counts the elements of earlier parts. Default: that of the first part. */
  readonly earlier?: string;
  /** The room for the elements that a member of states counts. Default: an element for each item. */
  readonly room?: (elements: string) => string;
}

/** A part after the first one. It has room for its own elements only, because a step clears all of the room. Other threads read the states. */
export const FOLLOWING: ElementsOfPart & { readonly after: string } = {
  after: "&after",
  earlier: "states[part - 1]",
  room: (elements) => `part < threads ? states[part].${elements} - states[part - 1].${elements} : count`,
};

/** The arguments for an output, by name. @param i its number */
export const appendedCall = (
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
export function endsOf(
  { bindings }: Manifest,
  appended: readonly AppendedC[],
  length: string,
): readonly string[] {
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
