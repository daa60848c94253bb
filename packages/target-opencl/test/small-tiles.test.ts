/** Tiles of a few items make many levels of totals out of small ranges. */
import { conformance, onlyInFullRuns } from "@groupwise/testkit/conformance";
import { test } from "vitest";
import { openclCapabilities } from "../src/index.ts";
import { pocl } from "./support.ts";

const OFTEN = [{ workGroupSize: 4, itemsPerWorkItem: 2 }];
const SELDOM = [
  { workGroupSize: 8, itemsPerWorkItem: 4 },
  { workGroupSize: 1, itemsPerWorkItem: 4 },
  { workGroupSize: 16, itemsPerWorkItem: 1 },
];
const isFull = Boolean(process.env.GROUPWISE_FULL);
// PoCL takes half a second to build a kernel: each pipeline here has a dozen.
const FEW = /device collective of f32|chained-scans|mixed-scopes|compact|no-algebra|^map:/;
const MOST = /device collective|chain|mixed|several|compact|line-index|broadcast/;

test.skipIf(isFull)("small tiles", (context) =>
  onlyInFullRuns(context, "the interpreter of kernels and Oclgrind have small tiles"),
);
for (const tile of isFull ? [...OFTEN, ...SELDOM] : []) {
  const { workGroupSize, itemsPerWorkItem } = tile;
  conformance(
    `PoCL with tiles of ${workGroupSize} x ${itemsPerWorkItem}`,
    // Fewer items, fewer levels: four of 8 hold these.
    () => pocl({ capabilities: { ...openclCapabilities(), maxItems: 20_000, tile } }),
    { slow: true, only: (name) => (isFull && OFTEN.includes(tile) ? MOST : FEW).test(name) },
  );
}
