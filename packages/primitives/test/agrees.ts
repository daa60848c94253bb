import type { Runtime } from "@groupwise/core";
import { tileOf } from "@groupwise/testkit";
import { expect } from "vitest";
import { type PrimitiveSubject, problemsOf } from "../../bench/src/subjects/index.ts";

/** No items, one, and more than a tile. */
export async function agrees(runtime: Runtime, subject: PrimitiveSubject): Promise<void> {
  expect(await problemsOf(runtime, subject, [0, 1, tileOf(runtime.capabilities) + 1])).toEqual([]);
}
