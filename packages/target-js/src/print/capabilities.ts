import type { Capabilities } from "@groupwise/core";
import { ONE_THREAD } from "@groupwise/core/target";
import { OWN } from "./own.ts";

/** Capabilities of plain JavaScript, in any engine. */
export const JS_CAPABILITIES: Capabilities = {
  ...ONE_THREAD,
  scalars: {
    i32: "native",
    u32: "native",
    // Every BigInt operation allocates.
    i64: "emulated",
    u64: "emulated",
    f16: "emulated",
    f32: "native",
    f64: "native",
    bool: "native",
  },
  maxItems: 0xffffffff,
  expand: ["int-divide", "popcount"],
  own: Object.keys(OWN),
};
