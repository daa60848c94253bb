import { type Artifact, type EmitOptions, emit } from "@groupwise/core";
import { halfToNumber } from "@groupwise/core/target";
import { f16, pipeline, u32 } from "@groupwise/dsl";
import { CASES, collectivesOf, SCOPES, typesOf } from "@groupwise/testkit";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { checkWithNaga, checkWithTint, findDeno, type ReportedFile } from "@groupwise/testkit/devices";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wgsl, withHalves } from "../src/index.ts";
import { f32Digits, spelled } from "../src/print/spelling.ts";
import { dawn } from "./devices.ts";
import { constants, greedy } from "./pipelines.ts";

const textOf = (artifact: Artifact): string => artifact.files[0]?.text as string;

const isFull = isFullRun();
/** In full runs all, else every tenth one: emitting and reading take the time, and the interpreter has the kernels of all. */
const inTurn = <T>(all: readonly T[], turn: number): readonly T[] =>
  all.filter((_, i) => isFull || i % 10 === turn);
const artifacts = new Map(inTurn(CASES, 0).map(({ ir }) => [ir, emit(ir, wgsl)]));
const sources: readonly ReportedFile[] = [
  ...[greedy, constants].map(({ ir }) => ({ name: ir.name, code: textOf(emit(ir, wgsl)) })),
  ...[...artifacts].map(([{ name }, artifact]) => ({ name, code: textOf(artifact) })),
];

describe("the emitted file", () => {
  const sum = pipeline("sum", { text: u32 }, ({ text }) => ({ sum: text.scanInclusive("add") }));

  test("of capabilities that lack something is none: the error names the option", () => {
    const known: Readonly<Record<string, unknown>> = { ...wgsl.capabilities };
    const names = [...Object.keys(known), ""];
    let refused = 0;
    for (const name of names)
      for (const value of [undefined, 5]) {
        const capabilities = (name ? { ...known, [name]: value } : {}) as never;
        try {
          emit(sum, wgsl, { capabilities });
        } catch (error) {
          refused++;
          expect([name, error]).toEqual([name, expect.objectContaining({ code: expect.any(String) })]);
        }
      }
    expect(refused).toBeGreaterThan(names.length / 2);
    for (const lacking of [{ scalars: {} }, { ...known, lookBack: {} }, { ...known, subgroups: {} }])
      expect(() => emit(sum, wgsl, { capabilities: lacking as never })).toThrowError(
        expect.objectContaining({ code: "bad-argument", where: "sum" }),
      );
  });

  test("states what it is, how it was made, and its bindings", () => {
    const artifact = emit(sum, wgsl, { command: "groupwise emit sum.ts --target wgsl" });
    expect(artifact.files.map(({ path }) => path)).toEqual(["sum.wgsl", "sum.wgsl.json"]);
    expect(textOf(artifact)).toContain("//   groupwise emit sum.ts --target wgsl");
    expect(textOf(emit(sum, wgsl))).toContain("//   groupwise emit sum --target wgsl");
    expect(JSON.parse(artifact.files[1]?.text as string)).toEqual(artifact.manifest);
    for (const { name, slot } of artifact.manifest.bindings) {
      const line = textOf(artifact)
        .split("\n")
        .find((text) => text.includes(`@binding(${slot})`));
      expect(line, name).toMatch(new RegExp(`\\b${name}_?: array<`));
    }
  });

  test("is the same each time", () => {
    for (const [ir, artifact] of [...artifacts].slice(0, isFull ? undefined : 5))
      expect(emit(ir, wgsl)).toEqual(artifact);
  });

  test("keeps a command in its comment", () => {
    const text = textOf(emit(sum, wgsl, { command: "x\n*/ fn evil() {}\u2028fn worse() {}" }));
    expect(text.split("\n").filter((line) => /evil|worse/.test(line))).toEqual([
      expect.stringMatching(/^\/\/ {3}x\?\*\/ fn evil/),
    ]);
  });
});

describe("types that WGSL lacks", () => {
  const sum = (type: "i64" | "f16") =>
    ({
      format: "groupwise-pipeline",
      version: 1,
      name: "p",
      workGroupSize: [64],
      nodes: [
        { id: 0, kind: "input", name: "x", type },
        { id: 1, kind: "param", name: "seed", type },
        { id: 2, kind: "binary", op: "add", left: 0, right: 1 },
        { id: 3, kind: "output", name: "y", of: 2 },
      ],
    }) as const;
  test("64-bit integers are two words, in memory and as parameters", () => {
    const artifact = emit(sum("i64"), wgsl);
    expect(textOf(artifact)).toContain("var<storage, read> x: array<u32>;");
    expect(artifact.manifest.bindings[0]).toMatchObject({ type: "i64", memory: "u32", bytesPerElement: 8 });
    expect(artifact.manifest.params.filter(({ role }) => role === "user")).toEqual(
      [0, 1].map((word) => ({
        name: ["seed_lo", "seed_hi"][word],
        type: "u32",
        memory: "u32",
        role: "user",
        from: { name: "seed", type: "i64", word },
        offset: 4 + 4 * word, // after n
      })),
    );
    expect(artifact.manifest.paramBlock).toEqual({ binding: 0, bytes: 16, alignment: 256 });
    expect(artifact.manifest.maxItems).toBe(2 ** 31);
    expect(artifact.manifest.requires).toEqual([]);
  });

  test("halves are rounded floats, two to a word in the host's arrays and one in the pipeline's own", () => {
    const sums = pipeline("sums", { x: f16 }, ({ x }) => ({ sums: x.scanInclusive("add") }));
    const artifact = emit(sums, wgsl);
    expect(textOf(artifact)).not.toContain("f16;");
    const forms = artifact.manifest.bindings.map((b) => [b.role, b.memory, b.bytesPerElement]);
    expect(forms).toEqual([
      ["input", "u32", 2],
      ["output", "u32", 2],
      ["scratch", "f32", 4],
    ]);
    expect(artifact.manifest.requires).toEqual([]);
  });

  test("halves are native if the device's feature is requested", () => {
    const artifact = emit(sum("f16"), wgsl, { capabilities: withHalves(wgsl.capabilities) });
    expect(textOf(artifact)).toMatch(/^enable f16;$/m);
    expect(textOf(artifact)).toContain("var<storage, read> x: array<f16>;");
    expect(artifact.manifest.requires).toEqual(["shader-f16"]);
    expect(artifact.manifest.bindings[0]).toMatchObject({ type: "f16", bytesPerElement: 2 });
  });
});

test("decimal digits are parsed as the same f32, also through a double", () => {
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (x) => {
      const digits = f32Digits(x);
      expect(Math.fround(Number(digits))).toBe(Number(digits) === 0 ? 0 : x);
      expect(Math.abs(Number(digits))).toBeLessThanOrEqual(3.4028234663852886e38);
    }),
  );
  expect(f32Digits(Math.fround(0.1))).toBe("0.1");
  expect(f32Digits(3.4028234663852886e38)).toBe("3.4028234663852886e+38");
});

test("halves are written with all their digits, for parsers that truncate", () => {
  // -0 and infinities are written as bits.
  for (let bits = 1; bits < 0x7c00; bits += isFull ? 1 : 7) {
    const value = halfToNumber(bits);
    for (const x of [value, -value]) expect(Number(spelled("f16").literal(x).slice(0, -1))).toBe(x);
  }
});

const OPTIONS: readonly EmitOptions[] = [
  { lookBack: true },
  { types: ["f16"] },
  { subgroups: true },
  { subgroups: 32, lookBack: true },
  { subgroups: true, lookBack: true, types: ["f16"] },
];
const COLLECTIVES = typesOf(wgsl.capabilities).flatMap((type) =>
  SCOPES.map((scope) => collectivesOf({ type, scope, workGroupSize: 16, broadcast: [0] })),
);
/** Every 18th pipeline in one of the options by turns, in full runs every one in all of them. */
const varied = [...CASES.map(({ ir }) => ir), ...COLLECTIVES].filter((_, i) => isFull || i % 18 === 1);
const optional: readonly ReportedFile[] = varied.flatMap((ir, i) =>
  OPTIONS.filter((_, o) => isFull || o === i % OPTIONS.length).map((options) => {
    // More in one kernel than a device has memory for: only its text is read.
    const capabilities = { ...wgsl.capabilities, workGroupMemory: 2 ** 20 };
    return {
      name: `${ir.name} ${JSON.stringify(options)}`,
      code: textOf(emit(ir, wgsl, { ...options, capabilities })),
    };
  }),
);
const alone: readonly ReportedFile[] = inTurn(COLLECTIVES, 2).map((ir, i) => ({
  name: `collectives ${i}`,
  code: textOf(emit(ir, wgsl, { capabilities: { ...wgsl.capabilities, workGroupMemory: 2 ** 20 } })),
}));

describe("outside compilers", () => {
  deviceTest(
    "Tint takes every file",
    () => dawn(),
    async (device) => {
      const reports = await checkWithTint(device, [...sources, ...alone, ...optional]);
      expect(reports.filter(({ ok }) => !ok)).toEqual([]);
    },
  );

  deviceTest(
    "naga takes every file",
    () => findDeno("lavapipe"),
    async () => {
      // This naga does not know `enable subgroups;` yet.
      const known = optional.filter(({ code }) => !/^enable subgroups;$/m.test(code));
      expect(known.length).toBeGreaterThan(isFull ? 10 : 2);
      const files = [...sources, ...alone, ...known];
      const reports = await checkWithNaga(files, { adapter: "lavapipe" });
      expect(reports.filter(({ ok }) => !ok)).toEqual([]);
    },
  );
});
