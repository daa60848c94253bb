/**
 * The functions that emitted modules call. A module contains those whose names occur in its text; names of
 * the document are in other functions and cannot collide with them.
 */
export interface ModuleHelper {
  readonly names: readonly string[];
  readonly text: string;
}

/** The texts of those with a name among the words. @param helpers by default those that check arguments */
export const moduleHelpers = (
  words: ReadonlySet<string>,
  helpers: readonly ModuleHelper[] = HELPERS,
): string[] => helpers.filter(({ names }) => names.some((name) => words.has(name))).map(({ text }) => text);

const HELPERS: readonly ModuleHelper[] = [
  {
    names: ["requireArray"],
    text: `function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(\`\${name} must have the type \${type.name}\`);
  if (array.length !== length) throw new RangeError(\`\${name} has \${array.length} elements, not \${length}\`);
  return array;
}
`,
  },
  {
    names: ["requireTable"],
    text: `function requireTable(values, name, type, most) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(\`\${name} must have the type \${type.name}\`);
  if (array.length > most) throw new RangeError(\`\${name} is too long\`);
  return array;
}
`,
  },
  {
    names: ["requireSizes"],
    text: `// Kernels compute sizes in 32 bits, so larger values are errors. The last argument is the limit.
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
    throw new Error("64-bit integers are supported on little-endian machines only");
  return new Uint32Array(array.buffer, array.byteOffset, 2 * array.length);
}
`,
  },
  {
    names: ["halfBits"],
    text: `// The 16 bits of the nearest half, ties to even: adding a large number rounds in this way.
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
