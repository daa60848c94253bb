/** Types of the imports that the plugin answers. */
import type { LoadedProgram, Manifest } from "@groupwise/core";
import { f32, pipeline } from "@groupwise/dsl";
import type { WgslProgram } from "@groupwise/target-wgsl/runtime";
import { expectTypeOf, test } from "vitest";

const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ sums: x.scanInclusive("add") }));

type Wgsl = typeof import("./sums.ts?groupwise")["default"];
type Js = typeof import("./sums.ts?groupwise&target=js")["default"];

test("a loader has the names and types of the pipeline that its caller states", () => {
  const onDevice = (load: Wgsl, device: GPUDevice) => load<typeof sums>(device, "name");
  expectTypeOf(onDevice).returns.toEqualTypeOf<Promise<WgslProgram<typeof sums>>>();
  const inJs = (load: Js) => load<typeof sums>();
  expectTypeOf(inJs).returns.toEqualTypeOf<LoadedProgram<typeof sums>>();
  type Manifests = typeof import("./sums.ts?groupwise")["manifest"];
  expectTypeOf<Manifests>().toEqualTypeOf<Manifest>();
});

test("the order of the query and the default target make no difference", () => {
  expectTypeOf<typeof import("./sums.ts?groupwise&target=wgsl")["default"]>().toEqualTypeOf<Wgsl>();
  expectTypeOf<typeof import("./sums.ts?export=a&groupwise")["default"]>().toEqualTypeOf<Wgsl>();
  expectTypeOf<typeof import("./sums.ts?export=a&groupwise&target=wgsl")["default"]>().toEqualTypeOf<Wgsl>();
  expectTypeOf<typeof import("./sums.ts?export=a&groupwise&target=js")["default"]>().toEqualTypeOf<Js>();
});
