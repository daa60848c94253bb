/** The barriers that `explain` counts, against the emitted text. */
import { type EmitOptions, emit, explain, plan } from "@groupwise/core";
import { CASES } from "@groupwise/testkit";
import { describe, expect, test } from "vitest";
import { TARGETS } from "../src/base/targets.ts";

/** The bodies of a text's functions and kernels by name: a body ends with the first brace at the start of a line. */
function bodiesIn(text: string): ReadonlyMap<string, string> {
  const heads = /^\w+ (?!__)(\w+)\(([\s\S]*?)^\}/gm;
  return new Map([...text.matchAll(heads)].map(([, name = "", body = ""]) => [name, body]));
}

/** Occurrences in a kernel, and in the functions that it calls once for each call. */
function countIn(bodies: ReadonlyMap<string, string>, name: string, what: RegExp): number {
  const body = bodies.get(name) ?? "";
  let count = [...body.matchAll(what)].length;
  for (const [, called = ""] of body.matchAll(/\b(\w+)\(/g))
    if (called !== name && bodies.has(called)) count += countIn(bodies, called, what);
  return count;
}

const VARIANTS: Readonly<Record<string, EmitOptions>> = {
  plain: {},
  "in subgroups": { subgroups: 32 },
  "looking back": { subgroups: 32, lookBack: true },
};
/** How each language writes barriers, and how often a uniform load has one of them. */
const SPELLED = {
  wgsl: { barrier: /\bworkgroupBarrier\(|\bworkgroupUniformLoad\(/g, perUniformLoad: 1 },
  opencl: { barrier: /\bbarrier\(CLK_/g, perUniformLoad: 2 },
} as const;

describe.each(Object.keys(SPELLED) as (keyof typeof SPELLED)[])("%s", (target) => {
  const { barrier, perUniformLoad } = SPELLED[target];
  test.each(Object.keys(VARIANTS))("%s: the reported number of barriers is that of the text", (variant) => {
    const options = VARIANTS[variant] as EmitOptions;
    let [all, uniform] = [0, 0];
    // Every fourth one by turns outside of full runs.
    const turn = Object.keys(VARIANTS).indexOf(variant);
    const typical = CASES.filter((one) => one.typical);
    for (const { ir } of typical.filter((_, i) => process.env.GROUPWISE_FULL || (i + turn) % 4 === 0)) {
      const { passes } = explain(plan(ir, TARGETS[target].target, options));
      const bodies = bodiesIn(emit(ir, TARGETS[target].target, options).files[0]?.text as string);
      for (const { entryPoint, barriers, uniformLoads } of passes) {
        const counted = barriers + uniformLoads * (perUniformLoad - 1);
        expect(counted, `${ir.name} ${entryPoint}`).toBe(countIn(bodies, entryPoint, barrier));
        all += barriers;
        uniform += uniformLoads;
      }
    }
    expect(all).toBeGreaterThan(20);
    expect(uniform > 0).toBe(variant === "looking back");
  });
});
