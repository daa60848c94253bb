/** Runtimes on several threads, which share one memory. */
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
import { IMPORTS } from "../encode/tree.ts";
import { wasm } from "../index.ts";
import { withLongRuns } from "../runtime/long-runs.ts";
import { MAX_BYTES, ModuleMemory } from "../runtime/module-memory.ts";
import {
  argumentsFor,
  callOf,
  compiledLoops,
  DEVICE,
  instanceOf,
  requireEngine,
} from "../runtime/program.ts";
import { RunMemory } from "../runtime/run-memory.ts";
import { ThreadMemory } from "../runtime/thread-memory.ts";
import type { WasmWorkersOptions } from "./runtime.ts";

const LEAST_ITEMS = 2 ** 17;

/** The program of a thread, which gets modules, their memory and the place of their frame. */
export const WASM_WORKER: string = workerText(`({ module, memory, place }) => {
  const frame = new WebAssembly.Global({ value: "i32" }, place);
  return new WebAssembly.Instance(module, { ${IMPORTS.module}: { ${IMPORTS.memory}: memory, ${IMPORTS.frame}: frame } }).exports.kernel;
}`);

/** The runtime, on threads that `open` starts. */
export function workersRuntime(options: WasmWorkersOptions, open: OpenPort): Runtime {
  const schema = {
    workers: whole(1, MOST_WORKERS),
    leastItems: whole(0),
    maxBytes: MAX_BYTES,
    debug: BOOLEAN,
    capabilities: OBJECT,
  };
  const {
    workers: count = coresHere(),
    leastItems: least = LEAST_ITEMS,
    maxBytes,
    debug,
    capabilities: given = wasm.capabilities,
  } = optionsOf(options, schema, "the options of wasmWorkersRuntime") as WasmWorkersOptions;
  requireEngine();
  const capabilities = debugging(given, debug);
  const pool = new WorkerPool(DEVICE, count, open);
  const arena = new ModuleMemory(DEVICE, { kind: "shared", maxBytes });
  const threads = threadsOn(pool, arena);
  // Calls in this thread return when they are done, so that one of its runs is under way at most.
  const own = new RunMemory(arena);
  const make = async (source: PipelineSource, wanted: CompileOptions): Promise<Hosted> => {
    const lowered = plan(source, wasm, { capabilities, ...wanted });
    const loops = await compiledLoops(lowered, "shared");
    const { manifest } = loops;
    const frame = arena.take(loops.frame);
    const { hostedOnThreads } = await import("@groupwise/core/threads");
    const hosted = await hostedOnThreads({
      threads,
      pool,
      least,
      whole: lowered,
      manifest,
      wanted,
      here: callOf(manifest, await instanceOf(loops, arena, frame)),
      memory: (_launch, bytes, isHere) => (isHere ? own.begin(bytes) : new ThreadMemory(arena)),
      free: () => arena.give(frame),
    });
    return withLongRuns(hosted, { arena, kind: "shared", whole: lowered, wanted });
  };
  const device = { target: wasm.name, name: `${DEVICE}, ${count} workers`, driver: engine() };
  const host = new HostDevice(DEVICE, (type, length) => arena.block(type, length));
  const end = (): void => pool.end(errorOf("disposed", { what: "the runtime" }));
  return hostedRuntime({ device, capabilities, host, debug, make, end });
}

function threadsOn(pool: WorkerPool, arena: ModuleMemory): ThreadTarget {
  const loopsOf = async (plan: Plan): Promise<ThreadLoops> => {
    const { manifest, module, frame } = await compiledLoops(plan, "shared");
    const places = new Map<number, number>();
    const of = (thread: number): object => {
      const place = places.get(thread) ?? arena.take(frame);
      places.set(thread, place);
      return { module, memory: arena.memory, place };
    };
    const code = pool.code(of, manifest.pipeline);
    return {
      manifest,
      call: (by, launch, arrays) => pool.call(by, code, argumentsFor(manifest, launch, arrays)),
      drop: () => {
        pool.drop(code);
        for (const place of places.values()) arena.give(place);
      },
    };
  };
  return { target: wasm, count: pool.count, loops: loopsOf, memory: () => new ThreadMemory(arena) };
}
