/** The plugin, for all bundlers. */
import { relative } from "node:path";
import { type DeviceFlags, emitFile } from "@groupwise/cli/emit";
import { BOOLEAN, NUMBER, oneOf, optionsOf } from "@groupwise/core/target";
import { createUnplugin, type UnpluginInstance, type UnpluginOptions } from "unplugin";
import type { Plugin } from "vite";
import { codeOf } from "./code.ts";
import { withPlace } from "./located.ts";
import { ASKS, idOf, requestOf, requestOfId } from "./request.ts";
import { fileOf } from "./resolve.ts";

/** What the bundle's WGSL may know of its devices, as the options of `groupwise emit` say it. All are optional. */
export interface GroupwiseOptions extends DeviceFlags {}

const OPTIONS = {
  native: BOOLEAN,
  subgroups: {
    want: "true, false or a number of work-items",
    is: (value: unknown) => BOOLEAN.is(value) || NUMBER.is(value),
  },
  lookBack: BOOLEAN,
  cores: NUMBER,
  f16: BOOLEAN,
  f64: BOOLEAN,
  subnormals: oneOf("flush"),
};

/** Bundlers that leave ids which begin with a zero to the plugin that made them; others take them as parts of paths. */
const MARKED: ReadonlySet<string> = new Set(["rollup", "vite", "rolldown"]);

/** The files that were read for a module which could not be made, by its id. */
type Failed = Map<string, ReadonlySet<string>>;

/** Vite forgets the files of a module that could not be loaded, and reloads nothing when one of them changes. */
const viteHooks = (failed: Failed): Partial<Plugin> => ({
  hotUpdate({ file }) {
    if ([...failed.values()].some((sources) => sources.has(file)))
      this.environment.hot.send({ type: "full-reload" });
  },
});

/** The code of the module of an id. @param sources gets the full paths of the files that are read */
function load(id: string, flags: DeviceFlags, sources: Set<string>): Promise<string> {
  const request = requestOfId(id);
  sources.add(request.path);
  const cwd = process.cwd();
  return emitFile(relative(cwd, request.path), request.target, {
    ...(request.target === "wgsl" && flags),
    ...(request.export !== undefined && { export: request.export }),
    cwd,
    onSource: (file) => sources.add(file),
  }).then((artifact) => codeOf(artifact, request));
}

function plugin(given: GroupwiseOptions | undefined, framework: string): UnpluginOptions {
  const flags = optionsOf(given, OPTIONS, "the options of the plugin") as DeviceFlags;
  const mark = MARKED.has(framework) ? "\0" : "";
  const failed: Failed = new Map();
  return {
    name: "groupwise",
    enforce: "pre",
    esbuild: { onResolveFilter: ASKS, onLoadFilter: ASKS, loader: "js" },
    vite: viteHooks(failed),
    resolveId: {
      filter: { id: ASKS },
      async handler(specifier, importer) {
        const request = requestOf(specifier);
        const file = await fileOf(this, request.path, importer);
        return file === undefined ? undefined : `${mark}${idOf(request, file)}`;
      },
    },
    load: {
      filter: { id: ASKS },
      async handler(id) {
        const sources = new Set<string>();
        failed.delete(id);
        try {
          return await load(id, flags, sources);
        } catch (error) {
          failed.set(id, sources);
          const located = withPlace(error, [...sources]);
          if (framework !== "esbuild") throw located;
          // esbuild keeps watching the sources only if the hook returns, and shows the place that is reported.
          this.error({ message: located.message, loc: located.loc, meta: located });
          return "";
        } finally {
          for (const file of sources) this.addWatchFile(file);
        }
      },
    },
  };
}

/** The plugin for each bundler that `unplugin` knows; `groupwise.vite()` is what `@groupwise/unplugin/vite` exports. */
export const groupwise: UnpluginInstance<GroupwiseOptions | undefined, false> = createUnplugin(
  (options, { framework }) => plugin(options, framework),
);
