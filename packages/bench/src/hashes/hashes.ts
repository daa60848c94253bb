/** One hash for all devices: ten pipelines over whole arrays, their beginnings, views and chunks. */
import { readFileSync } from "node:fs";
import type { DeviceInfo } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import {
  type Absent,
  absenceOf,
  type Candidate,
  type Choice,
  candidates,
  wantedOf,
} from "../devices/devices.ts";
import { type MeasuredOn, surroundings } from "../measure/surroundings.ts";
import { isChosen } from "../print/only.ts";
import { FORMS, type HashedForm, type Hashes, hashesOf, prefixOf } from "./forms.ts";
import { HASHED } from "./pipelines.ts";

/** The hashes of a pipeline on a device, or why it has none: its capabilities exclude the pipeline, or it failed. */
export type HashCell = Hashes | { readonly unsupported: string } | { readonly failed: string };

export interface HashedDevice extends DeviceInfo {
  readonly label: string;
  /** Bytes of which views begin at a multiple; 1 without restriction. */
  readonly sliceAlignment: number;
  /** By the name of the pipeline. */
  readonly cells: Readonly<Record<string, HashCell>>;
}

export interface HashTable {
  readonly surroundings: MeasuredOn;
  readonly items: number;
  readonly prefix: number;
  readonly devices: readonly HashedDevice[];
  readonly absent: readonly Absent[];
}

/** The options of a run. */
export interface HashesChoice extends Choice {
  readonly items: number;
  /** Only pipelines whose names contain one of these words. */
  readonly pipelines?: readonly string[];
  /** Files of earlier results, of other machines, whose devices join the table. */
  readonly against?: readonly string[];
}

/** The prefix is neither empty nor the whole. */
const LEAST_ITEMS = 8;

async function cellOf(
  runtime: Parameters<typeof hashesOf>[0],
  hashed: (typeof HASHED)[number],
  n: number,
): Promise<HashCell> {
  try {
    return await hashesOf(runtime, hashed, n);
  } catch (error) {
    const isRefused = (error as { code?: unknown }).code === "unsupported";
    return { [isRefused ? "unsupported" : "failed"]: (error as Error).message } as HashCell;
  }
}

async function hashOn(candidate: Candidate, choice: HashesChoice): Promise<HashedDevice> {
  const { items, pipelines = [], say = () => {} } = choice;
  const runtime = await candidate.open();
  try {
    const cells: Record<string, HashCell> = {};
    for (const hashed of HASHED.filter(({ name }) => isChosen(name, pipelines))) {
      say(`${candidate.name}: ${hashed.name}`);
      cells[hashed.name] = await cellOf(runtime, hashed, items);
    }
    const { device, sliceAlignment } = runtime;
    return { ...device, label: candidate.name, sliceAlignment, cells };
  } finally {
    runtime.dispose();
  }
}

/** @throws Error if the file has another number of items */
function earlier(path: string, items: number): readonly HashedDevice[] {
  const { devices, ...table } = JSON.parse(readFileSync(path, "utf8")) as HashTable;
  if (table.items === items) return devices;
  throw new Error(`${path} has hashes of ${table.items} items, not of ${items}`);
}

/**
 * Computes the table on every device found, or on the named ones.
 * @throws GroupwiseError `bad-argument`
 */
export async function hashes(choice: HashesChoice): Promise<HashTable> {
  const { items, isFull = false, only = [], against = [], say = () => {} } = choice;
  const isEnough = Number.isInteger(items) && items >= LEAST_ITEMS;
  if (!isEnough)
    throw errorOf("bad-argument", {
      what: "the number of items",
      want: `at least ${LEAST_ITEMS}`,
      got: String(items),
    });
  const devices = against.flatMap((path) => earlier(path, items));
  const { found, absent } = await candidates(isFull);
  const missing = [...absent];
  for (const candidate of wantedOf(found, only)) {
    const { name, slow } = candidate;
    try {
      if (slow) {
        missing.push({ name, reason: "it is too slow for so many items" });
        continue;
      }
      say(name);
      devices.push(await hashOn(candidate, choice));
    } catch (error) {
      missing.push({ name, reason: absenceOf(error) });
    }
  }
  return { surroundings: surroundings(), items, prefix: prefixOf(items), devices, absent: missing };
}

const isHashed = (cell: HashCell | undefined): cell is Hashes => cell !== undefined && "whole" in cell;

/** The hashes that all devices of a table must have for a pipeline: those of the first that has some. */
export const wantedHashes = ({ devices }: HashTable, name: string): Hashes | undefined =>
  devices.map(({ cells }) => cells[name]).find(isHashed);

/** The forms in which a device differs from the first one, or from its own whole. */
export function differing(cell: HashCell, want: Hashes): readonly HashedForm[] {
  if (!isHashed(cell)) return [];
  const { whole, prefix, beginning, view, chunks } = cell;
  const isEqual: Readonly<Record<HashedForm, boolean>> = {
    whole: whole === want.whole,
    prefix: prefix === want.prefix && (beginning ?? prefix) === prefix,
    view: view === want.whole,
    chunks: (chunks ?? whole) === want.whole,
  };
  return FORMS.filter((form) => !isEqual[form]);
}

/** The pipelines that a device was asked for. */
export const namesOf = ({ devices }: HashTable): readonly string[] =>
  HASHED.map(({ name }) => name).filter((name) => devices.some(({ cells }) => cells[name] !== undefined));

/** Whether there are hashes, nothing failed, and all are equal. Devices without a pipeline do not count. */
export function isOneHash(table: HashTable): boolean {
  const names = namesOf(table);
  const isOne = (name: string): boolean => {
    const want = wantedHashes(table, name);
    const cells = table.devices.flatMap(({ cells }) => cells[name] ?? []);
    return (
      want !== undefined && cells.every((cell) => !("failed" in cell) && differing(cell, want).length === 0)
    );
  };
  return names.length > 0 && names.every(isOne);
}
