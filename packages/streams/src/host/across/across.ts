/** One pipeline over several runtimes. */
import { requireArgument, requireArguments } from "@groupwise/ir/base/arguments.js";
import { errorOf, GroupwiseError } from "@groupwise/ir/base/errors.js";
import { type Checked, check } from "@groupwise/ir/document/check.js";
import type { ArrayType } from "@groupwise/ir/tables/narrow.js";
import { kindOf } from "@groupwise/runtime/api/host-view.js";
import type { Runtime } from "@groupwise/runtime/api/runtime.js";
import { type PipelineSource, pipelineOf } from "@groupwise/runtime/api/target.js";
import type { HostArrays, InferOutputs, InferValues } from "@groupwise/runtime/api/typed.js";
import { optionsOf, RUNTIME } from "@groupwise/runtime/checks/arguments.js";
import { shapeOf } from "@groupwise/runtime/run/scalar-outputs.js";
import type { Division } from "../../state/division.ts";
import { Parted, type PartedLoops } from "../state/parted.ts";
import type { ChunkRuntimes, Stepper } from "../state/stepper.ts";
import { Appender } from "./append.ts";
import { disposeAll, type Member, MemberLoops } from "./member.ts";
import { InOrder, OwnSplit, type SplitArray, type SplitHome, splitCuts } from "./split-array.ts";
import { OwnSplitRecorder, type SplitRecorder } from "./split-recorder.ts";
import { stepperOf } from "./steps.ts";
import { Team } from "./team.ts";

/** Options of `acrossRuntimes`. */
export interface AcrossOptions {
  /** For each runtime the size of its part, relative to the others; the default suits runtimes of equal speed. */
  readonly shares?: readonly number[];
}

/** Options of a run over several runtimes. */
export interface AcrossRunOptions {
  /** Number of items, if no input determines it. */
  readonly n?: number;
}

/** A pipeline compiled for several runtimes. `P` is the type of the pipeline. */
export interface AcrossExecutable<P extends PipelineSource = PipelineSource> {
  /** The dependence of the parts on one another. */
  readonly division: Division;
  /**
   * Runs the pipeline over all runtimes. The results are those of each runtime alone, bit for bit; the elements of compactions are in the order of their items. `values` are copied before this returns.
   * @throws GroupwiseError as `Executable.run`; errors of a runtime are thrown after all runtimes have finished
   */
  run(values: InferValues<P>, options?: AcrossRunOptions): Promise<InferOutputs<P>>;
  /** Frees the compiled objects of the runtimes, but not the runtimes. */
  dispose(): void;
}

/** Several runtimes that compute parts of one range. */
export interface AcrossRuntimes extends ChunkRuntimes {
  /**
   * Compiles for every runtime.
   * @throws GroupwiseError `unsupported` with the runtime that does not support states; `not-carried` if parts of the range cannot be computed side
   * by side; as `Runtime.compile`
   */
  compile<P extends PipelineSource>(source: P): Promise<AcrossExecutable<P>>;
  /**
   * Compiles for every runtime to run chunk by chunk: each computes a part of a chunk, from the state before it. `stepper`, `roundStepper` and `stream` call it.
   * @throws GroupwiseError as `compile`
   */
  stepper<P extends PipelineSource>(source: P): Promise<Stepper<P>>;
  /**
   * An array in parts, one on each runtime: in proportion to the shares, or of equal lengths without shares. Cuts are at multiples of a power of two.
   * @param lengthOrValues zeros of that length, or the host's values, which the caller may change when this returns
   * @throws GroupwiseError as `Runtime.array`
   */
  array<S extends ArrayType>(type: S, lengthOrValues: number | HostArrays[S]): SplitArray<S>;
  /** An array that every runtime holds whole, for the tables of pipelines. @throws GroupwiseError as `Runtime.array` */
  table<S extends ArrayType>(type: S, lengthOrValues: number | HostArrays[S]): SplitArray<S>;
  /** A recorder of steps over split arrays. */
  record(): SplitRecorder;
}

/**
 * Runs one pipeline on several runtimes: each computes a part of the range, states of parts are merged, and the results are joined on the host.
 * Runtimes may be of different targets and devices.
 * @param runtimes at least one; the caller disposes of them
 * @throws GroupwiseError `bad-argument`
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { acrossRuntimes } from "@groupwise/core/state";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const executable = await acrossRuntimes([jsRuntime(), jsRuntime()], { shares: [1, 3] }).compile(sums);
 * const { y } = await executable.run({ x: Float32Array.of(1, 2, 4) });
 * console.log(y); // [1, 3, 7]
 * ```
 */
export function acrossRuntimes(runtimes: readonly Runtime[], options: AcrossOptions = {}): AcrossRuntimes {
  if (!Array.isArray(runtimes) || runtimes.length === 0)
    throw badList("the runtimes", "a list of at least one", runtimes);
  const given: readonly Runtime[] = [...runtimes];
  for (const one of given) requireArgument(one, RUNTIME, "each of the runtimes");
  const { shares } = optionsOf(options, ["shares"], "the options of acrossRuntimes");
  const checked = shares === undefined ? undefined : sharesOf(shares, given.length);
  const teams = new WeakMap<object, Team>();
  const least = Math.max(...given.map(({ sliceAlignment }) => sliceAlignment));
  const cutShares = checked ?? given.map(() => 1);
  const cutsOf = (length: number): readonly number[] => splitCuts(length, cutShares, least);
  const appenders = given.map((runtime) => new Appender(runtime));
  const home: SplitHome = { runtimes: given, order: new InOrder(), appenders, cutsOf };
  return {
    async compile(source) {
      requireArguments(arguments, "compile", ["source"]);
      const { team, executable } = await compileAcross(given, checked ?? given.length, source);
      teams.set(executable, team);
      return executable;
    },
    async stepper(source) {
      requireArguments(arguments, "stepper", ["source"]);
      return stepperOf((await compileAcross(given, checked ?? given.length, source)).team, source);
    },
    array(type, lengthOrValues) {
      requireArguments(arguments, "array", ["type", "lengthOrValues"]);
      return new OwnSplit(home, type, lengthOrValues, false);
    },
    table(type, lengthOrValues) {
      requireArguments(arguments, "table", ["type", "lengthOrValues"]);
      return new OwnSplit(home, type, lengthOrValues, true);
    },
    record() {
      requireArguments(arguments, "record", []);
      return new OwnSplitRecorder(home, (executable) => teams.get(executable));
    },
  };
}

const badList = (what: string, want: string, got: unknown): Error =>
  errorOf("bad-argument", { what, want, got: Array.isArray(got) ? `a list of ${got.length}` : kindOf(got) });

function sharesOf(shares: unknown, count: number): readonly number[] {
  const want = `${count} numbers from 0 on, one for each runtime, not all 0`;
  if (!Array.isArray(shares) || shares.length !== count) throw badList("the option shares", want, shares);
  const numbers = shares.map(Number);
  const isFine = numbers.every((share) => share >= 0 && Number.isFinite(share));
  if (isFine && numbers.some((share) => share > 0)) return numbers;
  throw errorOf("bad-argument", { what: "the option shares", want, got: numbers.join(", ") });
}

async function compileAcross<P extends PipelineSource>(
  runtimes: readonly Runtime[],
  shares: number | readonly number[],
  source: P,
): Promise<{ readonly team: Team; readonly executable: AcrossExecutable<P> }> {
  const checked = check(pipelineOf(source));
  const shape = shapeOf(source);
  const parted = new Parted(checked, undefined, true);
  const settled = await Promise.allSettled(
    runtimes.map((runtime, i) => compileMember(runtime, i, checked, parted)),
  );
  const members = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = settled.find((one) => one.status === "rejected");
  if (failed) {
    disposeAll(members);
    throw failed.reason;
  }
  const team = new Team(checked, parted, members, shares);
  const run = async (values: unknown, options: unknown): Promise<unknown> =>
    shape(await team.run(values, options), team.manifest);
  const dispose = (): void => team.dispose();
  const executable = { division: parted.division, run: run as AcrossExecutable<P>["run"], dispose };
  return { team, executable };
}

async function compileMember(
  runtime: Runtime,
  index: number,
  checked: Checked,
  { items, totals }: Parted,
): Promise<Member> {
  const made = new Map<PartedLoops, MemberLoops>();
  const add = async (loops: PartedLoops): Promise<void> => {
    const { carried, carrying } = loops;
    const executable = await runtime.compile({ ir: carried.pipeline }, { carrying });
    made.set(loops, new MemberLoops(runtime, executable, loops));
  };
  try {
    await add(items);
    if (totals) await add(totals);
    return made;
  } catch (error) {
    disposeAll([made]);
    if (!(error instanceof GroupwiseError) || error.code !== "unsupported") throw error;
    const { target, name } = runtime.device;
    const what = `a part of a range on runtime ${index} (${target}: ${name})`;
    throw errorOf("unsupported", { what, reason: error.what }, checked.pipeline.name, error);
  }
}
