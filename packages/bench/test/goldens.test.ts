/** What is emitted is what people read and let pass; outside compilers take every file of it. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emit } from "@groupwise/core";
import { parsePipeline } from "@groupwise/core/schema";
import { openclRuntime } from "@groupwise/target-opencl/runtime";
import { deviceTest } from "@groupwise/testkit/conformance";
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
import { artifactOf, GOLDEN_CASES, LANGUAGES } from "../src/golden-files.ts";
import { checkedIn, GOLDEN, updateGoldens, wanted } from "../src/goldens.ts";

const files = checkedIn();
const texts = (ending: string) =>
  [...files].filter(([name]) => name.endsWith(ending)).map(([name, code]) => ({ name, code }));

describe("goldens", () => {
  const want = wanted();
  it("are of every golden case, and of nothing else", () => {
    expect([...files.keys()].sort()).toEqual([...want.keys()].sort());
    expect(GOLDEN_CASES.length).toBeGreaterThanOrEqual(8);
  });

  it.each([...want])("%s is what is emitted (npm run goldens writes it again)", (name, text) => {
    expect(files.get(name)).toBe(text);
  });

  it.each(GOLDEN_CASES)("$name emits the same from its document, read back", (one) => {
    const { pipeline } = parsePipeline(files.get(`${one.name}/pipeline.json`) ?? "");
    for (const target of LANGUAGES) {
      const artifact = artifactOf(one, target);
      if ("refused" in artifact) continue;
      const again = emit(pipeline, target, { command: artifact.manifest.command });
      expect(again).toEqual(artifact);
    }
  });

  it("name no place of the machine that made them", () => {
    for (const [name, text] of files) expect(text, name).not.toMatch(/\/(?:home|root|tmp|work|Users)\//);
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

describe("outside compilers take the goldens", () => {
  deviceTest(
    "Tint takes the WGSL, and lavapipe makes pipelines of it",
    () => findDawn({ adapter: "lavapipe" }),
    async ({ device }) => {
      const reports = await checkWithTint(device, texts(".wgsl"), { pipelines: true });
      expect(reports.length).toBeGreaterThan(0);
      expect(formatReports(reports)).toBe("");
    },
  );

  deviceTest(
    "naga takes the WGSL",
    () => findDeno("lavapipe"),
    async () => {
      // This naga does not know `enable subgroups;` yet.
      const known = texts(".wgsl").filter(({ code }) => !/^enable subgroups;$/m.test(code));
      expect(formatReports(await checkWithNaga(known, { adapter: "lavapipe" }))).toBe("");
    },
  );

  deviceTest("clang takes the OpenCL C as 1.2 and as 3.0, without a warning", findClang, async () => {
    const portable = await checkWithClang(texts(".cl"));
    expect(portable.length).toBeGreaterThan(0);
    expect(formatReports(portable)).toBe("");
    const features = ["__opencl_c_work_group_collective_functions"];
    const native = await checkWithClang(texts(".cl"), { standards: ["CL3.0"], features });
    expect(formatReports(native)).toBe("");
  });

  deviceTest(
    "PoCL builds the OpenCL C from the checked-in files",
    () => findOpenCl("pocl"),
    async ({ env }) => {
      Object.assign(process.env, env);
      const runtime = await openclRuntime();
      for (const { name, code } of texts(".cl")) {
        const manifest = JSON.parse(files.get(`${name}.json`) ?? "");
        const program = await runtime.load({
          manifest,
          files: [{ path: name.split("/").at(-1) ?? "", text: code }],
        });
        program.dispose();
      }
      runtime.dispose();
    },
  );

  test("Node takes the modules, and imports them without running anything", async () => {
    const names = texts(".mjs").map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    const directory = mkdtempSync(join(tmpdir(), "groupwise-"));
    try {
      cpSync(GOLDEN, directory, { recursive: true });
      const lines = names.map((name) => `await import(${JSON.stringify(`./${name}`)});`);
      writeFileSync(join(directory, "all.mjs"), `${lines.join("\n")}\nconsole.log("fine");\n`);
      const result = await runProcess(process.execPath, [join(directory, "all.mjs")]);
      expect(result).toMatchObject({ code: 0, stdout: "fine\n", stderr: "" });
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
