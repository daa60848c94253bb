/** A step over arrays in parts: each runtime runs over its part, and the host passes states between them. */
import type { HostArray, ScalarValue } from "../../ir/tables/scalar.ts";
import type { DeviceArray } from "../api/device-array.ts";
import type { Executable, Runtime } from "../api/runtime.ts";
import type { RunResults } from "../api/typed.ts";
import { elementsOf } from "../checks/host.ts";
import { userParams } from "../checks/user-values.ts";
import type { Binding } from "../plan/manifest.ts";
import type { PartPiece } from "./parted.ts";
import type { OwnSplit, SplitHome } from "./split-array.ts";
import { isOfItems, type Team } from "./team.ts";

/** A step with checked arrays. */
export interface PlannedSplit {
  readonly team: Team;
  readonly arrays: ReadonlyMap<string, OwnSplit>;
  /** Parameters by name. */
  readonly values: Readonly<Record<string, ScalarValue>>;
  readonly n: number;
}

/** @throws errors of the runtimes, after all have finished */
export async function runSplit(home: SplitHome, step: PlannedSplit): Promise<void> {
  const { team, arrays, n } = step;
  for (const array of arrays.values()) array.check();
  team.check();
  const cuts = home.cutsOf(n);
  const outputs = await team.runCut(n, cuts, (piece) => runPiece(home, step, cuts, piece));
  for (const [name, result] of Object.entries(outputs)) arrays.get(name)?.put(result as HostArray);
}

async function runPiece(
  { runtimes }: SplitHome,
  { team, arrays, values }: PlannedSplit,
  cuts: readonly number[],
  { by, loops, from, to, own }: PartPiece,
): Promise<RunResults> {
  const runtime = runtimes[by] as Runtime;
  const executable = team.executableOf(by, loops);
  const base = cuts[by] as number;
  // A runtime computes the results of reduces from the last state, over no items.
  const [begin, end] = from === to ? [0, 0] : [from - base, to - base];
  const made: DeviceArray[] = [];
  const results: [string, DeviceArray][] = [];
  const make = (type: Binding["type"], lengthOrValues: number | HostArray): DeviceArray => {
    const array = runtime.array(type, lengthOrValues as number);
    made.push(array);
    return array;
  };
  const of = (binding: Binding): DeviceArray => {
    const { name, type, role } = binding;
    if (Object.hasOwn(own, name)) return make(type, own[name] as HostArray);
    const split = arrays.get(name);
    const part = split?.parts[by];
    if (role === "table" && part) return part;
    if (part && (role === "input" || isOfItems(binding))) return part.slice(begin, end);
    const array = make(type, elementsOf(binding, to - from));
    results.push([name, array]);
    return array;
  };
  try {
    const { manifest } = executable;
    const bound = manifest.bindings.filter(({ role, hidden }) => ROLES.has(role) && !hidden);
    const params = userParams(manifest).map(({ name }) => [name, own[name] ?? values[name]]);
    const given = Object.fromEntries([...bound.map((one) => [one.name, of(one)]), ...params]);
    const done = runtime
      .record()
      .run(executable as Executable, given, { n: to - from })
      .submit();
    const read = results.map(async ([name, array]) => [name, await array.read()] as const);
    const settled = await Promise.allSettled([done, ...read]);
    for (const one of settled) if (one.status === "rejected") throw one.reason;
    return Object.fromEntries(await Promise.all(read));
  } finally {
    for (const array of made) array.dispose();
  }
}

const ROLES: ReadonlySet<Binding["role"]> = new Set(["input", "table", "output"]);
