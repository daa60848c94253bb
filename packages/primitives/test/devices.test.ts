import type { Runtime, Scalar } from "@groupwise/core";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { openclRuntime } from "@groupwise/target-opencl/runtime";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { difference, tileOf } from "@groupwise/testkit";
import { requireDevice } from "@groupwise/testkit/conformance";
import { type Found, findDawn, findOpenCl, found } from "@groupwise/testkit/devices";
import { afterAll, describe, expect, test } from "vitest";
import { LINE } from "./line-subjects.ts";
import { SEGMENTS } from "./segment-subjects.ts";
import { run, type Subject, trialOf, wrong } from "./subjects.ts";

async function lavapipe(): Promise<Found<Runtime>> {
  const opened = await findDawn({ adapter: "lavapipe" });
  return opened.found ? found(webgpuRuntime(opened.value.device)) : opened;
}

async function pocl(): Promise<Found<Runtime>> {
  const platform = findOpenCl("pocl");
  if (!platform.found) return platform;
  // The loader reads the environment at the process's first call.
  Object.assign(process.env, platform.value.env);
  return found(await openclRuntime());
}

const js = jsRuntime();

/** Compilers take seconds for some: every kind of step here, every type in full runs and in JavaScript. */
const QUICK: ReadonlySet<string> = new Set([
  ...["compact u32", "partition bool", "unique f32", "run-length encode u32", "run-length decode u64"],
  ...["merge counts", "reduce by key: add f32", "reduce by key: affine maps, not commutative"],
  ...["histogram of 7 bins", "histogram of 300 bins, weights of u32", "segmented reduce: add i32"],
  ...["segmented reduce: argmax records", "segmented scan: add f32", "sparse matrix times vector, f32"],
  ...["transpose i64", "row scan: add u32", "summed-area table u32"],
]);
const chosen = [...LINE, ...SEGMENTS].filter(({ name }) => process.env.GROUPWISE_FULL || QUICK.has(name));

describe.each([
  ["WGSL on lavapipe", lavapipe],
  ["OpenCL on PoCL", pocl],
] as const)("%s", (_, open) => {
  let opened: Promise<Found<Runtime>> | undefined;
  afterAll(async () => {
    const runtime = await opened;
    if (runtime?.found) runtime.value.dispose();
  });

  const agrees = async (runtime: Runtime, subject: Subject, n: number): Promise<void> => {
    const trial = trialOf(subject, n, "devices");
    const got = await run(runtime, subject, trial);
    expect(wrong(subject, trial, got)).toEqual([]);
    // Where the order of sums decides, the bits are those of JavaScript.
    if (!trial.bound) return;
    const same = await run(js, subject, trial);
    for (const [name, array] of Object.entries(same))
      expect(difference(subject.types[name] as Scalar, got[name], array)).toBeUndefined();
  };

  for (const subject of chosen) {
    test(subject.name, async (context) => {
      const runtime = await requireDevice(context, () => (opened ??= open()));
      for (const n of [0, 1, tileOf(runtime.capabilities) + 1]) await agrees(runtime, subject, n);
    });
  }
});
