/** Flags as options of commander. */
import { InvalidArgumentError, Option } from "commander";
import { type Flag, type FlagTable, kindOf, longOf } from "./flag.ts";

/** The letters of short forms. */
const SHORT: Readonly<Record<string, string>> = {
  target: "t",
  out: "o",
  input: "i",
  param: "p",
  device: "d",
};

/** A non-negative whole number: `1000000` or `1e6`. */
function whole(text: string): number {
  const value = Number(text);
  if (/^\d{1,16}(e\d{1,2})?$/i.test(text) && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError("It must be a whole number from 0 to 2^53 - 1.");
}

const PARSERS: Readonly<Partial<Record<string, (text: string, before: never) => unknown>>> = {
  whole,
  positive: (text) => {
    const value = whole(text);
    if (value > 0) return value;
    throw new InvalidArgumentError("It must be a positive whole number.");
  },
  sides: (text) => {
    const parts = text.split(/[x,]/);
    if (parts.length > 3) throw new InvalidArgumentError("There are at most three dimensions.");
    return parts.map(whole);
  },
  list: (text, before: readonly string[]) => [...before, text],
};

function optionOf(name: string, flag: Flag): Option {
  const [kind, value] = kindOf(flag);
  const short = SHORT[name];
  const option = new Option(
    [...(short ? [`-${short},`] : []), longOf(name, flag), ...(value ? [value] : [])].join(" "),
    flag.about,
  );
  const parser = PARSERS[kind];
  if (parser) option.argParser(parser as (text: string, before: unknown) => unknown);
  if (flag.choices) option.choices(flag.choices);
  if (kind === "list") option.default([], "none");
  if (flag.initial !== undefined) option.default(flag.initial);
  return option;
}

/** New ones for each program, because commander stores state in them. */
export const optionsOf = (tables: readonly FlagTable[]): Option[] =>
  tables.flatMap((table) => Object.entries(table).map(([name, flag]) => optionOf(name, flag)));
