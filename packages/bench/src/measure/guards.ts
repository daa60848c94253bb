/**
 * Forms of guards that prevent a WGSL compiler from merging float operations, and the cost of each: the same chains of
 * operations with each form around every result are compared with correctly rounded arithmetic, then timed.
 */
import type { ScalarValue } from "@groupwise/core";
import { wordOf } from "@groupwise/core/kernel";
import { SCALARS } from "@groupwise/core/target";
import { findDawn } from "@groupwise/testkit/devices";
import { clockOf } from "./clock.ts";
import { type Surroundings, surroundings } from "./surroundings.ts";

type Short = "f32" | "f16";

/** A way to return `x` so that a compiler does not know its origin. */
interface Form {
  readonly name: string;
  /** The body of `fn opaque(x: T, …) -> T`; `%` is the name of the type. */
  readonly body: Readonly<Record<Short, string>>;
  readonly declares?: string;
}

const HALF_BITS = "pack2x16float(vec2<f32>(f32(x), 0f))";
const both = (body: string): Form["body"] => ({ f32: body, f16: body });
const onBits = (operation: string): Form["body"] => ({
  f32: `return bitcast<f32>(bitcast<u32>(x) ${operation});`,
  f16: `return f16(unpack2x16float(${HALF_BITS} ${operation}).x);`,
});
const FORMS: readonly Form[] = [
  { name: "none", body: both("return x;") },
  { name: "bits + zero", body: onBits("+ zero") },
  { name: "bits ^ zero", body: onBits("^ zero") },
  { name: "bits * one", body: onBits("* one") },
  {
    name: "bits of a pair + zero",
    body: {
      f32: "return bitcast<f32>(bitcast<u32>(x) + zero);",
      f16: "return bitcast<vec2<f16>>(bitcast<u32>(vec2<f16>(x, 0h)) + zero).x;",
    },
  },
  {
    name: "bits in f32 + zero",
    body: {
      f32: "return bitcast<f32>(bitcast<u32>(x) + zero);",
      f16: "return f16(bitcast<f32>(bitcast<u32>(f32(x)) + zero));",
    },
  },
  { name: "select", body: both("return select(x, y[zero], zero != 0u);") },
  { name: "product with one", body: both("return x * %(float_one);") },
  {
    name: "private memory",
    body: both("var cell: array<%, 2>; cell[zero] = x; return cell[zero];"),
  },
  {
    name: "work-group memory",
    declares: "var<workgroup> cells: array<%, 256>;",
    body: both("cells[lane] = x; return cells[lane ^ zero];"),
  },
  { name: "barrier", body: both("workgroupBarrier(); return x;") },
];

/** Operations that a compiler could merge. `a` and `b` are two inputs. */
type Chain = readonly (readonly ["+" | "-" | "*" | "max", "a" | "b" | number])[];
const TEMPTING: Chain = [
  ["+", 3],
  ["-", 3],
  ["*", "b"],
  ["+", "a"],
  ["+", 1024],
  ["-", 1024],
  ["*", 3],
  ["*", 7],
  ["-", "b"],
  ["+", 0],
];
/** Sums with a maximum between each two: a compiler can merge nothing, so the time shows the cost of the form. */
const NEUTRAL: Chain = Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? ["+", "a"] : ["max", "b"]));
const SUMS = NEUTRAL.filter(([op]) => op === "+").length;

const ITEMS = 2 ** 20;
const ROUNDS = 512;
const WARM_UPS = 3;
const RUNS = 15;

export interface GuardRow {
  readonly type: Short;
  readonly form: string;
  /** The number of results that are not correctly rounded, of 2^20 results of ten operations. */
  readonly differ: number;
  readonly medianMs: number;
  /** Picoseconds that one guard adds on the whole device. */
  readonly picoseconds: number;
  /** That divided by the time of a sum and a maximum. */
  readonly ofPair: number;
}

export interface Guards {
  readonly surroundings: Surroundings;
  readonly device: string;
  readonly driver: string;
  readonly items: number;
  readonly operations: number;
  readonly warmUps: number;
  readonly runs: number;
  readonly rows: readonly GuardRow[];
}

const literal = (operand: "a" | "b" | number, type: Short): string =>
  typeof operand === "string" ? operand : `${type}(${operand})`;

function textOf(form: Form, type: Short, chain: Chain): string {
  const lines = chain.map(([op, operand]) =>
    op === "max"
      ? `    v = max(v, ${literal(operand, type)});`
      : `    v = opaque(v ${op} ${literal(operand, type)}, lane, zero, one, float_one);`,
  );
  return `${type === "f16" ? "enable f16;\n" : ""}struct Params { zero: u32, one: u32, float_one: f32, rounds: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<${type}>;
@group(0) @binding(2) var<storage, read_write> y: array<${type}>;
${form.declares ?? ""}
fn opaque(x: ${type}, lane: u32, zero: u32, one: u32, float_one: f32) -> ${type} { ${form.body[type]} }
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let zero = params.zero;
  let one = params.one;
  let float_one = params.float_one;
  let a = x[id.x];
  let b = x[id.x ^ 1u];
  var v = a;
  // Every form has the same bindings.
  if (zero != 0u) { v = y[0] * ${type}(float_one) + ${type}(one); }
  for (var round = 0u; round < params.rounds; round += 1u) {
${lines.join("\n")}
  }
  y[id.x] = v;
}`.replaceAll("%", type);
}

/** The chain once over, every operation rounded. */
function expected(type: Short, data: ArrayLike<number>): number[] {
  const round = SCALARS[type].wrap as (x: number) => ScalarValue;
  return Array.from(data, (a, i) => {
    const operands = { a, b: data[i ^ 1] as number };
    return TEMPTING.reduce((v, [op, operand]) => {
      const other = typeof operand === "string" ? operands[operand] : operand;
      const exact = op === "+" ? v + other : op === "-" ? v - other : v * other;
      return round(exact) as number;
    }, a);
  });
}

const STORAGE = 0x80;
const UNIFORM = 0x40;
const COPY_SRC = 0x4;
const COPY_DST = 0x8;
const MAP_READ = 0x1;

/** @throws Error if the device is missing */
export async function guards(adapter: string, say: (line: string) => void = () => {}): Promise<Guards> {
  const found = await findDawn({ adapter, disable: ["timestamp_quantization"] });
  if (!found.found) throw new Error(found.reason);
  const { device, info } = found.value;
  const types: readonly Short[] = device.features.has("shader-f16") ? ["f32", "f16"] : ["f32"];
  const rows: GuardRow[] = [];
  for (const type of types) {
    const bench = new Bench(device, type);
    let none = Number.NaN;
    for (const form of FORMS) {
      const differ = await bench.differ(form);
      const medianMs = await bench.time(form);
      if (form.name === "none") none = medianMs;
      const picoseconds = ((medianMs - none) * 1e9) / (ITEMS * ROUNDS * SUMS);
      const ofPair = (medianMs - none) / none;
      rows.push({ type, form: form.name, differ, medianMs, picoseconds, ofPair });
      say(`${type}, ${form.name}: ${differ} differ, ${ofPair.toFixed(2)} of a sum and a maximum`);
    }
    bench.dispose();
  }
  return {
    surroundings: surroundings(),
    device: info.device || info.description,
    driver: info.description,
    items: ITEMS,
    operations: ROUNDS * NEUTRAL.length,
    warmUps: WARM_UPS,
    runs: RUNS,
    rows,
  };
}

/** The arrays of one type on the device. */
class Bench {
  private readonly device: GPUDevice;
  private readonly type: Short;
  private readonly data: number[];
  private readonly params: GPUBuffer;
  private readonly x: GPUBuffer;
  private readonly y: GPUBuffer;

  constructor(device: GPUDevice, type: Short) {
    this.device = device;
    this.type = type;
    const round = SCALARS[type].wrap as (x: number) => number;
    let state = 1;
    this.data = Array.from({ length: ITEMS }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return round((state / 2 ** 32 - 0.5) * 4);
    });
    const bytes = ITEMS * (SCALARS[type].bits / 8);
    this.params = device.createBuffer({ size: 16, usage: UNIFORM | COPY_DST });
    this.x = device.createBuffer({ size: bytes, usage: STORAGE | COPY_DST });
    this.y = device.createBuffer({ size: bytes, usage: STORAGE | COPY_SRC });
    device.queue.writeBuffer(this.x, 0, bitsOf(type, this.data));
  }

  /** The number of results of the tempting chain that differ from ten rounded operations. */
  async differ(form: Form): Promise<number> {
    await this.run(form, TEMPTING, 1, (encoder, pass) => pass(encoder));
    const { device, y } = this;
    const read = device.createBuffer({ size: y.size, usage: MAP_READ | COPY_DST });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(y, 0, read, 0, y.size);
    device.queue.submit([encoder.finish()]);
    await read.mapAsync(MAP_READ);
    const want = bitsOf(this.type, expected(this.type, this.data));
    const got: ArrayLike<number> =
      this.type === "f16" ? new Uint16Array(read.getMappedRange()) : new Uint32Array(read.getMappedRange());
    const differ = Array.from(want).filter((bits, i) => bits !== got[i]).length;
    read.destroy();
    return differ;
  }

  /** Median milliseconds of a dispatch of the neutral chain. */
  async time(form: Form): Promise<number> {
    const clock = clockOf(this.device);
    const times: number[] = [];
    for (let i = 0; i < WARM_UPS + RUNS; i++) {
      let read: (() => Promise<number>) | undefined;
      await this.run(form, NEUTRAL, ROUNDS, (encoder, pass) => {
        read = clock(encoder, () => pass(encoder));
      });
      const milliseconds = await (read as () => Promise<number>)();
      if (i >= WARM_UPS) times.push(milliseconds);
    }
    times.sort((a, b) => a - b);
    return times[RUNS >> 1] as number;
  }

  dispose(): void {
    for (const buffer of [this.params, this.x, this.y]) buffer.destroy();
  }

  private async run(
    form: Form,
    chain: Chain,
    rounds: number,
    record: (encoder: GPUCommandEncoder, pass: (encoder: GPUCommandEncoder) => void) => void,
  ): Promise<void> {
    const { device, params, x, y } = this;
    const values = new Uint32Array([0, 1, 0, rounds]);
    new Float32Array(values.buffer)[2] = 1;
    device.queue.writeBuffer(params, 0, values);
    const pipeline = await device.createComputePipelineAsync({
      layout: "auto",
      compute: {
        module: device.createShaderModule({ code: textOf(form, this.type, chain) }),
        entryPoint: "main",
      },
    });
    const group = device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [params, x, y].map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    const encoder = device.createCommandEncoder();
    record(encoder, (to) => {
      const pass = to.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(ITEMS / 256);
      pass.end();
    });
    device.queue.submit([encoder.finish()]);
  }
}

/** The bits of floats, as an array that can be written to a buffer. */
function bitsOf(type: Short, values: readonly number[]): Uint32Array<ArrayBuffer> | Uint16Array<ArrayBuffer> {
  const bits = values.map((value) => wordOf(type, value, 0));
  return type === "f32" ? Uint32Array.from(bits) : Uint16Array.from(bits);
}
