/** A host that knows a manifest and a library calls both of its functions, with arrays and scalars of the types that it states. */
import { join } from "node:path";
import { check, type Formula, type Manifest, reference } from "@groupwise/core";
import { parseManifest } from "@groupwise/core/schema";
import { bool, f16, f32, i64, param, pipeline, table, u8 } from "@groupwise/dsl";
import { deviceTest } from "@groupwise/testkit/conformance";
import { findCc } from "@groupwise/testkit/devices";
import koffi from "koffi";
import { expect, test } from "vitest";
import { emitOpenMp } from "../src/openmp.ts";
import { compiled, STRICT, written } from "./support.ts";

const flags = pipeline(
  "flags",
  {
    ...{ flag: bool, byte: u8, x: f32, masks: table(bool) },
    ...{ turn: param(bool), half: param(f16), long: param(i64) },
  },
  ({ flag, byte, x, masks, turn, half, long }, { index }) => ({
    turned: flag.xor(turn),
    before: flag.toU32().scanExclusive("add"),
    some: flag.any(),
    masked: masks.at(index()).and(flag),
    kept: byte.scatter({ to: flag.toU32().scanExclusive("add"), where: flag }),
    scaled: x.mul(half.toF32()),
    longs: byte.toI64().add(long).scanInclusive("add"),
  }),
);

const VIEWS = {
  ...{ i8: Int8Array, u8: Uint8Array, i16: Int16Array, u16: Uint16Array, f16: Uint16Array },
  ...{ i32: Int32Array, u32: Uint32Array, i64: BigInt64Array, u64: BigUint64Array },
  ...{ f32: Float32Array, f64: Float64Array },
} as const;
const SCALARS = {
  ...{ bool: "bool", u16: "uint16_t", i32: "int32_t", u32: "uint32_t", i64: "int64_t", u64: "uint64_t" },
  ...{ f16: "uint16_t", f32: "float", f64: "double", size: "size_t" },
} as const;
const OPS: Readonly<Record<string, (a: number, b: number) => number>> = {
  ...{ add: (a, b) => a + b, sub: (a, b) => a - b, mul: (a, b) => a * b, min: Math.min, max: Math.max },
  ...{ "floor-div": (a, b) => Math.floor(a / b), "ceil-div": (a, b) => Math.ceil(a / b) },
};

/** A run by the text of a manifest alone: the bytes of each output. */
function host(text: string, library: string, at: number) {
  const manifest: Manifest = JSON.parse(text);
  const call = manifest.calls?.[at];
  if (!call) throw new Error("no such call");
  const types = call.arguments.map((one) => ("scalar" in one ? SCALARS[one.scalar] : "void *"));
  const returns = call.scratch === "function" ? "int" : "void";
  const opened = koffi.load(library);
  const run = opened.func(call.function, returns, types);
  return (
    n: number,
    given: Readonly<Record<string, ArrayLike<number | bigint> | number | bigint | boolean>>,
  ) => {
    const lengthOf = (name: string): number => (given[name] as ArrayLike<number>).length;
    const value = (f: Formula): number => {
      if (typeof f === "number") return f;
      if (typeof f === "string") return n;
      if ("length" in f) return lengthOf(f.length);
      if ("param" in f) return Number(given[f.param]);
      return OPS[f.op]?.(value(f.args[0]), value(f.args[1])) as number;
    };
    const arrays = new Map(
      manifest.bindings.map(({ name, role, memory, bytes }) => {
        const array = new VIEWS[memory](new ArrayBuffer(value(bytes)));
        if (role === "input" || role === "table") array.set(given[name] as never);
        return [name, array] as const;
      }),
    );
    const scalar = (name: string, of: string | undefined) => {
      if (of !== undefined) return lengthOf(of);
      const { role, from, table: counted = "" } = manifest.params.find((one) => one.name === name) ?? {};
      if (role === "length") return n;
      if (role === "table-length") return lengthOf(counted);
      return given[from?.name ?? name];
    };
    const status = run(
      ...call.arguments.map((one) => ("scalar" in one ? scalar(one.name, one.table) : arrays.get(one.name))),
    );
    return { status, outputs: Object.fromEntries(arrays) };
  };
}

const N = 131;
/** 2.5 as a half. */
const HALF = 0x4100;
const bits = Array.from({ length: N }, (_, i) => Number(i % 3 === 0 || i % 7 === 0));
const given = {
  ...{ flag: bits, byte: bits.map((_, i) => (i * 37) % 256), x: bits.map((_, i) => i / 8) },
  ...{ masks: [1, 0, 0, 1, 1], turn: true, half: HALF, long: 2n ** 40n },
};

deviceTest("the manifest of C is enough for a host", findCc, async (cc) => {
  const { folder, manifest, files, base } = written(flags);
  const args = [...STRICT, "-O1", "-ffp-contract=off", "-fPIC", "-shared", `${base}.c`, "-o", "library.so"];
  expect(await compiled(cc, args, folder)).toBe("");
  const text = files.find(({ path }) => path.endsWith(".json"))?.text ?? "";
  expect(parseManifest(text)).toEqual(manifest);
  const want = reference(check(flags.ir), {
    n: N,
    inputs: { flag: bits.map(Boolean), byte: given.byte, x: given.x },
    tables: { masks: given.masks.map(Boolean) },
    params: { turn: true, half: 2.5, long: given.long },
  });
  for (const at of [0, 1]) {
    const { status, outputs } = host(text, join(folder, "library.so"), at)(N, given);
    expect(status ?? 0).toBe(0);
    for (const [name, values] of Object.entries(want)) {
      const got = Array.from(outputs[name] as ArrayLike<number | bigint>).slice(0, values.length);
      expect(got, `call ${at}: ${name}`).toEqual(
        [...values].map((one) => (typeof one === "boolean" ? Number(one) : one)),
      );
    }
  }
});

test("the function on several threads is a call of the manifest too", () => {
  const { manifest, files } = emitOpenMp(flags);
  expect(parseManifest(files.find(({ path }) => path.endsWith(".json"))?.text)).toEqual(manifest);
  const [whole, , parallel] = manifest.calls ?? [];
  expect(parallel).toEqual({
    function: "gw_flags_parallel",
    arguments: [...(whole?.arguments ?? []), { name: "threads", scalar: "i32" }],
    scratch: "function",
  });
});
