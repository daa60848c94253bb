/** Tests of device arrays. */
import type { DeviceArray, GroupwiseError, HostArray, Runtime, Scalar } from "@groupwise/core";
import { isSupported, SCALARS } from "@groupwise/core/target";
import { expect } from "vitest";
import { difference } from "../data/arrays.ts";
import { mixedData } from "../data/data.ts";
import type { RuntimeTests } from "./check.ts";

async function arraysOf(runtime: Runtime, type: Scalar): Promise<void> {
  if (!isSupported(runtime.capabilities.scalars[type])) return;
  const data = mixedData(type, 1000, type, false);
  const array = runtime.array(type, data as never) as DeviceArray<Scalar>;
  expect([array.length, array.type]).toEqual([1000, type]);
  expect(difference(type, await array.read(), data)).toBeUndefined();
  const part = array.slice(256, 768).slice(0, 300);
  expect(difference(type, await part.read(), data.subarray(256, 556) as HostArray)).toBeUndefined();
  const odd = array.slice(3, 10);
  const other = mixedData(type, 7, "other", false);
  odd.write(other as never);
  const want = data.slice() as HostArray;
  want.set(other as never, 3);
  expect(difference(type, await array.read(), want)).toBeUndefined();
  expect(Array.from(await runtime.array(type, 5).read(), Number)).toEqual([0, 0, 0, 0, 0]);
  expect(await array.slice(4, 4).read()).toHaveLength(0);
  expect(await runtime.array(type, 0).read()).toHaveLength(0);
  array.dispose();
  await expect(part.read()).rejects.toMatchObject({ code: "disposed" });
}

export const ARRAY_TESTS: RuntimeTests = {
  ...Object.fromEntries(
    (Object.keys(SCALARS) as Scalar[]).map((type) => [
      `arrays of ${type}: writes, reads and slices`,
      (runtime: Runtime) => arraysOf(runtime, type),
    ]),
  ),

  "refuses values and slices that do not fit": async (runtime) => {
    const array = runtime.array("u32", 4);
    const code = (act: () => unknown): unknown => {
      try {
        act();
      } catch (error) {
        return (error as GroupwiseError).code;
      }
      return undefined;
    };
    expect(code(() => array.write(new Float32Array(4) as never))).toBe("wrong-dtype");
    expect(code(() => array.write(new Uint32Array(5)))).toBe("bad-buffer");
    expect(code(() => array.slice(3, 2))).toBe("bad-slice");
    expect(code(() => array.slice(0, 5))).toBe("bad-slice");
    expect(code(() => array.slice(0.5))).toBe("bad-slice");
    expect(code(() => runtime.array("u32", -1))).toBe("bad-length");
    expect(code(() => runtime.array("u32", new Float32Array(1) as never))).toBe("wrong-dtype");
  },
};
