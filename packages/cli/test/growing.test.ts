import fc from "fast-check";
import { expect, test } from "vitest";
import { Growing } from "../src/values/growing.ts";

test("values are those that were added, whatever the room, and are not copied unless most of it is unused", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer(), { maxLength: 3000 }),
      fc.integer({ min: 0, max: 9000 }),
      (added, room) => {
        const values = new Growing("i32");
        for (const [i, x] of added.entries()) {
          if (i === 10) values.reserve(room);
          values.push(x);
        }
        const all = values.all();
        expect([...all]).toEqual(added);
        expect(all.buffer.byteLength).toBeLessThanOrEqual(4 * 1.5 * added.length);
      },
    ),
  );
  const [exact, much] = [new Growing("f64"), new Growing("f64")];
  exact.reserve(2000);
  much.reserve(1e9); // takes no memory
  for (let i = 0; i < 1999; i++) for (const values of [exact, much]) values.push(i);
  expect(exact.all().buffer.byteLength).toBe(8 * 2000);
  expect(much.all().buffer.byteLength).toBe(8 * 1999);
});
