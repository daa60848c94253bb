/** The table of the matrix, and what its rows say. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Capabilities, ProbeReport } from "@groupwise/core";
import { wgsl } from "@groupwise/target-wgsl";
import type { Check } from "@groupwise/testkit";
import { onlyInFullRuns } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { type CompileRequest, type RemoteRunner, remoteRunner } from "@groupwise/testkit/remote";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { compileTimesOf, headerCalls } from "../src/matrix/compile-times.ts";
import { PartCount } from "../src/matrix/count.ts";
import { type PartTasks, runParts, type Task } from "../src/matrix/jobs.ts";
import { changesOf, keptParts, matrix, openedOn } from "../src/matrix/matrix.ts";
import { pipelinesOf, treesOf } from "../src/matrix/parts.ts";
import { printMatrix } from "../src/matrix/print.ts";
import type { Matrix, MatrixPart, MatrixRow, Ran } from "../src/matrix/result.ts";
import { isMissing, isRight, PARTS } from "../src/matrix/result.ts";
import { ROWS } from "../src/matrix/rows.ts";
import { rowsOf } from "../src/random/random.ts";

const folder = mkdtempSync(join(tmpdir(), "groupwise-matrix-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

const NAMES = ["clang 19", "Firefox, lavapipe", "rusticl 25"];
const choice = { parts: PARTS, trees: 0, pipelines: 0, seconds: 1, rowSeconds: 0, jobs: 1, say: () => {} };
const part: MatrixPart = { passed: 3, failed: 0, refused: 0, left: 0, seconds: 1, failures: [], reasons: {} };
const ran: Ran = {
  ...{ name: "PoCL 3.1, Debian 12", group: "OpenCL", device: "cpu", driver: "3.1", date: "2026-01-01" },
  ...{ commit: "c", seconds: 1, switchedOn: ["with float-divide (expand)"], parts: { suite: part } },
};
const of = (rows: Matrix["rows"]): Matrix => ({ surroundings: {} as Matrix["surroundings"], rows });

test("what is not installed is named with the command that installs it, and other rows are kept", async () => {
  vi.stubEnv("GROUPWISE_CACHE", folder);
  vi.stubEnv("GROUPWISE_FULL", process.env.GROUPWISE_FULL ?? "");
  const { rows } = await matrix({ ...choice, only: NAMES, known: of([ran]) });
  expect(rows.map((row) => (isMissing(row) ? [row.name.split(",")[0], row.install] : row))).toEqual([
    ["Firefox", "run: sudo node scripts/setup-devices.mjs --matrix"],
    ran,
    ["rusticl 25", "run: sudo node scripts/setup-devices.mjs --matrix"],
    ["clang 19", "run: sudo node scripts/setup-devices.mjs --matrix"],
  ]);
});

test("only the chosen parts run; the others are those of an earlier row of the same driver", async () => {
  vi.stubEnv("GROUPWISE_FULL", process.env.GROUPWISE_FULL ?? "");
  const [major] = process.versions.node.split(".");
  const [name] = ROWS.map((row) => row.name).filter((one) => one === `WebAssembly, Node ${major}`);
  const asked = { ...choice, parts: ["pipelines"], pipelines: 1, seconds: 900, rowSeconds: 900 } as const;
  const { rows } = await matrix({ ...asked, only: [name as string] });
  const [row] = rows as [MatrixRow];
  if (isMissing(row)) return expect(row.install).toBeDefined();
  expect(row.parts).toEqual({ pipelines: expect.objectContaining({ passed: 1, failed: 0, left: 0 }) });
  for (const [driver, parts] of [
    [row.driver, row.parts],
    ["another", {}],
  ] as const)
    expect(keptParts(row, { ...asked, only: [name as string], known: of([{ ...row, driver }]) })).toEqual(
      parts,
    );
});

// Thirty seconds are enough for what represents the others.
test.for(ROWS.map(({ name }) => name))("%s, in full runs", async (name, context) => {
  onlyInFullRuns(context, "half a minute each, on what only the matrix installs");
  const some = { trees: 24, pipelines: 6, seconds: 120, rowSeconds: 30 };
  const { rows } = await matrix({ ...choice, ...some, only: [name] });
  const [row] = rows as [MatrixRow];
  if (isMissing(row)) return context.skip(`${row.reason}; ${row.install}`);
  expect(Object.values(row.parts).flatMap(({ failures }) => failures)).toEqual([]);
});

test("each row has a name of its own", () => {
  expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length);
});

test("what tests of a device changed is said by name", () => {
  const capabilities: Capabilities = { ...wgsl.capabilities, expand: ["float-divide"], subnormals: "exact" };
  const [first, ...others] = capabilities.own ?? [];
  const expand = [...capabilities.expand, "int-divide" as const];
  const tested = { ...capabilities, expand, own: others, subnormals: "kept" as const };
  expect(changesOf(capabilities, capabilities)).toEqual([]);
  expect(changesOf(capabilities, tested)).toEqual([
    "subnormals: kept",
    "with int-divide (expand)",
    `without ${first} (own)`,
  ]);
});

test("a failure of any part is one of the matrix, and is printed", () => {
  const wrong = { ...part, failed: 1, left: 2, failures: ["sums: 1 is not 2"] };
  const failing = of([ran, { ...ran, name: "other", parts: { suite: part, trees: wrong } }]);
  expect(isRight(of([ran]))).toBe(true);
  expect(isRight(failing)).toBe(false);
  expect(isRight(of([]))).toBe(false);
  const group = "OpenCL";
  expect(isRight(of([ran, { name: "absent", group, reason: "none", install: "get it" }]))).toBe(true);
  expect(isRight(of([ran, { name: "broken", group, reason: "it ended" }]))).toBe(false);
  expect(printMatrix(failing, true)).toContain("| 3, 1 failed, 2 left |");
  expect(printMatrix(failing, true)).toContain("- other, trees: sums: 1 is not 2");
});

const limits = { remaining: () => 100, say: () => {} };

/** A device that answers requests of random cases, and notes them; case 21 of the first seed ends it always, case 5 of the second once. */
const DYING = `
import { appendFileSync, existsSync } from "node:fs";
import { createInterface } from "node:readline";
const [notes, once] = ["notes", "once"].map((name) => import.meta.dirname + "/" + name);
for await (const line of createInterface({ input: process.stdin })) {
  const { do: what, request } = JSON.parse(line);
  if (what === "end") {
    console.log("groupwise-check null");
    process.exit(0);
  }
  const { seed, from, count } = request.options;
  const has = (k, number) => seed.endsWith(" " + k) && from <= number && number < from + count;
  const note = (word) => appendFileSync(notes, [word, process.pid, seed.at(-1), from, count].join(" ") + "\\n");
  if (has(0, 21)) {
    note("ends");
    console.error("LLVM ERROR");
    process.exit(134);
  }
  if (has(1, 5) && !existsSync(once)) {
    appendFileSync(once, "");
    process.kill(process.pid, "SIGSEGV");
  }
  note("answers");
  console.log("groupwise-check " + JSON.stringify({ seed, ran: count, unsupported: 0, differing: 0, findings: [], seconds: 1 }));
}`;

test("what a process that ends had not answered goes on behind the case that ended it, which alone runs once more", async () => {
  const file = join(folder, "dying.mjs");
  writeFileSync(file, DYING);
  const runner = remoteRunner({ name: "it", command: [process.execPath], file }, "quick", true);
  const part = pipelinesOf(100, 4, limits);
  await runParts([part], [runner]);
  await runner.end();
  const again = "random --kind pipelines --seed 'groupwise 0' --from 21 --count 1 --batch 4 --small";
  // 4 cases, 2, 1 and 1 again; and 4 of the other seed.
  expect(part.count.part()).toMatchObject({
    ...{ passed: 99, failed: 1, left: 0, ended: 5 },
    failures: [`${again}: it ended with 134: LLVM ERROR`],
  });
  const notes = readFileSync(join(folder, "notes"), "utf8").trim().split("\n");
  const lines = notes.map((line) => line.split(" "));
  const answered = lines.flatMap(([word, , seed, from, count]) =>
    word === "ends" ? [] : Array.from({ length: Number(count) }, (_, i) => `${seed} ${Number(from) + i}`),
  );
  expect(new Set(answered).size).toBe(99);
  expect(answered).toHaveLength(99);
  const ends = lines.filter(([word]) => word === "ends");
  const [, own] = ends.at(-1) as string[];
  expect(lines.filter(([, pid]) => pid === own)).toEqual([["ends", own, "0", "21", "1"]]);
  expect(ends.map(([, , , , count]) => count)).toEqual(["4", "2", "1", "1"]);
});

test("cases of a part have the arguments that run them alone, in seeds of some", () => {
  const namesOf = ({ tasks }: PartTasks): string[] => tasks.map((task) => task.name(0, task.cases));
  const one = namesOf(pipelinesOf(50, 1, limits));
  expect(one).toHaveLength(50);
  const of = "random --kind pipelines --seed 'groupwise";
  expect(one[47]).toBe(`${of} 0' --from 47 --count 1 --batch 1 --small`);
  expect(one[48]).toBe(`${of} 1' --from 0 --count 1 --batch 1 --small`);
  const trees = namesOf(treesOf(800, limits)).filter((name) => name.includes("f16"));
  expect(trees.at(-1)).toBe("random --kind expressions --type f16 --seed 'groupwise 1' --from 0 --count 8");
});

/** Tasks of one case each. */
function counted(cases: number, run: (runner: RemoteRunner, i: number) => Promise<void> | void) {
  const count = new PartCount();
  const taskOf = (i: number): Task => ({
    cases: 1,
    name: () => `${i}`,
    run: async (runner) => {
      await run(runner, i);
      count.pass();
    },
  });
  const tasks = Array.from({ length: cases }, (_, i) => taskOf(i));
  return { count, limits, tasks };
}

test("a row says how many processes ended", async () => {
  const ends = [0, 1, 2];
  const part = counted(3, (_, i) => {
    ends[i] = (ends[i] as number) - 1;
    if ((ends[i] as number) >= 0) throw new Error(`dawn ended with SIGSEGV: ${"=".repeat(400)} why`);
  });
  await runParts([part], [{} as RemoteRunner]);
  const text = printMatrix(of([{ ...ran, parts: { suite: part.count.part() } }]), true);
  expect(text).toContain("| 2, 1 failed, 3 ended processes |");
  expect(text).toMatch(/suite: 2: dawn ended with SIGSEGV: =+ … =+ why$/m);
});

test("a device is opened in a second process with what the first one's probe showed", async () => {
  const probed: ProbeReport = {
    generator: "g",
    target: "opencl",
    hardware: "h",
    driver: "d",
    rows: [{ id: "f32 add" }],
  };
  const seen: unknown[] = [];
  const start = (report?: ProbeReport) => {
    seen.push(report);
    const runner = {
      opened: async () => ({ took: { ms: report ? 1 : 2 }, untested: wgsl.capabilities, probed }),
      end: async () => void seen.push("end"),
    };
    return Promise.resolve(
      found({ runner: runner as never as RemoteRunner, version: report ? "second" : "first" }),
    );
  };
  const opened = await openedOn(start);
  expect(seen).toEqual([undefined, "end", probed]);
  expect(opened).toMatchObject({
    found: true,
    value: { version: "second", opening: { cold: { ms: 2 }, kept: { ms: 1 } } },
  });
  // Nothing is probed: the first one goes on.
  const unprobed = { opened: async () => ({ took: { ms: 3 }, untested: wgsl.capabilities }) };
  const only = await openedOn(async () =>
    found({ runner: unprobed as never as RemoteRunner, version: "only" }),
  );
  expect(only).toMatchObject({ value: { version: "only", opening: { cold: { ms: 3 } } } });
});

test("the time of what compiles counts if its result is right", async () => {
  const asked: CompileRequest[] = [];
  const runner = {
    compile: async (request: CompileRequest) => {
      asked.push(request);
      const processorMs = 100 * asked.length;
      return { took: { ms: 1, processorMs }, wrong: asked.length === 2 ? [": [0] is 1, not 2"] : [] };
    },
  };
  const part = compileTimesOf(true, limits);
  await runParts([part], [runner as never as RemoteRunner]);
  const { times, failures } = part.count.part();
  expect(Object.keys(times ?? {})).toEqual(["bins", "6 calls", "12 calls", "24 calls"]);
  expect(failures).toEqual(["1 call: : [0] is 1, not 2"]);
  const page = printMatrix(of([{ ...ran, effort: "quick", parts: { suite: part.count.part() } }]), true);
  expect(page).toContain("bins: 0.1, 6 calls: 0.3, 12 calls: 0.4, 24 calls: 0.5, 1 failed (quick)");
  expect(compileTimesOf(false, limits).tasks).toHaveLength(1);
});

test("a kernel with calls of the header has so many, and its values are those of a plain loop", () => {
  const { artifact, x, y } = headerCalls(3);
  const [file] = artifact.files;
  const [, body = ""] = file?.text.split("void calls(") ?? [];
  expect(body.match(/gw_\w+\(v/g)).toHaveLength(3);
  let before = 0;
  const total = x.reduce((sum, v) => sum + v, 0);
  x.forEach((v, i) => {
    const inclusive = before + v + (i + 1);
    expect(y[i]).toBe(total + inclusive + (before + 2 * i));
    before += v;
  });
});

test("runners share the tasks of all parts in order", async () => {
  const runners = [{}, {}] as RemoteRunner[];
  const taken: [RemoteRunner, number][] = [];
  const parts = [0, 1].map((k) => counted(300, (runner, i) => void taken.push([runner, 300 * k + i])));
  await runParts(parts, runners);
  expect(taken.map(([, i]) => i)).toEqual(Array.from({ length: 600 }, (_, i) => i));
  for (const one of runners) expect(taken.filter(([runner]) => runner === one)).toHaveLength(300);
  expect(parts.map(({ count }) => count.part().passed)).toEqual([300, 300]);
});

test("another process begins after one that ends, and after the end", async () => {
  const file = join(folder, "ends.mjs");
  writeFileSync(
    file,
    `process.stdin.on("data", (line) => {
      const { name } = JSON.parse(line);
      if (name === "signal") process.kill(process.pid, "SIGSEGV");
      if (name === "by itself") process.exit(1);
      console.log("groupwise-check " + process.pid);
      if (JSON.parse(line).do === "end") process.exit(0);
    });`,
  );
  const runner = remoteRunner({ name: "it", command: [process.execPath], file }, "quick", true);
  const run = (name: string) => runner.run({ name } as Check) as unknown as Promise<number>;
  await expect(run("signal")).rejects.toThrow("it ended with SIGSEGV");
  await expect(run("by itself")).rejects.toThrow("it ended with 1");
  // There is none: none is started for it.
  await runner.end();
  const first = await run("other");
  expect(await run("other")).toBe(first);
  await runner.end();
  expect(await run("other")).not.toBe(first);
  await runner.end();
});

test("a device that does not answer in time is ended, and the next request has another process", async () => {
  const file = join(folder, "silent.mjs");
  writeFileSync(file, "process.stdin.resume();");
  const command = [process.execPath] as const;
  const runner = remoteRunner({ name: "silent", command, file, timeoutMs: 50 }, "quick", true);
  await expect(runner.state()).rejects.toThrow("silent did not answer within 0.05 s");
  await expect(runner.state()).rejects.toThrow("silent did not answer within 0.05 s");
});

test("random cases run on rows of the matrix for words that name no device of the process", () => {
  vi.stubEnv("GROUPWISE_FULL", process.env.GROUPWISE_FULL ?? "");
  const names = (...words: readonly string[]): readonly string[] =>
    rowsOf([{ name: "Dawn lavapipe" }], words).map(({ name }) => name);
  expect(names("lavapipe", "oclgrind", "PoCL 7")).toEqual(["PoCL 7, Debian sid", "Oclgrind"]);
  expect(names("lavapipe")).toEqual([]);
  expect(names()).toEqual([]);
});
