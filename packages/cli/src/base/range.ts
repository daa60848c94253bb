/** The options that give a run's range. */
import type { RunOptions } from "@groupwise/core";
import type { FlagsOf } from "../flags/flag.ts";
import type { OFFSET, SIZES } from "../flags/tables.ts";

/** The parsed options of a range. */
export type RangeFlags = FlagsOf<typeof SIZES & typeof OFFSET>;

/** The options of a run. */
export const rangeOf = ({ n, globalSize, globalOffset }: RangeFlags): RunOptions => ({
  ...(n !== undefined && { n }),
  ...(globalSize && { globalSize }),
  ...(globalOffset && { globalOffset }),
});
