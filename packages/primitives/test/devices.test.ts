import type { DeviceArray, Runtime } from "@groupwise/core";
import { u32 } from "@groupwise/dsl";
import { difference } from "@groupwise/testkit";
import { isFullRun, requireDevice, sharedRuntime } from "@groupwise/testkit/conformance";
import { describe, expect, test } from "vitest";
import { ORDER, SUBJECTS } from "../../bench/src/subjects/index.ts";
import { segmentedSort } from "../src/index.ts";
import { agrees } from "./agrees.ts";
import { cudaOnCpu, inC, lavapipe, pocl, webAssembly, workers } from "./on-devices.ts";

/** Compilers take seconds for some: every kind of step on one device here, all in full runs, every type in JavaScript. */
const ON_LAVAPIPE = ["transpose i64"];
// The suite has compactions, records and the ranks of sorts on PoCL, and counts that steps leave for later ones.
const ON_POCL = ["search f32, lower"];
/** C has the kernels of JavaScript: a twelfth of what stands in order, which no other target here has. */
const ON_C = ORDER.filter((_, i) => i % 12 === 0).map(({ name }) => name);

const WGSL = "WGSL on lavapipe";
const NONE: readonly string[] = [];
describe.each([
  ["C", inC, ON_C],
  [WGSL, () => lavapipe(), ON_LAVAPIPE],
  ["OpenCL on PoCL", pocl, ON_POCL],
  ["WebAssembly", webAssembly, NONE],
  ["JavaScript workers", workers, NONE],
  ["CUDA on the CPU", cudaOnCpu, NONE],
] as const)("%s", (name, open, some) => {
  // In full runs all, and on lavapipe, which compiles for seconds, every other one.
  const isTurn = (i: number): boolean => isFullRun() && (name !== WGSL || i % 2 === 0);
  const chosen = SUBJECTS.filter(({ name }, i) => some.includes(name) || isTurn(i));
  const shared = sharedRuntime<Runtime>(open);

  for (const subject of chosen) {
    test(subject.name, async (context) => {
      await agrees(await requireDevice(context, shared), subject);
    });
  }

  // Steps for long segments have no items, some, or all; arrays have contents of the sort before.
  test.runIf(isFullRun() || open === inC)(
    "sorts of short and long segments in one recording",
    async (context) => {
      const runtime = await requireDevice(context, shared);
      const n = 2 ** 12 + 1;
      const keys = Uint32Array.from({ length: n }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 12);
      const prepared = await segmentedSort(u32).prepare(runtime);
      const recorder = runtime.record();
      const [from, sorts] = [
        runtime.array("u32", keys),
        [] as { length: number; sorted: DeviceArray<"u32"> }[],
      ];
      let between: ReturnType<typeof prepared.record> | undefined;
      for (const length of [16, 1025, 1, n, 32, 33, 1024]) {
        const ends = Array.from({ length: Math.ceil(n / length) }, (_, s) => Math.min(n, (s + 1) * length));
        const arrays = { keys: from, offsets: runtime.array("u32", Uint32Array.of(0, ...ends)) };
        const sorted = runtime.array("u32", keys);
        between = prepared.record(recorder, { ...arrays, sorted }, { ...(between && { between }) });
        sorts.push({ length, sorted });
      }
      await recorder.submit();
      for (const { length, sorted } of sorts) {
        const want = keys.slice();
        for (let at = 0; at < n; at += length) want.subarray(at, at + length).sort();
        expect(difference("u32", await sorted.read(), want)).toBeUndefined();
      }
    },
  );
});
