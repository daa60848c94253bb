/** The header's functions on a device, against the reference, in groups of many shapes. */
import { SCALAR_NAMES, type Scalar } from "@groupwise/core";
import { SCALARS } from "@groupwise/core/target";
import { DATA, difference, randomOf } from "@groupwise/testkit";
import { deviceTest, effortOf, inFullRuns } from "@groupwise/testkit/conformance";
import { checkWithClang, findClang, formatReports } from "@groupwise/testkit/devices";
import { describe, expect, type TestContext, test } from "vitest";
import { openclHeader } from "../src/header.ts";
import { valueType } from "../src/print/spelling.ts";
import { probe } from "./header-device.ts";
import { c, differences, HEADER, kernels, opsOf, program, TYPED } from "./header-kernels.ts";
import type { Raw, Shape } from "./raw.ts";

/** So many groups that each kind of data has one. */
const GROUPS = Math.max(...Object.values(DATA).map((kinds) => kinds.length));
const line = (n: number): Shape => ({ global: [GROUPS * n], local: [n] });
const SHAPES: readonly Shape[] = [
  ...[1, 2, 3, 63, 64, 100, 256].map(line),
  { global: [5 * GROUPS, 5], local: [5, 5] },
  { global: [6, 4, GROUPS], local: [3, 4, 2] },
];
const full = effortOf() === "full";
/** Shapes that the operators of a type are tried in: all in full runs, else one, and other types have the others. */
const shapesOf = (type: Scalar): readonly Shape[] =>
  full ? SHAPES : [SHAPES[(2 + SCALAR_NAMES.indexOf(type)) % SHAPES.length] as Shape];
/** Programs of texts, each built once. */
function builds(raw: Raw, options: string): (text: string) => ReturnType<Raw["build"]> {
  const built = new Map<string, ReturnType<Raw["build"]>>();
  return (text) => {
    const one = built.get(text) ?? raw.build(text, options);
    built.set(text, one);
    return one;
  };
}

// Without optimisation PoCL compiles in a fifth of the time; the standard names below are optimised.
const QUICK = "-cl-opt-disable";

const requireHalf = (raw: Raw, type: Scalar, context: TestContext): void => {
  if (type === "f16" && !raw.has("cl_khr_fp16")) context.skip(`${raw.name} has no half`);
};

/** Outside of full runs these: the texts of others differ in names, Oclgrind runs those of f32 and of doubles as bits, and CI all. */
const ALWAYS: readonly Scalar[] = ["i32", "f16"];

describe.each(TYPED.filter((type) => full || ALWAYS.includes(type)))("%s", (type) => {
  deviceTest("functions give what the reference gives, in groups of every shape", probe, (raw) => {
    const build = builds(raw, `-cl-std=CL1.2 ${QUICK}`);
    for (const op of opsOf(type))
      for (const shape of shapesOf(type))
        expect(differences(build(program(type, "prefixed", shape)), type, op, shape)).toEqual([]);
  });

  deviceTest(
    "overloads and standard names stand for them, as OpenCL C 3.0 and optimised too",
    inFullRuns("CI has it; clang takes them, and programs call standard names", probe),
    (raw, context) => {
      requireHalf(raw, type, context);
      const shape = { global: [6, 5 * GROUPS], local: [6, 5] };
      const overloaded = raw.build(program(type, "overloaded", shape), `-cl-std=CL3.0 ${QUICK}`);
      // Optimising takes long: CI has it.
      const standard = raw.build(program(type, "standard", shape), `-cl-std=CL1.2 ${full ? "" : QUICK}`);
      opsOf(type).forEach((op, i) => {
        expect(differences(overloaded, type, op, shape)).toEqual([]);
        const isInt = type === "i32" || !op.startsWith("logical");
        if (isInt && (full || i < 3)) expect(differences(standard, type, op, shape)).toEqual([]);
      });
    },
  );
});

deviceTest(
  "doubles as bits give what the reference gives, where the device has them",
  inFullRuns("CI has it; Oclgrind has them in integers", probe),
  (raw) => {
    const build = builds(raw, `-cl-std=CL1.2 ${QUICK}`);
    for (const op of opsOf("f64"))
      for (const shape of shapesOf("f32"))
        expect(differences(build(program("f64", "bits", shape)), "f64", op, shape)).toEqual([]);
  },
);

deviceTest("a float that is no half is rounded to one first, in every function of halves", probe, (raw) => {
  const names = ["reduce_add", "reduce_min", "scan_inclusive_mul", "scan_inclusive_max", "broadcast"];
  const calls = names.map((name, i) => {
    const place = name === "broadcast" ? ", 0" : "";
    return `y[${names.length} * i + ${i}] = gw_${name}_half(x[i], s${place});`;
  });
  const text = `
kernel void rounded(global const float* x, global float* y) {
  local float s[GW_SCRATCH(1)];
  const size_t i = get_global_id(0);
  ${calls.join("\n  ")}
}`;
  const random = randomOf("rounded halves");
  const wrap = (value: number): number => SCALARS.f16.wrap(value) as number;
  // Beside every half: where it ends, and any float.
  const edges = Array.from({ length: full ? 4000 : 500 }, () => {
    const half = new Float32Array([
      wrap(random.pick([1, 2 ** -14, 2 ** -24, 2 ** 15]) * (1 + random.unit())),
    ]);
    const bits = new Uint32Array(half.buffer);
    bits[0] = (bits[0] as number) + random.pick([-1, 0, 1, 0x0fff, 0x1000, 0x1001]);
    return half[0] as number;
  });
  const any = new Float32Array(Uint32Array.from({ length: full ? 4000 : 500 }, () => random.bits()).buffer);
  const x = Float32Array.from([...edges, ...any, 65504, 65519.99, 65520, 2 ** -25, 2 ** -25 * 1.0001, -0]);
  const y = new Float32Array(x.length * names.length);
  raw.build(HEADER + text, "-cl-std=CL1.2").run("rounded", [x, y], { global: [x.length], local: [1] });
  const want = Float32Array.from(y, (_, i) => wrap(x[Math.floor(i / names.length)] as number));
  expect(difference("f32", y, want)?.text).toBeUndefined();
});

describe("clang accepts the header as OpenCL C 1.2, 2.0 and 3.0 without a warning", () => {
  const GUARDS: Readonly<Partial<Record<Scalar, string>>> = {
    i64: "GW_HAS_LONG",
    u64: "GW_HAS_LONG",
    f16: "GW_HAS_HALF",
    f64: "GW_HAS_DOUBLE",
  };
  const guarded = (guard: string | undefined, lines: readonly string[]): readonly string[] =>
    guard ? [`#ifdef ${guard}`, ...lines, "#endif"] : lines;
  const named = (type: Scalar, by: Parameters<typeof kernels>[1]): string =>
    kernels(type, by).replaceAll(/(kernel void \w+)/g, `$1${type}_${by}`);
  const uses = [
    ...TYPED.flatMap((type) =>
      guarded(GUARDS[type], [
        ...(type === "f16" ? [] : [named(type, "prefixed")]),
        named(type, "overloaded"),
        named(type, "standard"),
      ]),
    ),
    named("f16", "prefixed"),
    ...guarded("GW_HAS_LONG", [named("f64", "bits")]),
  ];
  const code = `${HEADER}\n#define FULL 64\n${uses.join("\n")}`;
  /** Outside of full runs the whole header is read in each version, and these texts in one. */
  const newest = full ? {} : { standards: ["CL3.0"] as const };
  const NATIVE = ["-DGROUPWISE_NATIVE"];
  const features = ["__opencl_c_work_group_collective_functions"];

  deviceTest("portable and native", findClang, async () => {
    const files = [{ name: "uses", code }];
    const reports = [
      ...(await checkWithClang(files)),
      ...(await checkWithClang(files, { args: NATIVE, features })),
    ];
    expect(formatReports(reports)).toBe("");
  });

  // Turned off by name: a plain -cl_khr_fp64 contradicts the feature of OpenCL C 3.0.
  const LACKS = { HALF: "-cl_khr_fp16", DOUBLE: "-cl_khr_fp64,-__opencl_c_fp64" } as const;
  // Each type has guards of its own: outside of full runs both are absent or present.
  const lacking = [[], ...(full ? [["HALF"], ["DOUBLE"]] : []), ["HALF", "DOUBLE"]];
  describe.each(lacking as (keyof typeof LACKS)[][])("without %s %s", (...lacks) => {
    deviceTest("is its text for the device", findClang, async () => {
      const told = (["HALF", "DOUBLE"] as const).map((type) => {
        const isMissing = lacks.includes(type);
        return `#if ${isMissing ? "" : "!"}defined(GW_HAS_${type})\n#error ${type}\n#endif\n`;
      });
      const off = lacks.map((type) => LACKS[type]).join(",");
      // Of clang's two lists of the language's functions only its header has vload_half on any device.
      const args = ["-target", "spir64", "-cl-no-stdinc", ...(off ? ["-Xclang", `-cl-ext=${off}`] : [])];
      const files = [{ name: "uses", code: `${code}\n${told.join("")}` }];
      expect(formatReports(await checkWithClang(files, { args, ...newest }))).toBe("");
    });
  });

  deviceTest("twice, and under another prefix beside it", findClang, async () => {
    const second = openclHeader({ prefix: "other_" });
    const text = `${HEADER}\n${HEADER}\n#define GROUPWISE_NO_STANDARD_NAMES\n${second}`;
    const files = [{ name: "two", code: text }];
    if (full) expect(formatReports(await checkWithClang(files, newest))).toBe("");
    // Its text has the portable functions too.
    expect(formatReports(await checkWithClang(files, { args: NATIVE, features, ...newest }))).toBe("");
  });
});

describe("the text", () => {
  test("is the same every time, and contains its command in a comment that the command cannot end", () => {
    expect(openclHeader()).toBe(HEADER);
    expect(openclHeader({ command: "x\\\n*/ #error" })).toContain("\n//   x/?*/ #error\n");
  });

  test("has every function of the checklist, those of types that a device may lack for both kinds", () => {
    const count = (head: string): number => HEADER.split(` ${head}`).length - 1;
    for (const family of ["reduce", "scan_inclusive", "scan_exclusive"]) {
      for (const type of TYPED)
        for (const op of opsOf(type)) {
          const [given, times] = type === "f16" ? ["float", 2] : [valueType(type), 1];
          expect(count(`gw_${family}_${c(op)}_${valueType(type)}(const ${given} x, `)).toBe(times);
        }
      for (const op of opsOf("f64"))
        expect(count(`gw_${family}_${c(op)}_double_bits(const ulong x, `)).toBe(2);
    }
  });

  test.each(["", "1x", "a b", "gw__", "__gw", "x;y", "a".repeat(40)])("refuses the prefix %j", (prefix) => {
    expect(() => openclHeader({ prefix })).toThrowError(expect.objectContaining({ code: "bad-name" }));
  });
});
