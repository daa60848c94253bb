/** Scans of scans of other types: a scan reads its operand before the scan that the operand is made from adds the item. */
import { CHAINS, Subject } from "@groupwise/testkit";
import { cutsOf, inChunks, inOneRun } from "@groupwise/testkit/random";
import { afterAll, describe, expect, test } from "vitest";
import { jsRuntime } from "../src/runtime.ts";
import { jsWorkersRuntime } from "../src/workers/runtime.ts";

const LENGTHS = [0, 1, 7, 8, 9, 64, 100];
const workers = jsWorkersRuntime({ workers: 3, leastItems: 0 });
afterAll(() => workers.dispose());

const RUNTIMES = Object.entries({ "one thread": jsRuntime(), workers });
describe.each(RUNTIMES)("in %s", (name, runtime) => {
  const subject = new Subject(runtime);
  // Workers run the functions of one thread.
  const lengths = name === "workers" ? LENGTHS.slice(-1) : LENGTHS;
  test.each(CHAINS.map((one) => [one.name, one] as const))(
    "%s is what the reference returns",
    async (_, one) => {
      for (const n of lengths)
        for (const seed of [0, 1])
          expect(await subject.compare(one.ir, one.values(n, seed)), `${n} items`).toEqual({});
    },
  );
});

/** Those of which each chunk is computed from the state that the chunks before it leave. */
const CARRIED = CHAINS.filter(({ name }) => !["reversed", "of-work-groups"].includes(name));
test.each(CARRIED.map((one) => [one.name, one] as const))("%s in chunks", async (_, { ir, values }) => {
  const js = jsRuntime();
  const want = await inOneRun(js, ir, values(100, 1));
  for (const cuts of [[0, 50, 100], [0, 0, 1, 8, 16, 33, 100], cutsOf(100, 3)])
    expect(await inChunks(js, ir, values(100, 1), cuts), `${cuts}`).toEqual(want);
});
