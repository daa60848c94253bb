import { readdirSync } from "node:fs";
import { defineConfig } from "vitest/config";

// Tests read the packages' sources, so that they need no build.
const conditions = ["@groupwise/source", "module", "node", "development|production"];

export default defineConfig({
  test: {
    passWithNoTests: true,
    projects: readdirSync(new URL("packages", import.meta.url)).map((name) => ({
      resolve: { conditions },
      ssr: { resolve: { conditions } },
      test: {
        name: `@groupwise/${name}`,
        root: `packages/${name}`,
        include: ["test/**/*.test.ts"],
        pool: "forks", // native device libraries do not survive worker threads
        testTimeout: 60_000,
        hookTimeout: 120_000,
      },
    })),
  },
});
