/** The templates as users get them: made by the published command, installed from tarballs, built and tested. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFullRun } from "@groupwise/testkit/conformance";
import { done, installIn, textOfPage } from "@groupwise/testkit/packed";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TEMPLATE_NAMES } from "../src/index.ts";

/** What is run after `npm install`, and a part of what each command prints. */
const COMMANDS = {
  vite: [
    ["build", /dist\/index\.html/],
    ["test", /3 passed/],
  ],
  cmake: [["test", /100% tests passed/]],
  library: [
    ["check", /associative: +holds/],
    ["build", /^/], // tsc prints nothing, and neither does npm under `npm run --silent`
    ["test", /5 passed/],
  ],
} as const;

/** What the built page shows in Chromium, by template. */
const PAGES: Readonly<Partial<Record<keyof typeof COMMANDS, RegExp>>> = {
  vite: /^1024 steps, the highest point is -?\d/,
};

describe("projects", () => {
  if (!isFullRun())
    return test("of all templates", (context) =>
      context.skip("in the full run: npm's installations and builds"));
  const folder = mkdtempSync(join(tmpdir(), "groupwise-projects-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  beforeAll(async () => {
    await done("npm", ["init", "-y"], { cwd: folder });
    await installIn(folder, ["create-groupwise"]);
  });

  test.each(TEMPLATE_NAMES)("%s", async (template) => {
    const made = await done("npx", ["--no-install", "create-groupwise", `my-${template}`, "-t", template], {
      cwd: folder,
    });
    expect(made).toContain(`my-${template}/package.json`);
    const cwd = join(folder, `my-${template}`);
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(cwd, "package.json"), "utf8"),
    ) as Readonly<Record<string, Readonly<Record<string, string>>>>;
    await installIn(cwd, Object.keys({ ...dependencies, ...devDependencies }));
    for (const [command, printed] of COMMANDS[template])
      expect(await done("npm", ["run", command], { cwd, env: { NO_COLOR: "1" } })).toMatch(printed);
    const shown = PAGES[template];
    if (shown) expect(await textOfPage(cwd, { command: "preview", wanted: shown })).toMatch(shown);
  });
});
