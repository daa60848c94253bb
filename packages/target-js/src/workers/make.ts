/** Runtimes on several threads. */
import { type CompileOptions, type PipelineSource, type Plan, plan, type Runtime } from "@groupwise/core";
import {
  BOOLEAN,
  coresHere,
  debugging,
  engine,
  errorOf,
  HostDevice,
  type Hosted,
  hostedRuntime,
  MOST_WORKERS,
  OBJECT,
  type OpenPort,
  optionsOf,
  WorkerPool,
  whole,
  workerText,
} from "@groupwise/core/target";
import type { ThreadLoops, ThreadTarget } from "@groupwise/core/threads";
import { js } from "../index.ts";
import { bodyOf, moduleOf } from "../runtime/evaluate.ts";
import { argumentsFor, callOf, DEVICE, type JsModule } from "../runtime/program.ts";
import { SharedMemory, sharedZeros } from "./memory.ts";
import type { JsWorkersOptions } from "./runtime.ts";

const LEAST_ITEMS = 2 ** 15;

/** The program of a thread, which gets bodies of functions that return the module's `kernel`. */
export const JS_WORKER: string = workerText("(text) => new Function(text)().kernel");

/** The runtime, on threads that `open` starts. */
export function workersRuntime(options: JsWorkersOptions, open: OpenPort): Runtime {
  const schema = {
    workers: whole(1, MOST_WORKERS),
    leastItems: whole(0),
    shared: BOOLEAN,
    debug: BOOLEAN,
    capabilities: OBJECT,
  };
  const {
    workers: count = coresHere(),
    leastItems: least = LEAST_ITEMS,
    shared = false,
    debug,
    capabilities: given = js.capabilities,
  } = optionsOf(options, schema, "the options of jsWorkersRuntime") as JsWorkersOptions;
  const capabilities = debugging(given, debug);
  const pool = new WorkerPool(DEVICE, count, open);
  const make = async (source: PipelineSource, wanted: CompileOptions): Promise<Hosted> => {
    const whole = plan(source, js, { capabilities, ...wanted });
    const artifact = js.print(whole, {});
    const { manifest } = artifact;
    const memory = new SharedMemory(shared);
    const { hostedOnThreads } = await import("@groupwise/core/threads");
    const hosted = await hostedOnThreads({
      threads: threadsOf(pool),
      pool,
      least,
      whole,
      manifest,
      wanted,
      here: callOf(manifest, await moduleOf<JsModule>(artifact, ["kernel"])),
      memory: (_launch, _bytes, isHere) => (isHere ? undefined : memory),
      free: () => memory.end(),
    });
    return { ...hosted, keepsShared: shared, rest: () => memory.rest() };
  };
  const device = { target: js.name, name: `${DEVICE}, ${count} workers`, driver: engine() };
  const end = (): void => pool.end(errorOf("disposed", { what: "the runtime" }));
  return hostedRuntime({ device, capabilities, host: new HostDevice(DEVICE, sharedZeros), debug, make, end });
}

/** The threads for one pipeline. */
function threadsOf(pool: WorkerPool): ThreadTarget {
  const memory = new SharedMemory(false);
  const loops = (plan: Plan): ThreadLoops => {
    const artifact = js.print(plan, {});
    const { manifest } = artifact;
    const text = bodyOf(artifact, ["kernel"]);
    const code = pool.code(() => text, manifest.pipeline);
    return {
      manifest,
      call: (by, launch, arrays) => pool.call(by, code, argumentsFor(manifest, launch, arrays)),
      drop: () => pool.drop(code),
    };
  };
  return { target: js, count: pool.count, loops, memory: () => memory };
}
