/** Chunks in threads of OpenMP: for any number of them and any chunks, the bits of one loop in JavaScript over the whole range. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CompileOptions, PipelineSource, Runtime } from "@groupwise/core";
import { stepper } from "@groupwise/core/state";
import { bool, f32, operators, outputs, pipeline, u32 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { chunkedCase, cutsOf, inChunks, inOneRun } from "@groupwise/testkit/random";
import { compactionRuns, states } from "@groupwise/testkit/states";
import { expect } from "vitest";
import { emitOpenMp } from "../src/openmp.ts";
import { compiled, emptyFolder, findProgram, keepingRuntime, STRICT } from "./support.ts";

/** Parts have an item at least, so that few items are parts too. */
const runtimeOf = (threads: number): Promise<Runtime> =>
  keepingRuntime({
    compiler: "gcc",
    options: [isFullRun() ? "-O1" : "-O0", "-DGW_PARALLEL_LEAST=1"],
    threads,
  });
const open = async () => found(await runtimeOf(3));

states("C in 3 threads", open, true);

deviceTest("random pipelines in random chunks", open, async (three) => {
  const js = jsRuntime();
  const runtimes = isFullRun() ? [await runtimeOf(2), three] : [three];
  const tally: Record<string, number> = {};
  for (let seed = 0; seed < (isFullRun() ? 900 : 60); seed++) {
    const some = await chunkedCase(js, seed);
    if (!some || some.kind === "whole") continue;
    const { ir, values, n, kind } = some;
    tally[kind] = (tally[kind] ?? 0) + 1;
    const want = await inOneRun(js, ir, values, n);
    for (const runtime of runtimes)
      expect(await inChunks(runtime, ir, values, cutsOf(n, seed)), `seed ${seed}`).toEqual(want);
  }
  for (const kind of ["map", "reduce", "scan"]) expect(tally[kind]).toBeGreaterThan(0);
});

deviceTest("compactions in random chunks", open, async (runtime) => {
  const js = jsRuntime();
  for (const n of isFullRun() ? [0, 2, 31, 4099] : [4099])
    for (const { ir, values } of compactionRuns(n, "some").filter((_, i) => isFullRun() || i % 2 === 0)) {
      const want = await inOneRun(js, ir, values);
      for (const seed of isFullRun() ? [2, 3] : [2])
        expect(await inChunks(runtime, ir, values, cutsOf(n, seed))).toEqual(want);
    }
});

deviceTest("a chunk is divided, also one that begins past 2^32 items", open, async (runtime) => {
  const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
  const js = await stepper(jsRuntime(), sums);
  const steps = await stepper(runtime, sums);
  const x = Float32Array.from({ length: 1000 }, (_, i) => Math.sin(i) * 100);
  const { state } = await js.step({ x });
  const far = {
    ...js.start,
    to: 2n ** 33n,
    scans: [{ ...state.scans[0], blocks: [{ start: 0n, level: 33, total: [0.5] }] }],
  };
  for (const before of [state, far as typeof state]) {
    const want = await js.step({ x }, { state: before });
    expect(await steps.step({ x }, { state: before })).toEqual(want);
  }
});

const kinds: Readonly<Record<"map" | "reduce" | "scan", PipelineSource>> = {
  map: pipeline("map", { x: f32 }, ({ x }, { index }) => ({ y: x.mul(index().toF32()) })),
  reduce: pipeline("reduce", { base: f32, first: bool }, ({ base, first }, { index }) => ({
    begun: base.reduce("add"),
    place: first.toU32().reduce("add"),
    ...outputs({ best: operators.argmax(f32).reduce({ value: base, index: index() }) }),
  })),
  scan: pipeline("scan", { base: f32, level: u32 }, ({ base, level }, { index }) => ({
    begun: base.scanInclusive("add"),
    after: level.scanExclusive("max").add(index()),
    block: base.scatter({
      to: level.gt(3).toU32().scanExclusive("add"),
      where: level.gt(3),
      length: level.gt(3).toU32().reduce("add"),
    }),
  })),
};

/** The files for a chunk. */
async function filesOf(source: PipelineSource): Promise<ReturnType<typeof emitOpenMp>> {
  const made: ReturnType<typeof emitOpenMp>[] = [];
  const compile = async (given: PipelineSource, options: CompileOptions): Promise<never> => {
    made.push(emitOpenMp(given, options));
    throw new Error("not compiled");
  };
  await stepper({ device: {}, compile } as never, source).catch(() => {});
  return made[0] as ReturnType<typeof emitOpenMp>;
}

for (const compiler of isFullRun() ? ["gcc", "clang"] : ["gcc"])
  deviceTest(
    `${compiler} accepts the files of a divided chunk without a warning`,
    () => findProgram(compiler),
    async () => {
      for (const [kind, source] of Object.entries(kinds)) {
        const folder = emptyFolder();
        const { files, manifest } = await filesOf(source);
        expect(manifest.flags.division).toBe(kind);
        // Outside of full runs one of them, which has what the others have.
        if (kind !== "scan" && !isFullRun()) continue;
        for (const { path, text } of files) writeFileSync(join(folder, path), text);
        const sources = String(manifest.flags.sources).split(";");
        const openMp = compiler === "gcc" ? ["-fopenmp"] : [];
        const options = ["-ffp-contract=off", isFullRun() ? "-O1" : "-O0", "-c"];
        const args = [...STRICT, ...options, ...openMp, ...sources];
        expect(await compiled(compiler, args, folder)).toBe("");
      }
    },
  );
