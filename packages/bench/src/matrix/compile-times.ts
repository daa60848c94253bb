/** What it takes to compile pipelines, and calls of the header of OpenCL C in one kernel, until the first result is there. */
import { type Artifact, emit } from "@groupwise/core";
import { f32, pipeline } from "@groupwise/dsl";
import { opencl } from "@groupwise/target-opencl";
import { openclHeader } from "@groupwise/target-opencl/header";
import type { CompileRequest } from "@groupwise/testkit/remote";
import { PartCount } from "./count.ts";
import type { PartLimits, PartTasks, Task } from "./jobs.ts";

const CALLS = [1, 6, 12, 24] as const;
const GROUP = 64;

/** A call of the header on the float `v`, and what it gives to a work-item of a group that has these values. */
interface Collective {
  readonly text: (v: string) => string;
  readonly gives: (values: readonly number[], item: number) => number;
}
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const COLLECTIVES: readonly Collective[] = [
  { text: (v) => `gw_reduce_add_float(${v}, scratch)`, gives: sum },
  {
    text: (v) => `gw_scan_inclusive_add_float(${v}, scratch)`,
    gives: (values, item) => sum(values.slice(0, item + 1)),
  },
  {
    text: (v) => `gw_scan_exclusive_add_float(${v}, scratch)`,
    gives: (values, item) => sum(values.slice(0, item)),
  },
  { text: (v) => `gw_broadcast_float(${v}, scratch, 5)`, gives: (values) => values[5] as number },
  { text: (v) => `gw_all(${v} > 9, scratch)`, gives: (values) => Number(values.every((v) => v > 9)) },
  { text: (v) => `gw_any(${v} > 70, scratch)`, gives: (values) => Number(values.some((v) => v > 70)) },
];

/** The collectives in turn, each of other values; small integers, of which floats hold all sums. */
export function headerCalls(count: number): Extract<CompileRequest, { artifact: Artifact }> {
  const x = Array.from({ length: GROUP }, (_, i) => (i * 37) % GROUP);
  const calls = Array.from({ length: count }, (_, k) => ({
    k,
    ...(COLLECTIVES[k % COLLECTIVES.length] as Collective),
  }));
  const y = x.map((_, item) =>
    sum(
      calls.map(({ k, gives }) =>
        gives(
          x.map((value) => value + k),
          item,
        ),
      ),
    ),
  );
  const kernel = `
__kernel __attribute__((reqd_work_group_size(${GROUP}, 1, 1)))
void calls(__global const float* x, __global float* y) {
  __local float scratch[GW_SCRATCH(${GROUP})];
  const float v = x[get_global_id(0)];
  float sum = 0;
${calls.map(({ k, text }) => `  sum += ${text(`v + ${k}`)};`).join("\n")}
  y[get_global_id(0)] = sum;
}
`;
  // A host that runs it needs a manifest: that of a pipeline with the same arrays.
  const same = pipeline("calls", { x: f32 }, ({ x: v }) => ({ y: v.add(1) }), { workGroupSize: GROUP });
  const { manifest } = emit(same, opencl);
  const [pass] = manifest.passes;
  if (!pass) throw new Error("the pipeline has no pass");
  const passes = [{ ...pass, entryPoint: "calls", workGroupSize: GROUP, groups: 1, params: [] }];
  const files = [{ path: pass.file, text: `${openclHeader()}${kernel}` }];
  return { artifact: { manifest: { ...manifest, passes, assumes: [] }, files }, x, y };
}

/** @param hasHeader whether the device compiles OpenCL C */
export function compileTimesOf(hasHeader: boolean, limits: PartLimits): PartTasks {
  const count = new PartCount();
  const requests: [name: string, make: () => CompileRequest][] = [["bins", () => ({ case: "bins" })]];
  if (hasHeader)
    requests.push(
      ...CALLS.map((n): [string, () => CompileRequest] => [
        n === 1 ? "1 call" : `${n} calls`,
        () => headerCalls(n),
      ]),
    );
  const tasks = requests.map(
    ([name, make]): Task => ({
      cases: 1,
      name: () => `compile ${name}`,
      run: async (runner) => {
        const { took, wrong } = await runner.compile(make());
        if (wrong.length > 0) return count.fail(`${name}: ${wrong[0]}`);
        count.pass();
        count.timed(name, took);
      },
    }),
  );
  return { count, limits, tasks };
}
