/** Runs in a Node of its own, on PoCL 6: `node <this, bundled> EFFORT [thrifty]`. */
import type { Effort } from "@groupwise/testkit";
import { serveChecks } from "@groupwise/testkit/remote";
import { openclRuntime } from "../src/runtime.ts";

const [, , effort = "normal", thrifty] = process.argv;
await serveChecks(await openclRuntime(), effort as Effort, thrifty === "thrifty");
// PoCL keeps threads of its own: the end is said, not waited for.
process.exit(0);
