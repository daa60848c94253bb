/**
 * Every public function with missing, wrong, swapped and surplus arguments: an error is a GroupwiseError, never one of the language, and
 * options that nothing reads are an error.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as arrow from "@groupwise/arrow";
import * as core from "@groupwise/core";
import { pipelineLaws } from "@groupwise/core/laws";
import * as state from "@groupwise/core/state";
import * as dsl from "@groupwise/dsl";
import * as primitives from "@groupwise/primitives";
import { c } from "@groupwise/target-c";
import { cuda } from "@groupwise/target-cuda";
import { js } from "@groupwise/target-js";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { opencl } from "@groupwise/target-opencl";
import { wgsl } from "@groupwise/target-wgsl";
import { afterAll, describe, expect, test } from "vitest";

type Call = (...given: never[]) => unknown;
/** A function, and arguments that it takes. */
type Row = readonly [call: unknown, ...given: unknown[]];
type Rows = Readonly<Record<string, Row>>;

const { f32, u32, pipeline } = dsl;
const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
const checked = core.check(sums.ir);
const lowered = core.plan(sums, js);
const carried = state.carriedOf(checked);
const runtime = jsRuntime();
const executable = await runtime.compile(sums);
const { manifest } = executable;
const x = Float32Array.of(3, 1, 2);
const offsets = Uint32Array.of(0, 3);
const [array, other] = [runtime.array("f32", x), runtime.array("f32", 3)];
const across = state.acrossRuntimes([runtime, jsRuntime()]);
const parts = await across.compile(sums);
const [split, result] = [across.array("f32", x), across.array("f32", 3)];
const steps = await state.stepper(runtime, sums);
const rounds = state.roundsOf(sums);
const first = state.firstRound(rounds, undefined);
const step = await steps.step({ x });
const sort = primitives.radixSort(f32);
const [sorting, topping] = [await sort.prepare(runtime), primitives.topK(f32)];
const add = dsl.operator("sum", { v: f32 }, { combine: (a, b) => ({ v: a.v.add(b.v) }), identity: { v: 0 } });
const added = pipeline("added", { v: f32 }, (values) => dsl.outputs({ sum: add.reduce(values) }));
const [found] = pipelineLaws(core.check(added.ir));
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

/** Marks the options of a row: beside them, an option that does not exist must be an error. */
class Options {
  readonly value: object;
  constructor(value: object) {
    this.value = value;
  }
}
const given = (value: object = {}): Options => new Options(value);

/** A row for each of these functions of a package, all with the same arguments. */
const all = (
  names: string,
  ...arguments_: readonly unknown[]
): Readonly<Record<string, readonly unknown[]>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, arguments_]));

const descending = true;
const own = { inputs: { x: "f32" }, outputs: {}, pipelines: {}, lengths: () => ({}), steps: () => {} };
const now = (): number => 0;
const samples = { medianMs: 1, spread: 0 };
const limits = {
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupStorageSize: 16384,
};
const openclDevice = {
  ...{ type: "gpu", extensions: [], maxWorkGroupSize: 256, localMemory: 32768, computeUnits: 4 },
  floats: { subnormals: true },
};
const folder = mkdtempSync(join(tmpdir(), "groupwise-arguments-"));
afterAll(() => rmSync(folder, { recursive: true }));
const root = fileURLToPath(new URL("../../..", import.meta.url));
const silent = { cwd: folder, out: () => {}, err: () => {} };

/** By entry and name, arguments that a function takes. */
const EXPORTS: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  "@groupwise/dsl": {
    ...all("f32 f16 f64 i32 u32", 1),
    ...all("i64 u64", 1n),
    bool: [true],
    ...all("i8 u8 i16 u16 bf16", undefined, given({ saturate: true })),
    ...all("affine argmax argmin compensatedSum matrix2x2 minMax welford table saturatingSum", f32),
    ...all("saturatingStep variance sampleVariance moments bits scalar starts ends compaction", undefined),
    param: [f32, given({ divides: false })],
    saturated: [undefined, 1],
    modularSum: [u32, 7],
    saturatingSum: [u32],
    saturatingSteps: [],
    segmented: [add],
    arrayOf: [f32, 2],
    packBits: [[true]],
    unpackBits: [offsets, 3],
    constant: [f32, 1],
    select: [undefined, 1, 2],
    outputs: [{ x: undefined }],
    fields: ["x", { a: undefined }],
    operator: ["sum", { v: f32 }, given({ combine: (a: { v: unknown }) => a, identity: { v: 0 } })],
    pipeline: ["p", { x: f32 }, (of: { x: unknown }) => ({ y: of.x }), given({ workGroupSize: 64 })],
  },
  "@groupwise/primitives": {
    ...all("compact partition unique runLengthEncode runLengthDecode transpose", f32),
    ...all("summedAreaTable spmv axisArgmax axisArgmin", f32),
    ...all("rowScan columnScan axisScan segmentedScan", "add", f32, "exclusive"),
    ...all("axisReduce segmentedReduce", "add", f32),
    ...all("axisSort argsort selectNth topK", f32, given({ descending })),
    ...all("setUnion setIntersection setDifference setSymmetricDifference", f32, given({ descending })),
    ...all("radixSort segmentedSort partialSort merge", f32, given({ pairs: u32, descending })),
    histogram: [f32, given({ from: 0, to: 1, bins: 8 })],
    histogramEdges: [f32, 8],
    weightedHistogram: [8, u32],
    along: [[2, 3], 1],
    reduceByIndex: ["add", f32, given({ outside: "drop" })],
    reduceByKey: [u32, "add", f32],
    lexSort: [{ a: f32, b: u32 }, given({ descending: ["a"] })],
    searchSorted: [f32, given({ bound: "upper", descending, most: 8 })],
    countsToOffsets: [{ counts: undefined }],
    primitive: ["own", given(own)],
  },
  "@groupwise/core": {
    check: [sums.ir],
    problemsOf: [sums.ir],
    plan: [sums, js, given({ native: false })],
    emit: [sums, js, given({ native: false })],
    evaluate: [{ op: "add", args: ["n", 1] }, 3],
    explain: [lowered, given({ n: 3 })],
    float16Of: [new Uint16Array(2)],
    printExplanation: [core.explain(lowered)],
    printManifest: [manifest],
    reference: [checked, { globalSize: [3], globalOffset: [0], inputs: { x: [1, 2, 3] } }],
    smallRuns: [runtime],
  },
  "@groupwise/core/laws": {
    checkLaws: [add.ir, given({ samples: 10, seed: 1 })],
    pipelineLaws: [checked, given({ samples: 10 })],
    printLaws: [found],
    randomOf: [1],
  },
  "@groupwise/core/schema": {
    manifestJsonSchema: [],
    pipelineJsonSchema: [],
    parseManifest: [JSON.stringify(manifest)],
    parsePipeline: [JSON.stringify(sums)],
    stringifyPipeline: [sums.ir],
  },
  "@groupwise/core/tuning": {
    ...all("busyOn clockOf", runtime, now),
    gainOf: [samples, samples],
    parseTuning: ["{}"],
    printTuning: [{ device: {}, rows: [] }],
    tune: [runtime, js, given({ now })],
  },
  "@groupwise/core/state": {
    acrossRuntimes: [[runtime], given({ shares: [1] })],
    carriedIn: [undefined],
    carriedOf: [checked, given({ rooms: true })],
    combiningOf: ["both", [{ op: "add", type: "f32" }]],
    countOfChunk: [{ x }, { from: 0, size: 3 }],
    divisionOf: [sums],
    decodeState: [state.encodeState(step.state)],
    encodeState: [step.state],
    parseState: [JSON.stringify(state.stateToJson(step.state))],
    stateToJson: [step.state],
    mergeStates: [steps.start, step.state],
    emitCarried: [carried, js, given()],
    emitChunks: [sums, js, given()],
    planChunks: [sums, js, given()],
    emptyState: ["sums", [{ op: "add", type: "f32" }], 3n],
    ...all("identityOfState kindOfState typesOfState", { op: "add", type: "f32" }),
    partedFor: [checked, undefined, true],
    referenceStep: [carried, { globalSize: [3], globalOffset: [0], inputs: { x: [1, 2, 3] } }, steps.start],
    refuseParts: [sums.ir, true],
    roundsOf: [sums, given({ knowsCount: true })],
    firstRound: [rounds, 3],
    roundStepper: [runtime, sums, rounds, first],
    stepper: [runtime, sums],
    stream: [runtime, sums, [{ x }], given({ n: 3 })],
    streamSteps: [steps, [{ x }], given({ reuse: 2 })],
    totalsOnly: [checked],
  },
  "@groupwise/arrow": {
    overColumns: [runtime, sums, given()],
    withBitmaps: [sums, given()],
  },
  "@groupwise/cpu": all("cpuEngine cpuRuntime", given({ threads: 1 })),
  "@groupwise/cli/targets": { toolsOf: ["js"] },
  "@groupwise/cli/emit": { emitFile: ["examples/line-index.ts", "js", given({ cwd: root })] },
  "@groupwise/target-c/host": all("hostInC hostInPython", core.emit(sums, c), "a command"),
  "@groupwise/target-c/mpi": { emitMpi: [sums, given()] },
  "@groupwise/target-c/openmp": { emitOpenMp: [sums, given()] },
  "@groupwise/target-c/runtime": { cRuntime: [given({ threads: 1 })] },
  "@groupwise/target-cuda/host": all("hostInCpp hostInPython", core.emit(sums, cuda), "a command"),
  "@groupwise/target-cuda/runtime": {
    cudaRuntime: [given({ device: "no such device" })],
    listCudaDevices: [],
  },
  "@groupwise/target-js/runtime": {
    jsRuntime: [given({ debug: true })],
    load: [manifest, { kernel: () => undefined }],
  },
  "@groupwise/target-js/workers": { jsWorkersRuntime: [given({ workers: 1 })] },
  "@groupwise/target-js/gpu-js/runtime": {
    gpuJsRuntime: [given({ mode: "cpu" })],
    load: [manifest, { passes: [] }, { createKernel: now, destroy: now }],
  },
  "@groupwise/target-opencl": { openclCapabilities: [given()] },
  "@groupwise/target-opencl/header": {
    ...all("hostInC hostInPython", core.emit(sums, opencl), "a command"),
    openclHeader: [given()],
    openclHeaderFunctions: [],
  },
  "@groupwise/target-opencl/mpi": { emitMpi: [sums, given()] },
  "@groupwise/target-opencl/runtime": {
    capabilitiesOf: [openclDevice],
    listOpenClDevices: [],
    openclRuntime: [given({ device: "no such device" })],
  },
  "@groupwise/target-wasm/runtime": {
    load: [manifest, { instantiate: () => () => undefined }],
    wasmRefusal: [],
    wasmRuntime: [given({ debug: true })],
  },
  "@groupwise/target-wasm/workers": { wasmWorkersRuntime: [given({ workers: 1 })] },
  "@groupwise/target-wgsl": {
    capabilitiesOf: [{ limits }],
    withHalves: [wgsl.capabilities],
  },
  "@groupwise/target-wgsl/header": {
    wgslHeader: [given({ functions: [], workGroupSize: 64 })],
    wgslHeaderFunctions: [],
  },
  "@groupwise/target-wgsl/runtime": {
    load: [undefined, undefined, "a name"],
    webgpuRuntime: [undefined, given({ debug: true })],
  },
  "@groupwise/target-wgsl/node": { nodeDevice: [given({ adapter: "no such adapter" })] },
  "@groupwise/unplugin/vite": { default: [given({ native: true })] },
  "@groupwise/unplugin/rollup": { default: [given({ native: true })] },
  "create-groupwise": {
    create: ["library", join(folder, "app"), folder],
    main: [["--help"], silent],
  },
};

/** What has no row: an entry, or an export of one. */
const WITHOUT_ROW: Readonly<Record<string, string>> = {
  "@groupwise/core/kernel": "for authors of targets",
  "@groupwise/core/queue": "for authors of targets",
  "@groupwise/core/target": "for authors of targets",
  "@groupwise/core/threads": "what runtimes import for threads",
  "@groupwise/dsl/rows":
    "for authors of primitives and importers: arithmetic of values, which check themselves",
  "@groupwise/target-c/native": "for authors of targets",
  "@groupwise/target-wgsl/internal/dawn": "internal",
  "@groupwise/cli": "the command line, which checks what it loads",
  "@groupwise/cli/bin": "runs the command line",
  "@groupwise/unplugin/webpack": "a class of the bundler, which reads the options when it starts",
  "@groupwise/unplugin/esbuild": "as webpack's",
  "@groupwise/core GroupwiseError": "a class, which programs do not construct",
  "@groupwise/core/state ChunkArrays": "a class for authors of runtimes",
  "@groupwise/core/state Parted": "a class for authors of runtimes",
};

const BUNDLED =
  "the check would be a part of the smallest bundles, of programs that only load what was emitted";
/** Functions that ignore options after their last argument. */
const IGNORES: Readonly<Record<string, string>> = {
  ...{ "array.slice": BUNDLED, "array.write": BUNDLED, "split array.write": BUNDLED },
  "executable.scratchBytes": BUNDLED,
  "@groupwise/core evaluate": "it is called a dozen times for each step of a recorder",
  "@groupwise/target-js/runtime load": BUNDLED,
  "@groupwise/target-wasm/runtime load": BUNDLED,
  "@groupwise/target-wgsl/runtime load": BUNDLED,
};

/** The public entries: what the published packages export. */
function* publicEntries(): Generator<string> {
  for (const name of readdirSync(join(root, "packages"))) {
    const text = readFileSync(join(root, "packages", name, "package.json"), "utf8");
    const found = JSON.parse(text) as { name: string; private?: boolean; exports?: Record<string, object> };
    const isPublic = ([path, to]: [string, object]): boolean =>
      typeof to === "object" && "default" in to && !path.includes("*");
    if (found.private) continue;
    for (const [path] of Object.entries(found.exports ?? {}).filter(isPublic))
      yield `${found.name}${path.slice(1)}`;
  }
}

type Functions = Readonly<Record<string, Call>>;
const entries = [...publicEntries()].filter((entry) => !(entry in WITHOUT_ROW));
const modules = new Map<string, Functions>();
for (const entry of entries) modules.set(entry, (await import(/* @vite-ignore */ entry)) as Functions);

/** Reads all steps of a stream. */
const read =
  (stream: unknown): Call =>
  async (...of) => {
    for await (const _ of (stream as (...all: never[]) => AsyncIterable<unknown>)(...of));
  };
const STREAMS = ["stream", "streamSteps"];

const rowsOf = (entry: string): Rows =>
  Object.fromEntries(
    Object.entries(EXPORTS[entry] ?? {}).map(([name, good]) => {
      const call = modules.get(entry)?.[name];
      return [`${entry} ${name}`, [STREAMS.includes(name) ? read(call) : call, ...good]];
    }),
  );

const METHODS: Rows = {
  "histogram of numbers": [primitives.histogram, 8],
  "segmentedReduce of records": [primitives.segmentedReduce, add],
  "segmented of a built-in operator": [dsl.segmented, "add", f32],
  ...Object.fromEntries(["add", "lt", "at"].map((name) => [`value.${name}`, [method(name), 1]])),
  "value.select": [method("select"), 1, 2],
  "value.sqrt": [method("sqrt")],
  "value.neg": [method("neg")],
  "value.toU32": [method("toU32")],
  "value.perItem": [method("perItem")],
  "value.bitsAs": [method("bitsAs"), "u32"],
  "value.exp": [method("exp"), given({ fast: true })],
  "value.broadcast": [method("broadcast"), 0, given({ scope: "work-group" })],
  "value.rank": [method("rank"), given({ bins: 2 })],
  ...Object.fromEntries(
    ["reduce", "scanInclusive", "scanWithTotal"].map((name) => [
      `value.${name}`,
      [method(name), "add", given({ scope: "device" })],
    ]),
  ),
  "value.previous": [method("previous"), 1, 2, given()],
  "value.next": [method("next"), 1, 2, given({ segments: true })],
  "value.window": [method("window"), 1, 2, 1, given({ segments: true })],
  "value.moving": [method("moving"), "add", 2, given({ segments: true })],
  "value.diff": [method("diff"), given({ segments: true })],
  "value.scatter": [method("scatter"), given({ to: 1, where: true, capacity: 2 })],
  "operator.reduce of a value": [inside(add.reduce), { v: 1 }, given({ reverse: true })],
  "a pipeline inside another": [inside(sums), { x: 1 }],
  "sort.lengths": [sort.lengths, { keys: 3 }, given({ endBit: 8 })],
  "sort.prepare": [sort.prepare, runtime],
  "sort.run": [sort.run, runtime, { keys: array }, given({ endBit: 8 })],
  "sort.runOn": [sort.runOn, runtime, { keys: x }, given({ n: 3, endBit: 8 })],
  "topK.lengths": [topping.lengths, { keys: 3 }, given({ k: 2 })],
  "topK.runOn": [topping.runOn, runtime, { keys: x }, given({ k: 2 })],
  "prepared.record": [
    methodOf(() => sorting, "record"),
    runtime.record(),
    { keys: array, sorted: other },
    given({ endBit: 8 }),
  ],
  "prepared.scratchBytes": [methodOf(() => sorting, "scratchBytes"), { keys: 3 }, given({ endBit: 8 })],
  "mergeCounts.runOn": [primitives.mergeCounts.runOn, runtime, { counts: offsets }, given({ capacity: 4 })],
  "runtime.compile": [runtime.compile, sums, given({ inPlace: { y: "x" } })],
  "runtime.array": [runtime.array, "f32", 3],
  "runtime.record": [runtime.record],
  "executable.run": [executable.run, { x }, given({ n: 3 })],
  "executable.scratchBytes": [executable.scratchBytes, 3],
  "recorder.run": [
    methodOf(() => runtime.record(), "run"),
    executable,
    { x: array, y: other },
    given({ n: 3 }),
  ],
  "array.slice": [methodOf(() => array, "slice"), 0, 2],
  "array.write": [methodOf(() => other, "write"), x],
  "across.compile": [across.compile, sums],
  "across.array": [across.array, "f32", 3],
  "across.table": [across.table, "f32", 3],
  "across.stepper": [across.stepper, sums],
  "parts.run": [parts.run, { x }, given({ n: 3 })],
  "split recorder.run": [
    methodOf(() => across.record(), "run"),
    parts,
    { x: split, y: result },
    given({ n: 3 }),
  ],
  "split array.write": [methodOf(() => result, "write"), x],
  "stepper.step": [steps.step, { x }, given({ state: step.state })],
  "stepper.stateOf": [steps.stateOf, { x }, given({ from: 0n })],
  "columns.run": [methodOf(() => columns, "run"), { x }, given({ n: 3 })],
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

const plain = (given: readonly unknown[]): readonly unknown[] =>
  given.map((one) => (one instanceof Options ? one.value : one));

/** An option that does not exist: among the row's own, or after its last argument. */
function withSurplus(good: readonly unknown[]): readonly unknown[] {
  const options = good.at(-1);
  const own = options instanceof Options ? options.value : undefined;
  return [...(own ? good.slice(0, -1) : good), { ...own, desc: true }];
}

const messageOf = (error: unknown): string | undefined => (error as Error | undefined)?.message;

const tables = Object.keys(EXPORTS).map((entry) => [entry, rowsOf(entry)] as const);
describe.each([...tables, ["methods", METHODS] as const])("%s", (_, rows) => {
  const each = Object.entries(rows).map(([name, row], i) => [name, i, row] as const);
  test.each(each)("%s: errors are GroupwiseErrors", async (name, i, [call, ...good]) => {
    const bare: string[] = [];
    for (const given of spoilt(plain(good), i)) {
      const error = await errorOf(call as Call, given);
      if (error === undefined || error instanceof core.GroupwiseError) continue;
      bare.push(`${name}(${shown(given)}): ${error}`);
    }
    expect(bare).toEqual([]);
  });
  test.each(each.filter(([name]) => !(name in IGNORES)))(
    "%s: no option is ignored",
    async (_name, _i, [call, ...good]) => {
      const without = await errorOf(call as Call, plain(good));
      const error = await errorOf(call as Call, withSurplus(good));
      expect(error).toBeInstanceOf(core.GroupwiseError);
      expect(messageOf(error)).not.toBe(messageOf(without));
    },
  );
});

test("hosts refuse what was emitted for another target", async () => {
  const all = [...modules.values()].flatMap((one) => Object.entries(one));
  const hosts = all.filter(([name]) => name.startsWith("hostIn"));
  expect(hosts).toHaveLength(6);
  for (const [, host] of hosts)
    expect(await errorOf(host, [core.emit(sums, js)])).toBeInstanceOf(core.GroupwiseError);
});

test("every exported function of every public entry has a row", () => {
  const missing = [...modules].flatMap(([entry, exported]) =>
    Object.entries(exported).flatMap(([name, value]) =>
      typeof value === "function" && !(name in (EXPORTS[entry] ?? {})) && !(`${entry} ${name}` in WITHOUT_ROW)
        ? [`${entry} ${name}`]
        : [],
    ),
  );
  expect(missing).toEqual([]);
});

test("every name in the tables is exported", () => {
  const known = [...publicEntries()];
  const isExported = (entry: string, name: string | undefined): boolean =>
    known.includes(entry) && (name === undefined || modules.get(entry)?.[name] !== undefined);
  const rows = Object.entries(EXPORTS).flatMap(([entry, of]) =>
    Object.keys(of).map((name) => `${entry} ${name}`),
  );
  const ignores = Object.keys(IGNORES).filter((name) => !(name in METHODS));
  const named = [...rows, ...Object.keys(WITHOUT_ROW), ...ignores];
  expect(named.filter((one) => !isExported(...(one.split(" ") as [string, string?])))).toEqual([]);
});
