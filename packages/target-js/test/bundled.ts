/** Programs of this folder as one file, for engines other than that of the checkout's Node. */
import { join } from "node:path";
import { scratchDirectory } from "@groupwise/testkit/devices";
import { build } from "esbuild";

/** @param program the name of its source, without the end @returns the path of the file */
export async function bundled(program: string): Promise<string> {
  const outfile = join(scratchDirectory(), `${program}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${program}.ts`)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["@groupwise/source"],
    logLevel: "silent",
  });
  return outfile;
}
