// The tests that `scripts/mutants.mjs` names, without its parts that other tests need: devices, the thread that observes.
import { defineConfig } from "vitest/config";

const conditions = ["@groupwise/source", "module", "node", "development|production"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { include: [process.env.GROUPWISE_MUTANTS], testTimeout: 60_000 },
});
