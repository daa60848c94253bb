/** Values that take long to compute and that several passes need: which of them a lowering stores, and that no bit changes. */
import type { Pipeline, Runtime } from "@groupwise/core";
import { f32, pipeline, u32 } from "@groupwise/dsl";
import { describe, expect, test } from "vitest";
import { mixedData } from "./data/data.ts";
import { type Found, found } from "./devices/found.ts";
import { requireDevice, sharedBy } from "./devices/require-device.ts";
import { Subject } from "./subject/subject.ts";

const group = { scope: "work-group" } as const;

/** A pipeline, and the number of values that one pass stores for others. */
interface Stored {
  readonly ir: Pipeline;
  readonly stored: number;
}

const of = ({ ir }: { readonly ir: Pipeline }, stored: number): Stored => ({ ir, stored });

const PIPELINES: readonly Stored[] = [
  of(
    pipeline("softmax", { x: f32 }, ({ x }) => {
      const power = x.sub(x.reduce("max")).exp();
      return { share: power.div(power.reduce("add")) };
    }),
    1,
  ),
  of(
    pipeline("softmax-of-segments", { x: f32, key: u32 }, ({ x, key }) => {
      const keys = { keys: key.rem(5) };
      const power = x.sub(x.reduce("max", keys)).exp();
      return { share: power.div(power.reduce("add", keys)) };
    }),
    // And whether an item begins a segment, which is read at other items.
    2,
  ),
  of(
    pipeline("inner-of-outer", { x: f32 }, ({ x }) => {
      // Only the outer function is needed again.
      const outer = x.abs().log1p().sin();
      return { y: outer.sub(outer.reduce("add")), least: outer.reduce("min") };
    }),
    1,
  ),
  of(
    pipeline("needed-apart", { x: f32 }, ({ x }) => {
      const inner = x.abs().log1p();
      const outer = inner.sin();
      const total = outer.reduce("add");
      return { inner: inner.mul(total), outer: outer.div(total) };
    }),
    2,
  ),
  of(
    pipeline("one-pass", { x: f32 }, ({ x }) => {
      const power = x.exp();
      return { power, total: power.reduce("add"), sums: power.scanInclusive("add") };
    }),
    // Later passes read the output.
    0,
  ),
  of(
    pipeline("in-both", { x: f32 }, ({ x }) => {
      const power = x.exp();
      return { power, y: power.sub(x.reduce("max")) };
    }),
    0,
  ),
  of(
    pipeline("reduced", { x: f32 }, ({ x }) => ({ total: x.exp().reduce("add") })),
    // The items of the tail are computed again, which are few.
    0,
  ),
  of(
    pipeline("scanned", { x: f32 }, ({ x }) => ({ sums: x.exp().scanInclusive("add") })),
    0,
  ),
  of(
    pipeline("of-one-value", { x: f32 }, ({ x }) => {
      const power = x.reduce("max").exp();
      return { y: x.mul(power), total: x.mul(power).reduce("add") };
    }),
    0,
  ),
  of(
    pipeline("cheap", { x: f32 }, ({ x }) => {
      const root = x.abs().sqrt();
      return { y: root.sub(root.reduce("add")) };
    }),
    0,
  ),
  of(
    pipeline("fast", { x: f32 }, ({ x }) => {
      const power = x.clamp(-1, 1).exp({ fast: true }).gt(0.1).toF32();
      return { y: power.sub(power.reduce("add")) };
    }),
    0,
  ),
  of(
    pipeline("at-other-items", { x: f32 }, ({ x }, { index }) => {
      // The item before may not have stored it yet.
      const power = x.exp();
      const before = power.at(index().sub(1).min(index()));
      const total = power.sub(before).reduce("max");
      return { y: power.div(total), z: before.add(total) };
    }),
    0,
  ),
  of(
    pipeline("of-one-item", { x: f32 }, ({ x }) => {
      const power = x.exp();
      return { y: power.sub(power.broadcast(0)), z: x.reduce("add") };
    }),
    0,
  ),
  of(
    pipeline(
      "both-scopes",
      { x: f32 },
      ({ x }) => {
        const power = x.exp();
        const inGroup = power.reduce("add", group);
        const all = power.div(inGroup).reduce("add");
        return { y: power.div(inGroup.mul(all)), z: power.div(inGroup).scanExclusive("add") };
      },
      { workGroupSize: 12 },
    ),
    1,
  ),
  of(
    pipeline(
      "in-two-dimensions",
      { x: f32 },
      ({ x }) => {
        const power = x.sub(x.reduce("max")).exp();
        return { y: power.div(power.reduce("add", group)), z: power.scanInclusive("add") };
      },
      { workGroupSize: [4, 3] },
    ),
    1,
  ),
];

const LENGTHS = [0, 1, 7, 64, 300];
/** Numbers from -2 to 2: among mixed ones are NaN and infinities, which a softmax passes on to all items. */
const usual = (n: number): Float32Array =>
  Float32Array.from({ length: n }, (_, i) => (Math.imul(i + 1, 0x9e3779b1) >>> 8) * 2 ** -22 - 2);

/**
 * Tests of a lowering that stores values which take long to compute.
 * @param open a runtime of its own
 * @param scanned the number of stored values of a scan, which has a pass for totals in some lowerings
 * @param only the pipelines that run; all by default
 */
export function storedValues(
  name: string,
  open: () => Promise<Found<Runtime>>,
  { scanned = 0, only }: { readonly scanned?: number; readonly only?: readonly string[] } = {},
): void {
  describe(`${name}: values that several passes need`, () => {
    const subject = sharedBy(
      async () => {
        const device = await open();
        return device.found ? found(new Subject(device.value)) : device;
      },
      ({ runtime }) => runtime.dispose(),
    );

    for (const { ir, stored } of PIPELINES.filter(({ ir }) => only?.includes(ir.name) ?? true))
      test(ir.name, async (context) => {
        const on = await requireDevice(context, subject);
        const executable = await on.runtime.compile(ir);
        const scratch = executable.manifest.bindings.filter(({ role }) => role === "scratch");
        const values = scratch.filter(({ name }) => /^value_/.test(name));
        executable.dispose();
        expect(values).toHaveLength(ir.name === "scanned" ? scanned : stored);
        for (const n of LENGTHS)
          for (const x of [mixedData("f32", n, "x"), usual(n)]) {
            const hasKeys = ir.nodes.some((node) => node.kind === "input" && node.name === "key");
            const given = hasKeys ? { x, key: mixedData("u32", n, "key") } : { x };
            const range = ir.workGroupSize.length > 1 ? { globalSize: [n, 1] } : {};
            expect(await on.compare(ir, given, range), `${n} items`).toEqual({});
          }
      });
  });
}
