/** `emit --watch`: it emits again, survives errors, and ends at Ctrl-C. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { ended } from "./process.ts";
import { cli, folder } from "./support.ts";

const PIPELINE = `import { pipeline, u32 } from "@groupwise/dsl";
import { factor } from "./factor.ts";
export default pipeline("p", { x: u32 }, ({ x }) => ({ y: x.mul(factor).scanInclusive("add") }));
`;
const LONG_MS = 5 * 60_000;

test("a change of an imported file emits again; Ctrl-C ends the command, an error does not", async () => {
  const cwd = folder({ "p.ts": PIPELINE, "factor.ts": "export const factor = 7001;\n" });
  const stop = new AbortController();
  let [out, err] = ["", ""];
  const run = ended(cwd, ["emit", "p.ts", "--target", "js", "--watch"], {
    signal: stop.signal,
    onErr: (text) => {
      err = text;
    },
    onOut: (text) => {
      out = text;
    },
  });
  const emitted = (): string => {
    const file = join(cwd, "out/p.mjs");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };
  const wait = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: LONG_MS, interval: 50 });
  await wait(() => expect(emitted()).toContain("7001"));
  // A change may come before the folder is watched: it is made until it is seen.
  await wait(() => {
    writeFileSync(join(cwd, "factor.ts"), "export const factor = 7002;\n");
    expect(emitted()).toContain("7002");
  });
  await wait(() => {
    writeFileSync(join(cwd, "factor.ts"), "export const factor = ;\n");
    expect(err).toContain("factor.ts:1");
  });
  // The folder is watched by now, so one change is enough. A signal during an attempt would end the process by itself.
  const before = out.length;
  writeFileSync(join(cwd, "factor.ts"), "export const factor = 7003;\n");
  await wait(() => expect([emitted().includes("7003"), out.length > before]).toEqual([true, true]));
  stop.abort();
  expect(await run).toMatchObject({ code: 0, signal: null });
});

test("it refuses --json, and needs a target", async () => {
  const cwd = folder({ "p.ts": PIPELINE });
  expect((await cli(cwd, "emit", "p.ts", "--target", "js", "--watch", "--json")).json().error.code).toBe(
    "bad-usage",
  );
  expect(await cli(cwd, "emit", "p.ts", "--watch")).toMatchObject({ code: 2, out: "" });
});
