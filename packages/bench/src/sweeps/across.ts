/** Compares functions of one operand on devices with C or JavaScript, bit for bit, on every input or on many. */
import { availableParallelism } from "node:os";
import type { DeviceInfo } from "@groupwise/core";
import { errorOf, type FunctionName } from "@groupwise/core/target";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { absenceOf, candidates, wantedOf } from "../devices/devices.ts";
import { type MeasuredOn, surroundings } from "../measure/surroundings.ts";
import { type ComparedItems, compared } from "./compare.ts";
import type { SweptType } from "./operands.ts";
import { unaryOf } from "./pipelines.ts";
import { cPlace, placeOf, type SweepPlace } from "./place.ts";

/** What the devices are compared with. */
const BASES: readonly ["c", "js"] = ["c", "js"];
export interface SweepOptions {
  /** All of the kind by default. */
  readonly names?: readonly string[];
  readonly type: SweptType;
  readonly stride: number;
  /** Devices whose names contain one of the words. */
  readonly devices: readonly string[];
  readonly base: (typeof BASES)[number];
  /** Items of a chunk. */
  readonly chunk: number;
  /** Called with the result after each function. */
  readonly save?: (sweeps: Sweeps) => void;
  readonly say: (line: string) => void;
}

/** One function. */
export interface SweepsRow extends ComparedItems {
  readonly name: string;
  readonly items: number;
  readonly seconds: number;
}
/** What was compared, and where. */
export interface Sweeps {
  readonly surroundings: MeasuredOn;
  readonly type: SweptType;
  readonly items: number;
  readonly stride: number;
  readonly places: readonly (DeviceInfo & { readonly place: string })[];
  /** In the order of the sweep. */
  readonly rows: readonly SweepsRow[];
}

/** @throws GroupwiseError `bad-usage` for an unknown name */
function namesOf({ names, type }: SweepOptions): readonly FunctionName[] {
  const known = unaryOf(type);
  const unknown = names?.find((name) => !known.includes(name as FunctionName));
  if (unknown !== undefined)
    throw errorOf("bad-usage", {
      reason: `${unknown} is not one of the functions of one ${type}`,
      hint: `use some of: ${known.join(", ")}`,
    });
  return known.filter((name) => names?.includes(name) ?? true);
}

/** The base, then the devices. @throws GroupwiseError `device-missing` if no name contains one of the words */
async function opened({ devices: words, base }: SweepOptions): Promise<readonly SweepPlace[]> {
  const { found } = await candidates();
  const wanted = wantedOf(found, words);
  const places: SweepPlace[] = [
    base === "c" ? await cPlace(availableParallelism()) : placeOf("JavaScript", jsRuntime()),
  ];
  const reasons: string[] = [];
  for (const { name, open } of wanted)
    try {
      places.push(placeOf(name, await open()));
    } catch (error) {
      reasons.push(`${name}: ${absenceOf(error)}`);
    }
  if (places.length > 1) return places;
  const reason = reasons.join("; ") || `no name of a device contains ${words.join(" or ")}`;
  throw errorOf("device-missing", { what: "a device to compare", reason });
}

/** Every function in turn. @throws GroupwiseError the errors of compiling and running */
export async function sweepAcross(options: SweepOptions): Promise<Sweeps> {
  const names = namesOf(options);
  const { type, stride, chunk, save = () => {}, say } = options;
  const items = Math.ceil(2 ** (type === "f16" ? 16 : 32) / stride);
  const places = await opened(options);
  const rows: SweepsRow[] = [];
  const result: Sweeps = {
    ...{ surroundings: surroundings(), type, items, stride, rows },
    places: places.map(({ name, device: { target, name: of, driver } }) => ({
      ...{ place: name, target, name: of, driver },
    })),
  };
  try {
    for (const name of names) {
      const started = performance.now();
      const all = await compared({ swept: { name, type }, items, stride, chunk, places });
      const spent = (performance.now() - started) / 1000;
      rows.push({ name, items, seconds: spent, ...all });
      save(result);
      const results = all.differing.map((one) => one.results).reduce((a, b) => a + b, 0);
      say(`${name}: ${items}, ${results} results differ, ${spent.toFixed(1)} s`);
    }
  } finally {
    for (const place of places) place.close();
  }
  return result;
}

/** True if no bit differs. */
export const isEqual = ({ rows }: Sweeps): boolean =>
  rows.every(({ differing }) => differing.every(({ results }) => results === 0));
