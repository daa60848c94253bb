/**
 * Lines of emitted texts, each with a budget: what a reader of generated code has to read.
 *
 * A budget is what the text had when the row was written, and 2 % more. Raise one only for a reason that the commit message gives, such as
 * a defect that more code repairs; lower it when a text gets shorter, so that it does not grow back.
 */

import { TARGETS, type TargetName } from "@groupwise/cli/targets";
import { type EmitOptions, emit, type PipelineSource } from "@groupwise/core";
import { bool, f16, f32, f64, operators, pipeline, type U32Value, u32 } from "@groupwise/dsl";
import { expect, test } from "vitest";

const options = { places: false } as const;
const scanOf = (type: "f16" | "f32" | "f64"): PipelineSource =>
  pipeline(
    "scan",
    { x: { f16, f32, f64 }[type] as typeof f32 },
    ({ x }) => ({ y: x.scanInclusive("add") }),
    options,
  );
const isKept = (x: U32Value) => x.and(3).ne(0);

const SOURCES = {
  "scan add f32": scanOf("f32"),
  "scan add f64": scanOf("f64"),
  "scan add f16": scanOf("f16"),
  "compact u32": pipeline(
    "compact",
    { x: u32 },
    ({ x }) => {
      const where = isKept(x);
      const to = where.toU32().scanExclusive("add");
      return { kept: x.scatter({ to, where, length: where.toU32().reduce("add") }) };
    },
    options,
  ),
  "affine maps": pipeline(
    "affine",
    { a: f32, b: f32 },
    (maps) => ({ y: operators.affine(f32).scanInclusive(maps).b }),
    options,
  ),
  "segmented sum u32": pipeline(
    "segmented",
    { x: u32, starts: bool },
    ({ x, starts }) => ({ y: x.scanInclusive("add", { segments: starts }) }),
    options,
  ),
  "scan add f32 of rows": pipeline(
    "rows",
    { x: f32 },
    ({ x }) => ({ y: x.scanInclusive("add", { scope: "work-group" }) }),
    { ...options, workGroupSize: [16384, 1] },
  ),
} as const satisfies Readonly<Record<string, PipelineSource>>;

interface Budget {
  readonly of: keyof typeof SOURCES;
  readonly target: TargetName;
  readonly options?: EmitOptions;
  readonly lines: number;
}

const LOOK_BACK: EmitOptions = { lookBack: true, subgroups: 32 };
/** Lanes exchange values through work-group memory. */
const IN_MEMORY: EmitOptions = { lookBack: true };

const BUDGETS: readonly Budget[] = [
  // A loop, without blocks.
  { of: "segmented sum u32", target: "js", lines: 45 },
  { of: "segmented sum u32", target: "c", lines: 44 },
  { of: "scan add f32", target: "wgsl", lines: 200 },
  { of: "scan add f32", target: "wgsl", options: LOOK_BACK, lines: 423 },
  { of: "compact u32", target: "wgsl", options: LOOK_BACK, lines: 373 },
  { of: "affine maps", target: "wgsl", options: LOOK_BACK, lines: 677 },
  { of: "scan add f32 of rows", target: "wgsl", options: LOOK_BACK, lines: 574 },
  { of: "scan add f64", target: "wgsl", lines: 436 },
  { of: "scan add f16", target: "wgsl", lines: 219 },
  { of: "scan add f32", target: "opencl", lines: 196 },
  { of: "compact u32", target: "opencl", lines: 235 },
  { of: "affine maps", target: "opencl", lines: 413 },
  { of: "scan add f32", target: "opencl", options: IN_MEMORY, lines: 344 },
  { of: "affine maps", target: "opencl", options: IN_MEMORY, lines: 465 },
  { of: "scan add f32", target: "opencl", options: LOOK_BACK, lines: 370 },
  { of: "compact u32", target: "opencl", options: LOOK_BACK, lines: 375 },
  { of: "affine maps", target: "opencl", options: LOOK_BACK, lines: 762 },
  { of: "scan add f64", target: "opencl", lines: 457 },
  { of: "scan add f16", target: "opencl", lines: 217 },
];

/** Lines of the source that a device compiles; the manifest beside it does not count. */
function linesOf({ of, target, options: given = {} }: Budget): number {
  const [source] = emit(SOURCES[of], TARGETS[target].target, given).files;
  return source?.text.trimEnd().split("\n").length ?? Number.NaN;
}

const nameOf = ({ of, target, options: given }: Budget): string =>
  `${of} in ${target}${given?.lookBack ? " with look-back" : ""}`;

test.each(BUDGETS.map((budget) => [nameOf(budget), budget] as const))("%s", (_, budget) => {
  const lines = linesOf(budget);
  expect(lines).toBeLessThanOrEqual(budget.lines);
  // A text that got much shorter keeps what it gained.
  expect(budget.lines, "lower the budget").toBeLessThanOrEqual(Math.ceil(lines * 1.05));
});
