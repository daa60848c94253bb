/** The file that an import names, for each bundler: aliases and packages are the bundler's to resolve. */
import { dirname, isAbsolute, resolve } from "node:path";
import type { PluginContext } from "rollup";
import type { NativeBuildContext, UnpluginBuildContext } from "unplugin";
import { withoutQuery } from "./request.ts";

type Native<F extends NativeBuildContext["framework"]> = Extract<NativeBuildContext, { framework: F }>;

const byEsbuild = async ({ build }: Native<"esbuild">, path: string, folder: string) =>
  (await build.resolve(path, { kind: "import-statement", resolveDir: folder })).path || undefined;

const byWebpack = ({ compiler }: Native<"webpack">, path: string, folder: string) =>
  new Promise<string | undefined>((done) => {
    const resolver = compiler.resolverFactory.get("normal", { dependencyType: "esm" });
    resolver.resolve({}, folder, path, {}, (_, found) => done(found || undefined));
  });

/**
 * The full path of a file; undefined if the bundler finds none.
 * @param path without its query
 * @param importer the module that imports it; a module of this plugin is beside its pipeline file
 */
export async function fileOf(
  context: UnpluginBuildContext,
  path: string,
  importer: string | undefined,
): Promise<string | undefined> {
  const from = importer === undefined ? undefined : withoutQuery(importer).replace(/^\0/, "");
  const folder = from === undefined || !isAbsolute(from) ? process.cwd() : dirname(from);
  if (/^\.\.?[\\/]/.test(path)) return resolve(folder, path);
  const native = context.getNativeBuildContext?.();
  if (native?.framework === "esbuild") return byEsbuild(native, path, folder);
  if (native?.framework === "webpack") return byWebpack(native, path, folder);
  const found = await (context as unknown as PluginContext).resolve(path, importer, { skipSelf: true });
  return found ? withoutQuery(found.id) : undefined;
}
