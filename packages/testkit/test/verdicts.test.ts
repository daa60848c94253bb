import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FileReport, ReportedFile } from "../src/devices/verdicts/report.ts";
import { eachTextOnce } from "../src/devices/verdicts/verdicts.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "groupwise-verdicts-"));
  vi.stubEnv("GROUPWISE_VERDICTS", directory);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

const read: string[] = [];
/** Refuses texts that contain a marker. */
const compiler = async (files: readonly ReportedFile[]): Promise<FileReport[]> =>
  files.map(({ name, code }) => {
    read.push(name);
    const ok = !code.includes("bad");
    const problem = { severity: "error", line: 1, column: 1, message: "bad" } as const;
    return { name, ok, diagnostics: ok ? [] : [problem] };
  });
async function reads(files: readonly ReportedFile[], version = "1"): Promise<string[]> {
  read.length = 0;
  const reports = await eachTextOnce([version], files, compiler);
  expect(reports.map(({ name, ok }) => [name, ok])).toEqual(
    files.map(({ name, code }) => [name, !code.includes("bad")]),
  );
  return [...read];
}

const FILES = [
  { name: "a", code: "one" },
  { name: "b", code: "bad" },
  { name: "c", code: "one" },
  { name: "d", code: "two" },
];

test("each distinct text is compiled once, a refused one every time", async () => {
  expect(await reads(FILES)).toEqual(["a", "b", "d"]);
  expect(await reads(FILES)).toEqual(["b"]);
  expect(await reads([...FILES, { name: "e", code: "bad, too" }])).toEqual(["b", "e"]);
});

test("another version of the compiler compiles everything again, and so does a run without a directory", async () => {
  await reads(FILES);
  expect(await reads(FILES, "2")).toEqual(["a", "b", "d"]);
  vi.stubEnv("GROUPWISE_VERDICTS", "");
  expect(await reads(FILES)).toEqual(["a", "b", "d"]);
});
