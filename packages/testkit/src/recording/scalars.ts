/** Scalar outputs on a runtime: host values, and arrays of one element in documents and steps. */
import type { HostArray, Runtime, Scalar, ScalarValue } from "@groupwise/core";
import { isSupported } from "@groupwise/core/target";
import { bool, f16, f32, f64, i32, i64, pipeline, scalar, u32, u64 } from "@groupwise/dsl";
import { expect } from "vitest";
import type { RuntimeTests } from "./check.ts";

/** An array of each type, and its first element as a value. */
const FIRST: Readonly<Record<Scalar, readonly [HostArray, ScalarValue]>> = {
  i32: [Int32Array.of(-5, 1), -5],
  u32: [Uint32Array.of(0xffff_fffe, 1), 4_294_967_294],
  i64: [BigInt64Array.of(-(2n ** 53n) - 1n, 1n), -9_007_199_254_740_993n],
  u64: [BigUint64Array.of(2n ** 63n + 1n, 1n), 9_223_372_036_854_775_809n],
  f16: [Uint16Array.of(0xc100, 0), -2.5],
  f32: [Float32Array.of(0.1, 1), 0.10000000149011612],
  f64: [Float64Array.of(0.1, 1), 0.1],
  bool: [Uint8Array.of(1, 0), true],
};
const TYPES = { i32, u32, i64, u64, f16, f32, f64, bool };

async function scalarsOf(runtime: Runtime, name: Scalar): Promise<void> {
  if (!isSupported(runtime.capabilities.scalars[name])) return;
  const [x, want] = FIRST[name];
  const type = TYPES[name] as typeof u32;
  const first = pipeline(`first-${name}`, { x: type }, (given) => {
    const value = given.x.broadcast(0);
    return { value: scalar(value), array: value, y: given.x };
  });
  const executable = await runtime.compile(first);
  const values = { x: x as Uint32Array };
  expect(await executable.run(values)).toEqual({ value: want, array: x.slice(0, 1), y: x });
  const document = await runtime.compile(first.ir);
  expect((await document.run(values)).value).toEqual(x.slice(0, 1));
  const [given, one, two, all] = [values.x, 1, 1, 2].map((of) => runtime.array(name as "u32", of));
  if (!given || !one || !two || !all) throw new Error("unreachable");
  await runtime.record().run(executable, { x: given, value: one, array: two, y: all }).submit();
  expect(await one.read()).toEqual(x.slice(0, 1));
  executable.dispose();
  document.dispose();
}

export const SCALAR_TESTS: RuntimeTests = Object.fromEntries(
  (Object.keys(FIRST) as Scalar[]).map((name) => [
    `scalar outputs of ${name} are values`,
    (runtime: Runtime) => scalarsOf(runtime, name),
  ]),
);
