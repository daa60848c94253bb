/**
 * The functions that emitted modules call. A module holds those whose names its text has; names of the document stand
 * in other functions, so that nothing here can meet them.
 */
interface Helper {
  readonly names: readonly string[];
  readonly text: string;
}

const textsOf = (helpers: readonly Helper[], words: ReadonlySet<string>): string[] =>
  helpers.filter(({ names }) => names.some((name) => words.has(name))).map(({ text }) => text);

/** What stands before the code: the views of numbers as bits that it uses. */
export const viewsFor = (words: ReadonlySet<string>): readonly string[] => textsOf(VIEWS, words);

/** What stands behind the code. */
export const helpersFor = (words: ReadonlySet<string>): readonly string[] => textsOf(HELPERS, words);

const VIEWS: readonly Helper[] = [
  {
    names: ["lowWordOf", "highWordOf", "doubleOf"],
    text: `
// One double and its words; which of them is the low one is the machine's.
const doubleView = new Float64Array([1]);
const wordsView = new Uint32Array(doubleView.buffer);
const lowWord = wordsView[0] === 0 ? 0 : 1;
function lowWordOf(double) {
  doubleView[0] = double;
  return wordsView[lowWord];
}
function highWordOf(double) {
  doubleView[0] = double;
  return wordsView[1 - lowWord];
}
function doubleOf(low, high) {
  wordsView[lowWord] = low;
  wordsView[1 - lowWord] = high;
  return doubleView[0];
}
`,
  },
  {
    names: ["bitsOf", "floatOf"],
    text: `
// One float and its bits.
const floatView = new Float32Array(1);
const bitsView = new Uint32Array(floatView.buffer);
function bitsOf(float) {
  floatView[0] = float;
  return bitsView[0];
}
function floatOf(bits) {
  bitsView[0] = bits;
  return floatView[0];
}
`,
  },
];

const HELPERS: readonly Helper[] = [
  {
    names: ["requireArray"],
    text: `function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(\`\${name} must be a \${type.name}\`);
  if (array.length !== length) throw new RangeError(\`\${name} has \${array.length} elements, not \${length}\`);
  return array;
}
`,
  },
  {
    names: ["requireTable"],
    text: `function requireTable(values, name, type, most) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(\`\${name} must be a \${type.name}\`);
  if (array.length > most) throw new RangeError(\`\${name} is too long\`);
  return array;
}
`,
  },
  {
    names: ["requireSizes"],
    text: `// Kernels compute these in 32 bits: what would not fit there is no size. The last is the most.
function requireSizes(name, ...sizes) {
  const most = sizes.pop();
  const isSize = (x) => x >= 0 && x < 2 ** 32;
  if (sizes.every(isSize) && sizes.at(-1) <= most) return;
  throw new RangeError(\`\${name} cannot have a capacity of \${sizes.join(", ")}\`);
}
`,
  },
  {
    names: ["wordsOf"],
    text: `// The same bytes as 32-bit words, the low one first.
function wordsOf(array) {
  if (new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1)
    throw new Error("64-bit integers are taken apart on little-endian machines only");
  return new Uint32Array(array.buffer, array.byteOffset, 2 * array.length);
}
`,
  },
  {
    names: ["halfBits"],
    text: `// The 16 bits of the nearest half, ties to even: beside a large number a sum is rounded so.
function halfBits(x) {
  const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
  const size = Math.abs(x);
  if (!(size < 65520)) return Number.isNaN(x) ? 0x7e00 : sign | 0x7c00;
  let power = 2 ** -14;
  let bits = sign;
  while (2 * power <= size) {
    power *= 2;
    bits += 1024;
  }
  const large = 1.5 * 2 ** 42 * power;
  return bits + (size + large - large) / (power / 1024);
}
`,
  },
  {
    names: ["requireNumber"],
    text: `function requireNumber(values, name, type, convert) {
  const value = values[name];
  if (typeof value !== type) throw new TypeError(\`\${name} must be a \${type}\`);
  return convert(value);
}
`,
  },
];
