// What a page bundles in each way of using a pipeline, as `npm run size` measures it.
import { spawnSync } from "node:child_process";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { page, table } from "./markdown.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");

function measured() {
  const { stdout, stderr } = spawnSync("npx", ["--no-install", "size-limit", "--json"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(`size-limit measured nothing: ${stderr}`);
  return JSON.parse(stdout).map(({ name, size }) => [name, `${(size / 1000).toFixed(1)} kB`]);
}

export const bundlesPage = () =>
  page(
    "Bundles and their sizes",
    "`npm run size`",
    `The parts of groupwise that a page needs depend on where a pipeline becomes code. Of one pipeline, a scan and a maximum, minified by esbuild and compressed
by gzip:`,
    table(["what the page does", "size"], measured()),
    `- **Compiled in the page**: \`webgpuRuntime(device).compile(walk)\`. Pipelines may depend on what the page learns, such as the device's limits and subgroups.
- **\`load\`**: \`groupwise emit\` wrote the text, which the page fetches or its bundler inlines. Only the code that runs it is bundled.
- **By the plugin**: \`@groupwise/unplugin\` emits while Vite, Rollup, webpack or esbuild builds, and the import is the function that loads the text. A change of the
  pipeline, or of a file that it imports, reloads the page in development.`,
    `\`\`\`sh
npm install @groupwise/target-wgsl
npm install --save-dev @groupwise/unplugin @groupwise/dsl
\`\`\``,
    `| bundler | in its plugins |
| --- | --- |
| Vite | \`import groupwise from "@groupwise/unplugin/vite"\`, then \`groupwise()\` |
| Rollup | the same from \`@groupwise/unplugin/rollup\` |
| webpack | the same from \`@groupwise/unplugin/webpack\` |
| esbuild | the same from \`@groupwise/unplugin/esbuild\` |`,
    `Then \`import load from "./walk.ts?groupwise"\` is \`load(device)\` for WGSL, and \`"./walk.ts?groupwise&target=js"\` is \`load()\` for JavaScript: see
[the plugin](/reference/@groupwise/unplugin/). \`npm create groupwise my-app -- --template vite\` makes [a project](/templates) that uses it, and a
[tutorial](/tutorials/vite) does without it.`,
  );
