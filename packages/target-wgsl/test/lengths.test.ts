/** Arrays longer than bindings and buffers, on a device that is told to keep small limits. */
import type { Pipeline, Scope } from "@groupwise/core";
import { f16, f32, i64, pipeline, u32 } from "@groupwise/dsl";
import { collectivesOf, expressionsOf, TYPES, withOutputs } from "@groupwise/testkit";
import { deviceTest } from "@groupwise/testkit/conformance";
import { describe, expect } from "vitest";
import { capabilitiesOf } from "../src/index.ts";
import { type Limits, type WebGpuRuntime, webgpuRuntime } from "../src/runtime.ts";
import { runAll } from "./compare.ts";
import { dawn } from "./devices.ts";

const lavapipe = () => dawn();
/** 256 words to a binding, twice that to a buffer, which need not be whole parts. */
const SMALL: Partial<Limits> = {
  maxStorageBufferBindingSize: 1024 + 512,
  maxBufferSize: 2048 + 512,
  maxComputeWorkgroupsPerDimension: 60,
};
const PART = 1024;

/** Tiles so small that scratch stands in parts too. */
function small(
  device: GPUDevice,
  limits: Partial<Limits> = {},
  tile: readonly [number, number] = [4, 2],
): WebGpuRuntime {
  const [workGroupSize, itemsPerWorkItem] = tile;
  return webgpuRuntime(device, {
    limits: { ...SMALL, ...limits },
    capabilities: { ...capabilitiesOf(device), tile: { workGroupSize, itemsPerWorkItem } },
  });
}

/** The pipeline with one of its outputs: all of them would have more bindings than a pass may. */
const only = (ir: Pipeline, ends: string): Pipeline => {
  const sink = ir.nodes.find((node) => node.kind === "output" && node.name.endsWith(ends));
  return withOutputs(ir, new Set(sink?.kind === "output" ? [sink.name] : []));
};
/** Sizes with the same numbers of parts, the last but one a full part: each number is another program. */
const sizesFor = (type: string): number[] => {
  const perPart = PART / (type.endsWith("64") ? 8 : 4);
  return [perPart + 1, 2 * perPart - 3, 2 * perPart];
};

describe("arrays in parts", () => {
  for (const type of TYPES) {
    deviceTest(`collectives and expressions of ${type}`, lavapipe, async (device) => {
      const runtime = small(device);
      const ops = [type === "bool" ? "logical-and" : "add"] as const;
      const collectives = (scope: Scope): Pipeline => collectivesOf({ type, scope, workGroupSize: 8, ops });
      for (const ir of [
        only(collectives("device"), "exclusive_scan"),
        only(collectives("work-group"), "inclusive_scan"),
        only(expressionsOf(type), ""),
      ])
        expect(await runAll(await runtime.compile(ir), ir, sizesFor(type))).toEqual([]);
    });
  }

  const widened = () => dawn({ adapter: "lavapipe", features: [] });
  deviceTest("halves as f32", widened, async (device) => {
    const ir = only(
      collectivesOf({ type: "f16", scope: "device", workGroupSize: 8, ops: ["add"] }),
      "reduce",
    );
    expect(await runAll(await small(device).compile(ir), ir, sizesFor("f16"))).toEqual([]);
  });

  const compact = pipeline("compact", { x: u32 }, ({ x }) => {
    const where = x.and(3).ne(0);
    const to = where.toU32().scanExclusive("add");
    return { kept: x.scatter({ to, where, length: where.toU32().reduce("add") }) };
  });
  const turned = pipeline("turned", { x: i64 }, ({ x }, { index }) => ({
    back: x.scatter({ to: index().xor(u32(1)) }),
  }));
  // The scan is read by a later walk, so that it stands in scratch memory.
  const stored = pipeline("stored", { x: f32 }, ({ x }) => {
    const sums = x.scanInclusive("max");
    return { last: sums.sub(sums.reduce("add")).scanExclusive("min") };
  });
  const halves = pipeline("halves", { x: f16 }, ({ x }) => ({ sums: x.scanExclusive("max").neg() }));
  for (const { ir } of [compact, turned, stored, halves]) {
    deviceTest(`${ir.name}, sizes up and down with one program`, lavapipe, async (device) => {
      const program = await small(device).compile(ir);
      const sizes = [0, 2, 256, 500, 2, 512, 700];
      expect(await runAll(program, ir, sizes)).toEqual([]);
    });
  }
});
