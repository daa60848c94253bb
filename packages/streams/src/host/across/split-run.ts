/** A step over arrays in parts: each runtime runs over its part, and the host passes states between them. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { HostArray, ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { DeviceArray } from "@groupwise/runtime/api/device-array.js";
import type { Runtime } from "@groupwise/runtime/api/runtime.js";
import type { RunResults } from "@groupwise/runtime/api/typed.js";
import { elementsOf } from "@groupwise/runtime/checks/host.js";
import type { Binding } from "@groupwise/runtime/plan/manifest.js";
import { bad, bindingOf } from "@groupwise/runtime/run/bindings.js";
import { elementsOfPiece } from "../state/elements.ts";
import type { PartPiece } from "../state/parted.ts";
import { all } from "../state/side-by-side.ts";
import type { MemberLoops } from "./member.ts";
import type { ReusedArrays } from "./reused-arrays.ts";
import type { OwnSplit, SplitHome } from "./split-array.ts";
import { isOfItems, type Team } from "./team.ts";

// The elements that the compactions of a step write: each runtime those of its items, to the start of its own part.
const TOO_SHORT =
  "make the array as long as the range, whose parts have room for all items, or give the runtime a smaller share";

/** The place for the elements of a piece. */
interface Place {
  /** The elements of the part that earlier pieces wrote. */
  readonly at: number;
  /** Undefined if the piece needs an array of its own, whose elements are appended: the slice of a step cannot begin or end there. */
  readonly slice: DeviceArray | undefined;
}

class SplitElements {
  private readonly home: SplitHome;
  private readonly team: Team;
  private readonly arrays: ReadonlyMap<string, OwnSplit>;
  /** By compaction: the elements that each part has. */
  private readonly counts: ReadonlyMap<string, number[]>;

  constructor(home: SplitHome, team: Team, arrays: ReadonlyMap<string, OwnSplit>) {
    this.home = home;
    this.team = team;
    this.arrays = arrays;
    this.counts = new Map(team.compactions.map((name) => [name, home.runtimes.map(() => 0)]));
  }

  /** Reads of the arrays of a step that fails are errors. */
  end(): void {
    for (const [name, counts] of this.counts) this.arrays.get(name)?.hold(counts);
  }

  /** The place for a piece. @param items of the piece; it has at most as many elements. @returns undefined for other arrays */
  placeOf(name: string, by: number, items: number): Place | undefined {
    const counts = this.counts.get(name);
    if (!counts) return undefined;
    const at = counts[by] as number;
    const part = this.partOf(name, by);
    const { sliceAlignment } = this.home.runtimes[by] as Runtime;
    const isFree = at % sliceAlignment === 0 && at + items <= part.length;
    return { at, slice: isFree ? part.slice(at, at + items) : undefined };
  }

  /**
   * Counts the elements of a piece.
   * @param more the array of its own, if the place had no slice
   * @throws GroupwiseError `bad-buffer` if the part is too short
   */
  async add(name: string, by: number, count: number, more: DeviceArray | undefined): Promise<void> {
    const counts = this.counts.get(name) as number[];
    const at = counts[by] as number;
    const array = this.partOf(name, by);
    if (at + count > array.length) {
      const { manifest } = this.team;
      const reason = `its part on runtime ${by} has ${array.length} elements, but the items of the part write ${at + count} or more`;
      throw bad(manifest, name, reason, TOO_SHORT);
    }
    if (more && count > 0) await this.home.appenders[by]?.append({ array, at, more, count });
    counts[by] = at + count;
  }

  private partOf(name: string, by: number): DeviceArray {
    return this.arrays.get(name)?.parts[by] as DeviceArray;
  }
}

/** A step with checked arrays. */
export interface PlannedSplit {
  readonly team: Team;
  readonly arrays: ReadonlyMap<string, OwnSplit>;
  /** Parameters by name. */
  readonly values: Readonly<Record<string, ScalarValue>>;
  readonly n: number;
}

/** A step that runs. */
interface Running {
  readonly home: SplitHome;
  readonly step: PlannedSplit;
  readonly cuts: readonly number[];
  readonly elements: SplitElements;
}

/** @throws errors of the runtimes, after all have finished; `disposed`, `bad-buffer` */
export async function runSplit(home: SplitHome, step: PlannedSplit): Promise<void> {
  const { team, arrays, n } = step;
  team.check();
  if (team.parted.items.carried.after) {
    const reason = "it reads items after its own, which are in the array of another runtime";
    const remedy = "pass arrays of the host to `run`";
    throw errorOf(
      "not-carried",
      { what: "a step on arrays in parts", reason, remedy },
      team.checked.pipeline.name,
    );
  }
  for (const [name, array] of arrays) {
    array.check();
    requireItems(step, name, array);
  }
  for (const [name, array] of arrays) if (isOfItems(bindingOf(team.manifest, name))) array.hold(undefined);
  const elements = new SplitElements(home, team, arrays);
  const running = { home, step, cuts: home.cutsOf(n), elements };
  const outputs = await team.runCut(n, running.cuts, (piece) => runPiece(running, piece), step.values);
  elements.end();
  for (const [name, result] of Object.entries(outputs)) arrays.get(name)?.put(result as HostArray);
}

const READ_FIRST =
  "read the array and make a new one of its values; or pass each part, up to its count, to a recorder of its own runtime";

/** Refuses inputs whose parts have as many elements as a compaction wrote: parts of the range would be of other items. */
function requireItems({ team: { manifest } }: PlannedSplit, name: string, array: OwnSplit): void {
  if (array.held === undefined || bindingOf(manifest, name).role !== "input") return;
  const reason = `it holds the elements of a compaction: ${array.held.join(", ")} on the runtimes, not those of a range`;
  throw bad(manifest, name, reason, READ_FIRST);
}

/** @returns the needed outputs with one value for the range, and those of the state */
function runPiece(running: Running, piece: PartPiece): Promise<RunResults> {
  const loops = running.step.team.loopsOf(piece.by, piece.loops);
  return loops.keeper.lend((kept) => new PieceRun(running, piece, loops, kept).run());
}

/** Reads an array when all other runtimes have queued their kernels. */
async function laterRead(array: DeviceArray): Promise<HostArray> {
  await undefined;
  return array.read();
}

/** The arrays of a piece on its runtime. */
class PieceRun {
  private readonly running: Running;
  private readonly piece: PartPiece;
  private readonly loops: MemberLoops;
  private readonly kept: ReusedArrays;
  private readonly results: (readonly [string, DeviceArray])[] = [];
  /** Elements of compactions in arrays of their own. */
  private readonly apart = new Map<string, DeviceArray>();

  constructor(running: Running, piece: PartPiece, loops: MemberLoops, kept: ReusedArrays) {
    this.running = running;
    this.piece = piece;
    this.loops = loops;
    this.kept = kept;
  }

  async run(): Promise<RunResults> {
    const { by, loops, own } = this.piece;
    try {
      const outputs = await this.outputs();
      for (const [name, count] of elementsOfPiece(loops.carried, own, outputs))
        await this.running.elements.add(name, by, count, this.apart.get(name));
      return outputs;
    } finally {
      for (const array of this.apart.values()) array.dispose();
    }
  }

  private async outputs(): Promise<RunResults> {
    const { from, to } = this.piece;
    const { runtime, executable } = this.loops;
    const done = runtime
      .record()
      .run(executable, this.arguments(), { n: to - from })
      .submit();
    const [, ...read] = await all<unknown>([done, ...this.results.map(([, array]) => laterRead(array))]);
    return Object.fromEntries(this.results.map(([name], i) => [name, read[i] as HostArray]));
  }

  private arguments(): Record<string, never> {
    const { own } = this.piece;
    const { values } = this.running.step;
    const given: Record<string, unknown> = {};
    for (const binding of this.loops.bound) given[binding.name] = this.arrayOf(binding);
    for (const name of this.loops.params) given[name] = own[name] ?? values[name];
    return given as Record<string, never>;
  }

  private arrayOf(binding: Binding): DeviceArray {
    const { by, from, to, own } = this.piece;
    const { step, cuts, elements } = this.running;
    const { name, type, role } = binding;
    if (Object.hasOwn(own, name)) return this.kept.table(name, type, own[name] as HostArray);
    const part = step.arrays.get(name)?.parts[by];
    if (role === "table" && part) return part;
    const place = elements.placeOf(name, by, to - from);
    if (place) return place.slice ?? this.elementsApart(binding);
    const base = cuts[by] as number;
    // A runtime computes the results of reduces from the last state, over no items.
    const [begin, end] = from === to ? [0, 0] : [from - base, to - base];
    if (part && (role === "input" || isOfItems(binding))) return part.slice(begin, end);
    const array = this.kept.output(name, type, elementsOf(binding, to - from));
    if (this.isNeeded(name)) this.results.push([name, array]);
    return array;
  }

  private isNeeded(name: string): boolean {
    const { needs } = this.piece;
    const { state, counts } = this.loops;
    return state.has(name) ? needs.state || counts.has(name) : needs.outputs;
  }

  private elementsApart({ name, type }: Binding): DeviceArray {
    const { from, to } = this.piece;
    const array = this.loops.runtime.array(type, to - from);
    this.apart.set(name, array);
    return array;
  }
}
