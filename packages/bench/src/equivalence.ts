/** Cross-target equivalence: every function, type, scope and shape on every device, bit for bit. */
import type { DeviceInfo, Scalar } from "@groupwise/core";
import { itemsIn, SCALARS } from "@groupwise/core/target";
import { DATA, type DataKind, dataOf, NotSupportedError, Subject } from "@groupwise/testkit";
import { type Absent, absenceOf, type Candidate, candidates, wantedOf } from "./devices/devices.ts";
import { runElsewhere } from "./devices/elsewhere.ts";
import { type TablePart, type TableShare, tableParts } from "./functions.ts";
import { type MeasuredOn, surroundings } from "./measure/surroundings.ts";

/** The result of a device for a function. */
export interface Cell {
  readonly status: "equal" | "differs" | "not supported";
  /** The first difference, or the reason. */
  readonly detail?: string;
}

/** One function on every device, in the devices' order. */
export interface FunctionRow {
  readonly function: string;
  readonly type: Scalar;
  readonly scope: TablePart["scope"];
  readonly shape: TablePart["shape"]["name"];
  readonly cells: readonly Cell[];
}

export interface TestedDevice extends DeviceInfo {
  readonly label: string;
  readonly seconds: number;
}

export interface Equivalence {
  readonly surroundings: MeasuredOn;
  readonly effort: "reduced" | "full";
  readonly data: Readonly<Record<string, readonly string[]>>;
  readonly shapes: Readonly<
    Record<
      string,
      { readonly workGroupSize: readonly number[]; readonly ranges: readonly (readonly number[])[] }
    >
  >;
  readonly devices: readonly TestedDevice[];
  readonly absent: readonly Absent[];
  readonly rows: readonly FunctionRow[];
}

/** The options of a run. */
export interface Choice {
  readonly isFull?: boolean;
  /** Only parts of the table that represent the others; by default the whole table. */
  readonly share?: TableShare;
  /** Only devices whose names contain one of these words. */
  readonly only?: readonly string[];
  /** Only devices of this process. */
  readonly isAlone?: boolean;
  readonly say?: (line: string) => void;
}

interface Tested {
  readonly device: TestedDevice;
  readonly cells: ReadonlyMap<string, Cell>;
}

const keyOf = (row: Pick<FunctionRow, "type" | "scope" | "shape" | "function">): string =>
  [row.type, row.scope, row.shape, row.function].join(" ");
const rangesOf = ({ shape }: TablePart, isFull: boolean): readonly (readonly number[])[] =>
  isFull ? [...shape.ranges, ...shape.more] : shape.ranges;
/** Offsets of the range in 2D and 3D. */
const offsetOf = ({ shape }: TablePart): { globalOffset?: readonly number[] } =>
  shape.workGroupSize.length === 1 ? {} : { globalOffset: shape.at };

/** The first kind of data and one of the others, by turns; all of them in full runs. */
function kindsAt(type: Scalar, turn: number, isFull: boolean): readonly DataKind[] {
  const [first, ...others] = DATA[SCALARS[type].kind];
  const count = isFull ? others.length : Math.ceil(others.length / 3);
  const some = others.map((_, i) => others[(turn * count + i) % others.length] as DataKind).slice(0, count);
  return first ? [first, ...some] : [];
}

/** The cells of one pipeline, by function. */
async function compareAll(
  subject: Subject,
  part: TablePart,
  isFull: boolean,
): Promise<ReadonlyMap<string, Cell>> {
  const { type, pipeline, functions, scope } = part;
  const cells = new Map<string, Cell>(functions.map((name) => [name, { status: "equal" }]));
  const all = (cell: Cell) => new Map(functions.map((name) => [name, cell]));
  try {
    await subject.compile(pipeline);
    for (const [turn, globalSize] of rangesOf(part, isFull).entries()) {
      const kinds = scope === "work-item" ? [undefined] : kindsAt(type, turn, isFull);
      for (const kind of kinds) {
        const values = kind ? { x: dataOf(type, kind, itemsIn(globalSize), "equivalence") } : {};
        const different = await subject.compare(pipeline, values, { globalSize, ...offsetOf(part) });
        const where = [globalSize.join(" × "), kind?.name].filter(Boolean).join(", ");
        if (different.run !== undefined)
          return all({ status: "differs", detail: `${where}: ${different.run}` });
        for (const [name, text] of Object.entries(different)) {
          if (cells.get(name)?.status === "equal")
            cells.set(name, { status: "differs", detail: `${where}: ${text}` });
        }
      }
    }
    return cells;
  } catch (error) {
    if (error instanceof NotSupportedError) return all({ status: "not supported", detail: error.message });
    return all({ status: "differs", detail: (error as Error).message.split("\n")[0] ?? "" });
  }
}

async function testHere(candidate: Candidate, choice: Choice, say: (line: string) => void): Promise<Tested> {
  const { isFull = false, share } = choice;
  const started = performance.now();
  const runtime = await candidate.open();
  const subject = new Subject(runtime, candidate.slow ? "quick" : "normal");
  const cells = new Map<string, Cell>();
  try {
    for (const part of tableParts(isFull, share)) {
      say(`${candidate.name}: ${part.type}, ${part.scope}, ${part.shape.name}`);
      for (const [name, cell] of await compareAll(subject, part, isFull))
        cells.set(keyOf({ ...part, shape: part.shape.name, function: name }), cell);
    }
    const device: TestedDevice = {
      ...runtime.device,
      label: candidate.name,
      seconds: Math.round((performance.now() - started) / 100) / 10,
    };
    return { device, cells };
  } finally {
    runtime.dispose();
  }
}

async function testElsewhere(candidate: Candidate, { isFull, share }: Choice): Promise<Tested> {
  const args = ["equivalence", ...(isFull ? ["--full"] : []), ...(share ? ["--share", share] : [])];
  const { devices, rows, absent } = await runElsewhere<Equivalence>(candidate.elsewhere as never, args);
  const [device] = devices;
  if (!device) throw new Error(`${candidate.name}: ${absent.map(({ reason }) => reason).join("; ")}`);
  return {
    device: { ...device, label: candidate.name },
    cells: new Map(rows.map((row) => [keyOf(row), row.cells[0] as Cell])),
  };
}

/** Computes the table on every device found, or on the named ones. */
export async function equivalence(choice: Choice = {}): Promise<Equivalence> {
  const { isFull = false, share, only = [], isAlone = false, say = () => {} } = choice;
  const { found, absent } = await candidates(isFull, isAlone);
  const missing = [...absent];
  const tested: Tested[] = [];
  for (const candidate of wantedOf(found, only)) {
    try {
      say(candidate.name);
      tested.push(
        candidate.elsewhere ? await testElsewhere(candidate, choice) : await testHere(candidate, choice, say),
      );
    } catch (error) {
      missing.push({ name: candidate.name, reason: absenceOf(error) });
    }
  }
  const parts = tableParts(isFull, share);
  const rows = parts.flatMap((part) =>
    part.functions.map((name): FunctionRow => {
      const row = { function: name, type: part.type, scope: part.scope, shape: part.shape.name };
      return { ...row, cells: tested.map(({ cells }) => cells.get(keyOf(row)) as Cell) };
    }),
  );
  return {
    surroundings: surroundings(),
    effort: isFull ? "full" : "reduced",
    data: Object.fromEntries(
      Object.entries(DATA).map(([kind, list]) => [kind, list.map(({ name }) => name)]),
    ),
    shapes: Object.fromEntries(
      parts.map((part) => [
        part.shape.name,
        { workGroupSize: part.shape.workGroupSize, ranges: rangesOf(part, isFull) },
      ]),
    ),
    devices: tested.map(({ device }) => device),
    absent: missing,
    rows,
  };
}

/** True if nothing differs, no cell is empty and something was compared. */
export function isEqual({ rows, devices }: Equivalence): boolean {
  const isFine = (cell: Cell | undefined): boolean => cell !== undefined && cell.status !== "differs";
  return (
    devices.length > 0 && rows.every(({ cells }) => cells.length === devices.length && cells.every(isFine))
  );
}
