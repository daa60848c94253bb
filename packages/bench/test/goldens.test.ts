/** What is emitted is what people read and let pass; outside compilers take it, and more that is not checked in. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TARGET_NAMES, TARGETS } from "@groupwise/cli/targets";
import { emit } from "@groupwise/core";
import { STRATEGIES } from "@groupwise/core/kernel";
import { manifestJsonSchema, parseManifest, parsePipeline, stringifyPipeline } from "@groupwise/core/schema";
import type { Expansion } from "@groupwise/core/target";
import { openclRuntime } from "@groupwise/target-opencl/runtime";
import { deviceTest, inFullRuns, isFullRun, onlyInFullRuns } from "@groupwise/testkit/conformance";
import {
  checkWithClang,
  checkWithNaga,
  checkWithTint,
  findClang,
  findDawn,
  findDeno,
  findOpenCl,
  formatReports,
  runProcess,
} from "@groupwise/testkit/devices";
import { afterEach, describe, expect, it, test, vi } from "vitest";
import * as z from "zod";
import { artifactOf, compiledFiles, goldenFiles, planOf, TYPICAL, typicalRows } from "../src/golden-files.ts";
import { GOLDENS, type Golden } from "../src/golden-rows.ts";
import { checkedIn, updateGoldens } from "../src/goldens.ts";

/**
 * Lines of all goldens together: what a reviewer may have to read. They were 28,500 of every target's text for 18 cases; the table of
 * `golden-rows.ts` has each strategy, language and expansion once. Raise this only with the reason in the commit message; for a new row
 * first look for one that it replaces.
 */
const LINES = 7_260;

const files = checkedIn();
// In other runs the tests of each target have the typical cases.
const compiled = compiledFiles(isFullRun());
const texts = (ending: string) =>
  [...compiled].filter(([name]) => name.endsWith(ending)).map(([name, code]) => ({ name, code }));

/** The expansions that a golden shows: its text is another without one of them. */
function expansionsIn({ of, target, options }: Golden): readonly Expansion[] {
  const { capabilities } = planOf({ of, target, ...(options && { options }) });
  const textWith = (expand: readonly Expansion[]): string =>
    artifactOf({ of, target, options: { capabilities: { ...capabilities, expand } } }).files[0]?.text ?? "";
  // The first lines name what is expanded.
  const bodyOf = (text: string): string => text.replace(/^(?:\/\/.*\n)+/, "");
  const whole = bodyOf(textWith(capabilities.expand));
  return capabilities.expand.filter(
    (one) => bodyOf(textWith(capabilities.expand.filter((other) => other !== one))) !== whole,
  );
}

describe("goldens", () => {
  const want = goldenFiles();
  it("are those of the table, and no other files", () => {
    expect([...files.keys()].sort()).toEqual([...want.keys()].sort());
  });

  it.each([...want])("%s is the emitted text (npm run goldens rewrites it)", (name, text) => {
    expect(files.get(name)).toBe(text);
  });

  it(`have at most ${LINES} lines`, () => {
    const lines = [...files.values()].reduce((sum, text) => sum + text.trimEnd().split("\n").length, 0);
    expect(lines).toBeLessThanOrEqual(LINES);
  });

  it("show every language, strategy and expansion", (context) => {
    onlyInFullRuns(context, "each expansion is left out in turn; the interpreter of kernels has them");
    const languages = new Set(GOLDENS.map(({ target }) => target));
    expect(TARGET_NAMES.filter((name) => !languages.has(name))).toEqual([]);
    const strategies = new Set(GOLDENS.map((row) => planOf(row).strategy));
    expect(STRATEGIES.filter(({ name }) => !strategies.has(name))).toEqual([]);
    const targets = TARGET_NAMES.map((name) => TARGETS[name].target);
    const known = targets.flatMap(({ capabilities, optionalTypes }) =>
      [capabilities, ...Object.values(optionalTypes).map((native) => native(capabilities))].flatMap(
        ({ expand }) => expand,
      ),
    );
    const shown = new Set(
      GOLDENS.filter(({ of }) => ["expansions", "from-zero"].includes(of)).flatMap(expansionsIn),
    );
    expect([...new Set(known)].filter((one) => !shown.has(one))).toEqual([]);
  });

  it.each(TYPICAL)("$name emits the same text from its parsed document", (one) => {
    const { ir } = one;
    const { pipeline } = parsePipeline(stringifyPipeline(ir));
    expect(pipeline).toEqual(ir);
    // Equal documents have equal texts.
    for (const row of isFullRun() ? typicalRows(one) : []) {
      const artifact = artifactOf(row);
      const { command } = artifact.manifest;
      expect(emit(pipeline, TARGETS[row.target].target, { command })).toEqual(artifact);
    }
  });

  it("have manifests of the shape that the schema states", () => {
    const manifests = texts(".json").filter(({ name }) => !name.endsWith("/pipeline.json"));
    expect(manifests.length).toBeGreaterThan(0);
    const schema = z.fromJSONSchema(manifestJsonSchema() as never);
    for (const { name, code } of manifests) {
      expect(schema.safeParse(JSON.parse(code)).error?.issues, name).toBeUndefined();
      expect(parseManifest(code), name).toEqual(JSON.parse(code));
    }
  });

  it("contain no path of the machine that made them", () => {
    for (const [name, text] of compiled) expect(text, name).not.toMatch(/\/(?:home|root|tmp|work|Users)\//);
  });
});

describe("updating", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  it("is refused under CI", () => {
    vi.stubEnv("CI", "true");
    expect(() => updateGoldens()).toThrow("never written under CI");
  });
});

/** Why only full runs read the goldens by compilers. */
const TARGETS_HAVE = "`emit.test.ts` of each target has texts of every form in every run";

describe("outside compilers accept emitted texts", () => {
  deviceTest(
    "Tint takes the WGSL, and lavapipe makes pipelines of it",
    inFullRuns(TARGETS_HAVE, () => findDawn({ adapter: "lavapipe" })),
    async ({ device }) => {
      const reports = await checkWithTint(device, texts(".wgsl"), { pipelines: true });
      expect(reports.length).toBeGreaterThan(0);
      expect(formatReports(reports)).toBe("");
    },
  );

  deviceTest(
    "naga takes the WGSL",
    inFullRuns(TARGETS_HAVE, () => findDeno("lavapipe")),
    async () => {
      // This naga does not know `enable subgroups;` yet.
      const known = texts(".wgsl").filter(({ code }) => !/^enable subgroups;$/m.test(code));
      expect(formatReports(await checkWithNaga(known, { adapter: "lavapipe" }))).toBe("");
    },
  );

  deviceTest(
    "clang takes the OpenCL C as 1.2 and as 3.0, without a warning",
    inFullRuns(TARGETS_HAVE, findClang),
    async () => {
      const portable = await checkWithClang(texts(".cl"));
      expect(portable.length).toBeGreaterThan(0);
      expect(formatReports(portable)).toBe("");
      const features = ["__opencl_c_work_group_collective_functions"];
      const native = await checkWithClang(
        texts(".cl").filter(({ code }) => code.includes("GROUPWISE_")),
        { standards: ["CL3.0"], features },
      );
      expect(formatReports(native)).toBe("");
    },
  );

  deviceTest(
    "PoCL builds the OpenCL C from files",
    inFullRuns("PoCL builds what the tests of its runtime run", () => findOpenCl("pocl")),
    async ({ env }) => {
      Object.assign(process.env, env);
      const runtime = await openclRuntime();
      for (const { name, code } of texts(".cl")) {
        const manifest = JSON.parse(compiled.get(`${name}.json`) ?? "");
        const program = await runtime.load({
          manifest,
          files: [{ path: name.split("/").at(-1) ?? "", text: code }],
        });
        program.dispose();
      }
      runtime.dispose();
    },
  );

  test("Node imports the modules without running anything", async () => {
    const names = texts(".mjs").map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    const directory = mkdtempSync(join(tmpdir(), "groupwise-"));
    try {
      for (const { name, code } of texts(".mjs")) {
        mkdirSync(join(directory, name, ".."), { recursive: true });
        writeFileSync(join(directory, name), code);
      }
      const lines = names.map((name) => `await import(${JSON.stringify(`./${name}`)});`);
      writeFileSync(join(directory, "all.mjs"), `${lines.join("\n")}\nconsole.log("fine");\n`);
      const result = await runProcess(process.execPath, [join(directory, "all.mjs")]);
      expect(result).toMatchObject({ code: 0, stdout: "fine\n", stderr: "" });
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
