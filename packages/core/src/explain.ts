/** What a plan will do, and why it was made so: as data, and as text for people. */
import { type ArrayUse, arraysOf, bare } from "./emit/c-family.ts";
import {
  type ExplainedOperator,
  exchangesIn,
  type NativeUse,
  nativesIn,
  operatorsOf,
  type SubgroupUse,
  subgroupsOf,
} from "./explain-use.ts";
import {
  evaluate,
  extentOf,
  type Formula,
  type FormulaScalars,
  formula,
  itemsIn,
  printFormula,
  sumOf,
} from "./formula.ts";
import { elementBytes, type Memory, memoryOf } from "./kernel/memory.ts";
import { type Buffer, blocksOf, type Kernel, type Stmt } from "./kernel/stmt.ts";
import type { Plan } from "./lower/lower.ts";
import { STRATEGIES } from "./lower/strategies.ts";
import { alignedBytes } from "./manifest.ts";
import type { Scalar } from "./scalar.ts";

export type { ExplainedOperator, NativeUse, SubgroupUse } from "./explain-use.ts";

/** A size: a formula of n, as people write it, and its value where the number of items was given. */
export interface Size {
  readonly formula: Formula;
  readonly text: string;
  readonly value?: number;
}

/** An array of device memory. */
export interface ExplainedArray {
  readonly name: string;
  readonly role: Buffer["role"];
  readonly type: Scalar;
  /** How its elements stand in device memory: see the manifest's bindings. */
  readonly memory: Memory;
  readonly elements: Size;
  readonly bytes: Size;
}

/** One pass. It is left out of a run where `groups` is 0. */
export interface ExplainedPass {
  readonly entryPoint: string;
  readonly about: readonly string[];
  readonly workGroupSize: number;
  readonly groups: Size;
  /** Bytes of work-group memory. */
  readonly workGroupBytes: number;
  /** Barriers in the text of the kernel, and how many of them stand in a loop and so count every round. */
  readonly barriers: number;
  readonly barriersInLoops: number;
  /** Exchanges of values within subgroups in the text of the kernel. */
  readonly exchanges: number;
  /** Functions of the language itself that take the place of code where the compiler has them. */
  readonly natives: readonly NativeUse[];
  readonly arrays: readonly ArrayUse[];
  /** Bytes of device memory if each array is read once and written once; none where the pass is left out. */
  readonly bytesMoved: Size;
}

/** What a plan will do, as data: arrays, passes in order, bytes moved, and the strategies passed over. */
export interface Explanation {
  readonly pipeline: string;
  /** The pipeline's own work-group size, per dimension. */
  readonly workGroupSize: readonly number[];
  /** Number of items that the sizes were evaluated for. */
  readonly items?: number;
  readonly strategy: string;
  readonly summary: string;
  readonly passedOver: Plan["passedOver"];
  readonly subgroups: SubgroupUse;
  /** The author's operators. */
  readonly operators: readonly ExplainedOperator[];
  readonly arrays: readonly ExplainedArray[];
  readonly passes: readonly ExplainedPass[];
  readonly bytesMoved: Size;
  /** All scratch arrays together, each rounded up to 256 bytes. */
  readonly scratchBytes: Size;
}

/** For what an explanation evaluates its sizes. */
export interface ExplainOptions {
  /** Number of items to evaluate the sizes for; of a range of several dimensions `globalSize` tells it. */
  readonly n?: number;
  /** Items per dimension to evaluate the sizes for. */
  readonly globalSize?: readonly number[];
  /** Parameters and lengths of tables, where sizes depend on them. */
  readonly scalars?: FormulaScalars;
}

/** What a plan will do. Pure; nothing is emitted. */
export function explain(plan: Plan, options: ExplainOptions = {}): Explanation {
  const { buffers, kernels } = plan.module;
  const sides = options.globalSize ?? options.n;
  const extent = sides === undefined ? undefined : { ...options, ...extentOf(sides) };
  const n = sides === undefined ? undefined : itemsIn(sides);
  // Not a number where a parameter or a length goes into it that is not told.
  const sized = (f: Formula): { value?: number } => {
    const value = extent === undefined ? Number.NaN : evaluate(f, extent);
    return Number.isNaN(value) ? {} : { value };
  };
  const size = (f: Formula): Size => ({
    formula: f,
    text: printSum(f),
    ...sized(f),
  });
  const passes = kernels.map((kernel) => explainKernel(kernel, buffers, size));
  const scratch = buffers.filter((buffer) => buffer.role === "scratch");
  return {
    pipeline: plan.module.name,
    workGroupSize: plan.checked.pipeline.workGroupSize,
    ...(n === undefined ? {} : { items: n }),
    strategy: plan.strategy,
    summary: STRATEGIES.find(({ name }) => name === plan.strategy)?.summary ?? "",
    passedOver: plan.passedOver,
    subgroups: subgroupsOf(plan),
    operators: operatorsOf(plan),
    arrays: buffers.map((buffer) => ({
      name: buffer.name,
      role: buffer.role,
      type: buffer.type,
      memory: memoryOf(buffer),
      elements: size(buffer.elements),
      bytes: size(total([[buffer, 1]])),
    })),
    passes,
    bytesMoved: {
      ...size(total(kernels.flatMap((kernel) => traffic(kernel, buffers)))),
      // What is left out at this n moves nothing.
      ...(passes.every((pass) => pass.bytesMoved.value !== undefined) &&
        n !== undefined && { value: passes.reduce((sum, pass) => sum + (pass.bytesMoved.value ?? 0), 0) }),
    },
    scratchBytes: size(sumOf(scratch.map(aligned))),
  };
}

const aligned = (buffer: Buffer): Formula =>
  alignedBytes({ elements: buffer.elements, bytesPerElement: elementBytes(buffer) });

function explainKernel(
  kernel: Kernel,
  buffers: readonly Buffer[],
  size: (f: Formula) => Size,
): ExplainedPass {
  const barriers = countBarriers(kernel.body, false);
  const groups = size(kernel.groups);
  return {
    entryPoint: kernel.name,
    about: kernel.doc,
    workGroupSize: kernel.workGroupSize,
    groups,
    workGroupBytes: kernel.shared.reduce((sum, a) => sum + a.length * elementBytes(a), 0),
    barriers: barriers.all,
    barriersInLoops: barriers.inLoops,
    exchanges: exchangesIn([kernel]),
    natives: nativesIn(kernel),
    arrays: arraysOf(kernel, buffers),
    bytesMoved: { ...size(total(traffic(kernel, buffers))), ...(groups.value === 0 && { value: 0 }) },
  };
}

/** Barriers of a block, and those of them that a loop repeats. */
function countBarriers(block: readonly Stmt[], looped: boolean): { all: number; inLoops: number } {
  let [all, inLoops] = [0, 0];
  for (const stmt of block) {
    if (stmt.kind === "barrier") {
      all++;
      if (looped) inLoops++;
    }
    for (const inner of blocksOf(stmt)) {
      const count = countBarriers(inner, looped || stmt.kind === "for" || stmt.kind === "while");
      all += count.all;
      inLoops += count.inLoops;
    }
  }
  return { all, inLoops };
}

type Traffic = readonly (readonly [buffer: Buffer, times: number])[];

function traffic(kernel: Kernel, buffers: readonly Buffer[]): Traffic {
  const uses = arraysOf(kernel, buffers);
  const names = new Set(uses.map(({ name }) => name));
  // Uses stand in the order of the buffers.
  return buffers
    .filter(({ name }) => names.has(name))
    .map((buffer, i) => [buffer, uses[i]?.access === "read-write" ? 2 : 1]);
}

/** Bytes of all: arrays of equal length are added up before, so that the formula stays short. */
function total(list: Traffic): Formula {
  const byLength = new Map<string, { elements: Formula; bytes: number }>();
  for (const [buffer, times] of list) {
    const { elements } = buffer;
    const key = JSON.stringify(elements);
    const bytes = (byLength.get(key)?.bytes ?? 0) + times * elementBytes(buffer);
    byLength.set(key, { elements, bytes });
  }
  return sumOf([...byLength.values()].map(({ elements, bytes }) => formula("mul", elements, bytes)));
}

/** The terms of a sum without the brackets around them. */
function printSum(f: Formula): string {
  const isSum = typeof f === "object" && "op" in f && f.op === "add";
  return isSum ? f.args.map(printSum).join(" + ") : bare(printFormula(f));
}

const show = (size: Size): string =>
  size.value === undefined || size.text === String(size.value)
    ? size.text
    : `${size.text} = ${size.value.toLocaleString("en-US")}`;

/** An explanation as text, one line a fact. */
export function printExplanation(e: Explanation): string {
  const lines = [
    `pipeline ${e.pipeline}, work-groups of ${e.workGroupSize.join(" × ")}${e.items === undefined ? "" : `, n = ${e.items}`}`,
    `strategy ${e.strategy}: ${e.summary}`,
    ...e.passedOver.map(({ strategy, reason }) => `  passed over ${strategy}: ${reason}`),
    `subgroups: ${e.subgroups.used ? "values are exchanged within them" : `not used: ${e.subgroups.reason}`}`,
    ...e.operators.map(printOperator),
    "arrays",
    ...e.arrays.map((a) => `  ${a.name}: ${a.role}, ${typeOf(a)} × ${show(a.elements)}`),
    ...e.passes.flatMap(printPass),
    `bytes moved, each array once for each pass and direction: ${show(e.bytesMoved)}`,
    `scratch bytes: ${show(e.scratchBytes)}`,
  ];
  return `${lines.join("\n")}\n`;
}

const typeOf = ({ type, memory }: ExplainedArray): string =>
  memory === type ? type : memory === "u32" ? `${type} in two words` : `${type} held as ${memory}`;

const printOperator = ({ name, fields, commutative }: ExplainedOperator): string =>
  `operator ${name} { ${fields.map((field) => `${field.name}: ${field.type}`).join(", ")} }, ${commutative ? "commutative" : "not commutative: operands keep their sides"}`;

function printPass(pass: ExplainedPass, index: number): string[] {
  const loops = pass.barriersInLoops ? ` (${pass.barriersInLoops} in loops, they count every round)` : "";
  return [
    `pass ${index + 1}: ${pass.entryPoint}${pass.groups.value === 0 ? " (left out at this n)" : ""}`,
    ...pass.about.map((line) => `  ${line}`),
    `  work-groups ${show(pass.groups)}, of ${pass.workGroupSize}; work-group memory ${pass.workGroupBytes} bytes; barriers ${pass.barriers}${loops}`,
    ...(pass.exchanges ? [`  exchanges within subgroups ${pass.exchanges}`] : []),
    ...pass.natives.map(
      ({ feature, functions }) => `  where the compiler has ${feature}, its own ${functions.join(", ")}`,
    ),
    `  ${pass.arrays.map(({ name, access }) => `${access}s ${name}`.replace("read-writes", "reads and writes")).join(", ")}`,
    `  bytes moved ${show(pass.bytesMoved)}`,
  ];
}
