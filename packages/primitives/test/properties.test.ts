import type { ArrayType, HostArray, Runtime } from "@groupwise/core";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { difference } from "@groupwise/testkit";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  compiledOn,
  LINE,
  ORDER,
  type PrimitiveSubject,
  type PrimitiveTrial,
  run,
  SEGMENTS,
  SUBJECTS,
  trialOf,
  wrong,
} from "../../bench/src/subjects/index.ts";
import { referenceRuntime } from "./reference-runtime.ts";

const [js, reference] = [jsRuntime(), referenceRuntime()];
const isFull = !!process.env.GROUPWISE_FULL;
const TILE = 256;
const SIZES = [0, 1, TILE - 1, TILE + 1, 1021, ...(isFull ? [2, 3, TILE, 2048, 5003] : [])];

/** What JavaScript gives, which must be what plain loops give. */
async function agrees(
  subject: PrimitiveSubject,
  trial: PrimitiveTrial,
): Promise<Readonly<Record<string, HostArray>>> {
  const got = await run(js, subject, trial);
  expect(wrong(subject, trial, got)).toEqual([]);
  return got;
}

/** Bit for bit, floats included. */
async function isReference(
  runtime: Runtime,
  subject: PrimitiveSubject,
  trial: PrimitiveTrial,
  got: object,
): Promise<void> {
  const want = await run(runtime, subject, trial);
  const differences = Object.entries(want).map(([name, array]) =>
    difference(subject.types[name] as ArrayType, (got as Record<string, HostArray>)[name], array),
  );
  expect(differences.filter((one) => one !== undefined)).toEqual([]);
}

/** Sorts and rows along an axis have tests of their own. */
const CHOSEN = isFull ? SUBJECTS : [...LINE, ...SEGMENTS, ...ORDER];

describe.each(CHOSEN.map((subject) => [subject.name, subject] as const))("%s", (_, subject) => {
  let kept: { dispose(): void };
  beforeAll(async () => {
    kept = await compiledOn(js, subject);
  });
  afterAll(() => kept.dispose());

  test("equals a plain loop and the reference, bit for bit", async () => {
    const inputs = fc.record({ n: fc.integer({ min: 0, max: isFull ? 120 : 40 }), seed: fc.nat() });
    await fc.assert(
      fc.asyncProperty(inputs, async ({ n, seed }) => {
        const trial = trialOf(subject, n, seed);
        await isReference(reference, subject, trial, await agrees(subject, trial));
      }),
      { numRuns: isFull ? 50 : 3 },
    );
  });

  test("near the sizes of work-groups and tiles", async () => {
    for (const n of SIZES) await agrees(subject, trialOf(subject, n, "sizes"));
  });
});
