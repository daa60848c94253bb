import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";

const HANGING = new URL("hanging.mjs", import.meta.url).href;
/** A process that observes itself and then runs `code`. */
const run = (limit, code) =>
  spawnSync(
    process.execPath,
    [
      ...["--input-type=module", "-e"],
      `import { observe } from ${JSON.stringify(HANGING)};
      observe(${limit}, 50)("some.test.ts");
      ${code}`,
    ],
    { encoding: "utf8" },
  );

test.each([
  ["a loop", "function endless() { for (;;); }"],
  ["microtasks", "async function endless() { for (;;) await undefined; }"],
])("a process that is held by %s ends with the file and the stack", (_, endless) => {
  const { signal, stderr } = run(500, `${endless}\nendless();`);
  expect(signal).toBe("SIGKILL");
  expect(stderr).toContain("some.test.ts: the thread has been busy for");
  expect(stderr).toMatch(/at endless \(file:\S+:\d+\)/);
});

test("a test that takes a tenth of the limit is named while it runs", () => {
  const { status, stderr } = run(2000, "setTimeout(() => process.exit(0), 1500);");
  expect(status).toBe(0);
  expect(stderr).toContain("some.test.ts: has run for");
});

test("a process whose work is done ends", () => {
  const { status, stderr } = run(600_000, "");
  expect([status, stderr]).toEqual([0, ""]);
});

describe("between two tests that await only promises", () => {
  let turns = 0;

  test("the first one asks for a turn of the event loop", async () => {
    setImmediate(() => {
      turns += 1;
    });
    await undefined;
    expect(turns).toBe(0);
  });

  test("the second one finds that there was one", () => {
    expect(turns).toBe(1);
  });
});
