/** A pipeline that all threads compute together. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { HostArray, ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Plan } from "@groupwise/lower/lower.js";
import type { CompileOptions } from "@groupwise/runtime/api/runtime.js";
import { plan, type Target } from "@groupwise/runtime/api/target.js";
import { elementsOf, type Launch, withItems } from "@groupwise/runtime/checks/host.js";
import type { Manifest } from "@groupwise/runtime/plan/manifest.js";
import { type ArrayMemory, bytesOfArrays } from "@groupwise/runtime/run/array-program.js";
import { PIECE } from "../state/arrays.ts";
import { ChunkArrays, partedFor } from "../state/chunk-arrays.ts";
import type { Parted, PartedLoops, PartPiece } from "../state/parted.ts";

type Arrays = ReadonlyMap<string, HostArray>;
type Param = Manifest["params"][number];

/** Loops that threads call. */
export interface ThreadLoops {
  readonly manifest: Manifest;
  /**
   * Calls them on a thread.
   * @param by the number of the thread; undefined for the one with the fewest calls
   * @param arrays of the manifest, in memory that the threads share
   */
  call(
    by: number | undefined,
    launch: Pick<Launch, "params">,
    arrays: ReadonlyMap<string, HostArray>,
  ): Promise<void>;
  /** Frees them. */
  drop(): void;
}

/** What a target gives threads; or this thread alone, for pieces one after the other. */
export interface ThreadTarget {
  readonly target: Target;
  /** Number of threads. */
  readonly count: number;
  /** The most bytes of the arrays of a piece, of which one runs after the other; absent if threads compute parts as long as they are. */
  readonly mostBytes?: () => number;
  loops(plan: Plan): ThreadLoops | Promise<ThreadLoops>;
  /** Memory that the threads share, for the arrays of a piece that are none of the range. */
  memory(): ArrayMemory;
}

/** A range that is computed. */
interface Range {
  readonly launch: Launch;
  readonly arrays: Arrays;
  /** Its state before and after, if it is a chunk. */
  readonly chunk: ChunkArrays | undefined;
}

/** A parameter, or a word of one, in any manifest. */
const keyOf = ({ name, from }: Param): string => (from ? `${from.name} ${from.word}` : name);

/** Elements of a table of the state, at most. */
const STATE = 64;

/** A pipeline that threads compute together, or this one piece after piece. */
export class Divided {
  private readonly threads: ThreadTarget;
  private readonly parted: Parted;
  /** Whether a range goes on from a state, and returns one. */
  private readonly isChunk: boolean;
  /** Of the whole pipeline. */
  private readonly manifest: Manifest;
  private readonly loops: ReadonlyMap<PartedLoops, ThreadLoops>;

  private constructor(
    threads: ThreadTarget,
    manifest: Manifest,
    parted: Parted,
    isChunk: boolean,
    loops: Divided["loops"],
  ) {
    this.threads = threads;
    this.manifest = manifest;
    this.parted = parted;
    this.isChunk = isChunk;
    this.loops = loops;
  }

  /**
   * Compiles the loops over parts.
   * @throws GroupwiseError `not-carried`, `in-place-refused`
   */
  static async of(
    whole: Plan,
    manifest: Manifest,
    { inPlace, carrying }: CompileOptions,
    threads: ThreadTarget,
  ): Promise<Divided> {
    const { checked, capabilities } = whole;
    const parted = partedFor(checked, carrying, threads.mostBytes !== undefined);
    const { items, totals } = parted;
    const made = async (one: PartedLoops, options: CompileOptions) => {
      const own = { capabilities, carrying: one.carrying, ...options };
      return [one, await threads.loops(plan(one.carried.pipeline, threads.target, own))] as const;
    };
    const loops = new Map([await made(items, inPlace ? { inPlace } : {})]);
    if (totals) loops.set(...(await made(totals, {})));
    return new Divided(threads, manifest, parted, carrying !== undefined, loops);
  }

  /** Computes a range. @param whole the arrays of the whole range by the names of the manifest, in shared memory */
  async call(launch: Launch, whole: ReadonlyMap<string, HostArray>): Promise<void> {
    const places = this.manifest.bindings.flatMap(({ name, inPlace }) =>
      inPlace === undefined ? [] : [[inPlace, whole.get(name) as HostArray] as const],
    );
    const arrays = new Map([...whole, ...places]);
    const chunk = this.isChunk ? this.chunkOf(launch, whole) : undefined;
    const runPiece = (piece: PartPiece): Promise<Record<string, HostArray>> =>
      this.piece({ launch, arrays, chunk }, piece);
    const most = this.mostItems(launch);
    const crew = {
      shares: this.threads.count,
      runPiece,
      ...(most !== undefined && { most }),
      ...(chunk && { start: chunk.start }),
    };
    const { outputs, state } = await this.parted.advance(launch.n, crew);
    for (const [name, array] of Object.entries(outputs)) whole.get(name)?.set(array as never);
    chunk?.store(state);
  }

  /** The most items of a piece, a power of two. @throws GroupwiseError `device-limit` if the arrays of one item are too long */
  private mostItems(launch: Launch): number | undefined {
    const mostBytes = this.threads.mostBytes?.();
    if (mostBytes === undefined) return undefined;
    const { manifest } = this.loops.get(this.parted.items) as ThreadLoops;
    const bytesOf = (n: number): number => {
      const piece = this.launchOf(manifest, launch, {}, n);
      // The lengths of tables that a piece makes are unknown: they have the state, which is short.
      const lengthOf = (binding: Manifest["bindings"][number]): number => elementsOf(binding, piece) || STATE;
      return bytesOfArrays(manifest.bindings, manifest.bindings.map(lengthOf));
    };
    for (let n = PIECE; n >= 1; n /= 2) if (bytesOf(n) <= mostBytes) return n;
    const what = "bytes of memory for the tables of a run";
    throw errorOf("device-limit", { what, need: bytesOf(1), limit: mostBytes }, manifest.pipeline);
  }

  /** Frees the loops. */
  drop(): void {
    for (const one of this.loops.values()) one.drop();
  }

  private chunkOf({ params: given }: Launch, arrays: Arrays): ChunkArrays {
    const { manifest, parted } = this;
    const params = new Map(given.map(({ value }, i) => [manifest.params[i]?.name as string, value]));
    return new ChunkArrays(parted.items.carried, { manifest, params, arrays });
  }

  private async piece(
    { launch, arrays: whole, chunk }: Range,
    { by, loops, from, to, own, before }: PartPiece,
  ): Promise<Record<string, HostArray>> {
    const emitted = this.loops.get(loops) as ThreadLoops;
    const { manifest } = emitted;
    const state = { ...own, ...chunk?.firstOf(loops.carried, from) };
    const mine = this.launchOf(manifest, launch, state, to - from);
    const memory = this.threads.memory();
    const made = new Map<string, HostArray>();
    const arrays = new Map<string, HostArray>();
    for (const binding of manifest.bindings) {
      const { name, role, uniformity } = binding;
      // The elements of a compaction follow those of earlier items.
      const start = (chunk ? chunk.slotOf(name, before) : before.get(name)) ?? from;
      const carried = own[name] as HostArray | undefined;
      const given = whole.get(name);
      const isOfItems = role === "input" || uniformity === "item";
      if (carried) made.set(name, memory.copy(carried));
      else if (given && role === "table") arrays.set(name, given);
      else if (given && isOfItems) arrays.set(name, given.subarray(start, start + to - from) as HostArray);
      else made.set(name, memory.make({ ...binding, cleared: true }, elementsOf(binding, mine)));
    }
    await emitted.call(by, mine, new Map([...arrays, ...made]));
    const isGiven = ({ name, role }: Manifest["bindings"][number]): boolean =>
      role === "output" && made.has(name);
    const outputs = manifest.bindings
      .filter(isGiven)
      .map(({ name }) => [name, memory.give(made.get(name) as HostArray)] as const);
    memory.free([...made.values()]);
    return Object.fromEntries(outputs);
  }

  /** The launch of a piece. @param own the parameters and tables of its state */
  private launchOf(manifest: Manifest, launch: Launch, own: PartPiece["own"], n: number): Launch {
    const given = new Map(
      launch.params.map(({ value }, i) => [keyOf(this.manifest.params[i] as Param), value]),
    );
    const params = manifest.params.map((param) => {
      const { name, type } = param;
      return { name, type, value: (own[name] ?? given.get(keyOf(param)) ?? 0) as ScalarValue };
    });
    const tables = Object.entries(own).filter(
      (one): one is [string, HostArray] => typeof one[1] === "object",
    );
    const lengths = Object.fromEntries(tables.map(([name, { length }]) => [name, length]));
    const scalars = { ...launch.scalars, lengths: { ...launch.scalars.lengths, ...lengths } };
    return withItems(manifest, { ...launch, params, scalars }, n);
  }
}
