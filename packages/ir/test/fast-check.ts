import fc from "fast-check";
import { it } from "vitest";

/** A test of a property. */
export function test<T>(name: string, property: () => fc.IProperty<T>, numRuns: number = 300): void {
  it(name, () => {
    fc.assert(property(), { numRuns });
  });
}

export { fc };
