/** The loops of a pipeline that one of several runtimes compiled. */
import type { Executable, Runtime } from "@groupwise/runtime/api/runtime.js";
import { userParams } from "@groupwise/runtime/checks/user-values.js";
import type { Binding } from "@groupwise/runtime/plan/manifest.js";
import type { PartedLoops } from "../state/parted.ts";
import { ArrayPool } from "./reused-arrays.ts";

/** Loops on a runtime. */
export class MemberLoops {
  readonly runtime: Runtime;
  readonly executable: Executable;
  readonly keeper: ArrayPool;
  /** The arrays that a caller passes. */
  readonly bound: readonly Binding[];
  /** The names of the parameters. */
  readonly params: readonly string[];
  /** The outputs of the state. */
  readonly state: ReadonlySet<string>;
  /** The outputs of the state with the numbers of elements of compactions. */
  readonly counts: ReadonlySet<string>;

  constructor(runtime: Runtime, executable: Executable, { carried }: PartedLoops) {
    const { manifest } = executable;
    this.runtime = runtime;
    this.executable = executable;
    this.keeper = new ArrayPool(runtime);
    this.bound = manifest.bindings.filter(({ role, hidden }) => PASSED.has(role) && !hidden);
    this.params = userParams(manifest).map(({ name }) => name);
    this.state = new Set(carried.scans.flatMap(({ to }) => to));
    this.counts = new Set([...carried.appended.values()].flatMap((scan) => carried.scans[scan]?.to ?? []));
  }

  dispose(): void {
    this.keeper.dispose();
    this.executable.dispose();
  }
}

const PASSED: ReadonlySet<Binding["role"]> = new Set(["input", "table", "output"]);

/** The compiled pipeline of one runtime. */
export type Member = ReadonlyMap<PartedLoops, MemberLoops>;

/** Frees the compiled objects of the members. */
export function disposeAll(members: readonly Member[]): void {
  for (const loops of members.flatMap((member) => [...member.values()])) loops.dispose();
}
