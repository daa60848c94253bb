import fc from "fast-check";
import { it } from "vitest";

const RUNS = process.env.GROUPWISE_FULL ? 300 : 100;

/** A test of a property. */
export function test<T>(name: string, property: () => fc.IProperty<T>, numRuns: number = RUNS): void {
  it(name, () => {
    fc.assert(property(), { numRuns });
  });
}

export { fc };
