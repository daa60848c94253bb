/** The header's functions on a device, against the reference, in groups of many shapes. */
import type { Scalar } from "@groupwise/core";
import { deviceTest, effortOf } from "@groupwise/testkit/conformance";
import {
  checkWithClang,
  type Found,
  findClang,
  findOpenCl,
  formatReports,
  found,
} from "@groupwise/testkit/devices";
import { describe, expect, type TestContext, test } from "vitest";
import { openclHeader } from "../src/header.ts";
import { valueType } from "../src/spelling.ts";
import { c, differences, HEADER, kernels, opsOf, program, TYPED } from "./header-kernels.ts";
import { Raw, type Shape } from "./raw.ts";

let opened: Promise<Found<Raw>> | undefined;
async function pocl(): Promise<Found<Raw>> {
  const platform = findOpenCl("pocl");
  if (!platform.found) return platform;
  Object.assign(process.env, platform.value.env);
  return found(await Raw.open());
}
const probe = (): Promise<Found<Raw>> => (opened ??= pocl());

/** Nine groups, so that each kind of data has one. */
const line = (n: number): Shape => ({ global: [9 * n], local: [n] });
const SHAPES: readonly Shape[] = [
  ...[1, 2, 3, 63, 64, 100, 256].map(line),
  { global: [15, 15], local: [5, 5] },
  { global: [9, 4, 6], local: [3, 4, 2] },
];
const full = effortOf() === "full";
const spread = <T>(list: readonly T[], i: number, step: number): readonly T[] =>
  full ? list : list.filter((_, at) => at % step === i % step);

// Without optimisation PoCL compiles in a fifth of the time; the standard names below are optimised.
const QUICK = "-cl-opt-disable";

const requireHalf = (raw: Raw, type: Scalar, context: TestContext): void => {
  if (type === "f16" && !raw.has("cl_khr_fp16")) context.skip(`${raw.name} has no half`);
};

describe.each(TYPED)("%s", (type) => {
  deviceTest(
    "functions give what the reference gives, in groups of every shape",
    probe,
    (raw, context) => {
      requireHalf(raw, type, context);
      opsOf(type).forEach((op, i) => {
        for (const shape of spread(SHAPES, i, 3)) {
          const built = raw.build(program(type, "prefixed", shape), `-cl-std=CL1.2 ${QUICK}`);
          expect(differences(built, type, op, shape)).toEqual([]);
        }
      });
    },
    600_000,
  );

  deviceTest(
    "overloads and standard names stand for them, as OpenCL C 3.0 and optimised too",
    probe,
    (raw, context) => {
      requireHalf(raw, type, context);
      const shape = { global: [18, 10], local: [6, 5] };
      const overloaded = raw.build(program(type, "overloaded", shape), `-cl-std=CL3.0 ${QUICK}`);
      const standard = raw.build(program(type, "standard", shape), "-cl-std=CL1.2");
      opsOf(type).forEach((op, i) => {
        expect(differences(overloaded, type, op, shape)).toEqual([]);
        const isInt = type === "i32" || !op.startsWith("logical");
        if (isInt && (full || i < 3)) expect(differences(standard, type, op, shape)).toEqual([]);
      });
    },
    600_000,
  );
});

describe("clang takes the header as OpenCL C 1.2, 2.0 and 3.0 without a warning", () => {
  const uses = TYPED.flatMap((type) => {
    const guard = { i64: "GW_HAS_LONG", u64: "GW_HAS_LONG", f16: "GW_HAS_HALF", f64: "GW_HAS_DOUBLE" }[
      type as "f16"
    ];
    const rename = (text: string, by: string): string =>
      text.replaceAll(/(kernel void \w+)/g, `$1${type}_${by}`);
    const text = (["prefixed", "overloaded", "standard"] as const).map((by) => rename(kernels(type, by), by));
    return guard ? [`#ifdef ${guard}`, ...text, "#endif"] : text;
  });
  const code = `${HEADER}\n#define FULL 64\n${uses.join("\n")}`;
  const NATIVE = ["-DGROUPWISE_NATIVE"];
  const features = ["__opencl_c_work_group_collective_functions"];

  deviceTest(
    "portable and native",
    findClang,
    async () => {
      const files = [{ name: "uses", code }];
      const reports = [
        ...(await checkWithClang(files)),
        ...(await checkWithClang(files, { args: NATIVE, features })),
      ];
      expect(formatReports(reports)).toBe("");
    },
    120_000,
  );

  deviceTest("twice, and under another prefix beside it", findClang, async () => {
    const second = openclHeader({ prefix: "other_" });
    const text = `${HEADER}\n${HEADER}\n#define GROUPWISE_NO_STANDARD_NAMES\n${second}`;
    const files = [{ name: "two", code: text }];
    expect(formatReports(await checkWithClang(files))).toBe("");
    expect(formatReports(await checkWithClang(files, { args: NATIVE, features }))).toBe("");
  });
});

describe("the text", () => {
  test("is the same every time, and carries its command in a comment that it cannot leave", () => {
    expect(openclHeader()).toBe(HEADER);
    expect(openclHeader({ command: "x\\\n*/ #error" })).toContain("\n//   x/?*/ #error\n");
  });

  test("has every function of the checklist", () => {
    for (const type of TYPED)
      for (const op of opsOf(type))
        for (const family of ["reduce", "scan_inclusive", "scan_exclusive"])
          expect(HEADER).toContain(` gw_${family}_${c(op)}_${valueType(type)}(const ${valueType(type)} x, `);
  });

  test.each(["", "1x", "a b", "gw__", "__gw", "x;y", "a".repeat(40)])("refuses the prefix %j", (prefix) => {
    expect(() => openclHeader({ prefix })).toThrowError(expect.objectContaining({ code: "bad-name" }));
  });
});
