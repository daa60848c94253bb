/** Which operations of its language a device computes exactly, as a probe shows. */
import { OBJECT, requireArgument, TEXTS, type Wanted } from "@groupwise/ir/base/arguments.js";
import { errorOf, GroupwiseError } from "@groupwise/ir/base/errors.js";
import { quoted, textOf } from "@groupwise/ir/base/quote.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { digestOf } from "@groupwise/kernel/probe/digest.js";
import { looseRows } from "@groupwise/kernel/probe/loose.js";
import { exactOf, givenTo, isAtomic, judged, type ProbeDifference } from "@groupwise/kernel/probe/module.js";
import { isOn, type Remedy, withRemedies } from "@groupwise/kernel/probe/remedies.js";
import { type ProbeRow, probeRows } from "@groupwise/kernel/probe/rows.js";
import {
  type Assumption,
  assumptionNamed,
  assumptionOf,
  inForm,
  inSameForm,
  isAsked,
  isThere,
} from "@groupwise/kernel/probe/uses.js";
import type { DeviceInfo, ProbedRow, ProbeReport } from "../api/runtime.ts";
import { type Artifact, GENERATOR, type Target, type Trial } from "../api/target.ts";
import type { Manifest } from "../plan/manifest.ts";
import { probePlan } from "./plan.ts";

/** Runs the kernel of a probe. @returns the words that it writes */
export type RunProbe = (artifact: Artifact, given: Uint32Array<ArrayBuffer>) => Promise<ArrayLike<number>>;

/** What a probe shows of a row, in one form. */
export interface Verdict {
  readonly id: string;
  /** Why it failed; absent if all results are exact. */
  readonly reason?: string;
  /** What stands for it, if anything does. */
  readonly remedy?: Remedy;
}

/** A row has at most so many remedies before its type is emulated. */
const TRIES = 2;
const UNKNOWN = "the file relies on it, and the table of probes of this version has no such row";
const ABSENT = "the file relies on it, and the device does not have it";
/** A compiler's log may be long. */
const LOG = 400;
const notBuilt = ({ what }: GroupwiseError): string =>
  `it does not build: ${what.replace(/\s+/g, " ").slice(0, LOG)}`;
const wordsOf = ({ operands, found, exact }: ProbeDifference): string =>
  `for ${operands.map(textOf).join(" and ")} it is ${textOf(found)}, and not ${textOf(exact)}`;

/** What a device answered, which its runtimes of a process share. */
export class Answers {
  /** By id. */
  readonly verdicts: Map<string, Promise<Verdict>> = new Map();
  /** The ids of the rows that it failed. */
  readonly inexact: Set<string> = new Set();

  /** @param kept a report, which counts if this version made it of the same hardware and driver */
  constructor(kept?: ProbeReport, device?: DeviceInfo) {
    if (!kept || !device || keyOf(kept) !== keyOf({ ...reportKey(device), rows: [] })) return;
    for (const { id, reason, instead = [] } of kept.rows) {
      const remedies = assumptionNamed(id)?.row.remedies;
      const remedy = remedies?.find((one) => one === instead[0]);
      // What no probe reports is asked for.
      if (!remedies || (instead.length > 0 && !remedy)) continue;
      const verdict = { id, ...(reason !== undefined && { reason }), ...(remedy && { remedy }) };
      this.verdicts.set(id, Promise.resolve(verdict));
      if (reason !== undefined) this.inexact.add(id);
    }
  }
}

const reportKey = ({ target, hardware = "", driver }: DeviceInfo): Omit<ProbeReport, "rows"> => ({
  ...{ generator: GENERATOR, target, hardware, driver },
});
const keyOf = ({ generator, target, hardware, driver }: ProbeReport): string =>
  JSON.stringify([generator, target, hardware, driver]);
/** The report of a device. */
export const reportOf = (device: DeviceInfo, rows: readonly ProbedRow[]): ProbeReport => ({
  ...reportKey(device),
  rows,
});
const isRow = (value: unknown): boolean => {
  if (!OBJECT.is(value)) return false;
  const { id, reason = "", instead = [] } = value as { readonly [K in keyof ProbedRow]: unknown };
  return TEXTS.is([id, reason]) && TEXTS.is(instead);
};
/** The option of runtimes. */
export const PROBED: Wanted = {
  want: "a report of `probe()`",
  is: (value) => {
    if (!OBJECT.is(value)) return false;
    const { rows, generator, target, hardware, driver } = value as {
      readonly [K in keyof ProbeReport]: unknown;
    };
    return TEXTS.is([generator, target, hardware, driver]) && Array.isArray(rows) && rows.every(isRow);
  },
};

/** The answers of one device, each asked for once. */
export class Earned {
  private readonly target: Target;
  /** What the device claims. */
  private readonly claimed: Capabilities;
  private readonly run: RunProbe;
  private readonly answers: Answers;

  constructor(target: Target, claimed: Capabilities, run: RunProbe, answers: Answers = new Answers()) {
    this.target = target;
    this.claimed = claimed;
    this.run = run;
    this.answers = answers;
  }

  /** The ids of the rows that the device failed so far. */
  get inexact(): readonly string[] {
    return [...this.answers.inexact];
  }

  /**
   * The rows among those that a file relies on that the device fails.
   * @throws GroupwiseError `unsupported` for a row that this version does not know, `bad-argument`
   */
  async failed({
    assumes = [],
    pipeline,
  }: Pick<Manifest, "assumes" | "pipeline">): Promise<readonly Verdict[]> {
    requireArgument(assumes, TEXTS, "the field assumes of the manifest", pipeline);
    const asked = [...new Set(assumes)].map((id) => {
      const known = assumptionNamed(id);
      if (known && isThere(known, this.claimed)) return known;
      throw errorOf("unsupported", { what: quoted(id), reason: known ? ABSENT : UNKNOWN }, pipeline);
    });
    const verdicts = await Promise.all(this.ask(asked));
    return verdicts.filter(({ reason }) => reason !== undefined);
  }

  /** Every row of the table, and what stands for those that the device fails. */
  async report(): Promise<readonly ProbedRow[]> {
    const rows = probeRows().filter((row) => isAsked(row, this.claimed));
    const forms = rows.map((row) => assumptionOf(row, this.claimed)).filter(isLanguage);
    const verdicts = await Promise.all(this.ask(forms));
    let capabilities = this.claimed;
    for (let tries = 0; tries < TRIES; tries++) {
      capabilities = await this.corrected(capabilities);
      const again = forms.filter((_, i) => verdicts[i]?.reason !== undefined).map(({ row }) => row);
      await Promise.all(this.ask(this.formsIn(again, capabilities)));
    }
    const report = forms.map(async ({ id, row, by }, i): Promise<ProbedRow> => {
      const { reason } = verdicts[i] as Verdict;
      if (reason === undefined) return { id };
      const instead = row.remedies.filter((remedy) => isOn(remedy, capabilities) && !by.includes(remedy));
      const [last] = await Promise.all(this.ask(this.formsIn([row], capabilities)));
      return { id, reason, instead, ...(last?.reason !== undefined && { refused: true as const }) };
    });
    return Promise.all(report);
  }

  /** What it was asked so far, each row in the forms that were asked. */
  async known(): Promise<readonly ProbedRow[]> {
    const settled = await Promise.allSettled(this.answers.verdicts.values());
    const verdicts = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    return verdicts.map(({ remedy, ...row }) => ({ ...row, ...(remedy && { instead: [remedy] }) }));
  }

  /** Without rows that nothing computes any more. */
  private formsIn(rows: readonly ProbeRow[], capabilities: Capabilities): readonly Assumption[] {
    const forms = rows
      .filter((row) => isAsked(row, capabilities))
      .map((row) => assumptionOf(row, capabilities));
    return forms.filter(isLanguage);
  }

  /** A digest of the bits that the language leaves to the device: those of its own `sin`, `exp` and others. */
  async digest(): Promise<string> {
    const rows = looseRows(Object.keys(this.claimed.fast ?? {}));
    return digestOf(await this.run(this.printed(rows, this.claimed), givenTo(rows)));
  }

  /** The capabilities with what stands for every row that failed so far. */
  async corrected(capabilities: Capabilities): Promise<Capabilities> {
    const verdicts = await Promise.all(this.answers.verdicts.values());
    return withRemedies(
      capabilities,
      verdicts.flatMap(({ remedy }) => remedy ?? []),
    );
  }

  /** Rows of the same types come along, so that a device is asked seldom. */
  private ask(asked: readonly Assumption[]): readonly Promise<Verdict>[] {
    const known = this.answers.verdicts;
    for (const part of inSameForm(this.claimed, asked)) {
      const unknown = part.filter(({ id }) => !known.has(id));
      if (unknown.length === 0) continue;
      const capabilities = inForm(this.claimed, unknown);
      const forms = [...unknown, ...this.besides(unknown, capabilities)];
      const verdicts = this.probe(forms, capabilities);
      for (const [i, { id }] of forms.entries()) {
        const verdict = verdicts.then((all) => all[i] as Verdict);
        known.set(id, verdict);
        // A probe that failed to run says nothing about the device.
        verdict.catch(() => known.delete(id));
      }
    }
    return asked.map(({ id }) => known.get(id) as Promise<Verdict>);
  }

  /** Rows of the same types for which nothing stands, in the forms that the same capabilities give. */
  private besides(asked: readonly Assumption[], capabilities: Capabilities): readonly Assumption[] {
    const types = new Set(asked.map(({ row }) => row.type));
    const rows = new Set(asked.map(({ row }) => row));
    return probeRows()
      .filter(
        (row) =>
          types.has(row.type) && !rows.has(row) && !isAtomic(row) && !row.apart && isAsked(row, capabilities),
      )
      .map((row) => assumptionOf(row, capabilities))
      .filter(({ id, by }) => by.length === 0 && !this.answers.verdicts.has(id));
  }

  private async probe(forms: readonly Assumption[], capabilities: Capabilities): Promise<readonly Verdict[]> {
    const reasons = await this.reasons(
      forms.map(({ row }) => row),
      capabilities,
    );
    return forms.map(({ id, row }, i): Verdict => {
      const reason = reasons[i];
      if (reason !== undefined) this.answers.inexact.add(id);
      const remedy = reason === undefined ? undefined : row.remedies.find((one) => !isOn(one, capabilities));
      return { id, ...(reason !== undefined && { reason }), ...(remedy && { remedy }) };
    });
  }

  /** Rows that do not build together are built apart. */
  private async reasons(
    rows: readonly ProbeRow[],
    capabilities: Capabilities,
  ): Promise<(string | undefined)[]> {
    try {
      const running = this.run(this.printed(rows, capabilities), givenTo(rows));
      // While the device compiles.
      for (const row of rows) exactOf(row);
      return judged(rows, await running).map((one) => one && wordsOf(one));
    } catch (error) {
      const isBuild = error instanceof GroupwiseError && error.code === "device-error";
      if (!isBuild) throw error;
      if (rows.length === 1) return [notBuilt(error)];
      const half = rows.length >> 1;
      const first = await this.reasons(rows.slice(0, half), capabilities);
      return [...first, ...(await this.reasons(rows.slice(half), capabilities))];
    }
  }

  private printed(rows: readonly ProbeRow[], capabilities: Capabilities): Artifact {
    const { manifest, files } = this.target.print(probePlan(rows, capabilities), {});
    return { files, manifest: { ...manifest, assumes: [] } };
  }
}

/** Without those that no emitted text has, because a function of groupwise's own stands for them. */
const isLanguage = ({ by }: Assumption): boolean => !by.some((remedy) => remedy.startsWith("without-"));

/** Plans again without what the device computes inexactly. A second time, if what stands for a row fails too. */
export function earnedTrials(earned: Earned): readonly Trial[] {
  const trial: Trial = {
    obstacleOf: async ({ manifest }) => {
      const failed = await earned.failed(manifest);
      return failed.some(({ remedy }) => remedy !== undefined)
        ? failed.map(({ id }) => id).join(", ")
        : undefined;
    },
    without: (capabilities) => earned.corrected(capabilities),
  };
  return [trial, trial];
}

/** @throws GroupwiseError `unsupported` with the row's name if the device fails what a file relies on */
export async function requireEarned(earned: Earned, manifest: Manifest): Promise<void> {
  const [first] = await earned.failed(manifest);
  if (!first) return;
  const reason = `a probe of the device shows that it is not exact: ${first.reason}`;
  throw errorOf("unsupported", { what: first.id, reason }, manifest.pipeline);
}
