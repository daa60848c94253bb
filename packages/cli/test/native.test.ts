/** examples/native and examples/c as their users build them: CMake, a C compiler and the system's OpenCL. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deviceTest, inFullRuns } from "@groupwise/testkit/conformance";
import {
  type Found,
  findCc,
  findOpenCl,
  found,
  missing,
  type ProcessResult,
  runProcess,
} from "@groupwise/testkit/devices";
import { expect, test } from "vitest";
import { folder } from "./support.ts";

const ROOT = join(import.meta.dirname, "../../..");
const EXAMPLE = join(ROOT, "examples/native");
const BIN = join(ROOT, "packages/cli/dist/bin.js");

async function tools(): Promise<Found<Readonly<Record<string, string>>>> {
  const cc = await findCc();
  if (!cc.found) return cc;
  const cmake = await runProcess("cmake", ["--version"]).catch(() => undefined);
  if (cmake?.code !== 0) return missing("CMake is not installed");
  const pocl = findOpenCl("pocl");
  if (!pocl.found) return pocl;
  return existsSync(BIN) ? found(pocl.value.env) : missing("groupwise is not built", "run: npm run build");
}

deviceTest(
  "examples/native configures, builds, and finds its own results right; wrong ones end with an error",
  inFullRuns("`target-opencl/test/host.test.ts` builds hosts and runs them", tools),
  async (env) => {
    const build = folder();
    const run = (program: string, ...args: string[]): Promise<ProcessResult> =>
      runProcess(program, args, { cwd: build, env });
    const cmake = `-DGROUPWISE=${process.execPath};${BIN}`;
    const steps = [
      ["cmake", "-S", EXAMPLE, "-B", build, cmake, "-DCMAKE_C_FLAGS=-Werror"],
      ["cmake", "--build", build],
      ["ctest", "--output-on-failure"],
    ];
    for (const [program = "", ...args] of steps) {
      const { code, stdout, stderr } = await run(program, ...args);
      expect(code, `${program}: ${stdout}\n${stderr}`).toBe(0);
      if (program === "ctest") expect(stdout).toContain("100% tests passed, 0 tests failed out of 2");
    }

    const kernel = readFileSync(join(EXAMPLE, "compact.cl"), "utf8");
    writeFileSync(join(build, "wrong.cl"), kernel.replace("x[i] > 0.0f", "x[i] > 1.0f"));
    const compact = await run("./compact", "groupwise.h", "wrong.cl");
    expect(compact.code).not.toBe(0);
    expect(compact.stderr).toContain("a plain loop gives");
    const lines = readFileSync(join(build, "line-index.cl"), "utf8");
    writeFileSync(join(build, "line-index.cl"), lines.replaceAll("== 10u", "== 97u"));
    const index = await run("./line-index", "line-index.cl");
    expect(index.code).not.toBe(0);
    expect(index.stderr).toContain("a plain loop gives");
  },
);

async function builders(): Promise<Found<string>> {
  const [cc, cmake] = await Promise.all(
    ["cc", "cmake"].map((name) => runProcess(name, ["--version"]).catch(() => undefined)),
  );
  if (cc?.code !== 0 || cmake?.code !== 0) return missing("a C compiler or CMake is not installed");
  return existsSync(BIN) ? found(BIN) : missing("groupwise is not built", "run: npm run build");
}

deviceTest(
  "examples/c makes its package, builds, and finds its own results right; wrong ones end with an error",
  inFullRuns("`target-c/test/host.test.ts` builds a package by CMake and links it", builders),
  async (bin) => {
    const build = folder();
    const run = async (program: string, ...args: string[]): Promise<ProcessResult> => {
      const result = await runProcess(program, args, { cwd: build });
      expect(result.code, `${program}: ${result.stdout}\n${result.stderr}`).toBe(0);
      return result;
    };
    const options = [`-DGROUPWISE=${process.execPath};${bin}`, "-DCMAKE_C_FLAGS=-Werror"];
    await run("cmake", "-S", join(ROOT, "examples/c"), "-B", build, ...options);
    await run("cmake", "--build", build);
    const { stdout } = await run("ctest", "--output-on-failure");
    expect(stdout).toContain("100% tests passed, 0 tests failed out of 2");

    const source = join(build, "made/gw_line-index.c");
    writeFileSync(source, readFileSync(source, "utf8").replaceAll("== 10u", "== 97u"));
    await run("cmake", "--build", build);
    const wrong = await runProcess("./line-index", [], { cwd: build });
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toContain("a plain loop gives");
  },
);

test("the kernel of the example has one line that OpenCL C 2.0 does not know", () => {
  const lines = readFileSync(join(EXAMPLE, "compact.cl"), "utf8").split("\n");
  expect(lines.filter((line) => /groupwise|gw_/i.test(line))).toEqual([
    expect.stringMatching(/^ {2}GROUPWISE_SCRATCH\(128\);/),
  ]);
});
