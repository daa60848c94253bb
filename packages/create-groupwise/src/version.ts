import { createRequire } from "node:module";

/** The version of this package, and of all others of groupwise. */
export const VERSION: string = (createRequire(import.meta.url)("../package.json") as { version: string })
  .version;
