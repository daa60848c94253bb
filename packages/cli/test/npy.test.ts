import { GroupwiseError, type HostArray } from "@groupwise/core";
import { ARRAY_TYPES, arraySpec } from "@groupwise/core/target";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readNpy, writeNpy } from "../src/values/npy.ts";

const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
const view = (array: HostArray): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

test.each(ARRAY_TYPES)("%s: a written file is read back bit for bit", (type) => {
  const { hostBytes, array } = arraySpec(type);
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

test("written files are equal to those of NumPy", () => {
  // numpy.save of numpy.array([1, -2.5, 3], "<f4"), NumPy 2
  const text = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }".padEnd(117);
  const head = [0x93, ...new TextEncoder().encode(`NUMPY\u0001\0v\0${text}\n`)];
  const data = [0, 0, 0x80, 0x3f, 0, 0, 0x20, 0xc0, 0, 0, 0x40, 0x40];
  expect([...writeNpy("f32", Float32Array.of(1, -2.5, 3))]).toEqual([...head, ...data]);
  expect(new TextDecoder("latin1").decode(writeNpy("bool", Uint8Array.of(1)))).toContain("'descr': '|b1'");
});

test("another dtype is refused for every pair of types", () => {
  // NumPy has no bf16: it travels as its bits.
  const isSame = (a: string, b: string): boolean =>
    a === b || (/^(bf16|u16)$/.test(a) && /^(bf16|u16)$/.test(b));
  for (const written of ARRAY_TYPES) {
    const file = own(writeNpy(written, new (arraySpec(written).array)(3)));
    for (const wanted of ARRAY_TYPES.filter((type) => !isSame(type, written))) {
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
const header = (descr: string, fortran = "False", shape = "(2,)"): string =>
  `{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': ${shape}, }`;

test("headers of any length are read", () => {
  for (let pad = 0; pad < 8; pad++)
    expect([...readNpy(file(plain() + " ".repeat(pad), TWO), "u32", "x.npy")]).toEqual([1, 258]);
});

const TWO = Uint8Array.of(1, 0, 0, 0, 2, 1, 0, 0);
/** Of two elements of u32, unless the shape says something else. */
const plain = (shape = "(2,)", fortran = "False", descr = "<u4"): string => header(descr, fortran, shape);
const ofType = (descr: string, more = ""): string =>
  `{'descr': ${descr}, ${more}'fortran_order': False, 'shape': (2,), }`;
const UNREADABLE = /not a readable \.npy file/;
test.each([
  ["two dimensions that are too few", plain("(2, 3)"), 20, /states 6 elements, but it contains 5/],
  ["two dimensions in Fortran's order", plain("(1, 2)", "True"), 8, /shape is \(1, 2\)/],
  ["big-endian", plain("(2,)", "False", ">u4"), 8, />u4/],
  ["cut short", plain(), 4, /states 2 elements, but it contains 1/],
  ["cut inside an element", plain(), 7, /states 2 elements, but it contains 7 bytes/],
  ["too long", plain(), 12, /states 2 elements, but it contains 3/],
  ["structures without a field", ofType("[('a', '<u4'), ('b', '|S1')]"), 10, /fields a, b/],
  ["a list that holds no fields", ofType("['<u4']"), 8, /not a list of fields/],
  ["a list that is not closed", ofType("[('a', '<u4']"), 8, /not a readable/],
  ["two lists", ofType("[('a', '<u4')]", "'descr': [('a', '<u4')], "), 8, /not a/],
  ["a negative length", plain("(-2,)"), 8, UNREADABLE],
  ["a length that is no tuple", plain("(2)"), 8, UNREADABLE],
  ["a length that is no number", plain("(2.0,)"), 8, UNREADABLE],
  ["a length with a zero before it", plain("(02,)"), 8, UNREADABLE],
  ["no tuple at all", plain("[2]"), 8, UNREADABLE],
  ["an order that is no bool", plain("(2,)", "0"), 8, UNREADABLE],
  ["a missing order", "{'descr': '<u4', 'shape': (2,), }", 8, UNREADABLE],
  ["a missing dtype", "{'fortran_order': False, 'shape': (2,), }", 8, UNREADABLE],
  ["a further key", plain().replace(" }", " 'x': 1}"), 8, UNREADABLE],
  ["a dictionary that is not closed", plain().replace(", }", ""), 8, UNREADABLE],
  ["text around it", `x${plain()}`, 8, UNREADABLE],
  ["text behind it", `${plain()} x`, 8, UNREADABLE],
  ["keys within a text", `{'descr': "<u4', 'fortran_order': False, 'shape': (2,), }"}`, 8, UNREADABLE],
])("%s is refused", (_, head, length, message) => {
  expect(() => readNpy(file(head, new Uint8Array(length)), "u32", "x.npy")).toThrow(message);
});

test.each([
  ["the byte order of the machine", header("=u4", "False", "(2,)")],
  ["a shape of Python 2", header("<u4", "False", "(2L,)")],
])("%s is read, as NumPy reads it", (_, head) => {
  expect(readNpy(file(head, Uint8Array.of(1, 0, 0, 0, 2, 0, 0, 0)), "u32", "x.npy")).toEqual(
    Uint32Array.of(1, 2),
  );
});

test("rows of several dimensions are read one after the other", () => {
  const elements = Uint32Array.of(1, 2, 3, 4, 5, 6);
  const bytes = file(header("<u4", "False", "(2, 3)"), new Uint8Array(elements.buffer));
  expect([...readNpy(bytes, "u32", "x.npy")]).toEqual([1, 2, 3, 4, 5, 6]);
  expect(
    readNpy(file(header("<u4", "True", "(0, 3)").replace("True", "False"), new Uint8Array()), "u32", "x.npy"),
  ).toHaveLength(0);
});

test("an array without a dimension is one item", () => {
  expect([...readNpy(file(header("<u4", "False", "()"), Uint8Array.of(7, 0, 0, 0)), "u32", "x.npy")]).toEqual(
    [7],
  );
});

test("a field of a structured array is read by its name, past padding, arrays, texts and titles", () => {
  // numpy.dtype([("a", "i1"), ("x", "<f4"), ("v", "<f4", (2,)), ("s", [("p", "<u2")]), ("when", "<M8[ns]"), ("name", "<U3")], align=True)
  const aligned =
    "[('a', '|i1'), ('', '|V3'), ('x', '<f4'), ('v', '<f4', (2,)), ('s', [('p', '<u2')]), ('', '|V6'), (('t', 'when'), '<M8[ns]'), ('name', '<U3'), ('', '|V4')]";
  const data = new DataView(new ArrayBuffer(2 * 48));
  for (const i of [0, 1]) {
    data.setInt8(48 * i, -1 - i);
    data.setFloat32(48 * i + 4, 0.5 + i, true);
  }
  const bytes = file(
    `{'descr': ${aligned}, 'fortran_order': False, 'shape': (2,), }`,
    new Uint8Array(data.buffer),
  );
  expect(readNpy(bytes, "i8", "x.npy", "a")).toEqual(Int8Array.of(-1, -2));
  expect(readNpy(bytes, "f32", "x.npy", "x")).toEqual(Float32Array.of(0.5, 1.5));
  for (const field of ["v", "s", "name", "when"])
    expect(() => readNpy(bytes, "f32", "x.npy", field)).toThrow(
      expect.objectContaining({ code: "bad-file" }),
    );
  expect(() => readNpy(bytes, "f32", "x.npy", "y")).toThrow(
    expect.objectContaining({ code: "bad-usage", hint: expect.stringMatching(/a, x, v, s, when, name/) }),
  );
  expect(() => readNpy(bytes.subarray(0, -1), "f32", "x.npy", "x")).toThrow(/states 2 elements/);
});

test.each([
  ["another order of keys", "{'shape': (2,), 'descr': '<u4', 'fortran_order': False}"],
  ["other quotes", `{"descr": "<u4", "fortran_order": True, "shape": (2,)}`],
  ["spaces and breaks", "{ 'descr' : '<u4' ,\n 'fortran_order':False,'shape' : ( 2 , ) , }  "],
])("%s is read as NumPy reads it", (_, head) => {
  expect([...readNpy(file(head, TWO), "u32", "x.npy")]).toEqual([1, 258]);
});

test.each([1, 2, 3, 0, 4])("version %i of the format is read if it exists", (version) => {
  const head = `${header("<u4", "False", "(1,)")}\n`;
  const length = version === 1 ? [head.length, 0] : [head.length, 0, 0, 0];
  const read = (minor: number): HostArray => {
    const magic = [0x93, ...new TextEncoder().encode("NUMPY"), version, minor, ...length];
    return readNpy(
      own(Uint8Array.from([...magic, ...new TextEncoder().encode(head), 7, 0, 0, 0])),
      "u32",
      "x.npy",
    );
  };
  if (version >= 1 && version <= 3) expect([...read(0)]).toEqual([7]);
  else expect(() => read(0)).toThrow(/no version/);
  expect(() => read(1)).toThrow(/no version/);
});

test("a header that is longer than NumPy accepts is refused", () => {
  const head = header("<u4", "False", "(0,)");
  const bytes = (length: number): Uint8Array<ArrayBuffer> => {
    const text = new TextEncoder().encode(head.padEnd(length));
    const magic = [0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, length & 255, length >> 8];
    return own(Uint8Array.from([...magic, ...text]));
  };
  expect([...readNpy(bytes(10_000), "u32", "x.npy")]).toEqual([]);
  expect(() => readNpy(bytes(10_001), "u32", "x.npy")).toThrow(/NumPy accepts at most 10000/);
});

test("a bool is 0 or 1", () => {
  const bools = (...data: number[]): Uint8Array<ArrayBuffer> =>
    file(header("|b1", "False", `(${data.length},)`), Uint8Array.from(data));
  expect([...readNpy(bools(0, 1, 1), "bool", "x.npy")]).toEqual([0, 1, 1]);
  expect(() => readNpy(bools(0, 1, 2), "bool", "x.npy")).toThrow(/element 2 is 2/);
  expect(() => readNpy(bools(255), "bool", "x.npy")).toThrow(/element 0 is 255/);
});

test("arbitrary bytes cause only typed errors", () => {
  const magic = [0x93, ...new TextEncoder().encode("NUMPY"), 1, 0];
  fc.assert(
    fc.property(fc.boolean(), fc.uint8Array({ maxLength: 60 }), (isNpy, rest) => {
      try {
        readNpy(own(Uint8Array.from(isNpy ? [...magic, ...rest] : rest)), "u32", "x.npy");
      } catch (error) {
        expect(error).toBeInstanceOf(GroupwiseError);
      }
    }),
    { numRuns: process.env.GROUPWISE_FULL ? 300 : 100 },
  );
});
