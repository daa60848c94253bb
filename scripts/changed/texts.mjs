// The texts that are emitted for the pipelines of the checks, at a revision and now. A check with unchanged texts has
// unchanged results on a device.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/** Emits every pipeline of every check in forms that reach all strategies, and prints hashes by the check's name. */
const PROGRAM = `
import { createHash } from "node:crypto";
import { emit } from "@groupwise/core";
import { TARGETS } from "@groupwise/cli/targets";
import { checksOf } from "@groupwise/testkit";

const formsOf = ({ target }) => {
  const capabilities = { ...target.capabilities, workGroupMemory: Math.max(2 ** 20, target.capabilities.workGroupMemory) };
  const tile = { workGroupSize: 4, itemsPerWorkItem: 2 };
  const types = Object.keys(target.optionalTypes);
  const forms = [
    { capabilities },
    { capabilities, types, subgroups: true, lookBack: true },
    { capabilities: { ...capabilities, tile, maxItems: 20000 }, types, native: false },
  ];
  return forms.slice(0, capabilities.execution === "simt" ? 3 : 1).map((options) => [target, options]);
};
const FORMS = Object.values(TARGETS).flatMap(formsOf);
const textsOf = (pipeline) =>
  FORMS.map(([target, options]) => {
    try {
      const { files, manifest } = emit(pipeline, target, options);
      return JSON.stringify([files, manifest]);
    } catch (error) {
      return error.message;
    }
  });
const known = new Map();
const hashOf = (pipeline) => {
  const key = JSON.stringify(pipeline);
  const hash = known.get(key) ?? createHash("sha256").update(key).update(textsOf(pipeline).join()).digest("hex");
  known.set(key, hash);
  return hash;
};
const checks = checksOf("normal").filter(({ pipelines }) => pipelines);
const answer = Object.fromEntries(checks.map(({ name, pipelines }) => [name, pipelines().map(hashOf).join()]));
process.stdout.write(JSON.stringify(answer));
`;

/** Resolves the packages' names to the sources of one tree. */
const sourcesOf = (tree) => ({
  name: "sources",
  setup({ onResolve }) {
    onResolve({ filter: /^@groupwise\// }, ({ path }) => {
      const [, short, rest] = /^@groupwise\/([^/]+)(?:\/(.*))?$/.exec(path);
      const directory = join(tree, "packages", short);
      const { exports } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
      return { path: join(directory, exports[rest ? `./${rest}` : "."]["@groupwise/source"]) };
    });
  },
});

/** Hashes of the texts that a tree emits, by check. */
export async function emittedBy(tree, scratch) {
  mkdirSync(scratch, { recursive: true });
  const outfile = join(scratch, `emitted-${process.pid}.mjs`);
  await build({
    stdin: { contents: PROGRAM, resolveDir: tree, loader: "js" },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["vitest", "koffi", "webgpu", "gpu.js", "playwright-core"],
    plugins: [sourcesOf(tree)],
    logLevel: "error",
  });
  try {
    return JSON.parse(execFileSync(process.execPath, [outfile], { encoding: "utf8", maxBuffer: 2 ** 28 }));
  } finally {
    rmSync(outfile);
  }
}

/**
 * The same at a revision, cached because revisions do not change. A revision from before the registry of targets has no
 * texts.
 */
export async function emittedAt(root, revision, scratch) {
  const file = join(scratch, `${revision}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  const tree = join(scratch, revision);
  mkdirSync(tree, { recursive: true });
  try {
    const archive = execFileSync("git", ["archive", revision, "packages"], { cwd: root, maxBuffer: 2 ** 28 });
    execFileSync("tar", ["-x", "-C", tree], { input: archive });
    if (!existsSync(join(tree, "packages/cli/src/base/targets.ts"))) return {};
    const emitted = await emittedBy(tree, scratch);
    writeFileSync(file, JSON.stringify(emitted));
    return emitted;
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

/** Names of checks that are new or whose texts differ. */
export const changedChecks = (before, now) => Object.keys(now).filter((name) => now[name] !== before[name]);
