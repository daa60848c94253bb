/** Small projects whose packages are those of the checkout. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";

const CACHE = fileURLToPath(new URL("../../../.cache", import.meta.url));

/** Running sums of the doubled items; the factor is in a file of its own, and in the name of the pipeline. */
export const SCAN = {
  "factor.ts": "export const factor: number = 2;\n",
  "scan.ts": `import { f32, pipeline } from "@groupwise/dsl";
import { factor } from "./factor.ts";

export default pipeline("sums-by-" + factor, { x: f32 }, ({ x }) => ({
  sums: x.mul(factor).scanInclusive("add"),
}));
`,
  "main.js": `export { default as js } from "./scan.ts?groupwise&target=js";
export { default as wgsl, manifest } from "./scan.ts?groupwise";
`,
} as const;

/** Writes files to a new folder, which the test removes when it ends. */
export function project(files: Readonly<Record<string, string>>): string {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, "unplugin-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** The text of the bundle in a folder. */
export const bundleIn = (folder: string): string => readFileSync(join(folder, "bundle.mjs"), "utf8");

/** The exports of the bundle in a folder. */
export const importBundle = <T>(folder: string): Promise<T> =>
  import(/* @vite-ignore */ pathToFileURL(join(folder, "bundle.mjs")).href) as Promise<T>;
