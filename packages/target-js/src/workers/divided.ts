/** A pipeline that all threads compute together. */
import {
  type CompileOptions,
  type HostArray,
  type Manifest,
  type Plan,
  plan,
  type ScalarValue,
} from "@groupwise/core";
import { ChunkArrays, type Parted, type PartedLoops, type PartPiece, partedFor } from "@groupwise/core/state";
import { elementsOf, type Launch, withItems } from "@groupwise/core/target";
import { js } from "../index.ts";
import { bodyOf } from "../runtime/evaluate.ts";
import { argumentsFor } from "../runtime/program.ts";
import { sharedZeros } from "./memory.ts";
import type { LoopCode, WorkerPool } from "./pool.ts";

type Arrays = ReadonlyMap<string, HostArray>;
type Param = Manifest["params"][number];

/** Loops over a piece, emitted. */
interface Emitted {
  readonly code: LoopCode;
  readonly manifest: Manifest;
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

export class Divided {
  private readonly pool: WorkerPool;
  private readonly parted: Parted;
  /** Whether a range goes on from a state, and returns one. */
  private readonly isChunk: boolean;
  /** Of the whole pipeline. */
  private readonly manifest: Manifest;
  private readonly emitted: ReadonlyMap<PartedLoops, Emitted>;

  /** @throws GroupwiseError `not-carried`, `in-place-refused` */
  constructor(whole: Plan, manifest: Manifest, { inPlace, carrying }: CompileOptions, pool: WorkerPool) {
    const { checked, capabilities } = whole;
    const emit = (loops: PartedLoops, options: CompileOptions): Emitted => {
      const own = { capabilities, carrying: loops.carrying, ...options };
      const made = js.print(plan(loops.carried.pipeline, js, own), {});
      return { code: pool.code(bodyOf(made, ["kernel"]), checked.pipeline.name), manifest: made.manifest };
    };
    this.pool = pool;
    this.manifest = manifest;
    this.isChunk = carrying !== undefined;
    this.parted = partedFor(checked, carrying);
    const { items, totals } = this.parted;
    this.emitted = new Map([
      [items, emit(items, inPlace ? { inPlace } : {})] as const,
      ...(totals ? [[totals, emit(totals, {})] as const] : []),
    ]);
  }

  /** @param whole the arrays of the whole range by the names of the manifest, in shared memory */
  async call(launch: Launch, whole: Arrays): Promise<void> {
    const places = this.manifest.bindings.flatMap(({ name, inPlace }) =>
      inPlace === undefined ? [] : [[inPlace, whole.get(name) as HostArray] as const],
    );
    const arrays = new Map([...whole, ...places]);
    const chunk = this.isChunk ? this.chunkOf(launch, whole) : undefined;
    const runPiece = (piece: PartPiece): Promise<Record<string, HostArray>> =>
      this.piece({ launch, arrays, chunk }, piece);
    const crew = { shares: this.pool.count, runPiece, ...(chunk && { start: chunk.start }) };
    const { outputs, state } = await this.parted.advance(launch.n, crew);
    for (const [name, array] of Object.entries(outputs)) whole.get(name)?.set(array as never);
    chunk?.store(state);
  }

  drop(): void {
    for (const { code } of this.emitted.values()) this.pool.drop(code);
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
    const { code, manifest } = this.emitted.get(loops) as Emitted;
    const mine = this.launchOf(
      manifest,
      launch,
      { ...own, ...chunk?.firstOf(loops.carried, from) },
      to - from,
    );
    const outputs: Record<string, HostArray> = {};
    const arrays = new Map<string, HostArray>();
    for (const binding of manifest.bindings) {
      const { name, role, type, uniformity } = binding;
      // The elements of a compaction follow those of earlier items.
      const start = (chunk ? chunk.slotOf(name, before) : before.get(name)) ?? from;
      const given = (own[name] as HostArray | undefined) ?? whole.get(name);
      if (given && role === "table") arrays.set(name, given);
      else if (given && (role === "input" || uniformity === "item"))
        arrays.set(name, given.subarray(start, start + to - from) as HostArray);
      else arrays.set(name, sharedZeros(type, elementsOf(binding, mine)));
      if (role === "output" && uniformity !== "item") outputs[name] = arrays.get(name) as HostArray;
    }
    await this.pool.call(by, code, argumentsFor(manifest, mine, arrays));
    return outputs;
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
