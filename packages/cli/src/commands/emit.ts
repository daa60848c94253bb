/** `groupwise emit`: the sources and manifests of a pipeline. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Artifact, type Checked, type EmitOptions, emit } from "@groupwise/core";
import type { FormWriter, HostWriter, Split } from "@groupwise/core/target";
import { STDOUT, writeFiles } from "../base/files.ts";
import type { Outcome, Surroundings } from "../base/outcome.ts";
import { badFile, badUsage, type Problem, problemOf } from "../base/problem.ts";
import { oneOf } from "../base/suggest.ts";
import { targetsOf } from "../base/target-list.ts";
import { HOST_LANGUAGES, PART_BYTES } from "../base/target-names.ts";
import { TARGET_NAMES, type TargetName, toolsOf } from "../base/targets.ts";
import type { EmitFlags } from "../flags/tables.ts";
import { readTuning, refuseTuning } from "../values/tuning-file.ts";
import { commandFor, deviceOptionsOf, FORM_NAMES } from "./emit-flags.ts";
import { genericHost } from "./generic-host.ts";
import { loadPipeline } from "./pipeline-file.ts";

const oneOfTargets = `${TARGET_NAMES.join(", ")} or all`;

/** @throws GroupwiseError `bad-usage` */
function splitOf({
  parts = [],
  partBytes = PART_BYTES,
}: Pick<EmitFlags, "parts" | "partBytes">): Split | undefined {
  const counted = parts.map((text): [string, number] => {
    const [name = "", count = ""] = text.split("=");
    if (!/^[0-9]+$/.test(count))
      throw badUsage(`${JSON.stringify(text)} is not of the form array=count`, "pass --parts array=3");
    return [name, Number(count)];
  });
  return counted.length === 0 ? undefined : { partBytes, parts: Object.fromEntries(counted) };
}

/** @param onSource is called with the full path of each module that is read */
export async function emitCommand(
  path: string,
  flags: EmitFlags,
  { cwd }: Pick<Surroundings, "cwd">,
  onSource?: (file: string) => void,
): Promise<Outcome> {
  const { target: list } = flags;
  if (list === undefined) throw badUsage("no target is given", `pass --target: ${oneOfTargets}`);
  const targets = targetsOf(list);
  requireHost(flags.host, targets);
  if (flags.mpi && flags.host !== undefined)
    throw badUsage("--mpi writes a host program itself", "omit --host");
  if (flags.mpi && flags.openmp)
    throw badUsage("--mpi and --openmp write different files", "omit one, and start one rank for each core");
  if (flags.openmp && flags.host === "python")
    throw badUsage("--host python calls the function of one thread", "omit --openmp");
  for (const form of FORM_NAMES) if (flags[form]) refuseTuning(flags.tuning, `--${form}`);
  if (flags.items !== undefined && flags.tuning === undefined)
    throw badUsage("--items is the number of items for a tuning", "pass --tuning too, or omit --items");
  const tuningOf = readTuning(flags.tuning, targets, cwd);
  const checked = await loadPipeline(path, cwd, flags.export, onSource);
  const { artifacts, refused } = artifactsOf(checked, targets, flags, (target, host) => ({
    ...deviceOptionsOf(flags),
    ...tuningOf(target),
    ...(flags.items !== undefined && { items: flags.items }),
    command: commandFor(path, cwd, target, flags, host),
  }));
  const files = distinctFiles(artifacts);
  if (flags.out === STDOUT) return printed(checked.pipeline.name, files, refused);
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
  return {
    code: 0,
    data: { pipeline: checked.pipeline.name, out: flags.out, targets: rows, refused },
    text: written.map((name) => `${name}\n`).join(""),
    notes: notesOf(refused),
  };
}

/** The files of all artifacts, each once: targets may share a host. @throws GroupwiseError `bad-usage` */
function distinctFiles(artifacts: readonly Artifact[]): Artifact["files"] {
  const files = new Map<string, Artifact["files"][number]>();
  for (const file of artifacts.flatMap((one) => one.files)) {
    const other = files.get(file.path) ?? file;
    if (other.text !== file.text)
      throw badUsage(`two targets have a file ${file.path}`, "emit one target into each folder");
    files.set(file.path, file);
  }
  return [...files.values()];
}

const hostWriter = (target: TargetName, language: string): HostWriter | undefined => {
  const { hosts } = toolsOf(target);
  return Object.hasOwn(hosts, language) ? hosts[language] : genericHost(target, language);
};

/** The files on stdout, each after a line with its name, in the format of `head`. */
const printed = (pipeline: string, files: Artifact["files"], refused: readonly Refused[]): Outcome => ({
  code: 0,
  data: { pipeline, out: STDOUT, files, refused },
  text: files.map(({ path, text }) => `==> ${path} <==\n${text}`).join("\n"),
  notes: notesOf(refused),
});

const notesOf = (refused: readonly Refused[]): string[] =>
  refused.map(({ target, problem }) => `${target} skipped: ${problem.what}`);

/** @throws GroupwiseError `bad-usage` */
function requireHost(host: string | undefined, targets: readonly TargetName[]): void {
  if (host === undefined) return;
  const able = TARGET_NAMES.filter((target) => hostWriter(target, host));
  if (able.length === 0)
    throw badUsage(`there is no host in ${JSON.stringify(host)}`, oneOf(host, HOST_LANGUAGES));
  if (targets.some((target) => able.includes(target))) return;
  throw badUsage(
    `none of the targets has a host in ${host}`,
    `pass --target ${able.join(" or ")}, or omit --host`,
  );
}

interface Refused {
  readonly target: TargetName;
  readonly problem: Problem;
}

/** Artifacts for all named targets, or with `all` for the targets that support the pipeline. */
function artifactsOf(
  { pipeline }: Checked,
  targets: readonly TargetName[],
  { host, ...flags }: EmitFlags,
  optionsFor: (target: TargetName, host?: string) => EmitOptions & { readonly command: string },
): { artifacts: Artifact[]; refused: Refused[] } {
  const isAll = flags.target?.split(",").includes("all");
  const artifacts: Artifact[] = [];
  const refused: Refused[] = [];
  for (const target of targets) {
    try {
      const writeHost = host === undefined ? undefined : hostWriter(target, host);
      const split = splitOf(flags);
      const options = {
        ...optionsFor(target, writeHost && host),
        ...(split && { split }),
      };
      const form = FORM_NAMES.find((name) => flags[name]);
      const artifact = form
        ? formOf(target, form)(pipeline, options)
        : emit(pipeline, toolsOf(target).target, options);
      const more = writeHost?.(artifact, options.command) ?? [];
      artifacts.push({ ...artifact, files: [...artifact.files, ...more] });
    } catch (error) {
      refused.push({ target, problem: problemOf(error) });
      if (!isAll || refused.length === targets.length) throw error;
    }
  }
  return { artifacts, refused };
}

/** The titles of forms of emitted files. */
const FORM_TITLES: Readonly<Record<(typeof FORM_NAMES)[number], string>> = { mpi: "MPI", openmp: "OpenMP" };

/** The function that emits files in a form. @throws GroupwiseError `bad-usage` */
function formOf(target: TargetName, form: (typeof FORM_NAMES)[number]): FormWriter {
  const writer = toolsOf(target).forms?.[form];
  if (writer) return writer;
  const able = TARGET_NAMES.filter((name) => toolsOf(name).forms?.[form]);
  throw badUsage(
    `the target ${target} has no files for ${FORM_TITLES[form]}`,
    `pass --target ${able.join(" or ")}, or omit --${form}`,
  );
}

/** Refuses to overwrite files that groupwise did not make. @throws GroupwiseError `bad-file` */
export function keepForeign(directory: string, name: string, cwd: string): void {
  const full = resolve(cwd, directory, name);
  if (!existsSync(full)) return;
  let start = "";
  try {
    start = readFileSync(full, "utf8").slice(0, 1000);
  } catch {
    return; // the attempt to write reports the reason
  }
  if (!/groupwise/.test(start)) {
    throw badFile(
      `${directory}/${name}`,
      "it exists and was not made by groupwise",
      undefined,
      "remove it, choose another --out, or pass --force to overwrite it",
    );
  }
}
