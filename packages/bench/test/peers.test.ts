import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseResult } from "../src/compare/result-file.ts";
import { cub } from "../src/peers/cub.ts";
import { ofPeers, peerOf } from "../src/peers/peer.ts";
import { COLLECTIVE_JOBS } from "../src/primitives/collective-jobs.ts";
import { hash } from "../src/primitives/job.ts";
import { printPrimitives } from "../src/report.ts";

const HEAD = '{"peer":"CUB","version":"2.5.0","device":"Card","driver":"CUDA 12.4"}';
const LINE = '{"name":"copy","n":1024,"recordings":4,"timesMs":[3,1,2]}';
const surroundings = { date: "d", commit: "c" };
const row = { n: 1024, recordings: 1, nsPerItem: 1, medianMs: 3, quartilesMs: [3, 3] };

it("takes medians of the samples that a peer's program prints", () => {
  const { peer, rows } = peerOf(`${HEAD}\n${LINE}\n`);
  expect(peer).toBe("CUB");
  expect(rows).toMatchObject([{ name: "copy", n: 1024, medianMs: 2, leastMs: 1, runs: 3 }]);
  expect(() => peerOf(`${HEAD}\n{"name":"copy","n":0,"recordings":1,"timesMs":[1]}`)).toThrow();
  expect(() => peerOf("")).toThrow();
});

it("divides our times by a peer's of the same job and size", () => {
  const peers = [peerOf(`${HEAD}\n${LINE}`)];
  expect(ofPeers(peers, { name: "copy", n: 1024, medianMs: 3 })).toEqual({ CUB: 1.5 });
  expect(ofPeers(peers, { name: "copy", n: 2048, medianMs: 3 })).toEqual({});
  const rows = [
    { primitive: "copy", ...row },
    { primitive: "top 100", ...row },
  ];
  const result = { surroundings, device: { target: "wgsl", name: "D", driver: "1" }, rows, peers };
  const { rows: read } = parseResult("r.json", JSON.stringify(result));
  expect(read.map(({ ofPeers: ratios }) => ratios)).toEqual([{ CUB: 1.5 }, {}]);
  const printed = printPrimitives(result as never, false);
  expect(printed).toContain("Time over that of CUB 2.5.0 (Card, CUDA 12.4)");
  expect(printed.match(/^copy.*1\.50/m)).not.toBeNull();
});

it("says why a peer is unavailable", async () => {
  const sizes = [{ n: 1024, recordings: 1 }];
  await expect(cub({ sizes, only: [], compiler: "no-such-compiler" })).rejects.toMatchObject({
    code: "device-missing",
  });
  const folder = mkdtempSync(join(tmpdir(), "groupwise-peer-"));
  const compiler = join(folder, "compiler");
  writeFileSync(compiler, "#!/bin/sh\necho 'no card' >&2; exit 1\n", { mode: 0o755 });
  try {
    await expect(cub({ sizes, only: [], compiler })).rejects.toMatchObject({
      code: "device-missing",
      message: expect.stringContaining("no card"),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
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
