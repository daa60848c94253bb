/** The same project built by each bundler: the emitted JavaScript and WGSL run, and errors name their place. */
import type { LoadedProgram } from "@groupwise/core";
import type { load as loadWgsl, WgslProgram } from "@groupwise/target-wgsl/runtime";
import { isFullRun } from "@groupwise/testkit/conformance";
import { findDawn } from "@groupwise/testkit/devices";
import { describe, expect, test } from "vitest";
import { BUNDLERS, type Bundler } from "./bundlers.ts";
import { bundleIn, importBundle, project, SCAN } from "./project.ts";

interface Bundle {
  js(): LoadedProgram;
  wgsl(device: Parameters<typeof loadWgsl>[0]): Promise<WgslProgram>;
  readonly manifest: { readonly target: string };
}

const X = Float32Array.from({ length: 3000 }, (_, i) => (i % 17) - 8);
const SUMS = X.map(
  (
    (sum) => (x: number) =>
      (sum += 2 * x)
  )(0),
);

/** The GroupwiseError that an error of a bundler holds, with its code before the bundler replaced it, and its place. */
function heldBy(error: Record<string, unknown>): unknown {
  const [first = error] = (error.errors ?? []) as readonly Record<string, unknown>[];
  const held = (first.detail ?? first.error ?? first) as Record<string, unknown>;
  const { line, file } = held.loc as Record<string, unknown>;
  return [held.pluginCode ?? held.code, line, String(file).split("/").pop()];
}

/** esbuild in every run, the others in full runs. */
const NAMES = Object.keys(BUNDLERS) as readonly Bundler[];
const [FIRST] = NAMES;

describe.each(NAMES.map((name) => ({ name, build: BUNDLERS[name] })))("$name", ({ name, build }) => {
  const isLater = name !== FIRST && !isFullRun();

  test("loads what was emitted", async (context) => {
    if (isLater) context.skip("in the full run: another bundler");
    const folder = project(SCAN);
    await build({ folder });
    const { js, wgsl, manifest } = await importBundle<Bundle>(folder);
    expect(await js().run({ x: X })).toEqual({ sums: SUMS });
    expect(manifest.target).toBe("wgsl");
    expect(bundleIn(folder)).not.toContain("@groupwise/dsl");
    const dawn = await findDawn({ adapter: "lavapipe" });
    if (!dawn.found) return context.skip(dawn.reason);
    const program = await wgsl(dawn.value.device);
    expect(await program.run({ x: X })).toEqual({ sums: SUMS });
    program.dispose();
  });

  test("shows an error of the pipeline with its code and its place", async (context) => {
    if (isLater) context.skip("in the full run: another bundler");
    const wrong = SCAN["scan.ts"].replace('"add"', '"and"');
    const folder = project({ ...SCAN, "scan.ts": wrong });
    const error: Record<string, unknown> = await build({ folder }).then(
      () => expect.unreachable(),
      (found) => found,
    );
    expect(heldBy(error)).toEqual(["op-type", 5, "scan.ts"]);
  });
});
