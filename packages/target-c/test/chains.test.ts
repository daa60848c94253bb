/** Scans of scans of other types in threads of OpenMP, whole and in chunks. */
import { CHAINS, Subject } from "@groupwise/testkit";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { cutsOf, inChunks, inOneRun } from "@groupwise/testkit/random";
import { expect } from "vitest";
import { keepingRuntime } from "./support.ts";

const options = ["-O1", "-DGW_PARALLEL_LEAST=1"];
const open = async () => found(await keepingRuntime({ compiler: "gcc", options, threads: 3 }));

// JavaScript has all of them in every run.
for (const { name, ir, values } of CHAINS.filter((_, i) => isFullRun() || i % 4 === 0))
  deviceTest(`${name} in three threads`, open, async (runtime) => {
    const subject = new Subject(runtime);
    for (const n of [0, 9, 100]) expect(await subject.compare(ir, values(n, 1)), `${n} items`).toEqual({});
    if (["reversed", "of-work-groups"].includes(name)) return;
    const want = await inOneRun(runtime, ir, values(100, 1));
    expect(await inChunks(runtime, ir, values(100, 1), cutsOf(100, 3))).toEqual(want);
  });
