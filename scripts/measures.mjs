#!/usr/bin/env node
/** Prints the measures of the sources and their limits; exits with 1 if one is exceeded: `npm run measures`. */
import { fileURLToPath } from "node:url";
import { measure } from "./measures/measures.mjs";
import { sourcesOf } from "./measures/sources.mjs";

const rows = measure(sourcesOf(fileURLToPath(new URL("..", import.meta.url))));
for (const { name, value, limit, isMet, look } of rows) {
  console.log(`${isMet ? "ok  " : "over"} ${name}: ${value} (limit ${limit})`);
  if (!isMet) for (const line of look) console.log(`       ${line}`);
}
process.exitCode = rows.every(({ isMet }) => isMet) ? 0 : 1;
