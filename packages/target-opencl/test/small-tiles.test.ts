/** Tiles of a few items make many levels of totals out of small ranges. */
import { conformance } from "@groupwise/testkit/conformance";
import { openclCapabilities } from "../src/index.ts";
import { pocl } from "./support.ts";

const TILES = [
  { workGroupSize: 4, itemsPerWorkItem: 2 },
  { workGroupSize: 8, itemsPerWorkItem: 4 },
  { workGroupSize: 1, itemsPerWorkItem: 4 },
  { workGroupSize: 16, itemsPerWorkItem: 1 },
];
const COLLECTIVE = /device collective of (f32|u32)|chain|mixed|several|compact|line-index|broadcast/;

for (const tile of TILES) {
  const { workGroupSize, itemsPerWorkItem } = tile;
  conformance(
    `PoCL with tiles of ${workGroupSize} x ${itemsPerWorkItem}`,
    () => pocl({ capabilities: { ...openclCapabilities(), tile } }),
    { slow: true, only: (name) => COLLECTIVE.test(name) },
  );
}
