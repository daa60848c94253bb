import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Found, found, missing, orThrow } from "./found.ts";
import { type ProcessResult, runProcess, scratchDirectory } from "./process.ts";
import type { Diagnostic, FileReport, ReportedFile } from "./verdicts/report.ts";
import { eachTextOnce } from "./verdicts/verdicts.ts";

export type OpenClStandard = "CL1.2" | "CL3.0";

export interface ClangOptions {
  /** The command of another clang than `clang`. */
  readonly program?: readonly [string, ...string[]];
  /** Default: both; a file is ok if it is ok under each. */
  readonly standards?: readonly OpenClStandard[];
  /**
   * Feature macros of OpenCL C 3.0 to turn on, for example `__opencl_c_work_group_collective_functions`,
   * without which clang declares no work-group collective. Only used under CL3.0.
   */
  readonly features?: readonly string[];
  /** Further arguments, for example `-DNAME=1`. */
  readonly args?: readonly string[];
}

const JOBS = 2;
const BATCH = 32;

const CLANG = ["clang"] as const;

const VERSIONS = new Map<string, Promise<Found<string>>>();

/** clang's version line. A start of clang takes as long as a small text. */
export function findClang(program: Required<ClangOptions>["program"] = CLANG): Promise<Found<string>> {
  const key = [process.env.PATH, ...program].join("\0");
  const known = VERSIONS.get(key) ?? findCommand(program);
  VERSIONS.set(key, known);
  return known;
}

/** The first line of what a command says of its version. */
export async function findCommand([program, ...first]: readonly [string, ...string[]]): Promise<
  Found<string>
> {
  const result = await runProcess(program, [...first, "--version"]).catch(() => undefined);
  if (result?.code !== 0) return missing(`${[program, ...first].at(-1)} is not installed`);
  return found(result.stdout.split("\n")[0] as string);
}

const command = (standard: OpenClStandard, options: ClangOptions): string[] => [
  "-x",
  "cl",
  `-cl-std=${standard}`,
  "-fsyntax-only",
  "-Xclang",
  "-finclude-default-header",
  "-Wall",
  "-Wextra",
  "-Werror",
  "-fno-color-diagnostics",
  "-fno-caret-diagnostics",
  "-ferror-limit=20",
  // -Xclang -cl-ext=+name enables only extensions; features are enabled by their macros.
  ...(standard === "CL3.0" ? (options.features ?? []).map((feature) => `-D${feature}=1`) : []),
  ...(options.args ?? []),
];

const SEVERITIES: Readonly<Record<string, Diagnostic["severity"]>> = {
  "fatal error": "error",
  error: "error",
  warning: "warning",
  note: "info",
};

/** Diagnostics by index of the file: the files are named 0.cl, 1.cl, … */
function parse(result: ProcessResult, standard: OpenClStandard): Map<number, Diagnostic[]> {
  const byFile = new Map<number, Diagnostic[]>();
  for (const line of result.stderr.split("\n")) {
    const match = /^(\d+)\.cl:(\d+):(\d+): (fatal error|error|warning|note): (.*)$/.exec(line);
    if (!match) continue;
    const [, file, at, column, severity, message] = match as unknown as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const list = byFile.get(Number(file)) ?? [];
    byFile.set(Number(file), list);
    list.push({
      severity: SEVERITIES[severity] ?? "error",
      line: Number(at),
      column: Number(column),
      message: `${message} (${standard})`,
    });
  }
  return byFile;
}

/** The reports of clang on OpenCL C texts, with all warnings as errors. */
export async function checkWithClang(
  files: readonly ReportedFile[],
  options: ClangOptions = {},
): Promise<FileReport[]> {
  const version = orThrow(await findClang(options.program));
  // The key does not include the content of headers that arguments name.
  const isKnown = !options.args?.includes("-include");
  return isKnown
    ? eachTextOnce(["clang", version, options], files, (fresh) => readAll(fresh, options))
    : readAll(files, options);
}

async function readAll(files: readonly ReportedFile[], options: ClangOptions): Promise<FileReport[]> {
  const directory = scratchDirectory();
  const [program, ...first] = options.program ?? CLANG;
  files.forEach(({ code }, index) => {
    writeFileSync(join(directory, `${index}.cl`), code);
  });
  const diagnostics = files.map((): Diagnostic[] => []);
  const indices = files.map((_, index) => index);
  const tasks = (options.standards ?? ["CL1.2", "CL3.0"]).flatMap((standard) =>
    Array.from({ length: Math.ceil(files.length / BATCH) }, (_, batch) => ({
      standard,
      batch: indices.slice(batch * BATCH, (batch + 1) * BATCH),
    })),
  );
  const worker = async (): Promise<void> => {
    for (let task = tasks.shift(); task; task = tasks.shift()) {
      const { standard, batch } = task;
      const args = [...command(standard, options), ...batch.map((index) => `${index}.cl`)];
      const result = await runProcess(program, [...first, ...args], { cwd: directory });
      const byFile = parse(result, standard);
      // An error that names no file (a wrong argument, a missing header) applies to every file.
      if (result.code !== 0 && byFile.size === 0) {
        const message = `${result.stderr.trim() || `clang ended with ${result.code ?? result.signal}`} (${standard})`;
        for (const index of batch) byFile.set(index, [{ severity: "error", line: 0, column: 0, message }]);
      }
      for (const [index, list] of byFile) diagnostics[index]?.push(...list);
    }
  };
  await Promise.all(Array.from({ length: JOBS }, worker));
  rmSync(directory, { recursive: true, force: true });
  return files.map(({ name }, index) => {
    const list = diagnostics[index] ?? [];
    return { name, ok: list.length === 0, diagnostics: list };
  });
}

/**
 * The LLVM IR of clang for an OpenCL C text with its usual optimisation.
 * @throws Error with what clang printed
 */
export async function llvmOf(code: string): Promise<string> {
  orThrow(await findClang());
  const directory = scratchDirectory();
  writeFileSync(join(directory, "0.cl"), code);
  const args = [
    "-x",
    "cl",
    "-cl-std=CL1.2",
    "-Xclang",
    "-finclude-default-header",
    "-O2",
    "-S",
    "-emit-llvm",
  ];
  const result = await runProcess("clang", [...args, "-target", "spir64", "-o", "-", "0.cl"], {
    cwd: directory,
  });
  rmSync(directory, { recursive: true, force: true });
  if (result.code !== 0) throw new Error(result.stderr);
  return result.stdout;
}
