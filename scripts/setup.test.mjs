import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { consent, diskOf, wantedItems } from "./setup/consent.mjs";
import { ITEMS } from "./setup/items.mjs";

const ids = (items) => items.map(({ id }) => id);
const missing = [{ disk: 70 }, { disk: 260 }];

it("the demo requires the drivers that it runs on, and no compiler, browser or second root file system", () => {
  expect(ids(wantedItems(ITEMS, { demo: true }))).toEqual(["lavapipe", "pocl"]);
});

it("what only the matrix runs on is installed only when asked for", () => {
  const further = ["clangs", "arm", "trixie", "sid"];
  expect(ids(wantedItems(ITEMS, { matrix: true }))).toEqual(ids(ITEMS));
  expect(ids(ITEMS).filter((id) => !ids(wantedItems(ITEMS, {})).includes(id))).toEqual(further);
});

it("the set-up for the demo looks for nothing else", () => {
  const args = [join(import.meta.dirname, "setup-devices.mjs"), "--demo", "--check", "--json"];
  const { stdout, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(status).toBe(0);
  const found = ids(JSON.parse(stdout).items);
  expect(found).toContain("pocl");
  expect(["lavapipe", "pocl"]).toEqual(expect.arrayContaining(found));
});

it("each item states its size on disk", () => {
  for (const { disk } of ITEMS) expect(disk).toBeGreaterThan(0);
  expect(diskOf(missing)).toBe("330 MB");
  expect(diskOf([{ disk: 999 }, { disk: 551 }])).toBe("1.6 GB");
});

/** The printed lines, and the answer. */
async function asked(env, flags = {}, input = {}) {
  const said = [];
  const answer = await consent(missing, { yes: false, json: false, ...flags }, (line) => said.push(line), {
    env,
    input,
    output: new PassThrough(),
  });
  return { answer, said: said.join("\n") };
}

it.each(["no", "NO", "0", "false"])("GROUPWISE_INSTALL=%s does not change the system", async (value) => {
  const { answer, said } = await asked({ GROUPWISE_INSTALL: value }, { yes: true });
  expect(answer).toBe(false);
  expect(said).toContain("nothing is installed");
});

it.each([
  ["where nobody can answer", {}, {}],
  ["where it is told to", { GROUPWISE_INSTALL: "yes" }, { isTTY: true }],
  ["in CI", { CI: "true" }, { isTTY: true }],
])("it installs %s, and prints the size and how to decline", async (_, env, input) => {
  const { answer, said } = await asked(env, {}, input);
  expect(answer).toBe(true);
  expect(said).toContain("330 MB");
  expect(said).toContain("GROUPWISE_INSTALL=no");
});

it.each([
  ["", true],
  ["y", true],
  ["Yes", true],
  ["n", false],
  ["later", false],
])("on a terminal %j means %s", async (line, want) => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const answer = asked({}, {}, input);
  input.write(`${line}\n`);
  expect((await answer).answer).toBe(want);
});

it("an end of input means no", async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const answer = asked({}, {}, input);
  input.end();
  expect((await answer).answer).toBe(false);
});
