// The tests that `scripts/mutants/run.mjs` names, without its parts that other tests need: devices, the thread that observes.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const conditions = ["@groupwise/source", "module", "node", "development|production"];

// Mutants are in a copy of the sources, while `node_modules` has links to the original packages.
const packages = fileURLToPath(new URL("../../packages", import.meta.url));
const alias = [{ find: /^@groupwise\/(\w+)\/(.*)\.js$/, replacement: `${packages}/$1/src/$2.ts` }];

export default defineConfig({
  resolve: { conditions, alias },
  ssr: { resolve: { conditions } },
  test: { include: [process.env.GROUPWISE_MUTANTS], testTimeout: 60_000 },
});
