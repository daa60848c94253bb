/** Cross-target equivalence: every operator, type, kind and scope on every device, bit for bit. */
import { type DeviceInfo, SCALARS, type Scalar, type Scope } from "@groupwise/core";
import {
  collectivesOf,
  DATA,
  dataOf,
  type Effort,
  NotSupportedError,
  SCOPES,
  Subject,
  sizesOf,
  TYPES,
} from "@groupwise/testkit";
import { type Absent, absenceOf, type Candidate, candidates } from "./devices.ts";
import { type Surroundings, surroundings } from "./surroundings.ts";

/** What a device made of a collective. */
export interface Cell {
  readonly status: "equal" | "differs" | "not supported";
  /** The first difference, or the reason. */
  readonly detail?: string;
}

/** One collective on every device, in the devices' order. */
export interface Row {
  readonly type: Scalar;
  readonly scope: Scope;
  readonly collective: string;
  readonly cells: readonly Cell[];
}

export interface TestedDevice extends DeviceInfo {
  readonly label: string;
  /** Numbers of items that it ran. */
  readonly sizes: readonly number[];
  readonly subnormals: string;
  /** It flushes subnormal numbers: data that holds or makes them is left out, and f32 says less of it. */
  readonly flushes: boolean;
  readonly seconds: number;
}

export interface Equivalence {
  readonly surroundings: Surroundings;
  readonly effort: Effort;
  readonly workGroupSize: number;
  readonly data: Readonly<Record<string, readonly string[]>>;
  readonly devices: readonly TestedDevice[];
  readonly absent: readonly Absent[];
  readonly rows: readonly Row[];
}

const SIZE = 64;
const key = (type: Scalar, scope: Scope, collective: string): string => `${type} ${scope} ${collective}`;

/** The first kind of data at every size, the others in turn. */
function kindsAt(type: Scalar, turn: number) {
  const [first, ...others] = DATA[SCALARS[type].kind];
  const other = others[turn % others.length];
  return [first, other].filter((kind) => kind !== undefined);
}

/** The cells of one type and scope, by collective. */
async function compareAll(subject: Subject, type: Scalar, scope: Scope, sizes: readonly number[]) {
  const pipeline = collectivesOf({ type, scope, workGroupSize: SIZE });
  const names = pipeline.nodes.flatMap((node) => (node.kind === "output" ? [node.name] : []));
  const cells = new Map<string, Cell>(names.map((name) => [name, { status: "equal" }]));
  const all = (cell: Cell) => new Map(names.map((name) => [name, cell]));
  try {
    await subject.compile(pipeline);
    const { flushes } = await subject.flushes(type);
    for (const [turn, n] of [...sizes, ...sizes.slice(-2)].entries()) {
      for (const kind of kindsAt(type, turn)) {
        if (flushes && kind.subnormal !== "no") continue;
        const different = await subject.compare(pipeline, { x: dataOf(type, kind, n, "equivalence") });
        if (different.run !== undefined)
          return all({ status: "differs", detail: `n = ${n}: ${different.run}` });
        for (const [name, text] of Object.entries(different)) {
          if (cells.get(name)?.status === "equal")
            cells.set(name, { status: "differs", detail: `n = ${n}, ${kind.name}: ${text}` });
        }
      }
    }
    return cells;
  } catch (error) {
    if (error instanceof NotSupportedError) return all({ status: "not supported", detail: error.message });
    return all({ status: "differs", detail: (error as Error).message.split("\n")[0] ?? "" });
  }
}

async function testDevice(candidate: Candidate, effort: Effort, say: (line: string) => void) {
  const started = performance.now();
  const runtime = await candidate.open();
  const subject = new Subject(runtime, effort);
  const sizes = sizesOf(runtime.capabilities, SIZE, effort).filter((n) => n <= 200_000);
  const cells = new Map<string, Cell>();
  try {
    for (const type of TYPES) {
      for (const scope of SCOPES) {
        say(`${candidate.name}: ${type}, ${scope}`);
        for (const [name, cell] of await compareAll(subject, type, scope, sizes))
          cells.set(key(type, scope, name), cell);
      }
    }
    const { note, flushes } = await subject.flushes();
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    const device: TestedDevice = {
      ...runtime.device,
      label: candidate.name,
      sizes,
      subnormals: note,
      flushes,
      seconds,
    };
    return { device, cells };
  } finally {
    runtime.dispose();
  }
}

/** Runs the table on every device found, or on those whose names hold one of the words. */
export async function equivalence(
  isFull: boolean,
  only: readonly string[] = [],
  say: (line: string) => void = () => {},
): Promise<Equivalence> {
  const { found, absent } = await candidates();
  const wanted = found.filter(
    ({ name }) => only.length === 0 || only.some((word) => name.toLowerCase().includes(word.toLowerCase())),
  );
  const missing = [...absent];
  const tested: Awaited<ReturnType<typeof testDevice>>[] = [];
  for (const candidate of wanted) {
    const effort: Effort = candidate.slow ? (isFull ? "normal" : "quick") : isFull ? "full" : "normal";
    try {
      tested.push(await testDevice(candidate, effort, say));
    } catch (error) {
      missing.push({ name: candidate.name, reason: absenceOf(error) });
    }
  }
  const rows = TYPES.flatMap((type) =>
    SCOPES.flatMap((scope) =>
      collectivesOf({ type, scope, workGroupSize: SIZE }).nodes.flatMap((node) => {
        if (node.kind !== "output") return [];
        const cells = tested.map((one) => one.cells.get(key(type, scope, node.name)) as Cell);
        return [{ type, scope, collective: node.name, cells }];
      }),
    ),
  );
  return {
    surroundings: surroundings(),
    effort: isFull ? "full" : "normal",
    workGroupSize: SIZE,
    data: Object.fromEntries(
      Object.entries(DATA).map(([kind, list]) => [kind, list.map(({ name }) => name)]),
    ),
    devices: tested.map(({ device }) => device),
    absent: missing,
    rows,
  };
}

/** True where nothing differs and something was compared. */
export function isEqual({ rows, devices }: Equivalence): boolean {
  return devices.length > 0 && rows.every(({ cells }) => cells.every(({ status }) => status !== "differs"));
}
