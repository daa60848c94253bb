/** Each bundler with the plugin, as a function that builds one module. Bundlers that are not used are not loaded. */
import { join } from "node:path";
import * as esbuild from "esbuild";
import type { Configuration } from "webpack";
import forEsbuild from "../src/esbuild.ts";
import type { GroupwiseOptions } from "../src/index.ts";

export interface Build {
  /** The folder of the project; the bundle is `bundle.mjs` in it. */
  readonly folder: string;
  readonly options?: GroupwiseOptions;
}

const ENTRY = "main.js";

/** Bundles without the packages of node_modules, which Rollup alone would need another plugin for. */
const isPackage = (id: string): boolean => /^@groupwise\//.test(id);

/** Build functions by name; each ends with an error if the bundler has one. */
export const BUNDLERS = {
  async esbuild({ folder, options }) {
    await esbuild.build({
      entryPoints: [join(folder, ENTRY)],
      outfile: join(folder, "bundle.mjs"),
      bundle: true,
      format: "esm",
      external: ["@groupwise/*"],
      plugins: [forEsbuild(options)],
      logLevel: "silent",
    });
  },
  async vite({ folder, options }) {
    const vite = await import("vite");
    const { default: forVite } = await import("../src/vite.ts");
    await vite.build({
      root: folder,
      configFile: false,
      logLevel: "silent",
      plugins: [forVite(options)],
      build: {
        lib: { entry: ENTRY, formats: ["es"], fileName: () => "bundle.mjs" },
        outDir: folder,
        emptyOutDir: false,
        rolldownOptions: { external: isPackage },
      },
    });
  },
  async rollup({ folder, options }) {
    const { rollup } = await import("rollup");
    const { default: forRollup } = await import("../src/rollup.ts");
    const bundle = await rollup({
      input: join(folder, ENTRY),
      external: isPackage,
      plugins: [forRollup(options)],
    });
    await bundle.write({ file: join(folder, "bundle.mjs") });
  },
  async webpack({ folder, options }) {
    const { default: webpack } = await import("webpack");
    const { default: forWebpack } = await import("../src/webpack.ts");
    const config: Configuration = {
      mode: "production",
      context: folder,
      entry: `./${ENTRY}`,
      externals: [({ request = "" }, next) => (isPackage(request) ? next(undefined, request) : next())],
      externalsType: "module",
      experiments: { outputModule: true },
      output: { path: folder, filename: "bundle.mjs", library: { type: "module" } },
      plugins: [forWebpack(options)],
    };
    await new Promise<void>((done, fail) => {
      webpack(config, (error, stats) => {
        const first = error ?? stats?.compilation.errors[0];
        if (first) fail(first);
        else done();
      });
    });
  },
} as const satisfies Readonly<Record<string, (build: Build) => Promise<void>>>;

export type Bundler = keyof typeof BUNDLERS;
