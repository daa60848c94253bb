/** `emitFile`: the same file emitted again, as bundlers and `--watch` do. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { emitFile } from "../src/emit-file.ts";

/** Below the checkout's modules. */
const CACHE = fileURLToPath(new URL("../../../.cache/", import.meta.url));

test.each(["ts", "mts", "js", "mjs"])(
  "a module in .%s and what it imports are read again",
  async (ending) => {
    mkdirSync(CACHE, { recursive: true });
    const cwd = mkdtempSync(join(CACHE, "emit-file-"));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    const write = (name: string, text: string): void => writeFileSync(join(cwd, name), text);
    write("package.json", '{ "type": "module" }');
    for (const by of [2, 3]) {
      write(`by.${ending}`, `export const by = ${by};\n`);
      write(
        `scan.${ending}`,
        `import { f32, pipeline } from "@groupwise/dsl";
import { by } from "./by.${ending}";
export default pipeline("scan-${by}", { x: f32 }, ({ x }) => ({ y: x.mul(by) }));
`,
      );
      const sources = new Set<string>();
      const onSource = (file: string): void => void sources.add(basename(file));
      const { manifest, files } = await emitFile(`scan.${ending}`, "js", { cwd, onSource });
      expect(manifest.pipeline).toBe(`scan-${by}`);
      expect(files[0]?.text).toContain(`* ${by}`);
      expect(sources).toEqual(new Set([`scan.${ending}`, `by.${ending}`]));
    }
  },
);
