/** Fuzzing on the available devices: `bench random --kind expressions --count 10000 --seed 1 --device lavapipe`. */
import type { DeviceInfo, Target } from "@groupwise/core";
import { hostileDocument, judgeDocument, Subject } from "@groupwise/testkit";
import {
  argumentsOf,
  type Float,
  FUZZERS,
  type Fuzzer,
  type FuzzOptions,
  type FuzzReport,
  fuzzDocuments,
} from "@groupwise/testkit/random";
import { type Absent, absenceOf, type Candidate, candidates, wantedOf } from "../devices/devices.ts";
import { runElsewhere } from "../devices/elsewhere.ts";
import { LANGUAGES } from "../golden-files.ts";

/** The options of a run. */
export interface RandomChoice extends Omit<FuzzOptions, "say"> {
  /** A key of `FUZZERS`. */
  readonly kind: string;
  /** Of expressions; all float types where it is empty. */
  readonly types: readonly Float[];
  /** Only devices whose names contain one of these words. */
  readonly only: readonly string[];
  /** Only devices of this process. */
  readonly isAlone?: boolean;
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

async function onDevice(candidate: Candidate, choice: RandomChoice): Promise<RandomRow[]> {
  if (candidate.elsewhere) {
    const { kind, types, ...options } = choice;
    const chosen = types.length > 0 ? ["--type", ...types] : [];
    const args = [...argumentsOf({ kind, options }), ...chosen];
    const result = await runElsewhere<RandomResult>(candidate.elsewhere, args);
    return result.rows.map((row) => ({ ...row, label: candidate.name }));
  }
  const runtime = await candidate.open();
  const subject = new Subject(runtime);
  const rows: RandomRow[] = [];
  try {
    for (const type of typesOf(choice)) {
      const name = [candidate.name, ...(type ? [type] : [])].join(", ");
      const options = { ...choice, say: (line: string): void => choice.say?.(`${name}: ${line}`) };
      const report = await (ALL[choice.kind] as Fuzzer).run(subject, options, type);
      const row = { ...report, label: candidate.name, device: runtime.device, kind: choice.kind };
      rows.push({ ...row, ...(type && { type }) });
    }
    return rows;
  } finally {
    runtime.dispose();
  }
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
  const { count, seed, only, isAlone = false } = choice;
  const { found, absent } = await candidates(true, isAlone);
  const missing = [...absent];
  const rows: RandomRow[] = [];
  const wanted = WITHOUT_DEVICE.has(kind) ? found.slice(0, 1) : wantedOf(found, only);
  for (const candidate of wanted) {
    try {
      rows.push(...(await onDevice(candidate, choice)));
    } catch (error) {
      missing.push({ name: candidate.name, reason: absenceOf(error) });
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
