/** Compactions on several threads: the bits of one thread, and each part by a thread of its own. */
import type { HostArray, Runtime } from "@groupwise/core";
import { type OpenPort, portsHere } from "@groupwise/core/target";
import { compactionRuns, type Density } from "@groupwise/testkit/states";
import { afterAll, describe, expect, it } from "vitest";
import { jsRuntime } from "../src/runtime.ts";
import { JS_WORKER, workersRuntime } from "../src/workers/make.ts";
import { hashesOf } from "./fixtures/parted.ts";

const DENSITIES: readonly Density[] = ["none", "some", "all"];
const LENGTHS = [0, 1, 2, 31, 997, 4099];

/** Reads every array after a step over the first items of longer arrays, whose other elements keep their values. */
async function stepped(
  runtime: Runtime,
  ir: Parameters<Runtime["compile"]>[0],
  values: Values,
): Promise<unknown> {
  const executable = await runtime.compile(ir);
  const n = (Object.values(values)[0] as HostArray).length - 100;
  const arrays = Object.fromEntries(
    executable.manifest.bindings
      .filter(({ role, hidden }) => !hidden && (role === "input" || role === "output"))
      .map(({ name, type }) => [name, runtime.array(type, (values[name] ?? n + 100) as never)]),
  );
  for (const [name, array] of Object.entries(arrays))
    if (!(name in values))
      array.write((await array.read()).fill((array.type === "i64" ? 7n : 7) as never) as never);
  await runtime
    .record()
    .run(executable, arrays as never, { n })
    .submit();
  const read = Object.entries(arrays).map(async ([name, array]) => [name, await array.read()]);
  executable.dispose();
  return hashesOf(Object.fromEntries(await Promise.all(read)));
}
type Values = Readonly<Record<string, HostArray>>;

describe.each([2, 3, 5])("%d workers", (workers) => {
  const callers = new Set<string>();
  const open: OpenPort = async (name, listener) => {
    const port = await portsHere(JS_WORKER, "jsRuntime")(name, listener);
    return {
      ...port,
      send: (order) => {
        if (order.call !== undefined) callers.add(name);
        port.send(order);
      },
    };
  };
  const runtime = workersRuntime({ workers, leastItems: 0 }, open);
  const one = jsRuntime();
  afterAll(() => runtime.dispose());

  it.each(DENSITIES)("have the bits of one thread for compactions of %s of the items", async (density) => {
    for (const n of LENGTHS)
      for (const { ir, values } of compactionRuns(n, density)) {
        const [executable, whole] = await Promise.all([runtime.compile(ir), one.compile(ir)]);
        expect(hashesOf(await executable.run(values))).toEqual(hashesOf(await whole.run(values)));
      }
  });

  it("compute on arrays of the device that are longer than the range", async () => {
    for (const { ir, values } of compactionRuns(3000, "some"))
      expect(await stepped(runtime, ir, values)).toEqual(await stepped(one, ir, values));
  });

  it("all have worked", () => {
    expect(callers.size).toBe(workers);
  });
});
