import { defineConfig } from "vitest/config";

/** Tests of the built site in a browser: `npm run docs`, then `npm run test:site`. */
export default defineConfig({
  resolve: { conditions: ["@groupwise/source", "module", "node", "development|production"] },
  ssr: { resolve: { conditions: ["@groupwise/source", "module", "node", "development|production"] } },
  test: {
    root: import.meta.dirname,
    include: ["*.e2e.ts"],
    fileParallelism: false,
    // What takes longer hangs.
    testTimeout: 15 * 60_000,
    hookTimeout: 15 * 60_000,
    expect: { poll: { timeout: 15 * 60_000 } },
  },
});
