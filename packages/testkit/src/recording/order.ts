/** The order of steps, their shared memory, and failures of one of them. */
import type { DeviceArray, Executable, GroupwiseError } from "@groupwise/core";
import { contentKey, pipelineOf } from "@groupwise/core/target";
import { pipeline, u32 } from "@groupwise/dsl";
import { expect } from "vitest";
import type { RuntimeTests } from "./check.ts";
import { next, shifted, sums } from "./pipelines.ts";

/** Tests of the order of steps, their shared memory, and failures of one of them, by name. */
export const ORDER_TESTS: RuntimeTests = {
  "calls take effect in their order": async (runtime) => {
    const executable = await runtime.compile(next);
    const [a, b] = [runtime.array("u32", 3000), runtime.array("u32", 3000)];
    a.write(new Uint32Array(3000).fill(5));
    const first = runtime.record().run(executable, { x: a, y: b }).run(executable, { x: b, y: a }).submit();
    const seen = a.read();
    a.write(new Uint32Array(3000).fill(40));
    const second = runtime.record().run(executable, { x: a, y: b }).submit();
    const last = b.read();
    expect(new Set(await seen)).toEqual(new Set([7]));
    expect(new Set(await last)).toEqual(new Set([41]));
    await Promise.all([first, second]);
  },

  "equal pipelines share what was compiled, which is kept when the last is disposed": async (runtime) => {
    const copy = JSON.parse(JSON.stringify(pipelineOf(next)));
    expect(contentKey(copy)).toBe(contentKey(pipelineOf(next)));
    const before = runtime.stats();
    const [one, two] = await Promise.all([runtime.compile(next), runtime.compile(copy)]);
    one.dispose();
    one.dispose();
    const x = Uint32Array.from([4, 6, 9]);
    await expect(one.run({ x })).rejects.toMatchObject({ code: "disposed" });
    expect(await two.run({ x })).toEqual({ y: Uint32Array.from([5, 7, 10]) });
    const [a, b] = [runtime.array("u32", x), runtime.array("u32", 3)];
    const recorder = runtime.record().run(two, { x: a, y: b });
    expect(() => runtime.record().run(one, { x: a, y: b })).toThrowError(
      expect.objectContaining({ code: "disposed" }),
    );
    two.dispose();
    await expect(recorder.submit()).rejects.toMatchObject({ code: "disposed" });
    const again = await runtime.compile(next);
    const after = runtime.stats();
    expect(after.compiled - before.compiled).toBeLessThanOrEqual(1);
    expect(after.compiled + after.reused - before.compiled - before.reused).toBe(3);
    expect(after.inUse + after.kept).toBeGreaterThanOrEqual(1);
    await runtime.record().run(again, { x: a, y: b }).submit();
    expect(await b.read()).toEqual(Uint32Array.from([5, 7, 10]));
    a.dispose();
    expect(() => runtime.record().run(again, { x: a, y: b })).toThrowError(
      expect.objectContaining({ code: "disposed" }),
    );
    again.dispose();
  },

  "a scatter outside is reported at submit, by the pipeline's name; other steps run": async (runtime) => {
    const [bad, good] = [await runtime.compile(shifted), await runtime.compile(next)];
    const x = runtime.array("u32", Uint32Array.from([7, 8, 9]));
    const [y, z] = [runtime.array("u32", 3), runtime.array("u32", 3)];
    const recorder = runtime.record().run(good, { x, y: z }).run(bad, { x, y }).run(good, { x: z, y: x });
    await expect(recorder.submit()).rejects.toMatchObject({
      code: "scatter-outside",
      where: expect.stringContaining("shifted"),
    });
    expect(await x.read()).toEqual(Uint32Array.from([9, 10, 11]));
    await runtime.record().run(good, { x, y }).submit();
  },

  "which of several scatters went outside is reported, and no other": async (runtime) => {
    const executable = await runtime.compile(
      pipeline("three", { x: u32, a: u32, b: u32 }, ({ x, a, b }) => ({
        first: x.scatter({ to: a }),
        second: x.scatter({ to: b }),
        third: x.scatter({ to: a.xor(b) }),
      })),
    );
    const x = Uint32Array.from([5, 6, 7, 8]);
    const [within, outside, none] = [
      Uint32Array.from([3, 2, 1, 0]),
      Uint32Array.from([3, 2, 1, 4]),
      new Uint32Array(4),
    ];
    const reported = async (a: Uint32Array, b: Uint32Array): Promise<string> => {
      const error: unknown = await executable.run({ x, a, b }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toMatchObject({ code: "scatter-outside" });
      return (error as GroupwiseError).what;
    };
    const wordsOf = (text: string): string[] => text.match(/\b(first|second|third)\b/g) ?? [];
    expect(wordsOf(await reported(within, outside))).toEqual(["second", "third"]);
    expect(wordsOf(await reported(outside, outside))).toEqual(["first", "second"]);
    expect(wordsOf(await reported(outside, none))).toEqual(["first", "third"]);
    executable.dispose();
  },

  "small scratch, and arrays and pipelines of another runtime": async (runtime) => {
    const executable = await runtime.compile(sums);
    const arrays = {
      x: runtime.array("u32", 9000),
      y: runtime.array("u32", 9000),
      all: runtime.array("u32", 1),
    };
    const need = executable.scratchBytes(9000);
    if (need > 4) {
      const scratch = runtime.array("u32", Math.ceil(need / 4) - 1);
      expect(() => runtime.record().run(executable, arrays, { scratch })).toThrowError(
        expect.objectContaining({ code: "bad-buffer" }),
      );
    }
    const foreign = { ...executable } as Executable;
    expect(() => runtime.record().run(foreign, arrays)).toThrowError(
      expect.objectContaining({ code: "foreign-device" }),
    );
    const x = {
      ...arrays.x,
      slice: () => x,
      write: () => {},
      read: arrays.y.read,
      dispose: () => {},
    } as never as DeviceArray;
    expect(() => runtime.record().run(executable, { ...arrays, x })).toThrowError(
      expect.objectContaining({ code: "foreign-device" }),
    );
  },
};
