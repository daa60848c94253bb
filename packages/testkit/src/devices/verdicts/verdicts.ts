/**
 * Texts that an external compiler accepted before. Its report on a text is always the same, so each distinct text is
 * compiled once within a call, and once for all runs if GROUPWISE_VERDICTS names a directory.
 */
import { createHash, randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { FileReport, ReportedFile } from "./report.ts";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The version of an installed package that contains a compiler; a different text each time if it is unknown. */
export function versionOf(name: string): string {
  try {
    return createRequire(import.meta.url)(`${name}/package.json`).version;
  } catch {
    return randomUUID();
  }
}

interface Taken {
  has(code: string): boolean;
  add(codes: readonly string[]): void;
}

function takenBy(compiler: readonly unknown[]): Taken {
  const directory = process.env.GROUPWISE_VERDICTS;
  if (!directory) return { has: () => false, add: () => {} };
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${hash(JSON.stringify(compiler)).slice(0, 16)}.txt`);
  const known = new Set(existsSync(file) ? readFileSync(file, "utf8").split("\n") : []);
  return {
    has: (code) => known.has(hash(code)),
    add: (codes) => appendFileSync(file, codes.map((code) => `${hash(code)}\n`).join("")),
  };
}

/**
 * Reports on all files. `read` gets those that are not known to be accepted, each distinct text once. Only texts without any
 * diagnostic count as accepted. @param compiler its version and options: everything that its report depends on besides the
 * text
 */
export async function eachTextOnce(
  compiler: readonly unknown[],
  files: readonly ReportedFile[],
  read: (files: readonly ReportedFile[]) => Promise<readonly FileReport[]>,
): Promise<FileReport[]> {
  const taken = takenBy(compiler);
  const unread = new Map<string, ReportedFile>();
  for (const file of files) if (!unread.has(file.code) && !taken.has(file.code)) unread.set(file.code, file);
  const fresh = [...unread.values()];
  const reports = new Map<string, FileReport>();
  if (fresh.length > 0)
    for (const [i, report] of (await read(fresh)).entries())
      reports.set((fresh[i] as ReportedFile).code, report);
  taken.add(
    [...reports].flatMap(([code, { ok, diagnostics }]) => (ok && diagnostics.length === 0 ? [code] : [])),
  );
  return files.map(({ name, code }) => {
    const { ok, diagnostics } = reports.get(code) ?? { ok: true, diagnostics: [] };
    return { name, ok, diagnostics };
  });
}
