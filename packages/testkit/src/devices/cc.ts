import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Found, found, missing } from "./found.ts";
import { runProcess } from "./process.ts";
import { eachTextOnce } from "./verdicts/verdicts.ts";

let answer: Promise<Found<string>> | undefined;

async function tryOut(): Promise<Found<string>> {
  const remedy = "on Debian: sudo node scripts/setup-devices.mjs";
  const directory = mkdtempSync(join(tmpdir(), "groupwise-cc-"));
  try {
    const file = join(directory, "probe.c");
    writeFileSync(file, "#include <CL/cl.h>\nint main(void) { return clGetPlatformIDs(0, 0, 0) == 1; }\n");
    const options = ["-DCL_TARGET_OPENCL_VERSION=120", "-lOpenCL", "-o", `${file}.out`];
    const result = await runProcess("cc", [file, ...options]);
    if (result.code === 0) return found("cc");
    return missing("the C compiler finds no OpenCL headers or library", remedy);
  } catch {
    return missing("there is no C compiler", remedy);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A C compiler that finds OpenCL's headers and library: the program's name. */
export function findCc(): Promise<Found<string>> {
  answer ??= tryOut();
  return answer;
}

/** What a compiler prints of sources in a folder that it has not taken before, each with the header that it includes. */
export async function warningsOf(
  compiler: string,
  args: readonly string[],
  sources: readonly string[],
  folder: string,
): Promise<string> {
  const { stdout: version } = await runProcess(compiler, ["--version"]);
  const read = (file: string): string => readFileSync(join(folder, file), "utf8");
  const files = sources.map((name) => ({
    name,
    code: read(name) + read(name.replace(/(_main|_host)?\.c$/, ".h")),
  }));
  const reports = await eachTextOnce([version, ...args], files, async (fresh) => {
    const names = fresh.map(({ name }) => name);
    const { code, stdout, stderr } = await runProcess(compiler, [...args, ...names], { cwd: folder });
    const message = code === 0 ? stderr : `${compiler} ended with ${code}\n${stdout}${stderr}`;
    const diagnostics = message ? [{ severity: "error" as const, line: 0, column: 0, message }] : [];
    return fresh.map(({ name }) => ({ name, ok: !message, diagnostics }));
  });
  return reports.find(({ ok }) => !ok)?.diagnostics[0]?.message ?? "";
}
