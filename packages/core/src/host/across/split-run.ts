/** A step over arrays in parts: each runtime runs over its part, and the host passes states between them. */
import type { HostArray, ScalarValue } from "../../ir/tables/scalar.ts";
import type { DeviceArray } from "../api/device-array.ts";
import type { Executable, Runtime } from "../api/runtime.ts";
import type { RunResults } from "../api/typed.ts";
import { elementsOf } from "../checks/host.ts";
import { userParams } from "../checks/user-values.ts";
import type { Binding } from "../plan/manifest.ts";
import { bad, bindingOf } from "../run/step.ts";
import { elementsOfPiece } from "../state/elements.ts";
import type { PartPiece } from "../state/parted.ts";
import type { OwnSplit, SplitHome } from "./split-array.ts";
import { SplitElements } from "./split-elements.ts";
import { isOfItems, type Team } from "./team.ts";

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
  for (const [name, array] of arrays) {
    array.check();
    requireItems(step, name, array);
  }
  for (const [name, array] of arrays) if (isOfItems(bindingOf(team.manifest, name))) array.hold(undefined);
  const elements = new SplitElements(home, team, arrays);
  elements.begin();
  const running = { home, step, cuts: home.cutsOf(n), elements };
  const outputs = await team.runCut(n, running.cuts, (piece) => new PieceRun(running, piece).run());
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

/** The arrays of a piece on its runtime. */
class PieceRun {
  private readonly running: Running;
  private readonly piece: PartPiece;
  private readonly runtime: Runtime;
  private readonly made: DeviceArray[] = [];
  private readonly results: (readonly [string, DeviceArray])[] = [];
  /** Elements of compactions in arrays of their own. */
  private readonly apart = new Map<string, DeviceArray>();

  constructor(running: Running, piece: PartPiece) {
    this.running = running;
    this.piece = piece;
    this.runtime = running.home.runtimes[piece.by] as Runtime;
  }

  /** @returns the outputs with one value for the range, including those of the state */
  async run(): Promise<RunResults> {
    const { by, loops, own } = this.piece;
    const executable = this.running.step.team.executableOf(by, loops);
    try {
      const outputs = await this.outputsOf(executable);
      for (const [name, count] of elementsOfPiece(loops.carried, own, outputs))
        await this.running.elements.add(name, by, count, this.apart.get(name));
      return outputs;
    } finally {
      for (const array of this.made) array.dispose();
    }
  }

  private async outputsOf(executable: Executable): Promise<RunResults> {
    const { from, to } = this.piece;
    const done = this.runtime
      .record()
      .run(executable, this.argumentsOf(executable), { n: to - from })
      .submit();
    const read = this.results.map(async ([name, array]) => [name, await array.read()] as const);
    const settled = await Promise.allSettled([done, ...read]);
    for (const one of settled) if (one.status === "rejected") throw one.reason;
    return Object.fromEntries(await Promise.all(read));
  }

  private argumentsOf({ manifest }: Executable): Record<string, never> {
    const { own } = this.piece;
    const bound = manifest.bindings.filter(({ role, hidden }) => ROLES.has(role) && !hidden);
    const params = userParams(manifest).map(({ name }) => [
      name,
      own[name] ?? this.running.step.values[name],
    ]);
    return Object.fromEntries([...bound.map((one) => [one.name, this.arrayOf(one)]), ...params]);
  }

  private arrayOf(binding: Binding): DeviceArray {
    const { by, from, to, own } = this.piece;
    const { step, cuts, elements } = this.running;
    const { name, type, role } = binding;
    if (Object.hasOwn(own, name)) return this.make(type, own[name] as HostArray);
    const part = step.arrays.get(name)?.parts[by];
    if (role === "table" && part) return part;
    const place = elements.placeOf(name, by, to - from);
    if (place) return place.slice ?? this.elementsApart(binding);
    const base = cuts[by] as number;
    // A runtime computes the results of reduces from the last state, over no items.
    const [begin, end] = from === to ? [0, 0] : [from - base, to - base];
    if (part && (role === "input" || isOfItems(binding))) return part.slice(begin, end);
    const array = this.make(type, elementsOf(binding, to - from));
    this.results.push([name, array]);
    return array;
  }

  private elementsApart({ name, type }: Binding): DeviceArray {
    const { from, to } = this.piece;
    const array = this.make(type, to - from);
    this.apart.set(name, array);
    return array;
  }

  private make(type: Binding["type"], lengthOrValues: number | HostArray): DeviceArray {
    const array = this.runtime.array(type, lengthOrValues as number);
    this.made.push(array);
    return array;
  }
}

const ROLES: ReadonlySet<Binding["role"]> = new Set(["input", "table", "output"]);
