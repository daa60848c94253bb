/** A plan as text for people. */

import { LIST, requireArguments, shaped, TEXT } from "@groupwise/ir/base/arguments.js";
import { evaluate } from "@groupwise/ir/base/formula.js";
import type { Subnormals } from "@groupwise/kernel/capabilities/subnormals.js";
import { unitsOf } from "@groupwise/kernel/language/memory.js";
import type { SmallRuns } from "../api/runtime.ts";
import type { ExplainedOperator } from "./explain-use.ts";
import type { ExplainedArray, ExplainedFast, ExplainedPass, Explanation, Size } from "./explanation.ts";

const show = (size: Size): string =>
  size.value === undefined || size.text === String(size.value)
    ? size.text
    : `${size.text} = ${size.value.toLocaleString("en-US")}`;

const SUBNORMALS: Readonly<Record<Subnormals, string>> = {
  exact: "exact on every device, by functions where a device may flush them",
  kept: "exact, as the device keeps them",
  flush: "as the device treats them: results may differ if it flushes them",
};

const EXPLANATION = /*@__PURE__*/ shaped("the result of `explain`", {
  pipeline: TEXT,
  workGroupSize: LIST,
  passes: LIST,
});

/** Items for which sizes are estimated where their number is not given. */
const MANY = 2 ** 24;

/** A size, and its share of an item. */
function brief(size: Size, items: number | undefined): string {
  const many = size.value === undefined ? evaluate(size.formula, MANY) : size.value;
  if (Number.isNaN(many) || many === 0) return size.text;
  const share = (many / (items ?? MANY)).toLocaleString("en-US", { maximumSignificantDigits: 3 });
  if (size.value === undefined) return `${share} an item for large n`;
  return `${size.value.toLocaleString("en-US")}${items ? `, ${share} an item` : ""}`;
}

/** The six lines that come first: what a run costs, and why it is computed in this way. */
function overview({
  items,
  passes,
  bytesMoved,
  memory,
  strategy,
  summary,
  passedOver,
}: Explanation): string[] {
  const skipped = passes.filter(({ groups }) => groups.value === 0).length;
  const sum = (of: (pass: ExplainedPass) => number): number =>
    passes.reduce((total, pass) => total + of(pass), 0);
  const loops = sum(({ barriersInLoops }) => barriersInLoops);
  const why = passedOver.at(-1);
  return [
    `passes: ${passes.length}${skipped ? `, ${skipped} of them left out at this n` : ""}`,
    `bytes moved: ${brief(bytesMoved, items)}`,
    `barriers: ${sum(({ barriers }) => barriers)}${loops ? `, ${loops} of them in loops` : ""}`,
    `scratch bytes: ${brief(memory.scratch, items)}`,
    `memory bytes, at most: ${brief(memory.total, items)}`,
    `strategy ${strategy}: ${summary}; ${why ? `not ${why.strategy}: ${why.reason}` : "it is the first choice"}`,
  ];
}

/**
 * An explanation as text, one line a fact.
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { explain, plan, printExplanation } from "@groupwise/core";
 * import { js } from "@groupwise/target-js";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const text = printExplanation(explain(plan(sums, js), { n: 1000 }));
 * console.log(text.split("\n")[1]); // "passes: 1"
 * ```
 */
export function printExplanation(e: Explanation): string {
  requireArguments(arguments, "printExplanation", { explanation: EXPLANATION });
  const lines = [
    `pipeline ${e.pipeline}, work-groups of ${e.workGroupSize.join(" × ")}${e.items === undefined ? "" : `, n = ${e.items}`}`,
    ...overview(e),
    ...e.passedOver.slice(0, -1).map(({ strategy, reason }) => `  passed over ${strategy}: ${reason}`),
    ...(e.chunks === undefined ? [] : [`chunks take and give a state; ${e.chunks}`]),
    `subgroups: ${e.subgroups.used ? "values are shuffled within them" : `not used: ${e.subgroups.reason}`}`,
    ...(e.subnormals === undefined ? [] : [`subnormal numbers: ${SUBNORMALS[e.subnormals]}`]),
    ...(e.fast === undefined ? [] : printFast(e.fast)),
    ...(e.small === undefined ? [] : [printSmall(e.small)]),
    ...e.operators.map(printOperator),
    "arrays",
    ...e.arrays.map((a) => `  ${a.name}: ${a.role}, ${typeOf(a)} × ${show(a.elements)}`),
    ...e.passes.flatMap(printPass),
    `bytes moved, each element once for each pass and direction: ${show(e.bytesMoved)}`,
    ...(["inputs", "outputs", "scratch"] as const).map(
      (of) => `memory bytes of ${of}: ${show(e.memory[of])}`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function typeOf(array: ExplainedArray): string {
  const { type, memory } = array;
  const units = unitsOf(array);
  if (units === 2) return `${type} in two words`;
  if (units < 1) return `${type}, ${1 / units} to a word`;
  return memory === type ? type : `${type} held as ${memory}`;
}

const printFast = ({ functions, outputs }: ExplainedFast): string[] => [
  ...functions.map(({ name, bound }) =>
    bound === undefined
      ? `fast ${name}: the exact function, as the language states no bound for one of its own`
      : `fast ${name}: the language's own, error at most ${bound}`,
  ),
  `  not equal bit for bit on all targets: ${outputs.length ? outputs.join(", ") : "no output"}`,
];

function printSmall({ device, items, roundTrip, perItem, refused }: SmallRuns): string {
  if (refused !== undefined) return `small runs: not in ${device}: ${refused}`;
  if (roundTrip === undefined)
    return `small runs: in ${device}, when three runs have shown how soon the device answers`;
  const short = (value: number): string => value.toLocaleString("en-US", { maximumSignificantDigits: 3 });
  const cost = perItem === undefined ? "not measured" : `${short(perItem * 1e6)} ns an item`;
  return `small runs: in ${device} up to ${items.toLocaleString("en-US")} items, ${cost}; the device answers after ${short(roundTrip)} ms`;
}

const printOperator = ({ name, fields, commutative }: ExplainedOperator): string =>
  `operator ${name} { ${fields.map((field) => `${field.name}: ${field.type}`).join(", ")} }, ${commutative ? "commutative" : "not commutative: operands keep their sides"}`;

function printPass(pass: ExplainedPass, index: number): string[] {
  const among = [
    ...(pass.uniformLoads ? [`${pass.uniformLoads} uniform loads`] : []),
    ...(pass.barriersInLoops ? [`${pass.barriersInLoops} in loops, they count every round`] : []),
  ];
  const loops = among.length > 0 ? ` (${among.join("; ")})` : "";
  return [
    `pass ${index + 1}: ${pass.entryPoint}${pass.groups.value === 0 ? " (left out at this n)" : ""}`,
    ...pass.about.map((line) => `  ${line}`),
    `  work-groups ${show(pass.groups)}, of ${pass.workGroupSize}; work-group memory ${pass.workGroupBytes} bytes; barriers ${pass.barriers}${loops}`,
    ...(pass.shuffles ? [`  shuffles within subgroups ${pass.shuffles}`] : []),
    ...pass.natives.map(
      ({ feature, functions }) =>
        `  where the compiler has work-group functions for ${feature}, its own ${functions.join(", ")}`,
    ),
    `  ${pass.arrays.map(({ name, access }) => `${access}s ${name}`.replace("read-writes", "reads and writes")).join(", ")}`,
    `  bytes moved ${show(pass.bytesMoved)}`,
  ];
}
