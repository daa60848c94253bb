#!/usr/bin/env node
// npm links a command only if its file exists, and a checkout is installed before `npm run build` writes dist.
import { existsSync } from "node:fs";

if (existsSync(new URL("../dist/bin.js", import.meta.url))) await import("../dist/bin.js");
else {
  console.error("create-groupwise is not built: run `npm run build` in this checkout");
  process.exitCode = 2;
}
