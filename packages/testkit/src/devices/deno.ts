import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { prepareEnvironment, vulkanDrivers, vulkanEnvironment } from "./environment.ts";
import { type Found, found, missing, orThrow } from "./found.ts";
import { runProcess } from "./process.ts";
import { type Diagnostic, entryPoints, type FileReport, type ReportedFile } from "./verdicts/report.ts";
import { eachTextOnce, versionOf } from "./verdicts/verdicts.ts";

export interface DenoOptions {
  /** The Vulkan driver to run on; Deno's own choice when not given. */
  readonly adapter?: "lavapipe" | "swiftshader";
}

export interface NagaOptions {
  /** The features that naga accepts are those of this driver, so no caller leaves the choice to the environment. */
  readonly adapter: NonNullable<DenoOptions["adapter"]>;
  /** Also make a compute pipeline of every entry point. */
  readonly pipelines?: boolean;
}

const PACKAGES: Readonly<Record<string, string>> = {
  "linux-x64": "linux-x64-glibc",
  "linux-arm64": "linux-arm64-glibc",
};

export interface Deno {
  readonly program: string;
  /** Chooses the Vulkan driver. */
  readonly env: Readonly<Record<string, string>>;
}

/** The Deno of the npm package `deno`, or otherwise of the PATH, without the package's slower wrapper. */
export function findDeno(adapter?: DenoOptions["adapter"]): Found<Deno> {
  const platform = `${process.platform}-${process.arch}`;
  const exe = process.platform === "win32" ? "deno.exe" : "deno";
  const candidates = (process.env.PATH ?? "").split(delimiter).map((directory) => join(directory, exe));
  try {
    const require = createRequire(createRequire(import.meta.url).resolve("deno/package.json"));
    candidates.unshift(
      join(dirname(require.resolve(`@deno/${PACKAGES[platform] ?? platform}/package.json`)), exe),
    );
  } catch {
    // not installed from npm
  }
  // npm puts a link to the wrapper on the PATH of its scripts.
  const program = candidates.find((path) => existsSync(path) && !path.includes(".bin"));
  if (!program) return missing("Deno is not installed", "run: npm install deno");
  if (!adapter) return found({ program, env: {} });
  const driver = vulkanDrivers().find(({ name }) => name === adapter);
  if (!driver) return missing(`no Vulkan driver of ${adapter} is installed`);
  return found({ program, env: vulkanEnvironment(driver.file) });
}

/** Marks the result of `runInDeno` in the output, after everything that the code prints. */
const MARK = "\u0001answer:";

/**
 * Runs JavaScript in Deno, whose WebGPU is wgpu and whose WGSL front end is naga.
 * @param body of an async function of `input`; its result is returned, both through JSON. Modules are
 *   imported by file URL.
 */
export async function runInDeno<R>(body: string, input: unknown, options: DenoOptions = {}): Promise<R> {
  prepareEnvironment();
  const { program: deno, env } = orThrow(findDeno(options.adapter));
  const program = `const input = JSON.parse(await new Response(Deno.stdin.readable).text());
const answer = await (async () => {\n${body}\n})();
console.log(${JSON.stringify(MARK)} + JSON.stringify(answer ?? null));
Deno.exit(0);`;
  const args = ["eval", "--no-config", "--no-lock", "--unstable-webgpu", program];
  const result = await runProcess(deno, args, {
    input: JSON.stringify(input ?? null),
    cwd: tmpdir(), // away from package.json, which Deno would read
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", ...env },
  });
  const at = result.stdout.lastIndexOf(MARK);
  if (result.code === 0 && at >= 0) return JSON.parse(result.stdout.slice(at + MARK.length)) as R;
  const why = result.timedOut ? "did not end in time" : `ended with ${result.code ?? result.signal}`;
  throw new Error(`Deno ${why}: ${result.stderr.trim().slice(-2000)}`);
}

const CHECK = `
const adapter = await navigator.gpu?.requestAdapter();
if (!adapter) return null;
const requiredLimits = {};
for (const limit in adapter.limits) requiredLimits[limit] = adapter.limits[limit];
const device = await adapter.requestDevice({ requiredFeatures: [...adapter.features], requiredLimits });
const reports = [];
for (const { name, code, entries } of input) {
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ code });
  const { messages } = await module.getCompilationInfo();
  const diagnostics = messages.map((m) => ({ severity: m.type, line: m.lineNum, column: m.linePos, message: m.message }));
  const scope = await device.popErrorScope();
  const error = (message) => diagnostics.push({ severity: "error", line: 0, column: 0, message });
  if (scope && !diagnostics.length) error(scope.message);
  for (const entryPoint of diagnostics.length ? [] : entries) {
    device.pushErrorScope("validation");
    device.createComputePipeline({ layout: "auto", compute: { module, entryPoint } });
    const failed = await device.popErrorScope();
    if (failed) error(entryPoint + ": " + failed.message);
  }
  reports.push({ name, diagnostics });
}
return reports;
`;

/** The reports of naga on WGSL texts, all of them in one process. */
export async function checkWithNaga(
  files: readonly ReportedFile[],
  options: NagaOptions,
): Promise<FileReport[]> {
  return options.pipelines
    ? readAll(files, options)
    : eachTextOnce(["naga", versionOf("deno"), options], files, (fresh) => readAll(fresh, options));
}

async function readAll(files: readonly ReportedFile[], options: NagaOptions): Promise<FileReport[]> {
  const input = files.map(({ name, code }) => ({
    name,
    code,
    entries: options.pipelines ? entryPoints(code) : [],
  }));
  const answer = await runInDeno<{ name: string; diagnostics: Diagnostic[] }[] | null>(CHECK, input, options);
  if (!answer) return orThrow(missing("Deno has no WebGPU adapter"));
  return answer.map((report) => ({ ...report, ok: report.diagnostics.length === 0 }));
}
