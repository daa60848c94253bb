/** The description of a plan and the reasons for it, as data and as text. */

import {
  NUMBER,
  OBJECT,
  optionsOf,
  requireArgument,
  shaped,
  TEXT,
  type Wanted,
  whole,
} from "@groupwise/ir/base/arguments.js";
import { errorOf } from "@groupwise/ir/base/errors.js";
import { evaluate, extentOf, type Formula, itemsIn, printSum, sumOf } from "@groupwise/ir/base/formula.js";
import { elementBytes, hostForm, memoryOf } from "@groupwise/kernel/language/memory.js";
import type { Buffer, Kernel } from "@groupwise/kernel/language/module.js";
import type { Plan } from "@groupwise/lower/lower.js";
import { STRATEGIES } from "@groupwise/lower/strategies.js";
import { isOptional } from "../run/scratch.ts";
import { type Counts, countsOf } from "./explain-count.ts";
import { fastOf, nativesIn, operatorsOf, subgroupsOf, subnormalsIn } from "./explain-use.ts";
import type {
  ExplainedArray,
  ExplainedMemory,
  ExplainedPass,
  ExplainOptions,
  Explanation,
  Size,
} from "./explanation.ts";
import { alignedBytes, wordBytes } from "./manifest.ts";
import { wholesOf } from "./parts-of-arrays.ts";
import { total, traffic } from "./traffic.ts";

export type { ExplainedOperator, NativeUse, SubgroupUse } from "./explain-use.ts";

/** The pieces into which `stepper` cuts chunks. */
const CHUNKS: Readonly<Record<NonNullable<Plan["carries"]>, string>> = {
  any: "each ends where a block of 2^30 items does",
  blocks:
    "each is at most as long as the largest aligned block that begins where it does, unless all operators are exact",
};

const PLAN: Wanted = {
  want: "the result of `plan`",
  is: (value) => OBJECT.is(value) && OBJECT.is((value as Plan).module) && OBJECT.is((value as Plan).checked),
};

const EXPLAIN_OPTIONS: { readonly [K in keyof Required<ExplainOptions>]: Wanted } = {
  n: /*@__PURE__*/ whole(0),
  globalSize: {
    want: "a list of whole numbers",
    is: (value) => Array.isArray(value) && value.every(whole(0).is),
  },
  scalars: OBJECT,
  small: /*@__PURE__*/ shaped("the property `small` of an executable", {
    device: TEXT,
    items: NUMBER,
    runs: NUMBER,
  }),
};

/**
 * Describes a plan. Pure; nothing is emitted.
 * @throws GroupwiseError `bad-argument`, `bad-usage`; `too-many-items` if no run accepts so many
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { explain, plan } from "@groupwise/core";
 * import { js } from "@groupwise/target-js";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const { passes, bytesMoved } = explain(plan(sums, js), { n: 1000 });
 * console.log(passes.length); // 1
 * console.log(bytesMoved.value); // 8000
 * ```
 */
export function explain(plan: Plan, asked?: ExplainOptions): Explanation {
  requireArgument(plan, PLAN, "the plan");
  const options = optionsOf(
    asked,
    EXPLAIN_OPTIONS,
    "the options of explain",
    plan.module.name,
  ) as ExplainOptions;
  const { kernels, functions } = plan.module;
  const { boolMemory } = plan.capabilities;
  const buffers = plan.module.buffers.map((buffer) => ({ ...buffer, ...hostForm(buffer, boolMemory) }));
  const sides = options.globalSize ?? options.n;
  const extent = sides === undefined ? undefined : { ...options, ...extentOf(sides) };
  const n = sides === undefined ? undefined : itemsIn(sides);
  if (n !== undefined && n > plan.maxItems) {
    const details = { n, limit: plan.maxItems, why: "the index arithmetic" };
    throw errorOf("too-many-items", details, plan.module.name);
  }
  // Not a number if it depends on a parameter or a length that is not given.
  const sized = (f: Formula): { value?: number } => {
    const value = extent === undefined ? Number.NaN : evaluate(f, extent);
    return Number.isNaN(value) ? {} : { value };
  };
  const size = (f: Formula): Size => ({ formula: f, text: printSum(f), ...sized(f) });
  const counts = kernels.map((kernel) => countsOf(kernel, buffers, functions));
  const passes = kernels.map((kernel, i) => explainKernel(kernel, counts[i] as Counts, size));
  const fast = fastOf(plan);
  const subnormals = subnormalsIn(plan);
  return {
    pipeline: plan.module.name,
    workGroupSize: plan.checked.pipeline.workGroupSize,
    ...(n === undefined ? {} : { items: n }),
    strategy: plan.strategy,
    summary: STRATEGIES.find(({ name }) => name === plan.strategy)?.summary ?? "",
    passedOver: plan.passedOver,
    ...(plan.carries && { chunks: CHUNKS[plan.carries] }),
    subgroups: subgroupsOf(plan),
    ...(subnormals && { subnormals }),
    ...(fast && { fast }),
    ...(options.small && { small: options.small }),
    operators: operatorsOf(plan),
    arrays: buffers.map((buffer) => explainArray(buffer, size)),
    passes,
    bytesMoved: {
      ...size(total(counts.flatMap(traffic))),
      // A pass that is skipped at this n moves nothing.
      ...(passes.every((pass) => pass.bytesMoved.value !== undefined) &&
        n !== undefined && { value: passes.reduce((sum, pass) => sum + (pass.bytesMoved.value ?? 0), 0) }),
    },
    memory: explainMemory(plan, size),
  };
}

function explainMemory({ module, outputs, capabilities }: Plan, size: (f: Formula) => Size): ExplainedMemory {
  const of: Record<"inputs" | "outputs" | "scratch", Formula[]> = { inputs: [], outputs: [], scratch: [] };
  for (const { buffer } of wholesOf(module.buffers)) {
    const { name, role, elements } = buffer;
    const one = { elements, bytesPerElement: elementBytes(hostForm(buffer, capabilities.boolMemory)) };
    if (isOptional({ role, ...outputs.get(name) })) of.scratch.push(alignedBytes(one));
    else of[role === "output" ? "outputs" : "inputs"].push(wordBytes(one));
  }
  const [read, written, scratch] = [sumOf(of.inputs), sumOf(of.outputs), sumOf(of.scratch)];
  const total = sumOf([read, written, scratch]);
  return { inputs: size(read), outputs: size(written), scratch: size(scratch), total: size(total) };
}

const explainArray = (buffer: Buffer, size: (f: Formula) => Size): ExplainedArray => ({
  name: buffer.name,
  role: buffer.role,
  type: buffer.type,
  memory: memoryOf(buffer),
  elements: size(buffer.elements),
  bytes: size(total([[buffer, buffer.elements]])),
});

function explainKernel(kernel: Kernel, counts: Counts, size: (f: Formula) => Size): ExplainedPass {
  const { barriers, barriersInLoops, uniformLoads, shuffles } = counts;
  const groups = size(kernel.groups);
  return {
    entryPoint: kernel.name,
    about: kernel.doc,
    workGroupSize: kernel.workGroupSize,
    groups,
    workGroupBytes: kernel.shared.reduce((sum, a) => sum + a.length * elementBytes(a), 0),
    barriers,
    barriersInLoops,
    uniformLoads,
    shuffles,
    natives: nativesIn(kernel),
    arrays: counts.moved.map(({ buffer: { name }, access }) => ({ name, access })),
    bytesMoved: { ...size(total(traffic(counts))), ...(groups.value === 0 && { value: 0 }) },
  };
}
