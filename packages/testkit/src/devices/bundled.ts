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
