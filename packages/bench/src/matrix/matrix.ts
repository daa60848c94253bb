/** Runs the rows of the matrix, one after the other. */
import type { Capabilities } from "@groupwise/core";
import type { RemoteRunner, RemoteState } from "@groupwise/testkit/remote";
import { surroundings } from "../measure/surroundings.ts";
import { isChosenInAnyCase } from "../print/only.ts";
import { type PartLimits, pipelinesOn, suiteOn, treesOn } from "./parts.ts";
import type { Matrix, MatrixPart, MatrixRow, PartName } from "./result.ts";
import { type Implementation, ROWS } from "./rows.ts";
import { cTexts, openClTexts } from "./texts.ts";

export interface MatrixChoice {
  readonly trees: number;
  readonly pipelines: number;
  /** Only rows whose names contain one of these words. */
  readonly only: readonly string[];
  /** For an answer of a device, and for a row. */
  readonly seconds: number;
  readonly rowSeconds: number;
  readonly say: (line: string) => void;
  /** An earlier matrix, whose other rows are kept. */
  readonly known?: Matrix;
  /** Called after each row. */
  readonly keep?: (matrix: Matrix) => void;
}

/** What tests of the device changed: names that lists gained or lost, and other values. */
export function changesOf(before: Capabilities, after: Capabilities): readonly string[] {
  return (Object.keys(after) as (keyof Capabilities)[]).flatMap((key) => {
    const [was, is] = [before[key], after[key]] as readonly unknown[];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    if (!Array.isArray(was) || !Array.isArray(is))
      return [`${key}: ${typeof is === "string" ? is : JSON.stringify(is)}`];
    const names = (list: readonly string[], other: readonly string[], sign: string): string[] =>
      list.filter((name) => !other.includes(name)).map((name) => `${sign} ${name} (${key})`);
    return [...names(is, was, "with"), ...names(was, is, "without")];
  });
}

const stateOf = (runner: RemoteRunner): Promise<RemoteState | undefined> =>
  runner.state().catch(() => undefined);

/** The part of a row's time after which nothing new of a kind begins. */
const ENDS = { openCl: 0.2, c: 0.3, suite: 0.5, trees: 0.75, pipelines: 1 } as const;

/** All that a started device runs. */
async function partsOf(
  runner: RemoteRunner,
  { effort = "normal", clang }: Implementation,
  { trees, pipelines }: MatrixChoice,
  limits: (share: number) => PartLimits,
): Promise<Partial<Record<PartName, MatrixPart>>> {
  const parts: Partial<Record<PartName, MatrixPart>> = {};
  const program = clang?.();
  if (program?.found) {
    parts["OpenCL C texts"] = await openClTexts(program.value, pipelines, limits(ENDS.openCl));
    parts["C texts"] = await cTexts(program.value, pipelines, limits(ENDS.c));
  }
  parts.suite = await suiteOn(runner, effort, limits(ENDS.suite));
  parts.trees = await treesOn(runner, trees, limits(ENDS.trees));
  parts.pipelines = await pipelinesOn(runner, pipelines, limits(ENDS.pipelines));
  return parts;
}

async function rowOf(row: Implementation, choice: MatrixChoice): Promise<MatrixRow> {
  const { name, group, effort = "normal" } = row;
  const began = performance.now();
  const passed = (): number => (performance.now() - began) / 1000;
  const limits = (share: number): PartLimits => ({
    remaining: () => share * choice.rowSeconds - passed(),
    say: (line) => choice.say(`${name}: ${line}`),
  });
  const started = await row.start({ effort, timeoutMs: 1000 * choice.seconds });
  if (!started.found) return { name, group, reason: started.reason, install: started.remedy };
  const { runner, version } = started.value;
  const before = await runner.state().catch((error: Error) => error);
  if (before instanceof Error) return { name, group, reason: before.message };
  const parts = await partsOf(runner, row, choice, limits);
  const after = (await stateOf(runner)) ?? before;
  await runner.end().catch(() => {});
  const { device, opened, capabilities } = before;
  const { date, commit } = surroundings();
  return {
    name,
    group,
    ...(version !== undefined && { version }),
    device: device.name,
    driver: device.driver,
    ...(opened && { openings: opened.openings }),
    switchedOn: [
      ...changesOf(opened?.untested ?? capabilities, after.capabilities),
      ...(after.device.inexact ?? []),
    ],
    parts,
    date: date.slice(0, 10),
    commit,
    seconds: Math.round(passed()),
  };
}

/** Runs the chosen rows. */
export async function matrix(choice: MatrixChoice): Promise<Matrix> {
  // Programs of npm are fetched, as in full runs.
  process.env.GROUPWISE_FULL = "1";
  const { only, known, keep } = choice;
  const rows = new Map((known?.rows ?? []).map((row) => [row.name, row]));
  const result = (): Matrix => ({
    surroundings: surroundings(),
    rows: ROWS.flatMap(({ name }) => rows.get(name) ?? []),
  });
  for (const row of ROWS.filter(({ name }) => isChosenInAnyCase(name, only))) {
    rows.set(row.name, await rowOf(row, choice));
    keep?.(result());
  }
  return result();
}
