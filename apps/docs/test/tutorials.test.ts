/** Every block of the tutorials: files have the right types, commands print the output on the page. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deviceTest, isFullRun, onlyInFullRuns } from "@groupwise/testkit/conformance";
import { runProcess } from "@groupwise/testkit/devices";
import { findNode } from "@groupwise/testkit/packed";
import { beforeAll, describe, expect, test } from "vitest";
import { follow } from "./tutorials/files.ts";
import { runInside } from "./tutorials/inside.ts";
import { runOutside } from "./tutorials/outside.ts";
import { pattern, type Run, stepsOf, TUTORIALS, type Tutorial } from "./tutorials/page.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Below the checkout's modules, so that nothing is installed. */
const FOLDER = join(ROOT, ".cache/tutorials");

const TYPES = {
  compilerOptions: {
    target: "ES2023",
    lib: ["ES2023", "DOM"],
    module: "ESNext",
    moduleResolution: "bundler",
    types: ["node", "vite/client", "@webgpu/types"],
    strict: true,
    noUncheckedIndexedAccess: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["*/*.ts"],
};

/** Whether a step printed the output on the page. */
function compare({ fails, output }: Run, printed: string): void {
  expect(/^exit code/m.test(printed), printed).toBe(fails);
  if (output !== undefined) expect(printed.replace(/^exit code \d+\n/m, "").trim()).toMatch(pattern(output));
}

/** Follows a page in an empty folder, with packages from tarballs. */
async function outside(tutorial: Tutorial, node?: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `groupwise-${tutorial.name}-`));
  await follow(tutorial, folder, async (step) => {
    const wanted = step.output === undefined ? undefined : pattern(step.output);
    compare(step, await runOutside(step.commands, folder, wanted, node));
  });
  rmSync(folder, { recursive: true });
}

/** The versions that users have, besides the one that runs the tests. */
const OTHER_NODES = ([20, 22, 24] as const).filter((major) => !process.version.startsWith(`v${major}.`));

/** Pages that are followed with each of them: the first page, and an app of Vite. */
const VERSIONS = ["start", "vite"];

describe("tutorials", () => {
  beforeAll(() => mkdirSync(FOLDER, { recursive: true }));

  test.each(TUTORIALS)("$name: commands print the output on the page", async (tutorial) => {
    const folder = join(FOLDER, tutorial.name);
    let compared = 0;
    await follow(tutorial, folder, async (step) => {
      const printed = await runInside(step.commands, folder);
      if (printed === undefined) return; // in the full run
      compare(step, printed);
      if (step.output !== undefined) compared++;
    });
    expect(compared).toBeGreaterThan(0);
  });

  const WHY = "npm's installations, compilers and servers";
  test.for(TUTORIALS)("$name: in an empty folder", (tutorial, context) => {
    onlyInFullRuns(context, WHY);
    return outside(tutorial);
  });

  describe.each(OTHER_NODES)("with Node %i", (major) => {
    for (const tutorial of TUTORIALS.filter(({ name }) => VERSIONS.includes(name))) {
      const title = `${tutorial.name}: in an empty folder`;
      if (isFullRun())
        deviceTest(
          title,
          () => findNode(major),
          (node) => outside(tutorial, node),
        );
      else test(title, (context) => onlyInFullRuns(context, WHY));
    }
  });

  test("have the right types", async () => {
    writeFileSync(join(FOLDER, "tsconfig.json"), JSON.stringify(TYPES));
    const { code, stdout } = await runProcess(process.execPath, [
      join(ROOT, "node_modules/@typescript/native/bin/tsc"),
      ...["-p", FOLDER],
    ]);
    expect([code, stdout]).toEqual([0, ""]);
  });
});

describe("blocks", () => {
  test("are files, commands and outputs of commands", () => {
    const page = "```ts\n// a/b.ts\n1;\n```\ntext\n```sh fails\nx \\\n  y # z\n```\n```text\nout …\n```\n";
    expect(stepsOf(page)).toEqual([
      { kind: "file", name: "a/b.ts", text: "// a/b.ts\n1;\n" },
      { kind: "run", commands: ["x    y"], fails: true, output: "out …\n" },
    ]);
    expect(() => stepsOf("```ts\nx;\n```")).toThrow("has no name");
    expect(() => stepsOf("```text\nx\n```")).toThrow("has no name");
  });

  test("match outputs with any times and lines", () => {
    expect("a.b 1.25 ms\nend").toMatch(pattern("a.b … ms\nend\n"));
    expect("axb 1.25 ms\nend").not.toMatch(pattern("a.b … ms\nend\n"));
    expect("1\n2\nend").toMatch(pattern("…\nend"));
    expect("1\n2\nend").not.toMatch(pattern("1 …\nend"));
  });
});
