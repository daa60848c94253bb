/** `groupwise emit`: the sources and manifests of a pipeline. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Artifact, type Checked, emit } from "@groupwise/core";
import { portablePath, writeFiles } from "../files.ts";
import type { Outcome, Surroundings } from "../outcome.ts";
import { loadPipeline } from "../pipeline-file.ts";
import { badFile } from "../problem.ts";
import { TARGETS, type TargetName, targetsOf } from "../targets.ts";

export interface EmitFlags {
  readonly target: string;
  readonly out: string;
  readonly export?: string;
  readonly force?: boolean;
}

export async function emitCommand(path: string, flags: EmitFlags, { cwd }: Surroundings): Promise<Outcome> {
  const targets = targetsOf(flags.target);
  const checked = await loadPipeline(path, cwd, flags.export);
  const artifacts = targets.map((target) => artifactOf(checked, target, path, cwd, flags.export));
  const files = artifacts.flatMap((artifact) => artifact.files);
  if (!flags.force) for (const file of files) keepForeign(flags.out, file.path, cwd);
  const written = writeFiles(
    flags.out,
    files.map(({ path: name, text }) => ({ path: name, data: text })),
    cwd,
  );
  const rows = artifacts.map(({ manifest, files: own }) => ({
    target: manifest.target,
    strategy: manifest.strategy,
    files: own.map(({ path: name }) => written[files.findIndex((file) => file.path === name)]),
  }));
  const data = { pipeline: checked.pipeline.name, out: flags.out, targets: rows };
  return { code: 0, data, text: written.map((name) => `${name}\n`).join("") };
}

function artifactOf(
  checked: Checked,
  target: TargetName,
  path: string,
  cwd: string,
  exportName: string | undefined,
): Artifact {
  return emit(checked.pipeline, TARGETS[target], { command: commandFor(path, cwd, target, exportName) });
}

/** The command that makes the files again, the same on every machine. */
export function commandFor(path: string, cwd: string, target: TargetName, exportName?: string): string {
  const words = ["groupwise", "emit", portablePath(path, cwd), "--target", target];
  if (exportName !== undefined) words.push("--export", exportName);
  return words.map(quoted).join(" ");
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** Files of others are not written over. @throws GroupwiseError `bad-file` */
function keepForeign(directory: string, name: string, cwd: string): void {
  const full = resolve(cwd, directory, name);
  if (!existsSync(full)) return;
  let start = "";
  try {
    start = readFileSync(full, "utf8").slice(0, 1000);
  } catch {
    return; // writing tells why it cannot be
  }
  if (!/groupwise/.test(start)) {
    throw badFile(
      `${directory}/${name}`,
      "it is there already and was not made by groupwise: remove it, or pass --force",
    );
  }
}
