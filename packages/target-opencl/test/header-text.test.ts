/** The text of the header: its messages name what a call lacks, and compilers take each function alone. */
import { join } from "node:path";
import { deviceTest, inFullRuns, isFullRun } from "@groupwise/testkit/conformance";
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

const HEADER = openclHeader();

deviceTest(
  "with GROUPWISE_DEBUG a group that is larger than its scratch is told, and computes nothing",
  inFullRuns("CI has it: a process that builds the whole header", () => findOpenCl("pocl")),
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
    const names =
      "broadcast broadcast_float broadcast_from reduce_min reduce_min_half scan_exclusive_add scan_exclusive_add_int scans_add_int";
    expect([...new Set(defined)].toSorted()).toEqual(names.split(" ").map((name) => `gw_${name}`));
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
