/** Stores without a branch: where they are not wanted they go to unused bytes, whose address is not negative. */
import type { Stmt } from "@groupwise/core/kernel";
import { expect, test } from "vitest";
import { FrameBytes, FunctionCode } from "../src/code/function.ts";
import { FIRST } from "../src/print/places.ts";

const word = (value: number) => ({ kind: "const", type: "u32", value }) as const;
const i = { kind: "var", name: "i", type: "u32" } as const;

test.each([
  ["the place of the item", i, true],
  ["element 0", word(0), false],
  ["element 5000", word(5000), false],
] as const)("a store under a condition at %s", (_, index, isChosen) => {
  const frame = new FrameBytes();
  const code = new FunctionCode([{ name: "y", type: "i32" }], frame);
  const condition = { kind: "binary", op: "eq", left: i, right: word(17), type: "bool" } as const;
  const store: Stmt = { kind: "store", space: "storage", array: "y", index, value: i };
  const inside: Stmt = { kind: "if", condition, then: [store], otherwise: [] };
  const loop: Stmt = { kind: "for", name: "i", from: word(0), below: word(9), step: 1, body: [inside] };
  const text = JSON.stringify(code.block([loop]));
  const [, offset] = /"op":"i32.store","offset":(\d+)/.exec(text) ?? [];
  expect(text.includes('"select"')).toBe(isChosen);
  if (isChosen) expect(Number(offset)).toBeLessThanOrEqual(FIRST + frame.sink);
});
