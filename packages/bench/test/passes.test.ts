/** Lowered modules have indexes below the lengths of arrays, and are valid after every pass: a fault of one pass is found after it. */
import { type Capabilities, check } from "@groupwise/core";
import { lookBackFor } from "@groupwise/core/target";
import { launchesOf, verifyBounds } from "@groupwise/kernel/bounds/verify-bounds.js";
import { verifyPrinted, verifyReads } from "@groupwise/kernel/follow/follow.js";
import type { Module } from "@groupwise/kernel/language/module.js";
import { withOrigins } from "@groupwise/kernel/language/origin.js";
import { verify } from "@groupwise/kernel/language/verify.js";
import type { Around } from "@groupwise/kernel/passes/base/pass.js";
import { defineFunctions } from "@groupwise/kernel/passes/define.js";
import { linkFunctions } from "@groupwise/kernel/passes/functions.js";
import { PASSES } from "@groupwise/kernel/passes/list.js";
import { splitArrays } from "@groupwise/kernel/passes/split.js";
import { lowerWith } from "@groupwise/lower/lower.js";
import { exposeLengths } from "@groupwise/lower/parts/lengths.js";
import { STRATEGIES } from "@groupwise/lower/strategies.js";
import { c } from "@groupwise/target-c";
import { js } from "@groupwise/target-js";
import { gpujs } from "@groupwise/target-js/gpu-js";
import { openclCapabilities } from "@groupwise/target-opencl";
import { wgsl } from "@groupwise/target-wgsl";
import { CASES } from "@groupwise/testkit";
import { describe, expect, test } from "vitest";

const isFullRun = Boolean(process.env.GROUPWISE_FULL);
const memory = { workGroupMemory: 2 ** 20 };
const FORMS: Readonly<Record<string, Capabilities>> = {
  js: js.capabilities,
  gpujs: gpujs.capabilities,
  c: c.capabilities,
  wgsl: {
    ...wgsl.capabilities,
    ...memory,
    subgroups: { minSize: 32, maxSize: 32 },
    lookBack: lookBackFor({ maxWorkGroupSize: 256 }),
  },
  opencl: { ...openclCapabilities({ fp64: true, chunks: { most: 16, least: 8 } }), ...memory },
};

const isHad = (ir: (typeof CASES)[number]["ir"], { scalars, scatter }: Capabilities): boolean => {
  const { types } = check(ir);
  const hasTypes = types.every((type) => type === undefined || typeof scalars[type] === "string");
  return hasTypes && (typeof scatter === "string" || ir.nodes.every(({ kind }) => kind !== "scatter"));
};

function moduleOf(...given: Parameters<typeof lowerWith>): Module {
  const module = lowerWith(...given);
  if ("refused" in module) throw module.error;
  return module;
}

/** Passes may leave calls of functions that a later pass brings in; their bodies are verified by every lowering. */
function verifyLinked(module: Module, around: Around): void {
  const defined = defineFunctions(module, around);
  if ("refused" in defined) throw defined.error;
  const linked = linkFunctions(defined, around);
  verify({ ...linked, functions: linked.functions.map((fn) => ({ ...fn, body: [] })) });
}

/** The same after inputs and outputs are split into parts. */
function splitInTwo(given: Module, around: Around): void {
  if (!around.capabilities.splitArrays) return;
  const before = withOrigins(given);
  const arrays = before.buffers.filter(({ role }) => role === "input" || role === "output");
  const parts = Object.fromEntries(arrays.map(({ name }) => [name, 2]));
  const after = splitArrays(before, { split: { partBytes: 256, parts } });
  verify(after);
  verifyReads("split", before, after);
  verifyPrinted(after, around);
}

/** Of kernels that look back, which are long, in runs that are not full: two scans. */
const LOOKING_BACK = ["prefix-sum", "segmented"];
/** In every run: the formulas of its tiles are the hardest to prove. */
const ALWAYS = "ranked-types";
/** By turns, all in full runs: every 32nd case. */
const casesOf = (turn: number, { lookBack }: Capabilities): readonly (typeof CASES)[number][] =>
  CASES.filter(({ name }, i) => {
    if (isFullRun) return true;
    return "unsupported" in lookBack ? i % 32 === turn || name === ALWAYS : LOOKING_BACK.includes(name);
  });

describe.each(Object.entries(FORMS).map(([name, form], turn) => [name, turn, form] as const))(
  "%s",
  (_, turn, capabilities) => {
    test.each(casesOf(turn, capabilities).map((one) => [one.name, one.ir] as const))(
      "%s has indexes inside its arrays, and is valid after every pass",
      (_name, ir) => {
        if (!isHad(ir, capabilities)) return;
        const { checked } = exposeLengths(check(ir));
        const around: Around = { capabilities };
        const fitting = STRATEGIES.filter((one) => one.refuses(checked, capabilities) === undefined);
        expect(fitting.length).toBeGreaterThan(0);
        for (const strategy of fitting) {
          let module = moduleOf(strategy, checked, capabilities);
          verifyLinked(module, around);
          // Proofs in three dimensions take a minute.
          if (isFullRun || ir.workGroupSize.length < 3)
            expect(
              () => verifyBounds(module, launchesOf(checked, capabilities)),
              strategy.name,
            ).not.toThrow();
          for (const { name, run } of PASSES) {
            const before = withOrigins(module);
            const next = run(before, around);
            if ("refused" in next) throw next.error;
            expect(() => verifyLinked(next, around), `after ${name}`).not.toThrow();
            verifyReads(name, before, next);
            module = next;
          }
          verifyPrinted(module, around);
          splitInTwo(module, around);
        }
      },
    );
  },
);

test("a pass that leaves an undeclared name is found", () => {
  const { checked } = exposeLengths(check((CASES[0] as (typeof CASES)[number]).ir));
  const strategy = STRATEGIES.find((one) => one.refuses(checked, js.capabilities) === undefined);
  if (!strategy) throw new Error("no strategy fits");
  const module = moduleOf(strategy, checked, js.capabilities);
  const spoilt = { ...module, params: [], buffers: [] };
  expect(() => verifyLinked(spoilt, { capabilities: js.capabilities })).toThrow();
});
