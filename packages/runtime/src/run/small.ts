/** Runs that a runtime of this process takes, because the device would take longer to answer. */
import { requireArguments } from "@groupwise/ir/base/arguments.js";
import { fastUseOf } from "@groupwise/ir/document/fast.js";
import type { Plan } from "@groupwise/lower/lower.js";
import type { Executable, RunOptions, Runtime, SmallRuns } from "../api/runtime.ts";
import { type PipelineSource, pipelineOf } from "../api/target.ts";
import type { RunOutputs, RunValues } from "../api/typed.ts";
import { RUNTIME, recordOf } from "../checks/arguments.ts";
import { elementsOf, type Launch } from "../checks/host.ts";
import { rangeOptions } from "../checks/range.ts";
import type { Manifest } from "../plan/manifest.ts";

/** Runs on the device before its answers count as measured: the first ones are slower. */
const ANSWERS = 3;
/** Runs in this process that are measured first, and then those that count, of which the quickest does: engines compile loops while they run. */
const TRIALS = 5;
/** Milliseconds that an item of a pipeline is taken to need before it is measured. Optimised loops need less, and the first runs more. */
const UNMEASURED = 1e-4;
/** Runs of so many times fewer items show what a call costs, not what an item does. */
const FEWER = 4;
/** Runs after which a pipeline that seemed slow in this process is measured again; then twice as many, and so on. */
const AGAIN = 64;
/** Milliseconds for which the event loop of this process may be kept, as far as is known before a run. */
const LONGEST = 8;

/** Why all runs of a pipeline stay on the device; undefined if none must. */
function refusalOf({ checked, capabilities, carries }: Plan): string | undefined {
  if (carries !== undefined) return "it takes and gives a state";
  if (capabilities.accesses === "checked") return "kernels report accesses, by the option debug";
  if (capabilities.subnormals === "flush") return "the device may flush subnormal numbers";
  const { nodes, operators } = checked.pipeline;
  if (fastUseOf({ nodes, ...(operators && { operators }) }).functions.length > 0)
    return "fast functions are those of the device";
  return nodes.some((node) => "order" in node && node.order === "any") ? "its order is open" : undefined;
}

/** The option `small` of a runtime: the result of `smallRuns`. */
export interface SmallOption {
  /** For a runtime, whose device it measures. */
  begin(): Small;
}

/** A clock of the host, in milliseconds. */
interface Clock {
  readonly performance: { now(): number };
}

/**
 * Runs so small that a device would take longer to answer than a runtime of this process computes: for its option `small`.
 * How small is measured by runs that are made anyway; results have the same bits.
 * @param runtime such as `jsRuntime()`. The caller disposes of it, after the runtimes that have it
 * @throws GroupwiseError `bad-argument`
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { smallRuns } from "@groupwise/core";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 * import { nodeDevice } from "@groupwise/target-wgsl/node";
 * import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const runtime = webgpuRuntime(await nodeDevice(), { small: smallRuns(jsRuntime()) });
 * const program = await runtime.compile(sums);
 * const { y } = await program.run({ x: Float32Array.of(1, 2, 4) });
 * console.log(y); // [1, 3, 7]
 * console.log(program.small?.device); // "JavaScript"
 * ```
 */
export function smallRuns(runtime: Runtime): SmallOption {
  requireArguments(arguments, "smallRuns", { runtime: RUNTIME });
  return { begin: () => new Small(runtime, () => (globalThis as unknown as Clock).performance.now()) };
}

/** The runtime of this process, and what the device's runs took. */
export class Small {
  readonly runtime: Runtime;
  /** Runs that the runtime took. */
  runs = 0;
  private readonly now: () => number;
  private answers = 0;
  private quickest = Infinity;
  /** The shortest time seen that is none: clocks of browsers tick every 1 ms at worst. */
  private tick = Infinity;

  /** @param now milliseconds by a clock */
  constructor(runtime: Runtime, now: () => number) {
    this.runtime = runtime;
    this.now = now;
  }

  /** A pipeline of the device, with its plan and manifest. */
  pipeline(source: PipelineSource, plan: Plan, manifest: Manifest): SmallPipeline {
    return new SmallPipeline(this, source, plan, manifest);
  }

  /** Milliseconds of the quickest run on the device, which is at least an empty round trip; undefined before it is measured. */
  get roundTrip(): number | undefined {
    return this.answers < ANSWERS || this.quickest === Infinity ? undefined : this.quickest;
  }

  /** Times a run on the device. */
  async onDevice<T>(work: () => Promise<T>): Promise<T> {
    const [result, time] = await this.timed(work);
    this.answers++;
    this.quickest = Math.min(this.quickest, time);
    return result;
  }

  /** What a run in this process gives, and its time or the shortest that the clock shows. */
  async timed<T>(work: () => Promise<T>): Promise<[result: T, milliseconds: number]> {
    const start = this.now();
    const result = await work();
    const time = this.now() - start;
    if (time > 0) this.tick = Math.min(this.tick, time);
    return [result, Math.max(time, this.tick)];
  }
}

interface Measured {
  /** Or elements of the longest output, if these are more. */
  readonly items: number;
  readonly milliseconds: number;
}

/** A pipeline whose small runs the runtime of this process takes. */
export class SmallPipeline {
  private readonly small: Small;
  private readonly source: PipelineSource;
  private readonly manifest: Manifest;
  private refused: string | undefined;
  private compiling: Promise<void> | undefined;
  private executable: Executable | undefined;
  private isOpen = true;
  private begun = 0;
  private runs = 0;
  /** The last runs of about as many items as the longest of them. */
  private measured: readonly Measured[] = [];
  /** Milliseconds an item, in the quickest of them when there were enough. */
  private perItem: number | undefined;
  /** Runs that the device took because this process seemed slower, and how many it takes before that is measured again. */
  private passed = 0;
  private patience = AGAIN;

  /** @param plan of the device, with its manifest */
  constructor(small: Small, source: PipelineSource, plan: Plan, manifest: Manifest) {
    this.small = small;
    this.source = pipelineOf(source);
    this.manifest = manifest;
    this.refused = refusalOf(plan);
  }

  /** See `Executable.small`. */
  get state(): SmallRuns {
    const { roundTrip, runtime } = this.small;
    const { perItem, refused, runs } = this;
    return {
      device: runtime.device.name,
      items: refused === undefined ? this.most(perItem) : 0,
      runs,
      ...(roundTrip !== undefined && { roundTrip }),
      ...(perItem !== undefined && { perItem }),
      ...(refused !== undefined && { refused }),
    };
  }

  /**
   * Runs what is small enough in this process.
   * @param prepare checks the values for the device
   * @param run runs what it returns on the device
   */
  async run<T extends Launch>(
    values: RunValues,
    options: RunOptions | undefined,
    prepare: (values: RunValues, options: RunOptions) => T,
    run: (prepared: T) => Promise<RunOutputs>,
  ): Promise<RunOutputs> {
    // All is read once. Outputs are new arrays, as the device's are: the option spare is not read.
    const given = recordOf(values, "the values of a run", this.manifest.pipeline) as RunValues;
    const asked = rangeOptions(this.manifest, options);
    const prepared = prepare(given, asked);
    const outputs = this.manifest.bindings.filter(({ role }) => role === "output");
    const items = Math.max(1, prepared.n, ...outputs.map((output) => elementsOf(output, prepared)));
    const executable = this.takes(items) ? this.compiled() : undefined;
    if (!executable) return this.small.onDevice(() => run(prepared));
    const begun = ++this.begun;
    const [results, milliseconds] = await this.small.timed(() => executable.run(given, asked));
    this.runs++;
    this.small.runs++;
    // The time of runs that began meanwhile is not this one's.
    if (begun === this.begun) this.note({ items, milliseconds });
    return results as RunOutputs;
  }

  dispose(): void {
    this.isOpen = false;
    this.executable?.dispose();
  }

  /** Items whose run in this process is the quicker one. */
  private most(perItem: number = UNMEASURED): number {
    const { roundTrip = 0 } = this.small;
    return Math.floor(Math.min(roundTrip, LONGEST) / perItem);
  }

  private takes(n: number): boolean {
    if (this.refused !== undefined) return false;
    const { measured } = this;
    const isMeasured = measured.length === TRIALS && measured.some(({ items }) => n <= FEWER * items);
    if (n <= this.most(this.perItem)) return true;
    if (n > this.most()) return false;
    if (isMeasured && ++this.passed < this.patience) return false;
    // What was measured may have been something else, such as the start of a program.
    if (isMeasured) this.forget();
    return true;
  }

  private forget(): void {
    this.measured = [];
    this.perItem = undefined;
    this.passed = 0;
    this.patience *= 2;
  }

  private note(one: Measured): void {
    const isFew = this.measured.some(({ items }) => one.items * FEWER < items);
    if (isFew) return;
    const others = this.measured.filter(({ items }) => items * FEWER >= one.items);
    // While the engine compiles its loops, one that keeps the event loop too long counts at once: the next ones are the device's.
    const isLong = others.length < TRIALS && one.milliseconds > LONGEST;
    this.measured = [...others, ...Array<Measured>(isLong ? TRIALS : 1).fill(one)].slice(-TRIALS);
    if (this.measured.length === TRIALS)
      this.perItem = Math.min(...this.measured.map(({ items, milliseconds }) => milliseconds / items));
  }

  /** Undefined until it is compiled, which the first call begins. */
  private compiled(): Executable | undefined {
    // The device's runtime keeps it as long as its own.
    this.compiling ??= this.small.runtime.compile(this.source, { keep: false }).then(
      (executable) => {
        this.executable = executable as Executable;
        if (!this.isOpen) this.executable.dispose();
      },
      (error: unknown) => {
        this.refused = error instanceof Error ? error.message : String(error);
      },
    );
    return this.executable;
  }
}
