/** Steps over arrays in parts. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { DeviceArray } from "@groupwise/runtime/api/device-array.js";
import { kindOf } from "@groupwise/runtime/api/host-view.js";
import type { PipelineSource } from "@groupwise/runtime/api/target.js";
import type { StepArrays } from "@groupwise/runtime/api/typed.js";
import { foreignExecutable, optionsOf } from "@groupwise/runtime/checks/arguments.js";
import { bad, bindingOf } from "@groupwise/runtime/run/bindings.js";
import { type StepUse, submitted, useOf } from "@groupwise/runtime/run/outcomes.js";
import { prepareStep } from "@groupwise/runtime/run/step.js";
import type { AcrossExecutable, AcrossRunOptions } from "./across.ts";
import { OwnSplit, type SplitArray, type SplitHome } from "./split-array.ts";
import { type PlannedSplit, runSplit } from "./split-run.ts";
import type { Team } from "./team.ts";

/** The split array of a device array; other types unchanged. */
export type Split<T> = T extends DeviceArray<infer S> ? SplitArray<S> : T;

/** The arrays and parameters of a step by name. */
export type SplitArrays<P> = { readonly [K in keyof StepArrays<P>]: Split<StepArrays<P>[K]> };

/** Collects steps over split arrays, which run one after the other. Only states are sent between devices. */
export interface SplitRecorder {
  /**
   * Adds a step. Parameters are read now; arrays are read when the step runs.
   * @param arrays by name: a split array for every input and output, a table of `table` for every table, a value for every parameter. Arrays of
   * items have the length of the range, at most 2^32; the array of a reduce has at least the length of the result. The array of a compaction has any length, and
   * is cut by it: each runtime writes the elements of its items to the start of its part.
   * @throws GroupwiseError before anything is added, as `Recorder.run`
   */
  run<P extends PipelineSource>(
    executable: AcrossExecutable<P>,
    arrays: SplitArrays<P>,
    options?: AcrossRunOptions,
  ): this;
  /**
   * Runs the steps in order, after all earlier calls; the recorder is then empty. Resolves when they are done.
   * @throws GroupwiseError errors of the runtimes, after all devices have finished; `bad-buffer` if a part is too short for the elements of a compaction, or if an
   * input holds the elements of a compaction, which are not those of a range
   */
  submit(): Promise<void>;
}

/** A step, and the arrays that its errors belong to. */
type Planned = PlannedSplit & { readonly use: StepUse };

/** A recorder over the runtimes of a home. @param teamOf finds the team of an executable */
export class OwnSplitRecorder implements SplitRecorder {
  private readonly home: SplitHome;
  private readonly teamOf: (executable: object) => Team | undefined;
  private steps: Planned[] = [];

  constructor(home: SplitHome, teamOf: (executable: object) => Team | undefined) {
    this.home = home;
    this.teamOf = teamOf;
  }

  run(executable: unknown, arrays: unknown, options?: unknown): this {
    const isObject = typeof executable === "object" && executable !== null;
    const team = isObject ? this.teamOf(executable) : undefined;
    if (!team) throw foreignExecutable(executable);
    team.check();
    this.steps.push(plan(this.home, team, arrays, options));
    return this;
  }

  submit(): Promise<void> {
    const { steps, home } = this;
    this.steps = [];
    const runAll = async (): Promise<readonly unknown[]> => {
      const errors: unknown[] = [];
      for (const step of steps)
        errors.push(
          await runSplit(home, step).then(
            () => undefined,
            (error) => error,
          ),
        );
      return errors;
    };
    return submitted(
      steps.map(({ use }) => use),
      () => home.order.do(runAll),
    );
  }
}

function plan(home: SplitHome, team: Team, given: unknown, options: unknown): Planned {
  const { manifest } = team;
  const { n } = optionsOf(options, ["n"], "the options of a step", manifest.pipeline);
  if (n !== undefined && typeof n !== "number")
    throw errorOf("bad-argument", { what: "n", want: "a number", got: kindOf(n) }, manifest.pipeline);
  const { launch, arrays, values } = prepareStep<OwnSplit>(
    team.stepManifest,
    given as never,
    n === undefined ? {} : { n },
    {
      own: (array) => (array instanceof OwnSplit && array.home === home ? array : undefined),
      sliceAlignment: 1,
      scratchBytes: () => 0,
    },
  );
  for (const [name, array] of arrays) {
    const { role, uniformity } = bindingOf(manifest, name);
    const isTable = role === "table";
    if (isTable !== (array.cuts === undefined))
      throw bad(manifest, name, isTable ? "it is in parts; make it by table" : "it is a table, not in parts");
    const isOfItems = role === "input" || (uniformity === "item" && !team.compactions.includes(name));
    if (isOfItems && array.length !== launch.n)
      throw bad(manifest, name, `it has ${array.length} elements, but the range has ${launch.n} items`);
  }
  // A compaction leaves nothing of what the array held.
  const elementsIn = (name: string): number | undefined =>
    team.compactions.includes(name) ? arrays.get(name)?.length : undefined;
  const use = useOf(manifest, { arrays, launch }, elementsIn);
  return { team, arrays, values, n: launch.n, use };
}
