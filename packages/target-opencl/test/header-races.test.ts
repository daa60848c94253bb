/**
 * The header's functions on Oclgrind, which watches every access, and runs groups whose sizes do not divide
 * the range. A process sees either PoCL or Oclgrind, and this file has a process of its own.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deviceTest } from "@groupwise/testkit/conformance";
import {
  type Found,
  findOpenCl,
  found,
  type OclgrindFinding,
  parseOclgrindLog,
} from "@groupwise/testkit/devices";
import { afterAll, describe, expect } from "vitest";
import { openclHeader } from "../src/header.ts";
import { differences, opsOf, program, TYPED } from "./header-kernels.ts";
import { Raw, type Shape } from "./raw.ts";

const directory = mkdtempSync(join(tmpdir(), "groupwise-oclgrind-"));
const log = join(directory, "log");
afterAll(() => rmSync(directory, { recursive: true }));
let opened: Promise<Found<Raw>> | undefined;
async function oclgrind(): Promise<Found<Raw>> {
  const platform = findOpenCl("oclgrind");
  if (!platform.found) return platform;
  const watch = { OCLGRIND_DATA_RACES: "1", OCLGRIND_MAX_ERRORS: "100000", OCLGRIND_LOG: log };
  Object.assign(process.env, platform.value.env, watch);
  return found(await Raw.open());
}
const probe = (): Promise<Found<Raw>> => (opened ??= oclgrind());
let read = 0;
function findings(): OclgrindFinding[] {
  const text = existsSync(log) ? readFileSync(log, "utf8") : "";
  const fresh = text.slice(read);
  read = text.length;
  return parseOclgrindLog(fresh);
}
/** Sizes that do not divide, which need OpenCL C 2.0 or newer. */
const RAGGED: readonly Shape[] = [
  { global: [2 * 20 + 7], local: [20] },
  { global: [7, 5], local: [4, 3] },
  { global: [3, 3, 3], local: [2, 1, 2] },
];

describe.each(TYPED)("%s", (type) => {
  deviceTest(
    "functions neither race nor leave their memory, also in a last group that is smaller",
    probe,
    (raw, context) => {
      if (type === "f16" && !raw.has("cl_khr_fp16")) context.skip(`${raw.name} has no half`);
      opsOf(type).forEach((op, i) => {
        const shape = RAGGED[i % RAGGED.length] as Shape;
        const built = raw.build(program(type, "overloaded", shape), "-cl-std=CL2.0");
        expect(differences(built, type, op, shape)).toEqual([]);
      });
      expect(findings()).toEqual([]);
    },
    120_000,
  );
});

const OTHERS = `
kernel void others(global const int* x, global int* y) {
  GROUPWISE_SCRATCH(60);
  const size_t i = get_global_linear_id();
  y[5 * i] = work_group_all(x[i]);
  y[5 * i + 1] = work_group_any(x[i] < 0);
  y[5 * i + 2] = work_group_broadcast(x[i], 1);
  y[5 * i + 3] = work_group_broadcast(x[i], 1, 2);
  y[5 * i + 4] = work_group_broadcast(x[i], 2, 100, 1);
}`;
deviceTest("broadcasts and votes neither race nor leave their memory", probe, (raw) => {
  const x = Int32Array.from({ length: 60 }, (_, i) => i + 1);
  const y = new Int32Array(300);
  raw
    .build(`${openclHeader()}${OTHERS}`, "-cl-std=CL1.2")
    .run("others", [x, y], { global: [5, 4, 3], local: [5, 4, 3] });
  // (2, 100, 1) means (2, 3, 1).
  expect([...y]).toEqual(Array.from({ length: 60 }, () => [1, 0, 2, 12, 38]).flat());
  expect(findings()).toEqual([]);
});

deviceTest("a barrier that is missing is found in every family", probe, (raw) => {
  const shape = { global: [32], local: [16] };
  const whole = program("f32", "prefixed", shape);
  for (const name of ["gw_reduce_min_float", "gw_scans_add_float"]) {
    const from = whole.indexOf(` ${name}(`);
    const loop = whole.indexOf("for (uint round", from);
    const at = whole.indexOf("barrier(CLK_LOCAL_MEM_FENCE);", loop);
    for (const place of [from, loop, at]) expect(place).toBeGreaterThan(0);
    const text = `${whole.slice(0, at)}${whole.slice(whole.indexOf("\n", at))}`;
    differences(raw.build(text, "-cl-std=CL1.2"), "f32", name.includes("min") ? "min" : "add", shape);
    expect(findings()[0]?.message, name).toMatch(/data race/);
  }
  const vote = whole.indexOf("int gw_broadcast_int(");
  const at = whole.indexOf("barrier(CLK_LOCAL_MEM_FENCE);", whole.indexOf("if (lane", vote));
  const text = `${whole.slice(0, at)}${whole.slice(whole.indexOf("\n", at))}${OTHERS}`;
  raw
    .build(text, "-cl-std=CL1.2")
    .run("others", [new Int32Array(60), new Int32Array(300)], { global: [60], local: [60] });
  expect(findings()[0]?.message).toMatch(/data race/);
});
