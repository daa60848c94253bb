import { GroupwiseError, type HostArray, SCALAR_NAMES, SCALARS } from "@groupwise/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readNpy, writeNpy } from "../src/values/npy.ts";

const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
const view = (array: HostArray): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

test.each(SCALAR_NAMES)("%s: what is written is read again, bit for bit", (type) => {
  const { hostBytes, array } = SCALARS[type];
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (raw) => {
      const bytes = raw
        .slice(0, raw.length - (raw.length % hostBytes))
        .map((x) => (type === "bool" ? x & 1 : x));
      const values = new (array as unknown as new (buffer: ArrayBuffer) => HostArray)(own(bytes).buffer);
      const back = readNpy(own(writeNpy(type, values)), type, "x.npy");
      expect(back).toBeInstanceOf(array);
      expect(view(back)).toEqual(view(values));
    }),
  );
});

test("another dtype is refused for every pair of types", () => {
  for (const written of SCALAR_NAMES) {
    const file = own(writeNpy(written, new SCALARS[written].array(3)));
    for (const wanted of SCALAR_NAMES.filter((type) => type !== written)) {
      expect(() => readNpy(file, wanted, "x.npy")).toThrow(/its dtype is/);
    }
  }
});

/** A file with any header, as old writers made them: not padded. */
function file(header: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(`${header}\n`);
  return own(
    Uint8Array.from([0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, text.length, 0, ...text, ...data]),
  );
}
const header = (descr: string, fortran: string, shape: string): string =>
  `{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': ${shape}, }`;

test("headers of any length are read", () => {
  for (let pad = 0; pad < 8; pad++) {
    const bytes = file(
      header("<u4", "False", "(2,)") + " ".repeat(pad),
      new Uint8Array([1, 0, 0, 0, 2, 1, 0, 0]),
    );
    expect([...readNpy(bytes, "u32", "x.npy")]).toEqual([1, 258]);
  }
});

test.each([
  ["two dimensions", header("<u4", "False", "(1, 2)"), 8, /shape is \(1, 2\)/],
  ["two dimensions in Fortran's order", header("<u4", "True", "(1, 2)"), 8, /shape is \(1, 2\)/],
  ["no dimension", header("<u4", "False", "()"), 4, /shape is \(\)/],
  ["big-endian", header(">u4", "False", "(2,)"), 8, />u4/],
  ["cut short", header("<u4", "False", "(2,)"), 4, /promises 2 elements, and there are 1/],
  ["cut inside an element", header("<u4", "False", "(2,)"), 7, /no \.npy file/],
  ["too long", header("<u4", "False", "(2,)"), 12, /promises 2 elements, and there are 3/],
  ["records", "{'descr': [('a', '<u4')], 'fortran_order': False, 'shape': (2,), }", 8, /no \.npy file/],
  ["a negative length", header("<u4", "False", "(-2,)"), 8, /promises -2/],
])("%s is refused", (_, head, length, message) => {
  expect(() => readNpy(file(head, new Uint8Array(length)), "u32", "x.npy")).toThrow(message);
});

test("no bytes at all make it throw anything but a typed error", () => {
  const magic = [0x93, ...new TextEncoder().encode("NUMPY"), 1, 0];
  fc.assert(
    fc.property(fc.boolean(), fc.uint8Array({ maxLength: 60 }), (isNpy, rest) => {
      try {
        readNpy(own(Uint8Array.from(isNpy ? [...magic, ...rest] : rest)), "u32", "x.npy");
      } catch (error) {
        expect(error).toBeInstanceOf(GroupwiseError);
      }
    }),
    { numRuns: 300 },
  );
});
