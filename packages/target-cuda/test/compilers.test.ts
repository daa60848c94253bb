/** clang takes emitted files as CUDA and as HIP, without a warning, and nvcc where it is installed. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { emit, type PipelineSource } from "@groupwise/core";
import { CASES, collectivesOf, SCOPES, typesOf } from "@groupwise/testkit";
import { deviceTest, isFullRun, onlyInFullRuns } from "@groupwise/testkit/conformance";
import { eachTextOnce, type Found, findClang, found, missing, runProcess } from "@groupwise/testkit/devices";
import { afterAll, describe, expect, test } from "vitest";
import { hostInCpp } from "../src/host.ts";
import { cuda } from "../src/index.ts";

const HEADERS = fileURLToPath(new URL("headers", import.meta.url));
const STRICT = [
  "-std=c++17",
  "-Wall",
  "-Wextra",
  "-Werror",
  "-fsyntax-only",
  "-nocudainc",
  "-nocudalib",
  `-I${HEADERS}`,
];
/** The compiler looks for the toolkit of the machine, which it does not need here. */
const CUDA = [
  "-x",
  "cuda",
  "-Wno-unknown-cuda-version",
  "--cuda-gpu-arch=sm_80",
  "-include",
  "cuda_runtime.h",
];
const HIP = ["-x", "hip", "--offload-arch=gfx90a", "-D__HIP_PLATFORM_AMD__"];
const OLD = CUDA.map((arg) => arg.replace("sm_80", "sm_70"));

const folder = mkdtempSync(join(tmpdir(), "groupwise-cuda-texts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every file of these, in one folder; the names of those that compilers read. */
function written(
  sources: readonly PipelineSource[],
): readonly { readonly name: string; readonly code: string }[] {
  return sources.flatMap((source) => {
    const artifact = emit(source, cuda);
    const kernels = artifact.files[0]?.text ?? "";
    const files = [...artifact.files, ...hostInCpp(artifact)];
    for (const { path, text } of files) writeFileSync(join(folder, path), text);
    return files
      .filter(({ path }) => path.endsWith(".cu"))
      .map(({ path, text }) => ({ name: path, code: text + kernels }));
  });
}

/** What a compiler prints of files that it has not taken before. */
async function warningsOf(
  program: string,
  version: string,
  args: readonly string[],
  files: readonly { readonly name: string; readonly code: string }[],
): Promise<string> {
  const reports = await eachTextOnce([program, version, ...args], files, async (fresh) => {
    const { code, stdout, stderr } = await runProcess(program, [...args, ...fresh.map(({ name }) => name)], {
      cwd: folder,
    });
    const message = code === 0 ? stderr : `${program} ended with ${code}\n${stdout}${stderr}`;
    const diagnostics = message ? [{ severity: "error" as const, line: 0, column: 0, message }] : [];
    return fresh.map(({ name }) => ({ name, ok: !message, diagnostics }));
  });
  return reports.find(({ ok }) => !ok)?.diagnostics[0]?.message ?? "";
}

/** The files of one of so many cases. */
const oneIn = (turns: number): ReturnType<typeof written> =>
  written(CASES.filter((_, i) => i % turns === 0).map(({ ir }) => ir));
/** The same; those of every case in full runs. */
const filesOf = (turns: number): ReturnType<typeof written> => oneIn(isFullRun() ? 1 : turns);

describe.each([
  ["CUDA", CUDA, 12],
  ["CUDA of older devices", OLD, 48],
  ["HIP", HIP, 24],
] as const)("clang as %s", (_, args, turns) => {
  deviceTest("takes the files of the cases without a warning", findClang, async (version) => {
    expect(await warningsOf("clang", version, [...STRICT, ...args], filesOf(turns))).toBe("");
  });
});

deviceTest("clang takes every collective without a warning", findClang, async (version) => {
  const all = typesOf(cuda.capabilities).flatMap((type) =>
    SCOPES.map((scope) => collectivesOf({ type, scope, workGroupSize: 64, broadcast: [0] })),
  );
  const some = all.filter((_, i) => isFullRun() || i % 8 === 1);
  expect(await warningsOf("clang", version, [...STRICT, ...CUDA], written(some))).toBe("");
});

deviceTest("clang refuses fast floats, and devices that are too old", findClang, async () => {
  const [file] = oneIn(1000);
  const take = async (...args: readonly string[]): Promise<string> =>
    (await runProcess("clang", [...STRICT, ...args, file?.name ?? ""], { cwd: folder })).stderr;
  expect(await take(...CUDA, "-ffast-math")).toContain("-ffast-math changes results");
  expect(await take(...CUDA, "--cuda-gpu-arch=sm_60")).toContain("compute capability 7.0");
});

async function findNvcc(): Promise<Found<string>> {
  const result = await runProcess("nvcc", ["--version"]).catch(() => undefined);
  return result?.code === 0 ? found(result.stdout) : missing("nvcc is not installed");
}

test("nvcc takes files of cases without a warning, where it is installed", async (context) => {
  onlyInFullRuns(context, "clang reads the same texts in a fraction of the time");
  const nvcc = await findNvcc();
  if (!nvcc.found) return context.skip("nvcc is not installed");
  const args = [
    "-std=c++17",
    "-Werror",
    "all-warnings",
    "-Xcompiler",
    "-Wall,-Wextra,-Werror",
    "-arch=sm_80",
    "-c",
  ];
  expect(await warningsOf("nvcc", nvcc.value, args, oneIn(16))).toBe("");
});
