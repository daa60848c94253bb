/** Chunks whose parts several runtimes compute. */

import type { PipelineSource } from "@groupwise/runtime/api/target.js";
import type { RunOutputs, RunResults } from "@groupwise/runtime/api/typed.js";
import { shapeOf } from "@groupwise/runtime/run/scalar-outputs.js";
import type { State } from "../../state/state.ts";
import { partOf } from "../state/compiled.ts";
import type { PartedLoops } from "../state/parted.ts";
import { type Advanced, type CallerValues, type Piece, Pieces, type RunPiece } from "../state/pieces.ts";
import { joinResults } from "../state/results.ts";
import type { Step, Stepper } from "../state/stepper.ts";
import { ChunkSteps } from "../state/steps.ts";
import type { Team } from "./team.ts";

/** A chunk is divided among the members. The state of a part alone is computed by the first one. */
class TeamSteps extends ChunkSteps {
  private readonly team: Team;

  constructor(team: Team) {
    const { items, totals } = team.parted;
    const pieces = (loops: PartedLoops): Pieces => {
      const { executable } = team.loopsOf(0, loops);
      const inputs = team.checked.inputs.map(({ name }) => name);
      const run: RunPiece = (values, { from, to }, own) =>
        executable.run({ ...partOf(values, inputs, from, to), ...own } as never, { n: to - from });
      return new Pieces(loops.carried, run, executable.plan.carries === "blocks");
    };
    super({
      whole: pieces(items),
      divisors: team.divisors,
      ...(totals && { totals: pieces(totals) }),
      join: (parts: readonly RunResults[]) => joinResults(team.checked, parts),
    });
    this.team = team;
  }

  override async advance(values: CallerValues, before: State, { to, n, after }: Piece): Promise<Advanced> {
    this.requireEnd(before.to + BigInt(to));
    return this.team.step(values, n === undefined ? {} : { n }, before, after);
  }
}

/** @param source the pipeline with the names of scalar outputs */
export function stepperOf<P extends PipelineSource>(team: Team, source: P): Stepper<P> {
  const steps = new TeamSteps(team);
  const shape = shapeOf(source);
  const step = async (values: unknown, options: unknown): Promise<unknown> => {
    team.check();
    const { outputs, state } = await steps.step(values, options);
    return { outputs: shape(outputs as RunOutputs, team.manifest), state };
  };
  return {
    start: steps.start,
    ahead: steps.ahead,
    divisors: team.divisors,
    step: (values, options) => step(values, options) as Promise<Step<P>>,
    stateOf: (values, options) => steps.stateOf(values, options),
    dispose: () => team.dispose(),
  };
}
