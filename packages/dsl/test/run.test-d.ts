// Types from a pipeline through compile, run and record: `types.test.ts` asserts that this file has no error.
import type {
  DeviceArray,
  Executable,
  HostArray,
  LoadedProgram,
  Pipeline,
  Recorder,
  Runtime,
  ScalarValue,
} from "@groupwise/core";
import {
  bool,
  f32,
  type InferOutputs,
  type InferValues,
  i64,
  operators,
  outputs,
  param,
  pipeline,
  scalar,
  table,
  u32,
  u64,
} from "@groupwise/dsl";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function same<A, B>(is: Same<A, B>): void;
declare const runtime: Runtime;
declare const recorder: Recorder;
declare const document: Pipeline;

const sums = pipeline(
  "sums",
  { x: f32, keep: bool, bonus: table(i64), k: param(f32), big: param(i64), on: param(bool) },
  ({ x, keep, bonus, k, big }, { index }) => ({
    y: x.mul(k),
    kept: index().scatter({ to: keep.toU32().scanExclusive("add"), where: keep }),
    longer: bonus.at(index()).add(big),
    half: x.toF16(),
    total: scalar(x.reduce("add")),
    most: scalar(bonus.at(0)),
    any: scalar(keep.any()),
    last: x.reduce("max"),
  }),
);
const x = Float32Array.of(1);
const keep = Uint8Array.of(1);
const bonus = BigInt64Array.of(1n);
const values = { x, keep, bonus, k: 1, big: 1n, on: true };

// What a run takes and gives.
const program = await runtime.compile(sums);
export const r = await program.run(values);
same<typeof r.y, Float32Array<ArrayBuffer>>(true);
same<typeof r.kept, Uint32Array<ArrayBuffer>>(true);
same<typeof r.longer, BigInt64Array<ArrayBuffer>>(true);
same<typeof r.half, Uint16Array<ArrayBuffer>>(true);
same<typeof r.last, Float32Array<ArrayBuffer>>(true);
same<typeof r.total, number>(true);
same<typeof r.most, bigint>(true);
same<typeof r.any, boolean>(true);
same<typeof r, InferOutputs<typeof sums>>(true);
same<Parameters<typeof program.run>[0], InferValues<typeof sums>>(true);
r.y.length.toFixed();
r.total.toFixed();
// @ts-expect-error there is no such output
r.z;
// @ts-expect-error a scalar output is no array
r.total[0];
// @ts-expect-error results are not assigned
r.y = x;
// @ts-expect-error a wrong name
program.run({ ...values, z: x });
// @ts-expect-error an input is missing
program.run({ keep, bonus, k: 1, big: 1n, on: true });
// @ts-expect-error a table is missing
program.run({ x, keep, k: 1, big: 1n, on: true });
// @ts-expect-error a parameter is missing
program.run({ x, keep, bonus, big: 1n, on: true });
// @ts-expect-error an array of another type
program.run({ ...values, x: new Float64Array(1) });
// @ts-expect-error signed is not unsigned
program.run({ ...values, keep: new Int8Array(1) });
// @ts-expect-error a plain array
program.run({ ...values, x: [1] });
// @ts-expect-error a number for an array
program.run({ ...values, x: 1 });
// @ts-expect-error a parameter of 64 bits is a bigint
program.run({ ...values, big: 1 });
// @ts-expect-error a parameter of bool is a boolean
program.run({ ...values, on: 1 });
// @ts-expect-error a promise of an executable is not an executable
runtime.compile(sums).run(values);
// @ts-expect-error there is no pipeline
runtime.compile(undefined);
// @ts-expect-error a pipeline is not an executable
recorder.run(sums, {});

// Pipelines without inputs take no values, and those without parameters no numbers.
const made = await runtime.compile(pipeline("made", {}, (_, { index }) => ({ i: index() })));
same<Awaited<ReturnType<typeof made.run>>["i"], Uint32Array<ArrayBuffer>>(true);
made.run({}, { n: 3 });
// @ts-expect-error it takes none
made.run({ x });

// Records, and pipelines inside pipelines.
const best = pipeline("best", { x: f32 }, ({ x: of }, { index }) => {
  const found = operators.argmax(f32).reduce({ value: of, index: index() });
  return outputs({ best: found, first: scalar(found.index) });
});
const found = await (await runtime.compile(best)).run({ x });
same<typeof found.best_value, Float32Array<ArrayBuffer>>(true);
same<typeof found.first, number>(true);
pipeline("outer", { x: f32 }, ({ x: of }) => {
  const inner = best({ x: of });
  return { next: inner.first.add(1), first: scalar(inner.first) };
});
// @ts-expect-error a scalar output is a value, not an array of them
scalar(x);
// @ts-expect-error it is an output, not an operand
pipeline("operand", { x: f32 }, ({ x: of }) => ({ y: of.add(scalar(of.reduce("add"))) }));

// Steps.
const xs = runtime.array("f32", 1);
same<typeof xs, DeviceArray<"f32">>(true);
same<Awaited<ReturnType<typeof xs.read>>, Float32Array<ArrayBuffer>>(true);
const flags = runtime.array("bool", 1);
const totals = pipeline("totals", { x: f32, by: param(u64), of: table(u32) }, ({ x: of }) => ({
  sum: of.scanInclusive("add"),
  all: scalar(of.reduce("add")),
}));
const step = await runtime.compile(totals);
const offsets = runtime.array("u32", 1);
const arrays = { x: xs, of: offsets, by: 1n, sum: xs, all: xs };
recorder.run(step, arrays).run(step, arrays, { n: 1 });
// @ts-expect-error a wrong name
recorder.run(step, { ...arrays, z: xs });
// @ts-expect-error an output is missing
recorder.run(step, { x: xs, of: offsets, by: 1n, sum: xs });
// @ts-expect-error a parameter is missing
recorder.run(step, { x: xs, of: offsets, sum: xs, all: xs });
// @ts-expect-error an array of another type
recorder.run(step, { ...arrays, sum: flags });
// @ts-expect-error host arrays stay on the host
recorder.run(step, { ...arrays, x });
// @ts-expect-error a write of another type
xs.write(new Uint32Array(1));

// In place: an input and the output that uses its array have either name.
const inPlace = await runtime.compile(totals, { inPlace: { sum: "x" } });
recorder.run(inPlace, { x: xs, of: offsets, by: 1n, all: xs });
recorder.run(inPlace, { sum: xs, of: offsets, by: 1n, all: xs });
// @ts-expect-error other outputs have arrays of their own
recorder.run(inPlace, { x: xs, of: offsets, by: 1n });
// @ts-expect-error there is no such input
runtime.compile(totals, { inPlace: { sum: "z" } });
// @ts-expect-error there is no such output
runtime.compile(totals, { inPlace: { z: "x" } });

// A document has no types, and an executable can forget its own.
const plain = await runtime.compile(document);
same<Awaited<ReturnType<typeof plain.run>>, Record<string, HostArray>>(true);
plain.run({ anything: x, k: 1 });
recorder.run(plain, { anything: xs, k: 1 });
const forgotten: Executable = step;
const results: Record<string, HostArray | ScalarValue> = await forgotten.run({ x });
void results;
// @ts-expect-error but not gain others
const gained: Executable<typeof sums> = step;
void gained;
declare const loaded: LoadedProgram<typeof sums>;
const own = await loaded.run(values);
same<typeof own.total, Float32Array<ArrayBuffer>>(true);

/** Generic code keeps the types of what it is given. */
async function once<P extends typeof sums | typeof best>(
  source: P,
  given: InferValues<P>,
): Promise<InferOutputs<P>> {
  const executable = await runtime.compile<P>(source);
  return executable.run(given);
}
same<Awaited<ReturnType<typeof once<typeof best>>>, InferOutputs<typeof best>>(true);
