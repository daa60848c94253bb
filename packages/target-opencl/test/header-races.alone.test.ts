/** The header's functions on Oclgrind, which watches every access, and runs groups whose sizes do not divide the range. */
import type { Scalar } from "@groupwise/core";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { describe, expect } from "vitest";
import { openclHeader } from "../src/header.ts";
import { CHECKED_HEADER, CHECKED_KERNEL, failures } from "./header-checks.ts";
import { differences, NO_DOUBLE, opsOf, program, TYPED } from "./header-kernels.ts";
import { watched } from "./oclgrind.ts";
import { Raw, type Shape } from "./raw.ts";

const probe = watched(() => Raw.open());

/** Sizes that do not divide, which need OpenCL C 2.0 or newer. */
const RAGGED: readonly Shape[] = [
  { global: [2 * 20 + 7], local: [20] },
  { global: [7, 5], local: [4, 3] },
  { global: [3, 3, 3], local: [2, 1, 2] },
];

interface Case {
  readonly title: string;
  readonly type: Scalar;
  readonly names: Parameters<typeof program>[1];
  readonly before?: string;
  /** Before 2.0 all groups have one size. */
  readonly standard?: "CL1.2";
}
/** Oclgrind's compiler defines cl_khr_fp16, which the device has not. */
const NO_HALF = "#undef cl_khr_fp16\n";
const CASES: readonly Case[] = [
  ...TYPED.filter((type) => type !== "f16").map((type): Case => ({ title: type, type, names: "overloaded" })),
  // From 2.0 on halves are stored through generic pointers, which Oclgrind lacks.
  { title: "f16 in float", type: "f16", names: "prefixed", before: NO_HALF, standard: "CL1.2" },
  { title: "f64 as bits", type: "f64", names: "bits" },
  { title: "f64 as bits, in integers", type: "f64", names: "bits", before: NO_DOUBLE },
];
const whole = ({ global, local }: Shape): Shape => ({
  global: global.map((size, d) => size - (size % (local[d] as number))),
  local,
});

/** Outside of full runs words, and doubles as bits; CI has all. */
const ALWAYS = ["f32", "f64 as bits, in integers"];

const TRIED = CASES.filter(({ title }) => isFullRun() || ALWAYS.includes(title));

describe.each(TRIED)("$title", ({ title, type, names, before = "", standard }) => {
  deviceTest(
    "functions neither race nor leave their memory, also in a last group that is smaller",
    probe,
    ({ device: raw, findings }) => {
      // Outside of full runs one shape, with every third operator, by turns of types.
      const only = TRIED.findIndex((one) => one.title === title) % RAGGED.length;
      for (const [turn, ragged] of RAGGED.entries()) {
        if (!isFullRun() && turn !== only) continue;
        const shape = standard ? whole(ragged) : ragged;
        const built = raw.build(before + program(type, names, shape), `-cl-std=${standard ?? "CL2.0"}`);
        for (const op of opsOf(type).filter((_, i) => i % RAGGED.length === turn))
          expect(differences(built, type, op, shape)).toEqual([]);
      }
      expect(findings()).toEqual([]);
    },
  );
});

const OTHERS = `
kernel void others(global const int* x, global int* y) {
  GROUPWISE_SCRATCH(60);
  const size_t i = get_global_linear_id();
  y[7 * i] = work_group_all(x[i]);
  y[7 * i + 1] = work_group_any(x[i] < 0);
  y[7 * i + 2] = work_group_broadcast(x[i], 1);
  y[7 * i + 3] = work_group_broadcast(x[i], 1, 2);
  y[7 * i + 4] = work_group_broadcast(x[i], 2, 100, 1);
  y[7 * i + 5] = (int)gw_broadcast_half(x[i], GROUPWISE_SCRATCH_ARG, 17);
  y[7 * i + 6] = (int)(gw_broadcast_double_bits(as_ulong((int2)(1, x[i])), GROUPWISE_SCRATCH_ARG, 1000) >> 32);
}`;
deviceTest("broadcasts and votes neither race nor leave their memory", probe, ({ device: raw, findings }) => {
  const x = Int32Array.from({ length: 60 }, (_, i) => i + 1);
  for (const before of isFullRun() ? ["", NO_DOUBLE] : [NO_DOUBLE]) {
    const y = new Int32Array(60 * 7);
    raw
      .build(`${NO_HALF}${before}${openclHeader()}${OTHERS}`, "-cl-std=CL1.2")
      .run("others", [x, y], { global: [5, 4, 3], local: [5, 4, 3] });
    // (2, 100, 1) means (2, 3, 1), and place 1000 the last one.
    expect([...y]).toEqual(Array.from({ length: 60 }, () => [1, 0, 2, 12, 38, 18, 60]).flat());
  }
  expect(findings()).toEqual([]);
});

const withoutLine = (text: string, at: number): string =>
  text.slice(0, at) + text.slice(text.indexOf("\n", at));

deviceTest("a barrier that is missing is found in every family", probe, ({ device: raw, findings }) => {
  const shape = { global: [32], local: [16] };
  const families = [
    { type: "f32", op: "min", name: "gw_reduce_min_float", names: "prefixed" },
    { type: "f32", op: "add", name: "gw_scans_add_float", names: "prefixed" },
    { type: "f64", op: "add", name: "gw_scans_add_double_bits", names: "bits" },
  ] as const;
  // CI has all.
  for (const { type, op, name, names } of families.filter((_, i) => isFullRun() || i === 2)) {
    const text = NO_DOUBLE + program(type, names, shape);
    const from = text.indexOf(` ${name}(`);
    const loop = text.indexOf("do {", from);
    const at = text.indexOf("barrier(CLK_LOCAL_MEM_FENCE);", loop);
    for (const place of [from, loop, at]) expect(place).toBeGreaterThan(0);
    differences(raw.build(withoutLine(text, at), "-cl-std=CL1.2"), type, op, shape);
    expect(findings()[0]?.message, name).toMatch(/data race/);
  }
  const text = NO_HALF + openclHeader() + OTHERS;
  const vote = text.indexOf("int gw_broadcast_int(");
  const at = text.indexOf("barrier(CLK_LOCAL_MEM_FENCE);", text.indexOf("if (", vote));
  raw
    .build(withoutLine(text, at), "-cl-std=CL1.2")
    .run("others", [new Int32Array(60), new Int32Array(420)], { global: [60], local: [60] });
  expect(findings()[0]?.message).toMatch(/data race/);
});

deviceTest("consecutive calls do not race, and do where a call lacks its first barrier", probe, (watch) => {
  const { device: raw, findings } = watch;
  const build = (header: string) => raw.build(`${NO_HALF}${header}${CHECKED_KERNEL}`, "-cl-std=CL1.2");
  expect(failures(build(CHECKED_HEADER))).toEqual([]);
  expect(findings()).toEqual([]);
  for (const name of isFullRun() ? ["gw_reduce_add_int", "gw_scans_add_int"] : ["gw_reduce_add_int"]) {
    const from = CHECKED_HEADER.search(new RegExp(`^GW_\\w+ \\w+ ${name}\\(`, "m"));
    failures(
      build(withoutLine(CHECKED_HEADER, CHECKED_HEADER.indexOf("barrier(CLK_LOCAL_MEM_FENCE);", from))),
    );
    expect(findings()[0]?.message, name).toMatch(/data race/);
  }
});

deviceTest("a write outside of an array is found", probe, ({ device: raw, findings }) => {
  const text = "kernel void k(global uint* a) { a[get_global_id(0) + 1] = 1u; }";
  raw.build(text, "-cl-std=CL1.2").run("k", [new Uint32Array(4)], { global: [4], local: [4] });
  expect(findings()[0]?.message).toMatch(/Invalid write/);
});
