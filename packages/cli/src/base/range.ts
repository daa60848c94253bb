/** The options that give a run's range. */
import type { RunOptions } from "@groupwise/core";
import { InvalidArgumentError, Option } from "commander";

/** The parsed options of a range. */
export interface RangeFlags {
  readonly n?: number;
  readonly globalSize?: readonly number[];
  readonly globalOffset?: readonly number[];
}

/** A non-negative whole number: `1000000` or `1e6`. */
export const whole = (text: string): number => {
  const value = Number(text);
  if (/^\d{1,16}(e\d{1,2})?$/i.test(text) && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError("It must be a non-negative whole number.");
};

const sides = (text: string): readonly number[] => {
  const parts = text.split(/[x,]/);
  if (parts.length > 3) throw new InvalidArgumentError("There are at most three dimensions.");
  return parts.map(whole);
};

/** `--n` and `--global-size`. */
export const sizeOptions = (): Option[] => [
  new Option("--n <count>", "number of items").argParser(whole),
  new Option("--global-size <sides>", "items per dimension: 640x480").argParser(sides),
];
/** `--global-offset`. */
export const offsetOption = (): Option =>
  new Option("--global-offset <places>", "first global id, per dimension: 0x100").argParser(sides);

/** The options of a run. */
export const rangeOf = ({ n, globalSize, globalOffset }: RangeFlags): RunOptions => ({
  ...(n !== undefined && { n }),
  ...(globalSize && { globalSize }),
  ...(globalOffset && { globalOffset }),
});
