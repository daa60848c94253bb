/** clang takes emitted files as CUDA and as HIP, without a warning, and nvcc where it is installed. */
import { CASES, collectivesOf, SCOPES, typesOf } from "@groupwise/testkit";
import { deviceTest, inFullRuns, isFullRun, onlyInFullRuns } from "@groupwise/testkit/conformance";
import { type Found, findClang, found, missing, runProcess } from "@groupwise/testkit/devices";
import { describe, expect, test } from "vitest";
import { cuda } from "../src/index.ts";
import { CUDA, folder, HIP, STRICT, type Written, warningsOf, written } from "./clang.ts";

const OLD = CUDA.map((arg) => arg.replace("sm_80", "sm_70"));

/** The files of one of so many cases. */
const oneIn = (turns: number): readonly Written[] =>
  written(CASES.filter((_, i) => i % turns === 0).map(({ ir }) => ir));

// Full runs, among them CI's part, have every case; for older devices a text differs in instructions that reduce a warp.
describe.each([
  ["CUDA", CUDA, isFullRun() ? 1 : 48],
  ...(isFullRun() ? [["CUDA of older devices", OLD, 8] as const] : []),
  ["HIP", HIP, isFullRun() ? 1 : 96],
] as const)("clang as %s", (_, args, turns) => {
  deviceTest("takes the files of the cases without a warning", findClang, async (version) => {
    expect(await warningsOf("clang", version, [...STRICT, ...args], oneIn(turns))).toBe("");
  });
});

deviceTest(
  "clang takes every collective without a warning",
  inFullRuns("clang compiles collectives for the CPU in every run: `conformance.test.ts`", findClang),
  async (version) => {
    const all = typesOf(cuda.capabilities).flatMap((type) =>
      SCOPES.map((scope) => collectivesOf({ type, scope, workGroupSize: 64, broadcast: [0] })),
    );
    expect(await warningsOf("clang", version, [...STRICT, ...CUDA], written(all))).toBe("");
  },
);

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
  const warnings = ["-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra,-Werror"];
  const args = ["-std=c++17", ...warnings, "-arch=sm_80", "-c"];
  expect(await warningsOf("nvcc", nvcc.value, args, oneIn(16))).toBe("");
});
