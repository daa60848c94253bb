import { createRequire } from "node:module";
import { basename, extname, join } from "node:path";
import { scratchDirectory } from "./process.ts";

/** Packages of native code stay where they are. */
const NATIVE: readonly string[] = ["koffi", "webgpu"];

/**
 * One file of a program and its packages, for an engine that is not the Node of this process, or another root.
 * @param entry its path: of a source with the packages' sources, of a built file with the built ones
 * @param platform for a page `browser`
 */
export async function bundled(entry: string, platform: "node" | "browser" = "node"): Promise<string> {
  const { build } = await import("esbuild");
  const isSource = extname(entry) === ".ts";
  const outfile = join(scratchDirectory(), `${basename(entry, extname(entry))}.mjs`);
  const { resolve } = createRequire(import.meta.url);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    platform,
    conditions: isSource ? ["@groupwise/source"] : [],
    plugins: [
      {
        name: "native-where-it-is",
        setup: ({ onResolve }) =>
          onResolve({ filter: new RegExp(`^(${NATIVE.join("|")})$`) }, ({ path }) => ({
            path: resolve(path),
            external: true,
          })),
      },
    ],
    logLevel: "silent",
  });
  return outfile;
}

/** A source and its packages as a script for a page, which leaves what the source exports in `runtimes`. */
export async function bundledScript(entry: string): Promise<string> {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: "browser",
    format: "iife",
    globalName: "runtimes",
    conditions: ["@groupwise/source"],
  });
  return outputFiles[0]?.text ?? "";
}
