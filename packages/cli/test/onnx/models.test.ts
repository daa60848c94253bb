/** Models of ONNX's own Python package against the results of its reference evaluator; `models.py` makes both. */
import { readFileSync } from "node:fs";
import type { ArrayType, ScalarValue } from "@groupwise/core";
import { arraySpec } from "@groupwise/core/target";
import { expect, test } from "vitest";
import { importGraph } from "../../src/onnx/graph.ts";
import { readModel } from "../../src/onnx/model.ts";
import { resultsOf } from "./run-model.ts";

interface Raw {
  readonly type: ArrayType;
  readonly bytes: string;
}
interface Case {
  readonly name: string;
  /** What results may differ by, in units of the last place: NumPy's functions and orders of sums are others. */
  readonly ulps: number;
  readonly model: string;
  readonly inputs: Readonly<Record<string, Raw>>;
  readonly outputs: Readonly<Record<string, Raw>>;
}

const CASES: readonly Case[] = readFileSync(new URL("models.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Case);

function listOf({ type, bytes }: Raw): ScalarValue[] {
  const raw = Buffer.from(bytes, "base64");
  const { array, hostBytes, fromHost } = arraySpec(type);
  const stored = new array(raw.length / hostBytes);
  new Uint8Array(stored.buffer).set(raw);
  return Array.from(stored as ArrayLike<number | bigint>, (element) => fromHost(element));
}

/** Half of the spacing of floats around 1. */
const UNIT: Readonly<Partial<Record<ArrayType, number>>> = { f16: 2 ** -11, f32: 2 ** -24, f64: 2 ** -53 };

function expectNear(type: ArrayType, got: ScalarValue[], want: ScalarValue[], ulps: number): void {
  if (ulps === 0) {
    expect(got).toEqual(want);
    return;
  }
  expect(got.length).toBe(want.length);
  const size = Math.max(...want.map((value) => Math.abs(Number(value))), 1e-30);
  const bound = 2 * ulps * (UNIT[type] as number) * size;
  for (const [i, value] of want.entries())
    expect(Math.abs(Number(got[i]) - Number(value)), `element ${i}`).toBeLessThanOrEqual(bound);
}

test.each(CASES)("$name", async ({ model, inputs, outputs, ulps }) => {
  const imported = importGraph(await readModel(Buffer.from(model, "base64"), "case.onnx"));
  if ("uncovered" in imported) throw new Error(JSON.stringify(imported.uncovered));
  const given = Object.fromEntries(Object.entries(inputs).map(([name, raw]) => [name, listOf(raw)]));
  const results = resultsOf(imported, given);
  expect(Object.keys(results).sort()).toEqual(Object.keys(outputs).sort());
  for (const [name, raw] of Object.entries(outputs))
    expectNear(raw.type, [...(results[name] ?? [])], listOf(raw), UNIT[raw.type] === undefined ? 0 : ulps);
});
