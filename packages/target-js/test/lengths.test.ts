/** Items whose numbers are 2^31 and more: beyond the range in which `| 0` keeps a number. */
import { emit } from "@groupwise/core";
import { bool, i64, pipeline, u32 } from "@groupwise/dsl";
import { onlyInFullRuns } from "@groupwise/testkit/conformance";
import { describe, expect, test } from "vitest";
import { js } from "../src/index.ts";
import { type JsModule, jsRuntime } from "../src/runtime.ts";

/** An array of which only what was written exists: the kernel is handed it in place of a typed one. */
type Sparse = Record<number, number>;
const sparse = (from: number, values: readonly number[]): Sparse =>
  Object.fromEntries(values.map((value, i) => [from + i, value]));

/** The module, whose loops over the items begin at `first` instead of 0. */
async function from(first: number, source: Parameters<typeof emit>[0]): Promise<JsModule> {
  const text = emit(source, js).files[0]?.text as string;
  const late = text.replaceAll(/for \(let (i|start) = 0;/g, `for (let $1 = ${first};`);
  expect(late).not.toBe(text);
  return import(`data:text/javascript,${encodeURIComponent(late)}`);
}

const call = (module: JsModule, ...args: unknown[]): void =>
  (module.kernel as (...a: unknown[]) => void)(...args);

describe.each([2 ** 31 - 4, 2 ** 31, 2 ** 32 - 9])("loops over the items from %i", (first) => {
  const x = [3, 0, 1, 7, 5, 2, 6, 4];
  const n = first + x.length;
  const numbers = x.map((_, i) => first + i);

  test("read and write the elements with these numbers, and return the numbers", async () => {
    const { ir } = pipeline("late", { x: u32 }, ({ x }, { index }) => ({
      sums: x.scanInclusive("add"),
      places: index(),
      most: index().reduce("max"),
    }));
    const [sums, places, most]: [Sparse, Sparse, Sparse] = [{}, {}, {}];
    call(await from(first, ir), n, sparse(first, x), sums, places, most);
    expect(sums).toEqual(sparse(first, [3, 3, 4, 11, 16, 18, 24, 28]));
    expect(places).toEqual(sparse(first, numbers));
    expect(most).toEqual({ 0: n - 1 });
  });

  test("scatter to slots with these numbers", async () => {
    const { ir } = pipeline("moved", { to: u32 }, ({ to }) => ({ there: to.scatter({ to }) }));
    const [there, status]: [Sparse, Sparse] = [{}, { 0: 0 }];
    const to = x.map((k) => first + k);
    call(await from(first, ir), n, sparse(first, to), there, status);
    expect(there).toEqual(sparse(first, numbers));
    expect(status).toEqual({ 0: 0 });
  });
});

test("work-groups are at the positions of their items", async () => {
  const first = 2 ** 31;
  const { ir } = pipeline(
    "groups",
    { x: u32 },
    ({ x }) => ({
      sums: x.scanInclusive("add", { scope: "work-group" }),
      total: x.reduce("add", { scope: "work-group" }),
    }),
    { workGroupSize: 4 },
  );
  const [sums, total]: [Sparse, Sparse] = [{}, {}];
  call(await from(first, ir), first + 6, sparse(first, [1, 2, 3, 4, 5, 6]), sums, total);
  expect(sums).toEqual(sparse(first, [1, 3, 6, 10, 5, 11]));
  expect(total).toEqual(sparse(first / 4, [10, 11]));
});

test("words of 64 bits have indexes up to 2^32, which is why there are 2^31 items at most", async () => {
  const first = 2 ** 31 - 2;
  const { ir } = pipeline("wide", { x: i64 }, ({ x }) => ({ y: x }));
  const y: Sparse = {};
  call(await from(first, ir), 2 ** 31, sparse(2 * first, [1, 2, 3, 4]), y);
  expect(y).toEqual(sparse(2 * first, [1, 2, 3, 4]));
  expect(emit(ir, js).manifest.maxItems).toBe(2 ** 31);
});

// 2 GiB, some seconds.
test("an array of more than 2^31 elements", async (context) => {
  onlyInFullRuns(context, "seconds for 2 GiB; the loops above have such numbers in every run");
  const n = 2 ** 31 + 1000;
  let x: Uint8Array;
  try {
    x = new Uint8Array(n);
  } catch (error) {
    return context.skip(`no memory for ${n} bytes: ${String(error)}`);
  }
  const places = [0, 5, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, n - 1];
  for (const place of places) x[place] = 1;
  const { ir } = pipeline("large", { x: bool }, ({ x }, { index }) => ({
    sum: x.select(index(), 0).reduce("add"),
  }));
  const executable = await jsRuntime().compile(ir);
  const sum = places.reduce((a, b) => a + b, 0) % 2 ** 32;
  expect(await executable.run({ x })).toEqual({ sum: Uint32Array.of(sum) });
});
