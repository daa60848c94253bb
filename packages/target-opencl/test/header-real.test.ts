/** The header in programs of applications: they build, their results equal those of plain loops, and errors name what they lack. */
import { join } from "node:path";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import {
  bundled,
  checkWithClang,
  findClang,
  findOpenCl,
  formatReports,
  runNodeOn,
} from "@groupwise/testkit/devices";
import { describe, expect, test } from "vitest";
import { openclHeader, openclHeaderFunctions } from "../src/header.ts";
import { probe } from "./header-device.ts";
import { GROUP, REAL_KERNELS, TWELVE, twelve } from "./header-real-kernels.ts";
import type { Raw } from "./raw.ts";

const HEADER = openclHeader();

const list = (n: number, value: (i: number) => number): number[] =>
  Array.from({ length: n }, (_, i) => value(i));
const groupsOf = (x: readonly number[], size: number): number[][] =>
  list(x.length / size, (g) => g).map((g) => x.slice(g * size, (g + 1) * size));
const line = (n: number) => ({ global: [n], local: [GROUP] });

describe("kernels of applications", () => {
  const build = (raw: Raw) => raw.build(HEADER + REAL_KERNELS, "-cl-std=CL1.2");
  let built: ReturnType<typeof build> | undefined;
  const program = (raw: Raw) => (built ??= build(raw));

  deviceTest("clang takes them without a warning", findClang, async () => {
    const files = [{ name: "kernels", code: HEADER + REAL_KERNELS + TWELVE }];
    // Whoever leaves a value uninitialised where it is not read is warned by the compiler, as for the language's own.
    const args = ["-Wno-sometimes-uninitialized"];
    expect(formatReports(await checkWithClang(files, { args }))).toBe("");
    expect(formatReports(await checkWithClang(files, { args: [...args, "-DGROUPWISE_DEBUG"] }))).toBe("");
  });

  deviceTest("a helper that takes room by a counter", probe, (raw) => {
    const neighbours = list(5 * GROUP, (i) => (i * 7) % 5);
    const total = neighbours.reduce((a, b) => a + b);
    const [pairs, top] = [new Uint32Array(2 * total), new Uint32Array(1)];
    program(raw).run("emit_pairs", [Uint32Array.from(neighbours), pairs, top], line(5 * GROUP));
    expect(top[0]).toBe(total);
    const got = list(total, (k) => k).map((k) => `${pairs[2 * k]} ${pairs[2 * k + 1]}`);
    const want = neighbours.flatMap((count, i) => list(count, (k) => k).map((k) => `${i} ${k}`));
    expect(got.toSorted()).toEqual(want.toSorted());
  });

  deviceTest("a broadcast of what one work-item alone has set", probe, (raw) => {
    const numbers = list(10 * GROUP, (i) => (i * 7919) % 1013);
    const [out, top] = [new Int32Array(numbers.length), new Int32Array(1)];
    program(raw).run("compact", [Int32Array.from(numbers), out, top], line(numbers.length));
    const want = numbers.filter((v) => v % 3 === 0);
    expect(top[0]).toBe(want.length);
    expect([...out.slice(0, want.length)].toSorted()).toEqual(want.toSorted());
  });

  deviceTest("softmax of rows", probe, (raw) => {
    const columns = 100;
    const rows = list(4 * columns, (i) => Math.fround(((i * 37) % 101) / 8 - 6));
    const got = Float32Array.from(rows);
    program(raw).run("softmax", [got, columns], line(4 * GROUP));
    groupsOf(rows, columns).forEach((row, r) => {
      const sum = row.reduce((a, x) => a + Math.exp(x), 0);
      row.forEach((x, i) => {
        expect(got[r * columns + i]).toBeCloseTo(Math.exp(x) / sum, 6);
      });
    });
  });

  deviceTest("cumulative histograms", probe, (raw) => {
    const bytes = list(3 * 500, (i) => (i * i) % 251);
    const sums = new Uint32Array(3 * GROUP);
    program(raw).run("cumulative_histogram", [Uint8Array.from(bytes), 500, sums], line(3 * GROUP));
    const want = groupsOf(bytes, 500).flatMap((part) =>
      list(GROUP, (bin) => part.filter((byte) => byte % 64 <= bin).length),
    );
    expect([...sums]).toEqual(want);
  });

  deviceTest("the largest keys of each group", probe, (raw) => {
    const keys = list(3 * GROUP, (i) => (i * 40503) % 97);
    const [values, places] = [new Uint32Array(15), new Uint32Array(15)];
    program(raw).run("top_k", [Uint32Array.from(keys), 5, values, places], line(3 * GROUP));
    const want = groupsOf(keys, GROUP).flatMap((group) =>
      group
        .map((key, lane) => ({ key, lane }))
        .toSorted((a, b) => b.key - a.key || a.lane - b.lane)
        .slice(0, 5),
    );
    expect([...values]).toEqual(want.map(({ key }) => key));
    expect([...places]).toEqual(want.map(({ lane }) => lane));
  });

  deviceTest("sums of an array that is longer than the group", probe, (raw) => {
    const numbers = list(1000, (i) => ((i * 7919) % 1013) - 500);
    const out = new Int32Array(1000);
    program(raw).run("prefix_sums", [Int32Array.from(numbers), out, 1000], line(GROUP));
    let sum = 0;
    expect([...out]).toEqual(numbers.map((v) => (sum += v)));
  });

  deviceTest("statistics of tiles in two dimensions", probe, (raw) => {
    const image = list(32 * 8, (i) => ((i * 131) % 201) - (i % 32 < 16 ? 250 : 30));
    const out = list(3, () => 0).map(() => new Int32Array(4));
    const shape = { global: [32, 8], local: [16, 4] };
    program(raw).run("tile_statistics", [Int16Array.from(image), ...out], shape);
    const tiles = list(4, (t) => t).map((t) =>
      list(64, (i) => image[((t >> 1) * 4 + (i >> 4)) * 32 + (t & 1) * 16 + (i & 15)] as number),
    );
    const every = (tile: readonly number[]): boolean => tile.every((v) => v < 0);
    const some = (tile: readonly number[]): boolean => tile.some((v) => v < 0);
    expect([...(out[0] ?? [])]).toEqual(tiles.map((tile) => (every(tile) ? 1000 : Math.min(...tile))));
    expect([...(out[1] ?? [])]).toEqual(tiles.map((tile) => (some(tile) ? Math.max(...tile) : 1000)));
    expect([...(out[2] ?? [])]).toEqual(tiles.map((tile) => tile[2 * 16 + 8]));
  });
});

// A compiler that doubles its work with each call would take hours.
deviceTest("a kernel of twelve calls builds, and groups of one run it too", probe, (raw) => {
  const program = raw.build(HEADER + TWELVE, "-cl-std=CL1.2");
  for (const size of [1, GROUP]) {
    const vs = list(2 * GROUP, (i) => (i * 7919 + 13) | 0);
    const fs = list(2 * GROUP, (i) => (i % 17) - 8);
    const [v, f] = [Int32Array.from(vs), Float32Array.from(fs)];
    program.run("twelve", [v, f], { global: [2 * GROUP], local: [size] });
    const parts = groupsOf(fs, size);
    const want = groupsOf(vs, size).map((part, g) => twelve(part, parts[g] as number[]));
    expect([...v]).toEqual(want.flatMap((one) => one.v));
    expect([...f]).toEqual(want.flatMap((one) => one.f));
  }
});

deviceTest(
  "with GROUPWISE_DEBUG a group that is larger than its scratch is told, and computes nothing",
  () => findOpenCl("pocl"),
  async () => {
    const program = await bundled(join(import.meta.dirname, "header-debug-program.ts"));
    const { code, stdout, stderr } = await runNodeOn("pocl", [program]);
    expect(code, stderr).toBe(0);
    const told = "groupwise: a work-group of 64 work-items, with scratch for 32: nothing is computed\n";
    expect(stdout.split(told)).toHaveLength(3);
    const [, answer = ""] = /^answer (.*)$/m.exec(stdout) ?? [];
    expect(JSON.parse(answer)).toEqual({ large: Array(128).fill(-1), fitting: Array(64).fill(32) });
  },
);

describe("compiler messages", () => {
  const messages = async (code: string): Promise<string> =>
    formatReports(await checkWithClang([{ name: "kernel", code: HEADER + code }], { standards: ["CL1.2"] }));

  deviceTest("of a call without scratch names the remedy", findClang, async () => {
    const text = await messages(`
int before(int x);
int before(int x) { return work_group_scan_exclusive_add(x); }
kernel void k(global int* x) { x[0] = work_group_reduce_add(before(x[0])); }`);
    const name =
      "GROUPWISE_SCRATCH_must_be_declared_in_the_kernel_or_GROUPWISE_SCRATCH_PARAM_in_the_function";
    expect(text.split(`use of undeclared identifier '${name}'`)).toHaveLength(1 + 2);
  });

  deviceTest("of a vector says that functions take scalars", findClang, async () => {
    const calls = [
      "work_group_reduce_add(v)",
      "work_group_scan_exclusive_max(v)",
      "gw_scan_inclusive_xor(v, GROUPWISE_SCRATCH_ARG)",
      "work_group_broadcast(v, 0)",
      "gw_broadcast(v, GROUPWISE_SCRATCH_ARG, 0, 1)",
    ];
    for (const type of isFullRun() ? ["int2", "uint3", "ulong16"] : ["uint3"]) {
      const kernels = calls.map(
        (call, k) =>
          `kernel void k${k}(global ${type}* x) { GROUPWISE_SCRATCH(64); const ${type} v = x[0]; x[0] = ${call}; }\n`,
      );
      const text = await messages(kernels.join(""));
      const first = HEADER.split("\n").length;
      const told = [
        ...text.matchAll(/^kernel:(\d+):.*take scalars: call one for each component of a vector/gm),
      ];
      const lines = [...new Set(told.map(([, line]) => Number(line) - first))];
      expect(lines.toSorted(), type).toEqual(calls.map((_, k) => k));
    }
  });
});

describe("the text", () => {
  // PoCL copies what follows a barrier that may be skipped, once more for each: compiling then takes time exponential in the number of calls.
  test("has functions of at most four barriers, of which none may be skipped, and two loops, which run at least once", () => {
    const bodies = HEADER.split(/^GW_(?:FN|OVERLOAD) (?=.*\{$)/m)
      .slice(1)
      .map((text) => text.slice(0, text.indexOf("\n}\n")));
    const inside = (body: string, head: RegExp): boolean => {
      const lines = body.split("\n");
      return lines.some((line, at) => {
        if (!head.test(line)) return false;
        const end = lines.findIndex((other, i) => i > at && other.startsWith(`${/^ */.exec(line)}}`));
        return lines.slice(at, line.endsWith("{") ? end : at + 1).some((one) => one.includes("barrier("));
      });
    };
    const counts = bodies.map((body) => ({
      barriers: body.split("barrier(").length - 1,
      loops: body.split("do {").length - 1,
      // Their test is at the head: a compiler may not find out that it holds at first.
      others: /\bfor \(|\bwhile \(.*\{/.test(body),
      skipped: inside(body, /\b(?:if|else|switch|for|while)\b/),
    }));
    expect(counts.filter(({ loops }) => loops > 0).length).toBeGreaterThan(100);
    expect(Math.max(...counts.map(({ barriers }) => barriers))).toBe(4);
    expect(Math.max(...counts.map(({ loops }) => loops))).toBe(2);
    expect(counts.filter(({ others, skipped }) => others || skipped)).toEqual([]);
  });

  test("contains the requested functions, and those that they call", () => {
    const some = openclHeader({ functions: ["scan-exclusive-add-i32", "reduce-min-f16", "broadcast-f32"] });
    const defined = [...some.matchAll(/^GW_\w+ \w+ (gw_(?:reduce|scan|broadcast)\w*)\(/gm)].map(
      ([, name]) => name,
    );
    expect([...new Set(defined)].toSorted()).toEqual([
      "gw_broadcast",
      "gw_broadcast_float",
      "gw_broadcast_from",
      "gw_reduce_min",
      "gw_reduce_min_half",
      "gw_scan_exclusive_add",
      "gw_scan_exclusive_add_int",
      "gw_scans_add_int",
    ]);
    expect(openclHeader({ functions: openclHeaderFunctions() }).replaceAll(/^\/\/.*\n/gm, "")).toBe(
      HEADER.replaceAll(/^\/\/.*\n/gm, ""),
    );
    const unknown = () => openclHeader({ functions: ["scans-add-i32"] });
    expect(unknown).toThrowError(expect.objectContaining({ code: "unknown-function" }));
  });

  deviceTest("of each function by itself is complete", findClang, async () => {
    const names = openclHeaderFunctions().filter((_, i) => i % (isFullRun() ? 9 : 45) === 0);
    const files = names.map((name) => ({ name, code: openclHeader({ functions: [name] }) }));
    expect(formatReports(await checkWithClang(files))).toBe("");
  });
});
