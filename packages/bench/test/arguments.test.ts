/** Every exported function with missing, wrong and swapped arguments: an error is a GroupwiseError, never one of the language. */
import * as arrow from "@groupwise/arrow";
import * as core from "@groupwise/core";
import * as laws from "@groupwise/core/laws";
import * as schema from "@groupwise/core/schema";
import * as state from "@groupwise/core/state";
import * as tuning from "@groupwise/core/tuning";
import * as dsl from "@groupwise/dsl";
import * as primitives from "@groupwise/primitives";
import * as cHost from "@groupwise/target-c/host";
import * as mpi from "@groupwise/target-c/mpi";
import * as openmp from "@groupwise/target-c/openmp";
import * as cRuntimes from "@groupwise/target-c/runtime";
import { js } from "@groupwise/target-js";
import * as gpuJs from "@groupwise/target-js/gpu-js/runtime";
import * as jsRuntimes from "@groupwise/target-js/runtime";
import * as workers from "@groupwise/target-js/workers";
import * as opencl from "@groupwise/target-opencl";
import * as openclHeaders from "@groupwise/target-opencl/header";
import * as openclRuntimes from "@groupwise/target-opencl/runtime";
import * as wgslHeaders from "@groupwise/target-wgsl/header";
import * as node from "@groupwise/target-wgsl/node";
import * as wgslRuntimes from "@groupwise/target-wgsl/runtime";
import { describe, expect, test } from "vitest";

type Call = (...given: never[]) => unknown;
/** A function, and arguments that it takes. */
type Row = readonly [call: unknown, ...given: unknown[]];
type Rows = Readonly<Record<string, Row>>;

const { f32, u32, pipeline } = dsl;
const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
const checked = core.check(sums.ir);
const lowered = core.plan(sums, js);
const runtime = jsRuntimes.jsRuntime();
const executable = await runtime.compile(sums);
const { manifest } = executable;
const x = Float32Array.of(3, 1, 2);
const offsets = Uint32Array.of(0, 3);
const [array, other] = [runtime.array("f32", x), runtime.array("f32", 3)];
const across = state.acrossRuntimes([runtime, jsRuntimes.jsRuntime()]);
const parts = await across.compile(sums);
const [split, result] = [across.array("f32", x), across.array("f32", 3)];
const steps = await state.stepper(runtime, sums);
const rounds = state.roundsOf(sums);
const first = state.firstRound(rounds, undefined);
const step = await steps.step({ x });
const sort = primitives.radixSort(f32);
const [sorting, topping] = [await sort.prepare(runtime), primitives.topK(f32)];
const add = dsl.operator("sum", { v: f32 }, { combine: (a, b) => ({ v: a.v.add(b.v) }), identity: { v: 0 } });
const columns = arrow.overColumns(runtime, sums);
/** Calls a function while a pipeline is built, with a value of it. */
const building =
  (make: (given: dsl.F32Value, context: dsl.Context) => unknown): Call =>
  () =>
    pipeline("building", { x: f32 }, (given, context) => {
      make(given.x, context);
      return { y: given.x };
    });
/** Calls it while a pipeline is built. */
const inside =
  (call: unknown): Call =>
  (...given) =>
    building(() => (call as Call)(...given))();
/** A method of what is made when it is called. */
const methodOf =
  (of: () => unknown, name: string): Call =>
  (...given) =>
    (of() as Record<string, Call>)[name]?.(...given);
/** A method of a value, which exists while a pipeline is built. */
const method =
  (name: string): Call =>
  (...given) =>
    building((value) => (value as unknown as Record<string, Call>)[name]?.(...given))();

/** A row for each of these functions of a package, all with the same arguments. */
const rowsOf = (of: object, names: string, ...given: readonly unknown[]): Rows =>
  Object.fromEntries(names.split(" ").map((name) => [name, [(of as Rows)[name], ...given] as Row]));

const DSL: Rows = {
  ...rowsOf(dsl, "f32 f16 f64 i32 u32 i64 u64 bool", 1),
  ...rowsOf(dsl, "i8 u8 i16 u16 bf16", undefined, { saturate: true }),
  ...rowsOf(dsl, "affine argmax argmin compensatedSum matrix2x2 minMax saturated welford param table", f32),
  ...rowsOf(
    dsl,
    "saturatingStep variance sampleVariance moments bits scalar starts ends compaction",
    undefined,
  ),
  modularSum: [dsl.modularSum, u32, 7],
  saturatingSum: [dsl.saturatingSum, u32],
  saturatingSteps: [dsl.saturatingSteps],
  segmented: [dsl.segmented, add],
  arrayOf: [dsl.arrayOf, f32, 2],
  packBits: [dsl.packBits, [true]],
  unpackBits: [dsl.unpackBits, offsets, 3],
  constant: [dsl.constant, f32, 1],
  select: [dsl.select, undefined, 1, 2],
  outputs: [dsl.outputs, { x: undefined }],
  fields: [dsl.fields, "x", { a: undefined }],
  operator: [dsl.operator, "sum", { v: f32 }, { combine: (a: { v: unknown }) => a, identity: { v: 0 } }],
  pipeline: [pipeline, "p", { x: f32 }, (given: { x: unknown }) => ({ y: given.x }), { workGroupSize: 64 }],
};

const descending = true;
const own = { inputs: { x: "f32" }, outputs: {}, pipelines: {}, lengths: () => ({}), steps: () => {} };
const PRIMITIVES: Rows = {
  ...rowsOf(primitives, "compact partition unique runLengthEncode runLengthDecode transpose", f32),
  ...rowsOf(primitives, "summedAreaTable spmv axisArgmax axisArgmin", f32),
  ...rowsOf(primitives, "rowScan columnScan axisScan segmentedScan", "add", f32, "exclusive"),
  ...rowsOf(primitives, "axisReduce segmentedReduce", "add", f32),
  ...rowsOf(primitives, "axisSort argsort selectNth topK", f32, { descending }),
  ...rowsOf(primitives, "setUnion setIntersection setDifference setSymmetricDifference", f32, { descending }),
  ...rowsOf(primitives, "radixSort segmentedSort partialSort merge", f32, { pairs: u32, descending }),
  histogram: [primitives.histogram, 8],
  "histogram by range": [primitives.histogram, f32, { from: 0, to: 1, bins: 8 }],
  histogramEdges: [primitives.histogramEdges, f32, 8],
  weightedHistogram: [primitives.weightedHistogram, 8, u32],
  along: [primitives.along, [2, 3], 1],
  reduceByIndex: [primitives.reduceByIndex, "add", f32, { outside: "drop" }],
  reduceByKey: [primitives.reduceByKey, u32, "add", f32],
  lexSort: [primitives.lexSort, { a: f32, b: u32 }, { descending: ["a"] }],
  searchSorted: [primitives.searchSorted, f32, { bound: "upper", descending, most: 8 }],
  countsToOffsets: [primitives.countsToOffsets, { counts: undefined }],
  primitive: [primitives.primitive, "own", own],
};

const METHODS: Rows = {
  ...Object.fromEntries(
    "add lt at select scatter reduce scanWithTotal broadcast rank bitsAs exp"
      .split(" ")
      .map((name) => [`value.${name}`, [method(name), "add", { scope: "device" }]]),
  ),
  "value.previous": [method("previous"), 1, 2, { keys: undefined }],
  "value.next": [method("next"), 1, 2, { segments: true }],
  "value.window": [method("window"), 1, 2, 1, { segments: true }],
  "value.moving": [method("moving"), "add", 2, { segments: true }],
  "value.diff": [method("diff"), { segments: true }],
  "value.scatter": [method("scatter"), { to: 1, where: true, capacity: 2 }],
  "operator.reduce": [building(() => add.reduce as never), undefined],
  "operator.reduce of a value": [inside(add.reduce), { v: 1 }, { reverse: true }],
  "a pipeline inside another": [inside(sums), { x: 1 }],
  "sort.lengths": [sort.lengths, { keys: 3 }, { endBit: 8 }],
  "sort.prepare": [sort.prepare, runtime],
  "sort.run": [sort.run, runtime, { keys: array }, { endBit: 8 }],
  "sort.runOn": [sort.runOn, runtime, { keys: x }, { n: 3, endBit: 8 }],
  "topK.lengths": [topping.lengths, { keys: 3 }, { k: 2 }],
  "topK.runOn": [topping.runOn, runtime, { keys: x }, { k: 2 }],
  "prepared.record": [
    methodOf(() => sorting, "record"),
    runtime.record(),
    { keys: array, sorted: other },
    { endBit: 8 },
  ],
  "mergeCounts.runOn": [primitives.mergeCounts.runOn, runtime, { counts: offsets }, { capacity: 4 }],
  "runtime.compile": [runtime.compile, sums, { inPlace: { y: "x" } }],
  "runtime.array": [runtime.array, "f32", 3],
  "executable.run": [executable.run, { x }, { n: 3 }],
  "executable.scratchBytes": [executable.scratchBytes, 3],
  "recorder.run": [methodOf(() => runtime.record(), "run"), executable, { x: array, y: other }, { n: 3 }],
  "array.slice": [methodOf(() => array, "slice"), 0, 2],
  "array.write": [methodOf(() => other, "write"), x],
  "across.compile": [across.compile, sums],
  "across.array": [across.array, "f32", 3],
  "across.table": [across.table, "f32", 3],
  "across.stepper": [across.stepper, sums],
  "parts.run": [parts.run, { x }, { n: 3 }],
  "split recorder.run": [methodOf(() => across.record(), "run"), parts, { x: split, y: result }, { n: 3 }],
  "split array.write": [methodOf(() => result, "write"), x],
  "stepper.step": [steps.step, { x }, { state: step.state }],
  "stepper.stateOf": [steps.stateOf, { x }, { from: 0n }],
  "columns.run": [methodOf(() => columns, "run"), { x }, { n: 3 }],
};

/** Reads all steps of a stream. */
const read =
  (stream: unknown): Call =>
  async (...given) => {
    for await (const _ of (stream as (...all: never[]) => AsyncIterable<unknown>)(...given));
  };

const CORE: Rows = {
  check: [core.check, sums.ir],
  problemsOf: [core.problemsOf, sums.ir],
  plan: [core.plan, sums, js, { native: false }],
  emit: [core.emit, sums, js, { native: false }],
  evaluate: [core.evaluate, { op: "add", args: ["n", 1] }, 3],
  explain: [core.explain, lowered, { n: 3 }],
  printExplanation: [core.printExplanation, core.explain(lowered)],
  printManifest: [core.printManifest, manifest],
  reference: [core.reference, checked, { globalSize: [3], globalOffset: [0], inputs: { x: [1, 2, 3] } }],
  checkLaws: [laws.checkLaws, add.ir, { samples: 10, seed: 1 }],
  pipelineLaws: [laws.pipelineLaws, checked, { samples: 10 }],
  printLaws: [laws.printLaws, laws.pipelineLaws(checked)],
  manifestJsonSchema: [schema.manifestJsonSchema],
  pipelineJsonSchema: [schema.pipelineJsonSchema],
  parseManifest: [schema.parseManifest, JSON.stringify(manifest)],
  parsePipeline: [schema.parsePipeline, JSON.stringify(sums)],
  stringifyPipeline: [schema.stringifyPipeline, sums.ir],
  parseTuning: [tuning.parseTuning, "{}"],
  acrossRuntimes: [state.acrossRuntimes, [runtime], { shares: [1] }],
  carriedOf: [state.carriedOf, checked],
  divisionOf: [state.divisionOf, checked],
  decodeState: [state.decodeState, state.encodeState(step.state)],
  encodeState: [state.encodeState, step.state],
  parseState: [state.parseState, JSON.stringify(state.stateToJson(step.state))],
  stateToJson: [state.stateToJson, step.state],
  mergeStates: [state.mergeStates, steps.start, step.state],
  emitChunks: [state.emitChunks, sums, js, {}],
  planChunks: [state.planChunks, sums, js, {}],
  roundsOf: [state.roundsOf, sums, { knowsCount: true }],
  firstRound: [state.firstRound, rounds, 3],
  roundStepper: [state.roundStepper, runtime, sums, rounds, first],
  stepper: [state.stepper, runtime, sums],
  stream: [read(state.stream), runtime, sums, [{ x }], { n: 3 }],
  streamSteps: [read(state.streamSteps), steps, [{ x }], { reuse: 2 }],
};

const TARGETS: Rows = {
  jsRuntime: [jsRuntimes.jsRuntime, { debug: true }],
  load: [jsRuntimes.load, manifest, { kernel: () => undefined }],
  jsWorkersRuntime: [workers.jsWorkersRuntime, { workers: 1 }],
  gpuJsRuntime: [gpuJs.gpuJsRuntime, { mode: "cpu" }],
  cRuntime: [cRuntimes.cRuntime, { threads: 1 }],
  openclRuntime: [openclRuntimes.openclRuntime, { device: "no such device" }],
  webgpuRuntime: [wgslRuntimes.webgpuRuntime, undefined, { debug: true }],
  "webgpu load": [wgslRuntimes.load, undefined, undefined],
  nodeDevice: [node.nodeDevice, { adapter: "no such adapter" }],
  emitOpenMp: [openmp.emitOpenMp, sums, {}],
  emitMpi: [mpi.emitMpi, sums, {}],
  hostInC: [cHost.hostInC, core.emit(sums, js)],
  openclCapabilities: [opencl.openclCapabilities, {}],
  openclHeader: [openclHeaders.openclHeader, {}],
  wgslHeader: [wgslHeaders.wgslHeader, []],
  overColumns: [arrow.overColumns, runtime, sums],
  withBitmaps: [arrow.withBitmaps, sums, {}],
};

const WRONG: readonly unknown[] = [
  ...[undefined, null, true, -1, Number.NaN, 7n, "add", "f32", [], [1], {}, { desc: true }],
  ...[new Float32Array(2), new Map(), Promise.resolve(1), () => 3, f32, dsl.u8, sums],
];

/** The wrong arguments for a place: outside of full runs a third of them, by turns. */
const wrongAt = (i: number): readonly unknown[] =>
  WRONG.filter((_, turn) => process.env.GROUPWISE_FULL || (turn + i) % 3 === 0);

/** Arguments that differ from good ones in one place: absent, of another kind, or exchanged with the next. */
function* spoilt(good: readonly unknown[], row: number): Generator<readonly unknown[]> {
  for (let i = 0; i < good.length; i++) {
    yield good.slice(0, i);
    for (const wrong of wrongAt(row + i)) yield good.with(i, wrong);
    if (i > 0) yield good.with(i, good[i - 1]).with(i - 1, good[i]);
  }
  if (good.length !== 1) for (const wrong of wrongAt(row + 1)) yield [wrong];
}

async function errorOf(call: Call, given: readonly unknown[]): Promise<unknown> {
  try {
    await call(...(given as never[]));
    return undefined;
  } catch (error) {
    return error;
  }
}

const shown = (given: readonly unknown[]): string =>
  given
    .map((one) =>
      typeof one === "function" ? ((one as { type?: string }).type ?? "a function") : String(one),
    )
    .join(", ");

describe.each(Object.entries({ DSL, PRIMITIVES, METHODS, CORE, TARGETS }))("%s", (_, rows) => {
  const each = Object.entries(rows).map(([name, row], i) => [name, i, row] as const);
  test.each(each)("%s: errors are GroupwiseErrors", async (name, i, [call, ...good]) => {
    const bare: string[] = [];
    for (const given of spoilt(good, i)) {
      const error = await errorOf(call as Call, given);
      if (error === undefined || error instanceof core.GroupwiseError) continue;
      bare.push(`${name}(${shown(given)}): ${error}`);
    }
    expect(bare).toEqual([]);
  });
});

test("every exported function of the packages that declare and compose is a row", () => {
  const missing = [
    [dsl, DSL],
    [primitives, PRIMITIVES],
    [arrow, TARGETS],
  ].flatMap(([of, rows]) =>
    Object.entries(of as object).flatMap(([name, value]) =>
      typeof value === "function" && !(name in (rows as object)) ? [name] : [],
    ),
  );
  expect(missing).toEqual([]);
});
