import { createRequire } from "node:module";
import { join } from "node:path";
import { scratchDirectory } from "@groupwise/testkit/devices";
import { build } from "esbuild";

/** One file of a program of this folder and its packages' sources, for a Node that runs under another loader. */
export async function bundled(entry: string): Promise<string> {
  const outfile = join(scratchDirectory(), "program.mjs");
  const koffi = createRequire(import.meta.url).resolve("koffi");
  await build({
    entryPoints: [join(import.meta.dirname, entry)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["@groupwise/source"],
    plugins: [
      {
        name: "koffi-where-it-is",
        setup: ({ onResolve }) => onResolve({ filter: /^koffi$/ }, () => ({ path: koffi, external: true })),
      },
    ],
    logLevel: "silent",
  });
  return outfile;
}
