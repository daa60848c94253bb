/** Devices by a word of their names. */
import type { GroupwiseError } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";

/** As adapters of WebGPU are named. */
const ANY = "default";

/** Whether a word, or `default`, names a device. */
export const isNamed = (name: string, word: string): boolean =>
  word === ANY || name.toLowerCase().includes(word.toLowerCase());

export function noSuchDevice(target: string, word: string, count: number): GroupwiseError {
  const reason = `of ${count} devices none has ${JSON.stringify(word)} in its name`;
  return errorOf("device-missing", { what: `a device for ${target}`, reason });
}
