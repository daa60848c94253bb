/** The shape of tuning files, with limits on all that a file holds. Made at the first call, as bundles that never parse drop it. */

import { SCALAR_NAMES, type Scalar } from "@groupwise/ir/tables/scalar.js";
import { LOOK_BACK_RANGES, TILE_RANGES } from "@groupwise/kernel/capabilities/tiles.js";
import * as z from "zod/mini";
import { TUNED_KINDS, TUNING_FORMAT, TUNING_VERSION, type Tuning } from "./tuning.ts";

const MOST_ROWS = 1000;
const MOST_TEXT = 200;
const MOST_ITEMS = 2 ** 32;
const MOST_WORK_ITEMS = 65536;
const MOST_MEMORY = 2 ** 30;
// Texts are printed to terminals and logs.
const PRINTABLE = /^[^\p{C}\p{Zl}\p{Zp}]*$/u;

/** The powers of two of a range. */
const powers = ({ least, most }: { readonly least: number; readonly most: number }) =>
  z.literal(
    Array.from({ length: Math.log2(most / least) + 1 }, (_, i) => least * 2 ** i) as [number, ...number[]],
  );
const whole = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most));

function tilesSchema() {
  const { workGroupSize, itemsPerWorkItem, reducedPerWorkItem } = TILE_RANGES;
  const { workGroupSize: looking, rows, groups } = LOOK_BACK_RANGES;
  return z.strictObject({
    tile: z.exactOptional(
      z.strictObject({
        workGroupSize: powers(workGroupSize),
        itemsPerWorkItem: powers(itemsPerWorkItem),
        reducedPerWorkItem: z.exactOptional(powers(reducedPerWorkItem)),
      }),
    ),
    lookBack: z.exactOptional(
      z.strictObject({
        workGroupSize: powers(looking),
        rows: powers(rows),
        groups: whole(groups.least, groups.most),
      }),
    ),
  });
}

/** The schema of a tuning. */
export function tuningSchema(): z.ZodMiniType<Tuning> {
  const text = z.string().check(z.maxLength(MOST_TEXT), z.regex(PRINTABLE));
  const size = whole(1, MOST_WORK_ITEMS);
  const time = z.number().check(z.gte(0));
  const names = SCALAR_NAMES as readonly Scalar[] as [Scalar, ...Scalar[]];
  const row = z.strictObject({
    kind: z.enum(TUNED_KINDS),
    type: z.enum(names),
    from: whole(0, MOST_ITEMS),
    below: z.nullable(whole(1, MOST_ITEMS)),
    tiles: z.exactOptional(tilesSchema()),
    measured: z.strictObject({
      n: whole(1, MOST_ITEMS),
      defaultMs: time,
      bestMs: time,
      spread: time,
      clock: z.enum(["device", "host"]),
    }),
  });
  const device = z.strictObject({
    target: text,
    hardware: text,
    driver: text,
    maxWorkGroupSize: size,
    workGroupMemory: whole(0, MOST_MEMORY),
    subgroups: z.exactOptional(
      z.strictObject({
        minSize: size,
        maxSize: size,
        ballots: z.exactOptional(z.literal(true)),
        ranksByBallots: z.exactOptional(z.literal(true)),
        reduces: z.exactOptional(z.literal(true)),
      }),
    ),
    lookBack: z.boolean(),
  });
  return z.strictObject({
    format: z.literal(TUNING_FORMAT),
    version: z.literal(TUNING_VERSION),
    generator: text,
    device,
    rows: z.array(row).check(z.maxLength(MOST_ROWS)),
  });
}
