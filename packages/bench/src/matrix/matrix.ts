/** Runs the rows of the matrix, one after the other. */
import type { Capabilities, ProbeReport } from "@groupwise/core";
import { type Found, found } from "@groupwise/testkit/devices";
import type { RemoteRunner, RemoteState } from "@groupwise/testkit/remote";
import { surroundings } from "../measure/surroundings.ts";
import { isChosenInAnyCase } from "../print/only.ts";
import { compileTimesOf } from "./compile-times.ts";
import { type PartLimits, type PartTasks, runParts } from "./jobs.ts";
import { checksTasks, pipelinesOf, suiteOf, treesOf } from "./parts.ts";
import { PRIMITIVES } from "./primitives.ts";
import { isMissing, type Matrix, type MatrixRow, type PartName, type Ran } from "./result.ts";
import { type Implementation, ROWS } from "./rows.ts";
import type { Started } from "./starts.ts";
import { cTexts, openClTexts } from "./texts.ts";

export interface MatrixChoice {
  readonly trees: number;
  readonly pipelines: number;
  /** Only these. Rows keep the others of the earlier matrix, if version and driver are the same. */
  readonly parts: readonly PartName[];
  /** Only rows whose names contain one of these words. */
  readonly only: readonly string[];
  /** For an answer of a device, and for a row. */
  readonly seconds: number;
  readonly rowSeconds: number;
  /** Processes of a row at a time. */
  readonly jobs: number;
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

/** With every row of the table of probes. */
async function stateOf(runner: RemoteRunner): Promise<RemoteState> {
  await runner.probe();
  return runner.state();
}

/** An open device, with what its openings took. */
interface Opened extends Started {
  readonly opening: Ran["opening"];
  readonly untested: Capabilities | undefined;
}

/** Opens a device in a process that knows nothing of it; and in another one, which goes on, with what the first asked. */
export async function openedOn(
  start: (probed?: ProbeReport) => Promise<Found<Started>>,
): Promise<Found<Opened>> {
  const first = await start();
  if (!first.found) return first;
  const cold = await first.value.runner.opened();
  const facts = { opening: cold ? { cold: cold.took } : undefined, untested: cold?.untested };
  if (!cold?.probed) return found({ ...first.value, ...facts });
  await first.value.runner.end();
  const second = await start(cold.probed);
  if (!second.found) return second;
  const kept = await second.value.runner.opened();
  return found({
    ...{ ...second.value, ...facts },
    opening: { cold: cold.took, ...(kept && { kept: kept.took }) },
  });
}

/** What a row runs, in this order, and how its time is divided; what has no share takes seconds, before the others. */
const WEIGHTS = {
  "compile times": 0,
  "OpenCL C texts": 4,
  "C texts": 2,
  suite: 4,
  primitives: 2,
  trees: 5,
  pipelines: 5,
} as const;
const ORDER = Object.keys(WEIGHTS) as PartName[];

/** The chosen parts of a row. */
function partsOf(
  { effort = "normal", batch = 1, clang }: Implementation,
  { trees, pipelines, parts: chosen }: MatrixChoice,
  limits: (share: number) => PartLimits,
  { device: { target } }: RemoteState,
): ReadonlyMap<PartName, PartTasks> {
  const program = clang?.();
  const makes: Partial<Record<PartName, (its: PartLimits) => PartTasks>> = {
    ...(program?.found && {
      "OpenCL C texts": (its) => openClTexts(program.value, pipelines, its),
      "C texts": (its) => cTexts(program.value, pipelines, its),
    }),
    suite: (its) => suiteOf(effort, its),
    primitives: (its) => checksTasks(PRIMITIVES, its),
    trees: (its) => treesOf(trees, its),
    pipelines: (its) => pipelinesOf(pipelines, batch, its),
    "compile times": (its) => compileTimesOf(target === "opencl", its),
  };
  const asked = ORDER.flatMap((name) => {
    const make = chosen.includes(name) && makes[name];
    return make ? [{ name, make, weight: WEIGHTS[name] }] : [];
  });
  const whole = asked.reduce((sum, { weight }) => sum + weight, 0);
  let end = 0;
  return new Map(
    asked.map(({ name, make, weight }) => {
      if (weight > 0) end += weight / whole;
      return [name, make(limits(weight > 0 ? end : 1))];
    }),
  );
}

/** What the earlier row has, if it ran on the same. */
export function keptParts(row: Ran, choice: MatrixChoice): Ran["parts"] {
  const before = choice.known?.rows.find(({ name }) => name === row.name);
  if (!before || isMissing(before)) return {};
  return before.version === row.version && before.driver === row.driver ? before.parts : {};
}

async function rowOf(row: Implementation, choice: MatrixChoice): Promise<MatrixRow> {
  const { name, group, effort = "normal" } = row;
  const began = performance.now();
  const passed = (): number => (performance.now() - began) / 1000;
  const limits = (share: number): PartLimits => ({
    remaining: () => share * choice.rowSeconds - passed(),
    say: (line) => choice.say(`${name}: ${line}`),
  });
  const start = (probed?: ProbeReport): ReturnType<typeof row.start> =>
    row.start({ effort, timeoutMs: 1000 * choice.seconds, probed });
  const opened = await openedOn(start).catch((error: Error) => error);
  if (opened instanceof Error) return { name, group, reason: opened.message };
  if (!opened.found) return { name, group, reason: opened.reason, install: opened.remedy };
  const { runner, version, opening, untested } = opened.value;
  const before = await stateOf(runner).catch((error: Error) => error);
  if (before instanceof Error) return { name, group, reason: before.message };
  // Only now: the openings are measured alone.
  const others = await Promise.all(Array.from({ length: choice.jobs - 1 }, () => start()));
  const runners = [runner, ...others.flatMap((one) => (one.found ? [one.value.runner] : []))];
  const asked = partsOf(row, choice, limits, before);
  await runParts([...asked.values()], runners);
  const parts = Object.fromEntries([...asked].map(([part, { count }]) => [part, count.part()]));
  const after = await stateOf(runner).catch(() => before);
  await Promise.all(runners.map((one) => one.end().catch(() => {})));
  const { device, capabilities } = before;
  const { date, commit, cpu } = surroundings();
  const ran: Ran = {
    name,
    group,
    ...(version !== undefined && { version }),
    device: device.name,
    driver: device.driver,
    ...(row.effort && { effort: row.effort }),
    ...(opening && { opening, cpu }),
    switchedOn: [...changesOf(untested ?? capabilities, after.capabilities), ...(after.device.inexact ?? [])],
    parts,
    date: date.slice(0, 10),
    commit,
    seconds: Math.round(passed()),
  };
  return { ...ran, parts: { ...keptParts(ran, choice), ...parts } };
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
    const made = await rowOf(row, choice);
    // What is missing here may have run elsewhere.
    if (!isMissing(made) || !rows.has(row.name)) rows.set(row.name, made);
    keep?.(result());
  }
  return result();
}
