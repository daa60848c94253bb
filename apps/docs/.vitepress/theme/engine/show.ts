/** Documents as what the pages show: the values of a run, and the plan. */
import { type Checked, explain, plan, printExplanation } from "@groupwise/core";
import { wgsl } from "@groupwise/target-wgsl";
import { linkedOf } from "./linked.ts";
import type { Argument, PlanFacts, Shown } from "./messages.ts";
import { problemOf } from "./problem.ts";

/** What a run of the pipeline takes, inputs first. */
export function argumentsOf({ inputs, tables, params }: Checked): readonly Argument[] {
  const roles = [
    ["input", inputs],
    ["table", tables],
    ["param", params],
  ] as const;
  return roles.flatMap(([role, nodes]) => nodes.map(({ name, type }) => ({ name, role, type })));
}

/** The sizes of a range of n items: pipelines of several dimensions get them in the first. */
export const sidesOf = ({ pipeline }: Checked, n: number): readonly number[] =>
  pipeline.workGroupSize.map((_, dimension) => (dimension === 0 ? n : 1));

const shown = (value: number | undefined, text: string): string =>
  value === undefined ? text : value.toLocaleString("en-US");

function planFacts(source: Checked, n: number): Shown["plan"] {
  try {
    const lengths = argumentsOf(source).filter(({ role }) => role === "table");
    const scalars = { params: {}, lengths: Object.fromEntries(lengths.map(({ name }) => [name, n])) };
    const e = explain(plan(source.pipeline, wgsl), { globalSize: sidesOf(source, n), scalars });
    const passes = e.passes.map((pass): PlanFacts["passes"][number] => ({
      name: pass.entryPoint,
      about: pass.about.join(" "),
      groups: shown(pass.groups.value, pass.groups.text),
      bytes: shown(pass.bytesMoved.value, pass.bytesMoved.text),
      share: (pass.bytesMoved.value ?? 0) / (e.bytesMoved.value || 1),
    }));
    const bytes = shown(e.bytesMoved.value, e.bytesMoved.text);
    return { items: n, strategy: e.strategy, summary: e.summary, passes, bytes, text: printExplanation(e) };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

/** What is shown of a pipeline beside its texts. */
export function show(source: Checked, document: string, n: number): Shown {
  const { name } = source.pipeline;
  const [list, facts] = [argumentsOf(source), planFacts(source, n)];
  return { name, document, arguments: list, plan: facts, linked: linkedOf(source) };
}
