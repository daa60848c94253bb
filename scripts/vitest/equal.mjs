// Vitest takes a microsecond to compare two elements of arrays of numbers, and tests compare millions. What differs is left to it.
import { expect } from "vitest";

function sameNumbers(a, b) {
  if (!(a instanceof Object.getPrototypeOf(Uint8Array)) || a.constructor !== b?.constructor) return undefined;
  if (a.length !== b.length) return undefined;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return undefined;
  return true;
}

expect.addEqualityTesters([sameNumbers]);
