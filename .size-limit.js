// What a page bundles, minified and compressed by gzip: `npm run size` holds each to its budget, and the page *Bundles* of the site shows all.
import groupwise from "@groupwise/unplugin/esbuild";

/** What runtimes import when they first need it: parts of long runs and of threads. */
const LATER = ["@groupwise/core/threads"];

const bundle = (name, file, limit) => ({
  name,
  path: `scripts/size/${file}.mjs`,
  limit,
  gzip: true,
  modifyEsbuildConfig: (config) => ({ ...config, plugins: [groupwise()], external: LATER }),
});

export default [
  bundle("WGSL: compiled in the page", "compile-wgsl", "235.4 kB"),
  bundle("WGSL: `load`, without the emitted text", "load-wgsl", "27.3 kB"),
  bundle("WGSL: by the plugin, with the text", "plugin-wgsl", "31.3 kB"),
  bundle("JavaScript: compiled in the page", "compile-js", "204.1 kB"),
  bundle("WebAssembly: compiled in the page", "compile-wasm", "209.5 kB"),
  bundle("The CPU: `cpuRuntime`, compiled in the page", "compile-cpu", "221.3 kB"),
  bundle("JavaScript: `load`, without the emitted text", "load-js", "16.9 kB"),
  bundle("JavaScript: by the plugin, with the text", "plugin-js", "17.9 kB"),
  bundle("declared and emitted as WGSL, not run", "emit", "203.7 kB"),
  bundle("declared, with the name of a target", "declare", "67.4 kB"),
];
