/** A primitive on a device beside plain loops and, where the order of sums decides, beside JavaScript. */
import type { ArrayType, Runtime } from "@groupwise/core";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { difference, tileOf } from "@groupwise/testkit";
import { expect } from "vitest";
import { compiledOn, run, type Subject, trialOf, wrong } from "../../bench/src/subjects/index.ts";

const js = jsRuntime();

async function agreesAt(runtime: Runtime, subject: Subject, n: number): Promise<void> {
  const trial = trialOf(subject, n, "devices");
  const got = await run(runtime, subject, trial);
  expect(wrong(subject, trial, got)).toEqual([]);
  if (!trial.bound) return;
  const same = await run(js, subject, trial);
  for (const [name, array] of Object.entries(same))
    expect(difference(subject.types[name] as ArrayType, got[name], array)).toBeUndefined();
}

/** No items, one, and more than a tile. */
export async function agrees(runtime: Runtime, subject: Subject): Promise<void> {
  const kept = await compiledOn(runtime, subject);
  for (const n of [0, 1, tileOf(runtime.capabilities) + 1]) await agreesAt(runtime, subject, n);
  kept.dispose();
}
