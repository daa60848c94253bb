/** Compares functions on devices with C or JavaScript, bit for bit, on every input or on many. */
import { availableParallelism } from "node:os";
import type { DeviceInfo } from "@groupwise/core";
import { errorOf, type FunctionName } from "@groupwise/core/target";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { absenceOf, candidates, wantedOf } from "../devices/devices.ts";
import { type MeasuredOn, surroundings } from "../measure/surroundings.ts";
import { type ComparedItems, compared } from "./compare.ts";
import type { SweptType } from "./operands.ts";
import { pairedOf, unaryOf } from "./pipelines.ts";
import { cPlace, placeOf, type SweepPlace } from "./place.ts";

/** What the devices are compared with. */
export const BASES: readonly ["c", "js"] = ["c", "js"];
export interface SweepOptions {
  /** All of the kind by default. */
  readonly names?: readonly string[];
  readonly type: SweptType;
  readonly stride: number;
  /** Random and hard pairs, of functions of two operands. */
  readonly pairs?: number;
  /** Random and hard operands of f64. */
  readonly count: number;
  /** Devices whose names contain one of the words. */
  readonly devices: readonly string[];
  readonly base: (typeof BASES)[number];
  /** Items of a chunk. */
  readonly chunk: number;
  /** Seconds after which no chunk begins. */
  readonly seconds?: number;
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
/** What is compared, and where. */
export interface Question {
  readonly type: SweptType;
  readonly kind: "inputs" | "pairs" | "operands";
  readonly items: number;
  readonly stride: number;
  readonly places: readonly (DeviceInfo & { readonly place: string })[];
}
export interface Sweeps extends Question {
  readonly surroundings: MeasuredOn;
  /** In the order of the sweep, without functions of which no item was compared. */
  readonly rows: readonly SweepsRow[];
  /** Functions with items that are not compared yet, or all. */
  readonly left: readonly string[];
}

/** The operands that the options select. */
function operandsOf({ type, stride, pairs, count }: SweepOptions): Omit<Question, "places"> {
  if (pairs !== undefined) return { type, kind: "pairs", items: pairs, stride: 1 };
  if (type === "f64") return { type, kind: "operands", items: count, stride: 1 };
  return { type, kind: "inputs", items: Math.ceil(2 ** (type === "f16" ? 16 : 32) / stride), stride };
}

/** @throws GroupwiseError `bad-usage` for an unknown name */
function namesOf({ names, type, pairs }: SweepOptions): readonly FunctionName[] {
  const both = type === "f64" && pairs === undefined ? [...unaryOf(type), ...pairedOf(type)] : undefined;
  const known = both ?? (pairs === undefined ? unaryOf(type) : pairedOf(type));
  const unknown = names?.find((name) => !known.includes(name as FunctionName));
  if (unknown !== undefined)
    throw errorOf("bad-usage", {
      reason: `${unknown} is not one of the functions of ${type}`,
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
  const { chunk, seconds, save = () => {}, say } = options;
  const until = seconds === undefined ? {} : { until: performance.now() + seconds * 1000 };
  const places = await opened(options);
  const now = surroundings();
  const question = {
    ...operandsOf(options),
    places: places.map(({ name, device: { target, name: of, driver } }) => ({
      place: name,
      target,
      name: of,
      driver,
    })),
  };
  const rows: SweepsRow[] = [];
  const result = (): Sweeps => ({
    surroundings: now,
    ...question,
    rows: [...rows],
    left: names.filter((name) => !rows.some((row) => row.name === name && row.to === question.items)),
  });
  try {
    for (const name of names) {
      if (performance.now() >= (until.until ?? Number.POSITIVE_INFINITY)) break;
      const started = performance.now();
      const { items, stride } = question;
      const swept = { name, type: options.type };
      const all = await compared({ swept, items, stride, chunk, places, ...until });
      const spent = (performance.now() - started) / 1000;
      rows.push({ name, items, seconds: spent, ...all });
      save(result());
      const results = all.differing.map((one) => one.results).reduce((a, b) => a + b, 0);
      say(`${name}: ${all.to} of ${items}, ${results} results differ, ${spent.toFixed(1)} s`);
    }
  } finally {
    for (const place of places) place.close();
  }
  return result();
}

/** 0: all operands are compared and no bit differs; 1: some differ; 3: none does so far, and some operands are left. */
export function exitCodeOf({ rows, left }: Sweeps): 0 | 1 | 3 {
  if (rows.some(({ differing }) => differing.some(({ results }) => results > 0))) return 1;
  return rows.length > 0 && left.length === 0 ? 0 : 3;
}
