/** Fuzzing on the available devices: `bench random --kind expressions --count 10000 --seed 1 --device lavapipe`. */
import type { DeviceInfo, Target } from "@groupwise/core";
import { hostileDocument, judgeDocument, Subject } from "@groupwise/testkit";
import { orThrow } from "@groupwise/testkit/devices";
import {
  type Float,
  FUZZERS,
  type Fuzzer,
  type FuzzOptions,
  type FuzzReport,
  fuzzDocuments,
} from "@groupwise/testkit/random";
import { type Absent, absenceOf, type Candidate, candidates, wantedOf } from "../devices/devices.ts";
import { LANGUAGES } from "../golden-files.ts";
import { type Implementation, ROWS } from "../matrix/rows.ts";
import { isChosenInAnyCase } from "../print/only.ts";

/** The options of a run. */
export interface RandomChoice extends Omit<FuzzOptions, "say"> {
  /** A key of `FUZZERS`. */
  readonly kind: string;
  /** Of expressions; all float types where it is empty. */
  readonly types: readonly Float[];
  /** Only devices of this process whose names contain one of these words, and for a word of none those of the matrix. */
  readonly only: readonly string[];
  readonly say?: (line: string) => void;
}

/** Every kind. Documents are checked, and emitted for each target in turn, without a device. */
const ALL: Readonly<Record<string, Fuzzer>> = {
  ...FUZZERS,
  documents: {
    types: [undefined],
    run: (subject, options) => {
      let number = options.from ?? 0;
      return fuzzDocuments(
        subject,
        options,
        hostileDocument,
        (document) => judgeDocument(document, [LANGUAGES[number++ % LANGUAGES.length] as Target]).fault,
      );
    },
  },
};
/** The kinds that need no device and run once. */
const WITHOUT_DEVICE: ReadonlySet<string> = new Set(["documents"]);

/** The results of one device for one kind and type. */
export interface RandomRow extends FuzzReport {
  readonly label: string;
  readonly device: DeviceInfo;
  readonly kind: string;
  readonly type?: Float;
}

export interface RandomResult {
  readonly kind: string;
  readonly count: number;
  readonly seed: string;
  readonly rows: readonly RandomRow[];
  readonly absent: readonly Absent[];
}

interface Opened {
  device(): DeviceInfo | Promise<DeviceInfo>;
  fuzz(options: FuzzOptions, type: Float | undefined): Promise<FuzzReport>;
  end(): void | Promise<void>;
}

async function openHere(candidate: Candidate, kind: string): Promise<Opened> {
  const runtime = await candidate.open();
  const subject = new Subject(runtime);
  return {
    device: () => runtime.device,
    fuzz: (options, type) => (ALL[kind] as Fuzzer).run(subject, options, type),
    end: () => runtime.dispose(),
  };
}

/** Milliseconds for all cases of a type: a process that does not answer ends. */
const HOUR = 3_600_000;

async function openRow({ start }: Implementation, kind: string): Promise<Opened> {
  const { runner } = orThrow(await start({ effort: "normal", timeoutMs: HOUR }));
  return {
    device: async () => (await runner.state()).device,
    fuzz: ({ say: _, ...options }, type) => runner.fuzz({ kind, options, ...(type && { type }) }),
    end: () => runner.end(),
  };
}

async function onDevice(label: string, opened: Opened, choice: RandomChoice): Promise<RandomRow[]> {
  const { kind, types: _, only: __, ...given } = choice;
  const rows: RandomRow[] = [];
  try {
    for (const type of typesOf(choice)) {
      const name = [label, ...(type ? [type] : [])].join(", ");
      const options = { ...given, say: (line: string): void => choice.say?.(`${name}: ${line}`) };
      const report = await opened.fuzz(options, type);
      rows.push({ ...report, label, device: await opened.device(), kind, ...(type && { type }) });
    }
    return rows;
  } finally {
    await opened.end();
  }
}

/** The implementations of words that name no device of this process. */
export function rowsOf(
  here: readonly Pick<Candidate, "name">[],
  words: readonly string[],
): readonly Implementation[] {
  const others = words.filter((word) => wantedOf(here, [word]).length === 0);
  // Programs of npm are fetched for them, as in full runs.
  if (others.length > 0) process.env.GROUPWISE_FULL = "1";
  return others.length > 0 ? ROWS.filter(({ name }) => isChosenInAnyCase(name, others)) : [];
}

/** Expressions have one float type after the other; pipelines have any types. */
const typesOf = ({ kind, types }: RandomChoice): readonly (Float | undefined)[] =>
  (ALL[kind] as Fuzzer).types.filter((type) => !type || types.length === 0 || types.includes(type));

/**
 * Runs random cases on every device found, or on the named ones.
 * @throws Error for an unknown kind
 */
export async function random(choice: RandomChoice): Promise<RandomResult> {
  const { kind } = choice;
  if (!Object.hasOwn(ALL, kind))
    throw new Error(`unknown kind "${kind}"; kinds: ${Object.keys(ALL).join(", ")}`);
  const { count, seed, only } = choice;
  const { found, absent } = await candidates(true);
  const missing = [...absent];
  const rows: RandomRow[] = [];
  const isHere = WITHOUT_DEVICE.has(kind);
  const wanted = [
    ...(isHere ? found.slice(0, 1) : wantedOf(found, only)).map((one) => ({
      one,
      open: () => openHere(one, kind),
    })),
    ...(isHere ? [] : rowsOf(found, only)).map((one) => ({ one, open: () => openRow(one, kind) })),
  ];
  for (const {
    one: { name },
    open,
  } of wanted) {
    try {
      rows.push(...(await onDevice(name, await open(), choice)));
    } catch (error) {
      missing.push({ name, reason: absenceOf(error) });
    }
  }
  return { kind, count, seed, rows, absent: missing };
}

/** True if something ran and nothing differs. */
export const isSame = ({ rows }: RandomResult): boolean =>
  rows.some(({ ran }) => ran > 0) && rows.every(({ differing }) => differing === 0);

/** As text: one line for each device, and the smallest document of each difference as JSON. */
export function printRandom({ kind, count, seed, rows, absent }: RandomResult): string {
  const lines = [`${kind}: count ${count}, seed ${seed}`];
  for (const row of rows) {
    const { device, type, ran, differing, unsupported, reason, seconds } = row;
    const lacks = unsupported > 0 ? `, ${unsupported} not supported (${reason})` : "";
    const name = [row.label, device.name, device.driver].filter((text, i, all) => all.indexOf(text) === i);
    lines.push(`${name.join(", ")}: ${type ?? ""} ${ran} ran, ${differing} differ${lacks}, ${seconds} s`);
    for (const { where, what, smallest } of row.findings)
      lines.push(`  ${where}: ${what}`, `  ${textOf(smallest)}`);
  }
  for (const { name, reason } of absent) lines.push(`${name} is not here: ${reason}`);
  return `${lines.join("\n")}\n`;
}

/** A document as JSON, if it can be written as JSON. */
function textOf(document: unknown): string {
  try {
    return JSON.stringify(document) ?? String(document);
  } catch {
    return "no JSON: the arguments make it again";
  }
}
