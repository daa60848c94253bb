/** Devices that are open, and what probes of them showed, which later commands do not ask again. */
import { homedir } from "node:os";
import { join } from "node:path";
import type { ProbeReport, Runtime } from "@groupwise/core";
import { type OpenOptions, PROBED, tableDigest } from "@groupwise/core/target";
import { KeptCode } from "@groupwise/target-c/native";
import type { Device } from "./index.ts";

/** Whether a command takes what earlier ones found, or asks the device all that it needs; `nowhere` keeps nothing either. */
export type Keeping = "found" | "renewed" | "nowhere";

/** As `--no-cache` says. */
export const keepingBy = ({ cache }: { readonly cache: boolean }): Keeping => (cache ? "found" : "nowhere");

/** A report of a table of probes. */
interface Kept {
  readonly table: string;
  readonly report: ProbeReport;
}

const folder = (): string => {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  return join(XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), ".cache"), "groupwise", "probed");
};

/** The reports of a device; undefined without a folder to which only this user can write. */
function reportsOf({ target, name, driver }: Device): KeptCode | undefined {
  try {
    return new KeptCode(folder(), [target, name, driver]);
  } catch {
    return undefined;
  }
}

/** What is kept of a device; undefined for what another version wrote, or no version. */
async function keptIn(reports: KeptCode): Promise<ProbeReport | undefined> {
  try {
    const bytes = await reports.get([]);
    const { table, report } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Kept>;
    return PROBED.is(report) && table === tableDigest() ? report : undefined;
  } catch {
    return undefined;
  }
}

async function keep(reports: KeptCode, { probed }: Runtime, before: ProbeReport | undefined): Promise<void> {
  const report = await probed?.().catch(() => undefined);
  if (!report || report.rows.length === 0 || JSON.stringify(report) === JSON.stringify(before)) return;
  const kept: Kept = { table: tableDigest(), report };
  await reports.set([], new TextEncoder().encode(JSON.stringify(kept)));
}

/** Works on an open device. @throws GroupwiseError as `open` does; what `work` throws */
export async function withDevice<T>(
  device: Device,
  options: OpenOptions,
  keeping: Keeping,
  work: (runtime: Runtime) => Promise<T>,
): Promise<T> {
  const reports = keeping === "nowhere" ? undefined : reportsOf(device);
  const before = keeping === "found" && reports ? await keptIn(reports) : undefined;
  const runtime = await device.open({ ...options, ...(before && { probed: before }) });
  try {
    return await work(runtime);
  } finally {
    if (reports) await keep(reports, runtime, before);
    runtime.dispose();
  }
}
