/** OpenCL's own work-group functions: where they are used, and that both ways give the same bits. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { emit, OP_NAMES, type PipelineSource } from "@groupwise/core";
import { pipelineOf } from "@groupwise/core/target";
import { pipeline, u32 } from "@groupwise/dsl";
import { collectivesOf, opsOf } from "@groupwise/testkit";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import {
  bundled,
  checkWithClang,
  findClang,
  findOpenCl,
  formatReports,
  runNodeOn,
  scratchDirectory,
} from "@groupwise/testkit/devices";
import { describe, expect, test } from "vitest";
import type { OpenClDevice } from "../src/device/device.ts";
import { opencl } from "../src/index.ts";
import { buildOptions } from "../src/runtime/program.ts";
import { NATIVE_CASES, nativeDifferences, TRIED } from "./native-cases.ts";
import { spoilt, spoiltResult } from "./spoilt.ts";
import { errorFrom, pocl } from "./support.ts";

const texts = new Map<PipelineSource, string>();
/** What is emitted, once of each. */
function textOf(source: PipelineSource, native?: boolean): string {
  if (native !== undefined) return emit(source, opencl, { native }).files[0]?.text as string;
  const text = texts.get(source) ?? (emit(source, opencl).files[0]?.text as string);
  texts.set(source, text);
  return text;
}
const groupsOf = (type: "u32" | "f32", ...ops: string[]) =>
  collectivesOf({ type, scope: "work-group", workGroupSize: 64, ops: ops as never });
const macrosIn = (text: string): string[] => [
  ...new Set(text.match(/#ifdef GROUPWISE_\w+/g)?.map((line) => line.slice(7))),
];

describe("an emitted text", () => {
  test.each([
    ["sums of integers", groupsOf("u32", "add"), ["GROUPWISE_COLLECTIVES"]],
    ["products", groupsOf("u32", "mul"), ["GROUPWISE_UNIFORM_ARITHMETIC"]],
    ["both", groupsOf("u32", "add", "xor"), ["GROUPWISE_COLLECTIVES", "GROUPWISE_UNIFORM_ARITHMETIC"]],
    ["sums of floats", groupsOf("f32", "add"), []],
    // Vendors take fmin, and start at FLT_MAX.
    ["minima of floats, by integer keys", groupsOf("f32", "min"), ["GROUPWISE_COLLECTIVES"]],
  ])("asks for %s", (_, source, macros) => {
    expect(macrosIn(textOf(source))).toEqual(macros);
    const { flags } = emit(source, opencl).manifest;
    expect([flags.buildOptionsCL2, flags.buildOptionsCL3]).toEqual(
      macros.length > 0 ? ["-cl-std=CL2.0", "-cl-std=CL3.0"] : [undefined, undefined],
    );
  });

  test("can omit them, and is smaller then", () => {
    for (const source of NATIVE_CASES) {
      const own = textOf(source, false);
      expect(own).not.toMatch(/GROUPWISE_|\bwork_group_/);
      expect(own.length).toBeLessThanOrEqual(textOf(source).length);
    }
  });

  test("does not contract products and sums in any language version", () => {
    for (const source of NATIVE_CASES) expect(textOf(source)).toContain("#pragma OPENCL FP_CONTRACT OFF\n");
  });
});

/** What cl_khr_work_group_uniform_arithmetic declares; clang's own header has none of it. */
function uniformArithmetic(): string {
  const kinds = ["reduce", "scan_inclusive", "scan_exclusive"];
  const lines = kinds.flatMap((kind) =>
    OP_NAMES.flatMap((op) => {
      const name = `work_group_${kind}_${op.replace("-", "_")}`;
      if (op.startsWith("logical")) return [`int ${name}(int predicate);`];
      if (["add", "min", "max"].includes(op)) return [];
      return ["int", "uint"].map((type) => `${type} __attribute__((overloadable)) ${name}(${type} x);`);
    }),
  );
  const file = join(scratchDirectory(), "uniform-arithmetic.h");
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

describe("clang accepts every part", () => {
  const files = NATIVE_CASES.map((source) => ({ name: pipelineOf(source).name, code: textOf(source) }));
  const collectives = ["__opencl_c_work_group_collective_functions"];
  deviceTest("that is portable", findClang, async () => {
    expect(formatReports(await checkWithClang(files))).toBe("");
  });
  for (const features of isFullRun() ? [[], collectives] : [collectives]) {
    deviceTest(`for uniform arithmetic, with ${features.length} features`, findClang, async () => {
      const args = ["-Dcl_khr_work_group_uniform_arithmetic=1", "-include", uniformArithmetic()];
      const reports = await checkWithClang(files, { standards: ["CL3.0"], features, args });
      expect(formatReports(reports)).toBe("");
    });
  }
});

describe("build options", () => {
  const { manifest } = spoilt();
  const device = (more: Partial<OpenClDevice>): OpenClDevice =>
    ({ languageVersion: "OpenCL C 1.2", languages: [], features: [], ...more }) as OpenClDevice;
  const feature = "__opencl_c_work_group_collective_functions";
  test.each([
    ["1.2 on a device of old", device({}), "CL1.2"],
    ["1.2 where 3.0 lacks the feature", device({ languages: ["1.2", "3.0"] }), "CL1.2"],
    ["3.0 with the feature", device({ languages: ["1.2", "3.0"], features: [feature] }), "CL3.0"],
    ["2.0 on a device of 2.x", device({ languageVersion: "OpenCL C 2.1 thing" }), "CL2.0"],
  ])("are those of %s", (_, info, version) => {
    expect(buildOptions(manifest, info)).toBe(`-cl-std=${version}`);
  });
  test("have the instruction that reduces a warp on NVIDIA devices of compute capability 8.0 or higher", () => {
    const scan = pipeline("scan", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
    const looking = emit(scan, opencl, { lookBack: true, subgroups: 32 }).manifest;
    const of = (computeCapability?: number): string =>
      buildOptions(looking, device({ languages: ["3.0"], ...(computeCapability && { computeCapability }) }));
    expect([of(), of(7), of(8), of(12)]).toEqual([
      "-cl-std=CL3.0",
      "-cl-std=CL3.0",
      "-cl-std=CL3.0 -DGROUPWISE_REDUX",
      "-cl-std=CL3.0 -DGROUPWISE_REDUX",
    ]);
    expect(buildOptions(manifest, device({ computeCapability: 9 }))).toBe("-cl-std=CL1.2");
  });
  test("do not change if the text has no requirement", () => {
    const plain = emit(groupsOf("f32", "add"), opencl).manifest;
    expect(buildOptions(plain, device({ languages: ["3.0"], features: [feature] }))).toBe("-cl-std=CL1.2");
  });
});

deviceTest("PoCL 3.1 promises nothing and takes the portable part", pocl, async (runtime) => {
  expect(await spoiltResult(runtime)).toBe(64);
  // Outside of full runs the suite has the portable part.
  expect(await nativeDifferences(runtime, isFullRun() ? TRIED : [])).toEqual([]);
  const { code } = await errorFrom(async () => pocl({ subgroups: true }));
  expect(code).toBe("unsupported");
  runtime.dispose();
});

deviceTest(
  "PoCL 6 takes the native part of what it promises; every way gives the same bits",
  () => findOpenCl("pocl6"),
  async () => {
    const { stdout, stderr } = await runNodeOn("pocl6", [
      await bundled(join(import.meta.dirname, "native-program.ts")),
    ]);
    const line = stdout.split("\n").find((text) => text.startsWith('{"results"')) ?? stderr;
    expect(JSON.parse(line).results).toEqual({
      driver: expect.stringMatching(/^6/),
      native: [],
      portable: [],
      subgroups: [],
      both: [],
      greater: [],
      spoilt: 1064,
    });
  },
);

test("every operator with a native function is tested", () => {
  const native = NATIVE_CASES.map((source) => textOf(source)).join();
  for (const op of opsOf("i32"))
    expect(native).toContain(`work_group_scan_exclusive_${op.replace("-", "_")}(`);
});
