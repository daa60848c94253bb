/** The registry of targets: what every tool takes for granted. */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { DEFAULTS, TARGET_NAMES, TARGETS, toolsOf } from "../src/base/targets.ts";

/** The modules that a file imports when it is loaded, types aside. */
const importsOf = (text: string): string[] =>
  [...text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^;"']*?\sfrom\s+)?"([^"]+)"/gm)].map(
    ([, name = ""]) => name,
  );

test.each(TARGET_NAMES)("%s is registered under the name in its artifacts", (name) => {
  expect(toolsOf(name).target.name).toBe(name);
});

test("some target has a device on every machine, and a run takes it if none is named", async () => {
  expect(TARGETS[DEFAULTS.run].isEverywhere).toBe(true);
  for (const name of TARGET_NAMES.filter((one) => toolsOf(one).isEverywhere)) {
    const { devices, missing } = await toolsOf(name).survey();
    expect(devices.length).toBeGreaterThan(0);
    expect(missing).toEqual([]);
  }
});

test("the default target of `header` has a writer", () => {
  expect(toolsOf(DEFAULTS.header).header).toBeDefined();
});

test.each(TARGET_NAMES.filter((name) => toolsOf(name).header))(
  "every function of %s can be written",
  (name) => {
    const { functions, write, options } = toolsOf(name).header ?? expect.fail();
    expect(functions()).not.toEqual([]);
    const choices = {
      command: "groupwise header",
      functions: functions(),
      ...(options.workGroupSize === "required" && { workGroupSize: 4 }),
    };
    expect(write(choices)).toContain("groupwise header");
  },
);

test("the registry imports no runtime and no driver before devices are listed", () => {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const name of importsOf(readFileSync(file, "utf8"))) {
      expect(["koffi", "webgpu", "gpu.js"]).not.toContain(name);
      if (name.startsWith(".")) visit(resolve(dirname(file), name));
      else if (name.startsWith("@groupwise/target-")) visit(fileURLToPath(import.meta.resolve(name)));
    }
  };
  visit(join(import.meta.dirname, "../src/base/targets.ts"));
  expect([...seen].filter((file) => /tools\.[jt]s$/.test(file))).toHaveLength(TARGET_NAMES.length);
  expect([...seen].filter((file) => /runtime\.[jt]s$/.test(file))).toEqual([]);
});
