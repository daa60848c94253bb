/** Runs in an engine of its own: `<engine> <this, bundled> EFFORT [thrifty]`. */
import type { Effort } from "@groupwise/testkit";
import { serveChecks } from "@groupwise/testkit/remote";
import { jsRuntime } from "../src/runtime.ts";

const [, , effort = "normal", thrifty] = process.argv;
await serveChecks(jsRuntime(), effort as Effort, thrifty === "thrifty");
process.exit(0);
