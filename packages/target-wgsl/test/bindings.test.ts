/** Parameters and bind groups that recordings share. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Launch } from "@groupwise/core/target";
import { f32, param, pipeline, u32 } from "@groupwise/dsl";
import { deviceTest } from "@groupwise/testkit/conformance";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KeptBindings } from "../src/runtime/bindings.ts";
import { webgpuRuntime } from "../src/runtime.ts";
import { dawn } from "./devices.ts";

const options = { places: false } as const;

/** Counts the calls while work is done. */
async function callsOf(device: GPUDevice, work: () => Promise<unknown>): Promise<number> {
  const { createBindGroup } = device;
  let count = 0;
  device.createBindGroup = (descriptor) => {
    count += 1;
    return createBindGroup.call(device, descriptor);
  };
  await work();
  device.createBindGroup = createBindGroup;
  return count;
}

const sums = pipeline("sums", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("add") }), options);
const divided = pipeline("divided", { x: f32, by: param(f32) }, ({ x, by }) => ({ y: x.div(by) }), options);
const N = 3000;

describe("recordings of a recorder", () => {
  deviceTest(
    "make no bind group for the same arrays again, and new ones for others",
    () => dawn(),
    async (device) => {
      const runtime = webgpuRuntime(device);
      const program = await runtime.compile(sums);
      const x = runtime.array(
        "u32",
        Uint32Array.from({ length: N }, (_, i) => i),
      );
      const [y, z] = [runtime.array("u32", N), runtime.array("u32", N)];
      const record = (to: typeof y, n = N): Promise<number> =>
        callsOf(device, () =>
          runtime
            .record()
            .run(program, { x: x.slice(0, n), y: to.slice(0, n) })
            .submit(),
        );
      const first = await record(y);
      expect(first).toBeGreaterThan(0);
      expect(await record(y)).toBe(0);
      expect(await record(z)).toBe(first);
      expect(await record(z, 100)).toBeGreaterThan(0);
      x.write(new Uint32Array(N).fill(2));
      expect([await record(y), await record(z)]).toEqual([0, 0]);
      const want = Uint32Array.from({ length: N }, (_, i) => 2 * i + 2);
      expect([await y.read(), await z.read()]).toEqual([want, want]);
      // New arrays may be where the freed ones were.
      y.dispose();
      expect(await record(runtime.array("u32", N))).toBe(first);
      expect(await record(z)).toBe(0);
      program.dispose();
      expect(await callsOf(device, async () => runtime.dispose())).toBe(0);
    },
  );

  deviceTest(
    "share them only with the same bits of parameters",
    () => dawn(),
    async (device) => {
      const runtime = webgpuRuntime(device);
      const program = await runtime.compile(divided);
      const x = runtime.array("f32", Float32Array.of(1));
      const ys = [0, -0, 4, 0].map((by) => ({ by, y: runtime.array("f32", 1) }));
      const [{ y: same }] = ys as [(typeof ys)[number]];
      const recorder = runtime.record();
      for (const { by, y } of ys) recorder.run(program, { x, y, by });
      await recorder.submit();
      const found = await Promise.all(ys.map(async ({ y }) => (await y.read())[0]));
      expect(found).toEqual([1 / 0, -1 / 0, 0.25, 1 / 0]);
      for (const { by } of ys) {
        await runtime.record().run(program, { x, y: same, by }).submit();
        expect((await same.read())[0]).toBe(1 / by);
      }
      runtime.dispose();
    },
  );

  deviceTest(
    "have parameters of their own where the caller submits: submitting after dispose is an error",
    () => dawn(),
    async (device) => {
      const program = await webgpuRuntime(device).compile(sums);
      const [x, y] = [0, 1].map(() => device.createBuffer({ size: 4 * N, usage: 0x80 })) as [
        GPUBuffer,
        GPUBuffer,
      ];
      const encoder = device.createCommandEncoder();
      program.record(encoder, { n: N, buffers: { x, y } }).dispose();
      device.pushErrorScope("validation");
      device.queue.submit([encoder.finish()]);
      expect(await device.popErrorScope()).not.toBeNull();
    },
  );
});

/** A device that counts the buffers of parameters that are alive. */
function counting() {
  const alive = new Set<object>();
  const device = {
    createBuffer: () => {
      const buffer = { destroy: () => expect(alive.delete(buffer), "destroyed once").toBe(true) };
      alive.add(buffer);
      return buffer;
    },
    queue: { writeBuffer: () => {} },
  };
  return { device: device as unknown as GPUDevice, alive };
}

const params: Launch["params"] = [{ type: "u32", value: 7 }] as never;
const MOST = 3;

describe("kept bindings", () => {
  test("are few, are the same for a buffer until it is forgotten, and free each buffer of parameters once", () => {
    const step = fc.tuple(fc.constantFrom("take", "release", "forget", "clear"), fc.nat(5));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { device, alive } = counting();
        const kept = new KeptBindings(device, MOST);
        const buffers = Array.from({ length: 6 }, () => ({}) as GPUBuffer);
        /** The model: the recent ones by buffer, the oldest first. */
        const recent = new Map<number, object>();
        const used: ReturnType<KeptBindings["take"]>[] = [];
        for (const [what, i] of steps) {
          if (what === "take") {
            const ranges = [{ buffer: buffers[i] as GPUBuffer, offset: 0, size: 4 }];
            const got = kept.take({ program: device, params, ranges });
            if (recent.has(i)) expect(got).toBe(recent.get(i));
            else expect([...recent.values()]).not.toContain(got);
            recent.delete(i);
            recent.set(i, got);
            if (recent.size > MOST) recent.delete([...recent.keys()][0] as number);
            used.push(got);
          } else if (what === "release") used.splice(i, 1)[0]?.release();
          else if (what === "forget") {
            kept.forget(buffers[i] as GPUBuffer);
            recent.delete(i);
          } else {
            kept.clear();
            recent.clear();
          }
          const needed = new Set(
            [...recent.values(), ...used].map((one) => (one as (typeof used)[number]).params),
          );
          expect(alive).toEqual(needed);
        }
      }),
    );
  });

  test("differ by program, parameters, offset and size", () => {
    const kept = new KeptBindings(counting().device, 64);
    const buffer = {} as GPUBuffer;
    const range = { buffer, offset: 0, size: 4 };
    const programs = [{}, {}] as const;
    const zero = (value: number): typeof params => [{ type: "f32", value }] as never;
    const keys = [
      { program: programs[0], params, ranges: [range] },
      { program: programs[1], params, ranges: [range] },
      { program: programs[0], params: zero(0), ranges: [range] },
      { program: programs[0], params: zero(-0), ranges: [range] },
      { program: programs[0], params, ranges: [{ ...range, offset: 4 }] },
      { program: programs[0], params, ranges: [{ ...range, size: 8 }] },
      { program: programs[0], params, ranges: [range, range] },
    ];
    const got = keys.map((key) => kept.take(key));
    expect(new Set(got).size).toBe(keys.length);
    expect(keys.every((key, i) => kept.take(key) === got[i])).toBe(true);
  });

  test("do not keep an array alive that nobody holds", async () => {
    setFlagsFromString("--expose-gc");
    const gc = runInNewContext("gc") as () => void;
    const kept = new KeptBindings(counting().device, 64);
    const bound = (): WeakRef<object> => {
      const buffer = {} as GPUBuffer;
      const one = kept.take({ program: kept, params, ranges: [{ buffer, offset: 0, size: 4 }] });
      one.group("pass 0", () => ({ buffer }) as never);
      one.release();
      return new WeakRef(buffer);
    };
    const refs = Array.from({ length: 8 }, bound);
    // A reference is held until the end of the turn in which it was made.
    await new Promise((resolve) => setTimeout(resolve));
    gc();
    expect(refs.filter((ref) => ref.deref() !== undefined)).toEqual([]);
  });
});
