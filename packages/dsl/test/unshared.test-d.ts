/** Interfaces that refuse shared memory take results. */
import type { DeviceArray } from "@groupwise/core";
import type { r } from "./run.test-d.ts";

declare const results: typeof r;
declare const array: DeviceArray<"u32">;
new Blob([results.y, results.longer, await array.read()]);
await crypto.subtle.digest("SHA-256", results.kept);
await fetch("/results", { method: "POST", body: results.y });
