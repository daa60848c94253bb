/** `groupwise tune`: measures sizes of tiles on a device, and writes them to a file. */
import { basename, dirname } from "node:path";
import { performance } from "node:perf_hooks";
import { SCALAR_NAMES, type Scalar } from "@groupwise/core";
import { printTuning, tune } from "@groupwise/core/tuning";
import { STDOUT, writeFiles } from "../base/files.ts";
import type { Outcome, Surroundings } from "../base/outcome.ts";
import { badUsage } from "../base/problem.ts";
import { oneOf } from "../base/suggest.ts";
import { targetsOf } from "../base/target-list.ts";
import { toolsOf } from "../base/targets.ts";
import { keepForeign } from "../commands/emit.ts";
import { choose, type Device, survey } from "../devices/index.ts";
import { keepingBy, withDevice } from "../devices/probed.ts";
import type { TuneFlags } from "../flags/tables.ts";
import { notesOf, textOf } from "./report.ts";

/** The largest number of items: 2 GiB of a type of 64 bits. */
const MOST_ITEMS = 2 ** 28;

/** The words of a list. */
const wordsOf = (list: string): readonly string[] => [...new Set(list.split(",").map((word) => word.trim()))];

/** @throws GroupwiseError `bad-usage` */
function typesOf(list: string): readonly Scalar[] {
  const known: readonly string[] = SCALAR_NAMES.filter((name) => name !== "bool");
  const names = wordsOf(list);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names as readonly Scalar[];
  throw badUsage(`there is no type ${JSON.stringify(unknown)} to tune`, oneOf(unknown, known));
}

/** `65536,2^20` as numbers. @throws GroupwiseError `bad-usage` */
function sizesOf(list: string): readonly number[] {
  return wordsOf(list).map((word) => {
    const [, base = "", power = "1"] = /^(\d{1,9})(?:\^(\d{1,2}))?$/.exec(word) ?? [];
    const size = base === "" ? 0 : Number(base) ** Number(power);
    if (size >= 1 && size <= MOST_ITEMS) return size;
    throw badUsage(
      `${JSON.stringify(word)} is not a number of items to tune for`,
      `pass whole numbers from 1 to ${MOST_ITEMS}, for example --sizes 65536,2^20`,
    );
  });
}

export async function tuneCommand(flags: TuneFlags, { cwd, progress }: Surroundings): Promise<Outcome> {
  const { types, sizes, seconds, out } = flags;
  const options = {
    ...(types !== undefined && { types: typesOf(types) }),
    ...(sizes !== undefined && { sizes: sizesOf(sizes) }),
  };
  const targets = targetsOf(flags.target);
  const [target] = targets;
  if (target === undefined || targets.length !== 1)
    throw badUsage("one device is tuned at a time", "pass one --target");
  const [directory, name] = [dirname(out), basename(out)];
  if (out !== STDOUT && !flags.force) keepForeign(directory, name, cwd);
  progress.show("looking for devices");
  const [device] = choose(await survey(targets), targets, flags.device) as [Device];
  return withDevice(device, { clock: true }, keepingBy(flags), async (runtime) => {
    const { target: of } = toolsOf(target);
    const now = (): number => performance.now();
    const report = await tune(runtime, of, { ...options, seconds, now, say: (line) => progress.step(line) });
    progress.clear();
    const file = printTuning(report.tuning);
    const { sizes: measured, skipped, leftOut, clock } = report;
    const about = { clock, sizes: measured, skipped, leftOut, tuning: report.tuning };
    const code = measured.length > 0 ? 0 : 1;
    if (out === STDOUT) return { code, data: { out, ...about }, text: file, notes: notesOf(report) };
    const [written = out] = writeFiles(directory, [{ path: name, data: file }], cwd);
    return { code, data: { out: written, ...about }, text: textOf(report, written), notes: notesOf(report) };
  });
}
