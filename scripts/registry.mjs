// Publishes all packages to a registry of this machine (Verdaccio), installs them from it in an empty folder, and
// follows the README there, on each version of Node that users have: `node scripts/registry.mjs`, after `npm run build`.
// Nothing leaves the machine.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { orThrow } from "@groupwise/testkit/devices";
import { done, findNode, NODES, withNode } from "@groupwise/testkit/packed";
import { publishedPackages, ROOT } from "./packages/published.mjs";

/**
 * Some registries do not serve the tags of other packages, such as the tag that Verdaccio's parts name. The version is
 * therefore exact.
 */
const SERVER = { private: true, dependencies: { verdaccio: "6.1.6" }, overrides: { "node-fetch": "2.6.7" } };
/** Seconds for the registry to start. */
const PATIENCE_S = 120;
const QUIET = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
const README = readFileSync(join(ROOT, "README.md"), "utf8");

/** The names of the packages that are published. */
const published = publishedPackages().map(({ manifest }) => manifest.name);

/** The packages of this project are never looked up elsewhere, so the installed ones are those that were published here. */
const configOf = (folder, upstream) => `storage: ${join(folder, "storage")}
uplinks:
  upstream:
    url: ${upstream}
packages:
${published.map((name) => `  "${name}": { access: $all, publish: $anonymous, unpublish: $anonymous }`).join("\n")}
  "**": { access: $all, proxy: upstream }
max_body_size: 100mb
log: { type: stdout, format: pretty, level: warn }
`;

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function startRegistry(folder) {
  const port = await freePort();
  const upstream = (await done("npm", ["config", "get", "registry"], { cwd: ROOT })).trim();
  const config = join(folder, "verdaccio.yaml");
  writeFileSync(config, configOf(folder, upstream));
  writeFileSync(join(folder, "package.json"), JSON.stringify(SERVER));
  await done("npm", ["install", ...QUIET], { cwd: folder });
  const args = ["--no-install", "verdaccio", "--config", config, "--listen", `127.0.0.1:${port}`];
  const server = spawn("npx", args, { cwd: folder, detached: true, stdio: ["ignore", "inherit", "inherit"] });
  const address = `http://127.0.0.1:${port}/`;
  for (let waited = 0; waited < PATIENCE_S && server.exitCode === null; waited += 1) {
    if ((await fetch(`${address}-/ping`).catch(() => undefined))?.ok) return { address, server };
    await sleep(1000);
  }
  stop(server);
  throw new Error("Verdaccio did not start; its output is above");
}

/** npx starts further processes, so the whole process group is ended. */
function stop(server) {
  if (server.exitCode === null) process.kill(-server.pid);
}

/** Runs the commands of the README on its pipeline, and a program. @returns what they print */
async function followReadme(folder, env) {
  const npx = (...args) => done("npx", ["--no-install", "groupwise", ...args], { cwd: folder, env });
  const [, pipeline] = /```ts\n(.*?)```/s.exec(README);
  const [, emitted] = /```js\n(.*?)```/s.exec(README);
  writeFileSync(join(folder, "line-index.ts"), pipeline);
  writeFileSync(join(folder, "README.md"), README);
  await npx("emit", "line-index.ts", "--target", "wgsl,opencl,js");
  const module = readFileSync(join(folder, "out/line-index.mjs"), "utf8");
  if (!module.includes(emitted)) throw new Error("the emitted module differs from that in the README");
  return npx("run", "line-index.ts", "--input", "text=README.md", "--target", "js", "--show", "3");
}

/** Makes and tests a project from a template, by the commands on the template's page. */
async function followTemplate(folder, env) {
  const npm = (...args) => done("npm", args, { cwd: folder, env });
  await npm("create", "--yes", "groupwise", "my-library", "--", "--template", "library");
  for (const args of [["install", ...QUIET], ["test"]])
    await done("npm", args, { cwd: join(folder, "my-library"), env });
}

/** Follows the README in an empty folder with a version of Node. @returns what its `run` printed */
async function follow(folder, env) {
  mkdirSync(folder);
  await done("npm", ["init", "-y"], { cwd: folder, env });
  await done("npm", ["pkg", "set", "type=module"], { cwd: folder, env });
  await done("npm", ["install", ...QUIET, ...published], { cwd: folder, env });
  return followReadme(folder, env);
}

/** @returns what the README's `run` printed, by version of Node */
export async function tryRelease(say = console.log) {
  const folder = mkdtempSync(join(tmpdir(), "groupwise-registry-"));
  const { address, server } = await startRegistry(folder);
  try {
    const userconfig = join(folder, "npmrc");
    const host = address.replace("http:", "");
    writeFileSync(userconfig, `registry=${address}\n${host}:_authToken=local\nfund=false\naudit=false\n`);
    const env = { npm_config_userconfig: userconfig, npm_config_registry: address };
    const workspaces = published.flatMap((name) => ["-w", name]);
    await done("npm", ["publish", "--loglevel=error", "--provenance=false", ...workspaces], {
      cwd: ROOT,
      env,
    });
    say(`published ${published.length} packages`);
    const printed = new Map();
    for (const major of Object.keys(NODES)) {
      const node = { ...env, ...withNode(orThrow(await findNode(major))) };
      printed.set(major, await follow(join(folder, `node-${major}`), node));
      say(`installed and used them in an empty folder with Node ${major}`);
    }
    // Tutorials are followed with each version; `npm create` reads the registry in the same way with all of them.
    const templates = join(folder, "templates");
    mkdirSync(templates);
    await followTemplate(templates, env);
    return printed;
  } finally {
    stop(server);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.env.GROUPWISE_FULL ??= "1"; // fetches the other versions of Node
  for (const [major, printed] of await tryRelease()) console.log(`Node ${major}:\n${printed}`);
}
