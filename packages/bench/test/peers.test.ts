import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { scratchDirectory } from "@groupwise/testkit/devices";
import { expect, it } from "vitest";
import { STOP_RULE, sample } from "../src/measure/samples.ts";
import { cub } from "../src/peers/cub.ts";
import { ofPeers, peerOf, ratioText } from "../src/peers/peer.ts";
import { COLLECTIVE_JOBS } from "../src/primitives/collective-jobs.ts";
import { hash } from "../src/primitives/job.ts";
import { printPrimitives } from "../src/report.ts";

const PROGRAMS = fileURLToPath(new URL("../peers", import.meta.url));
const HEAD = '{"peer":"CUB","version":"2.5.0","device":"Card","driver":"CUDA 12.4"}';
const LINE = '{"name":"copy","n":1024,"recordings":4,"stopped":"time","timesMs":[3,1,2]}';
const surroundings = { date: "d", commit: "c" };
const row = { n: 1024, recordings: 1, nsPerItem: 1, bytes: 8192, medianMs: 3, quartilesMs: [3, 3] };

it("takes medians of the samples that a peer's program prints", () => {
  const { peer, rows } = peerOf(`${HEAD}\n${LINE}\n`);
  expect(peer).toBe("CUB");
  expect(rows).toMatchObject([{ name: "copy", n: 1024, medianMs: 2, leastMs: 1, runs: 3, stopped: "time" }]);
  expect(() =>
    peerOf(`${HEAD}\n{"name":"copy","n":0,"recordings":1,"stopped":"runs","timesMs":[1]}`),
  ).toThrow();
  expect(() => peerOf("")).toThrow();
});

it("divides our times by a peer's of the same job and size", () => {
  const peers = [peerOf(`${HEAD}\n${LINE}`)];
  expect(ofPeers(peers, { name: "copy", n: 1024, medianMs: 3 })).toEqual({
    CUB: { ratio: 1.5, spread: 0.5 },
  });
  expect(ofPeers(peers, { name: "copy", n: 2048, medianMs: 3 })).toEqual({});
  const rows = [
    { primitive: "copy", ...row },
    { primitive: "top 100", ...row },
  ];
  const result = { surroundings, device: { target: "wgsl", name: "D", driver: "1" }, rows, peers };
  const printed = printPrimitives(result as never, false);
  expect(printed).toContain("Time over that of CUB 2.5.0 (Card, CUDA 12.4)");
  expect(printed.match(/^copy.*1\.50 \(spread 50 %\)$/m)).not.toBeNull();
});

it("prints the spread of a peer only where it is above 5 %", () => {
  expect(ratioText({ ratio: 1.234, spread: 0.051 })).toBe("1.23 (spread 5 %)");
  expect(ratioText({ ratio: 1.234, spread: 0.05 })).toBe("1.23");
  expect(ratioText({ ratio: 1.234 })).toBe("1.23");
});

// Times whose noise becomes less with each run.
const SAMPLER = `#include <cstdio>
#include "samples.h"
int main() {
  double noise, step;
  while (std::scanf("%lf %lf", &noise, &step) == 2) {
    unsigned state = 1;
    double clock = 0, count = 0;
    auto measure = [&] {
      state = state * 1664525u + 1013904223u;
      clock += step;
      return 1 + noise * (state / 4294967296.0) / ++count;
    };
    Samples samples = SamplesOf(measure, [&] { return clock; });
    std::printf("%zu %s\\n", samples.times_ms.size(), samples.stopped);
  }
}
`;

it("stops peers by the rule that stops our own measurements", async () => {
  const [noises, steps] = [
    [0, 0.1, 0.3, 0.5, 1, 2, 100],
    [0, 50, 150, 300],
  ];
  const cases = noises.flatMap((noise) => steps.map((step) => [noise, step] as const));
  const want = await Promise.all(
    cases.map(async ([noise, step]) => {
      let [state, clock, count] = [1, 0, 0];
      const measure = async (): Promise<number> => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        clock += step;
        return 1 + (noise * (state / 2 ** 32)) / ++count;
      };
      const { runs, stopped } = await sample(measure, STOP_RULE, () => clock);
      return `${runs} ${stopped}`;
    }),
  );
  expect(new Set(want.map((line) => line.split(" ")[1]))).toEqual(new Set(["spread", "runs", "time"]));
  expect(new Set(want).size).toBeGreaterThan(5);
  const folder = scratchDirectory();
  const [source, program] = [join(folder, "main.cpp"), join(folder, "main")];
  writeFileSync(source, SAMPLER);
  execFileSync("g++", ["-std=c++17", "-I", PROGRAMS, source, "-o", program]);
  const input = cases.map((one) => one.join(" ")).join("\n");
  expect(execFileSync(program, { input, encoding: "utf8" }).trim().split("\n")).toEqual(want);
});

it("says why a peer is unavailable", async () => {
  const sizes = [{ n: 1024, recordings: 1 }];
  await expect(cub({ sizes, only: [], compiler: "no-such-compiler" })).rejects.toMatchObject({
    code: "device-missing",
  });
  const folder = scratchDirectory();
  const compiler = join(folder, "compiler");
  writeFileSync(compiler, "#!/bin/sh\necho 'no card' >&2; exit 1\n", { mode: 0o755 });
  await expect(cub({ sizes, only: [], compiler })).rejects.toMatchObject({
    code: "device-missing",
    message: expect.stringContaining("no card"),
  });
});

/** What a job's check says of results that it reads. */
const checked = (name: string, result: (i: number) => number, n = 100) =>
  COLLECTIVE_JOBS.find((job) => job.name === name)?.check(n, async () =>
    Uint32Array.from({ length: n }, (_, i) => result(i)),
  );

it("detects a lost carry and a swapped range in results of scans", async () => {
  const prefix = (i: number): number => (hash(i + 1) - hash(0)) >>> 0;
  expect(await checked("scan add u32", prefix)).toBeUndefined();
  expect(await checked("scan add u32", (i) => (i < 64 ? prefix(i) : (hash(i + 1) - hash(64)) >>> 0))).toMatch(
    /^word 0 of y\[64\]/,
  );
  expect(await checked("scan add u32", (i) => prefix(i ^ 1))).toMatch(/^word 0 of y\[0\]/);
  const maximum =
    (reset: number) =>
    (i: number): number => {
      let most = 0;
      for (let j = i < reset ? 0 : reset; j <= i; j++) most = Math.max(most, j + (hash(j) & 4095));
      return most;
    };
  expect(await checked("scan max u32", maximum(100))).toBeUndefined();
  expect(await checked("scan max u32", maximum(64))).toMatch(/^word 0 of y\[64\]/);
});
