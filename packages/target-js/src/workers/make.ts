/** Runtimes on several threads. */
import {
  type Artifact,
  type CompileOptions,
  GroupwiseError,
  type HostArray,
  type PipelineSource,
  type Plan,
  plan,
  type Runtime,
} from "@groupwise/core";
import {
  BOOLEAN,
  debugging,
  errorOf,
  HostDevice,
  type Hosted,
  hostedRuntime,
  type Launch,
  OBJECT,
  optionsOf,
  whole,
} from "@groupwise/core/target";
import { js } from "../index.ts";
import { engine } from "../runtime/engine.ts";
import { bodyOf, moduleOf } from "../runtime/evaluate.ts";
import { argumentsFor, callOf, DEVICE, type JsModule } from "../runtime/program.ts";
import { Divided } from "./divided.ts";
import { SharedMemory, sharedZeros } from "./memory.ts";
import { WorkerPool } from "./pool.ts";
import { coresHere, type OpenPort } from "./port.ts";
import type { JsWorkersOptions } from "./runtime.ts";

const MOST_WORKERS = 256;
const LEAST_ITEMS = 2 ** 15;

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
    workers: count = Math.min(coresHere(), MOST_WORKERS),
    leastItems: least = LEAST_ITEMS,
    shared = false,
    debug,
    capabilities: given = js.capabilities,
  } = optionsOf(options, schema, "the options of jsWorkersRuntime") as JsWorkersOptions;
  const capabilities = debugging(given, debug);
  const pool = new WorkerPool(count, open);
  const make = async (source: PipelineSource, wanted: CompileOptions): Promise<Hosted> => {
    const whole = plan(source, js, { capabilities, ...wanted });
    const artifact = js.print(whole, {});
    const module = await moduleOf<JsModule>(artifact, ["kernel"]);
    return hostedOn(pool, { least, shared }, { whole, artifact, wanted, module });
  };
  const device = { target: js.name, name: `${DEVICE}, ${count} workers`, driver: engine() };
  const end = (): void => pool.end(errorOf("disposed", { what: "the runtime" }));
  return hostedRuntime({ device, capabilities, host: new HostDevice(DEVICE, sharedZeros), debug, make, end });
}

interface Compiled {
  readonly whole: Plan;
  readonly artifact: Artifact;
  readonly wanted: CompileOptions;
  /** For runs in this thread. */
  readonly module: JsModule;
}

/** How runs are computed. */
interface Manner {
  /** Runs of fewer items are computed in this thread. */
  readonly least: number;
  /** Whether callers pass and get arrays in shared memory. */
  readonly shared: boolean;
}

function hostedOn(
  pool: WorkerPool,
  { least, shared }: Manner,
  { whole, artifact, wanted, module }: Compiled,
): Hosted {
  const { manifest } = artifact;
  const code = pool.code(bodyOf(artifact, ["kernel"]), manifest.pipeline);
  const divided =
    pool.count === 1 || manifest.checks
      ? undefined
      : dividedOrNot(() => new Divided(whole, manifest, wanted, pool));
  const uses = new Uses(() => {
    pool.drop(code);
    divided?.drop();
    memory.end();
  });
  const memory = new SharedMemory(shared);
  const isHere = ({ n }: Launch): boolean => n < least;
  const here = callOf(manifest, module);
  const far = (launch: Launch, arrays: Arrays): Promise<void> =>
    divided?.call(launch, arrays) ?? pool.call(undefined, code, argumentsFor(manifest, launch, arrays));
  return {
    plan: whole,
    manifest,
    call: (launch, arrays) => (isHere(launch) ? here(launch, arrays) : uses.during(far(launch, arrays))),
    memory: (launch) => (isHere(launch) ? undefined : memory),
    keepsShared: shared,
    rest: () => memory.rest(),
    free: () => uses.end(),
  };
}

type Arrays = ReadonlyMap<string, HostArray>;

/** Frees an object when it is disposed and its last pending use has ended. */
class Uses {
  private readonly free: () => void;
  private count = 1;

  constructor(free: () => void) {
    this.free = free;
  }

  during(use: Promise<void>): Promise<void> {
    this.count++;
    return use.finally(() => this.end());
  }

  end(): void {
    this.count--;
    if (this.count === 0) this.free();
  }
}

/** Undefined if parts cannot be computed side by side, or not in place. */
function dividedOrNot(make: () => Divided): Divided | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof GroupwiseError && REFUSALS.includes(error.code)) return undefined;
    throw error;
  }
}

const REFUSALS: readonly string[] = ["not-carried", "in-place-refused", "unsupported"];
