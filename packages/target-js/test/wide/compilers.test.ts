/** Outside compilers take the emulation as WGSL and as OpenCL C, without a warning. */
import { allExprs, CFamily, type Fn, spellNames, Text } from "@groupwise/core/kernel";
import { deviceTest } from "@groupwise/testkit/conformance";
import * as devices from "@groupwise/testkit/devices";
import { describe, expect } from "vitest";
import { isReserved as isReservedInC } from "../../../target-opencl/src/print/keywords.ts";
import {
  DIALECT as OPENCL,
  valueType,
  vectorOf as vectorInC,
} from "../../../target-opencl/src/print/spelling.ts";
import { isReserved as isReservedInWgsl } from "../../../target-wgsl/src/print/keywords.ts";
import { dialectOf, spelled, vectorOf } from "../../../target-wgsl/src/print/spelling.ts";
import { EMULATION, functionsOf } from "./harness.ts";
import { binaryOf, castsFrom, constantsOf, unaryOf } from "./operations.ts";

const TYPES = ["i64", "u64", "f64"] as const;
/** An operation may need one word only; the emulation's own functions need all that they take. */
const readAll = (fn: Fn): Fn => {
  if (EMULATION.includes(fn)) return fn;
  const read = new Set([...allExprs(fn.body)].map((e) => (e.kind === "var" ? e.name : "")));
  return { ...fn, params: fn.params.filter(({ name }) => read.has(name)) };
};
const functions = functionsOf(
  Object.assign(
    {},
    ...TYPES.flatMap((type) => [unaryOf(type), binaryOf(type), castsFrom(type)]),
    ...(["i64", "u64"] as const).map(constantsOf),
    ...(["i32", "u32", "f16", "f32", "bool"] as const).map(castsFrom),
  ),
).map(readAll);

function print(
  head: (printer: CFamily, fn: Fn) => string,
  printer: CFamily,
  isReserved: (word: string) => boolean,
): string {
  const text = new Text();
  for (const fn of functions) printer.fn(text, fn, head(printer, fn));
  return spellNames(text.toString(), isReserved);
}

/** A kernel that calls the function with words of `x`, and writes what comes of it. */
function wgsl(): string {
  const chosen = {
    params: "p",
    localIndex: "l",
    groupId: "g",
    groupCount: "c",
    subgroupSize: "s",
    shared: (x: string) => x,
    isAtomic: () => false,
    rows: (x: string) => x,
    stored: (x: string) => x,
  };
  const head = (printer: CFamily, fn: Fn): string => {
    const params = fn.params.map(({ name, type }) => `${printer.name(name)}: ${spelled(type).type}`);
    return `fn ${fn.name}(${params.join(", ")}) -> ${vectorOf(fn.returns, fn.width)} {`;
  };
  const text = print(head, new CFamily(dialectOf(chosen)), isReservedInWgsl);
  const calls = functions.map((fn, i) => {
    const args = fn.params.map(({ type }, k) =>
      type === "bool" ? `x[${i + k}] != 0u` : `bitcast<${type}>(x[${i + k}])`,
    );
    const first = fn.width > 1 ? ".x" : "";
    const value = `${fn.name}(${args.join(", ")})${first}`;
    return `  y[${i}] = ${fn.returns === "bool" ? `u32(${value})` : `bitcast<u32>(${value})`};`;
  });
  return `${text}
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(1) fn run() {
${calls.join("\n")}
}
`;
}

const opencl = (): string =>
  print(
    (printer, fn) => {
      const params = fn.params.map(({ name, type }) => `const ${valueType(type)} ${printer.name(name)}`);
      return `${vectorInC(fn.returns, fn.width)} ${fn.name}(${params.join(", ")}) {`;
    },
    new CFamily(OPENCL),
    isReservedInC,
  );

describe("outside compilers accept the emulation", () => {
  deviceTest("clang, as OpenCL C 1.2 and 3.0", devices.findClang, async () => {
    const reports = await devices.checkWithClang([{ name: "wide", code: opencl() }]);
    expect(devices.formatReports(reports)).toBe("");
  });
  deviceTest(
    "Tint, and a driver after it",
    () => devices.findDawn({ adapter: "lavapipe" }),
    async ({ device }) => {
      const reports = await devices.checkWithTint(device, [{ name: "wide", code: wgsl() }], {
        pipelines: true,
      });
      expect(devices.formatReports(reports)).toBe("");
    },
  );
  deviceTest(
    "naga",
    () => devices.findDeno("lavapipe"),
    async () => {
      const reports = await devices.checkWithNaga([{ name: "wide", code: wgsl() }], { adapter: "lavapipe" });
      expect(devices.formatReports(reports)).toBe("");
    },
  );
});
