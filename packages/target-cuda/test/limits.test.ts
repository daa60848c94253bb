/** What every device of CUDA has: warps of 32, and few bytes for a kernel's arguments. No test needs a device. */
import { emit } from "@groupwise/core";
import { Pool } from "@groupwise/core/queue";
import { f32, pipeline } from "@groupwise/dsl";
import { namedCase } from "@groupwise/testkit";
import { expect, test } from "vitest";
import { kernelsOf } from "../src/device/compile.ts";
import type { CudaDriver } from "../src/device/driver.ts";
import { cuda } from "../src/index.ts";

test("an option for subgroups changes nothing, because the size of a warp is known", () => {
  const { ir } = namedCase("line-index");
  const textWith = (options: object): string => JSON.stringify(emit(ir, cuda, { command: "", ...options }));
  for (const subgroups of [true, 8, 32]) expect(textWith({ subgroups })).toBe(textWith({}));
  for (const subgroups of [64, 24, 0.5, 0, -1, NaN])
    expect(() => textWith({ subgroups })).toThrowError(
      expect.objectContaining({ code: "bad-argument", where: "line-index" }),
    );
});

test("a kernel with too many arguments is refused before it is compiled", async () => {
  const many = pipeline("many", { x: f32 }, ({ x }) =>
    Object.fromEntries(Array.from({ length: 520 }, (_, i) => [`sum_${i}`, x.add(i)])),
  );
  const { manifest } = emit(many, cuda);
  const loading = kernelsOf({} as CudaDriver, manifest, "", new Pool(), undefined);
  await expect(loading).rejects.toMatchObject({ code: "device-limit" });
});
