/** A device is tested before kernels rely on it to keep subnormal numbers, which WGSL allows it to flush. */
import type { Manifest } from "@groupwise/core";
import { type ShortFloat, SUBNORMAL_REQUIREMENTS } from "@groupwise/core/target";
import type { Gpu } from "./device.ts";
import { probe } from "./probe.ts";

interface Format {
  readonly head: string;
  /** The number of the bit of the sign. */
  readonly sign: number;
  /** Digits of a significand without the hidden one. */
  readonly digits: number;
  /** A number of the type from its bits in a word, and back, as kernels have it. */
  number(word: string): string;
  word(number: string): string;
}
const FORMATS: Readonly<Record<ShortFloat, Format>> = {
  f32: {
    head: "",
    sign: 31,
    digits: 23,
    number: (word) => `bitcast<f32>(${word})`,
    word: (x) => `bitcast<u32>(${x})`,
  },
  f16: {
    head: "enable f16;\n\n",
    sign: 15,
    digits: 10,
    number: (word) => `f16(unpack2x16float(${word}).x)`,
    word: (x) => `pack2x16float(vec2<f32>(f32(${x}), 0f))`,
  },
};
const TYPES = Object.keys(FORMATS) as readonly ShortFloat[];

/** What is added to a number, and subtracted from it, in units of the least number; the power of two by which it is multiplied. */
type Case = readonly [number: number, other: number, power: number];
/** All results are less than twice the least normal number: their bits are those of the number of units. */
function casesOf(digits: number): readonly Case[] {
  const normal = 2 ** digits;
  return [
    [normal / 4, normal / 2, 0],
    [normal, -normal / 2, -1],
    [-1, -1.5 * normal, 1],
    [0.75 * normal, normal / 2, -1],
    [normal / 2 + 1, normal / 2, 0],
    [-normal, normal - 1, -3],
    [normal - 2, 3, 1],
    [3, 1, 5],
  ];
}
const CASES = casesOf(1).length;
/** Words that a case takes, and that it gives. */
const GIVEN = 3;
const FOUND = 4;

const resultsOf = ([x, y, power]: Case): readonly number[] => [x, x + y, x - y, x * 2 ** power];
/** The bits of a number in units of the least number. */
const bitsOf = (x: number, { sign }: Format): number => (Math.abs(x) | ((x < 0 ? 1 : 0) << sign)) >>> 0;

/** The kernel of the test. */
export const probeText = (type: ShortFloat): string => {
  const { head, number, word } = FORMATS[type];
  return `${head}@group(0) @binding(0) var<storage, read> given: array<u32>;
@group(0) @binding(1) var<storage, read_write> found: array<u32>;

@compute @workgroup_size(${CASES})
fn probe(@builtin(local_invocation_index) i: u32) {
  let x = ${number(`given[${GIVEN}u * i]`)};
  let y = ${number(`given[${GIVEN}u * i + 1u]`)};
  let power = ${type}(bitcast<f32>(given[${GIVEN}u * i + 2u]));
  found[${FOUND}u * i] = ${word("x")};
  found[${FOUND}u * i + 1u] = ${word("x + y")};
  found[${FOUND}u * i + 2u] = ${word("x - y")};
  found[${FOUND}u * i + 3u] = ${word("x * power")};
}
`;
};

type Answers = Partial<Record<ShortFloat, Promise<string | undefined>>>;
const known = new WeakMap<GPUDevice, Answers>();

/** Why results of a type depend on subnormal numbers that the device flushes; undefined if it keeps them. The device is tested once. */
function obstacleOf(gpu: Gpu, type: ShortFloat): Promise<string | undefined> {
  const answers = known.get(gpu.device) ?? {};
  known.set(gpu.device, answers);
  const answer = answers[type] ?? tryOut(gpu, type);
  answers[type] = answer;
  // A test that failed to run says nothing about the device.
  answer.catch(() => delete answers[type]);
  return answer;
}

async function tryOut(gpu: Gpu, type: ShortFloat): Promise<string | undefined> {
  const format = FORMATS[type];
  const cases = casesOf(format.digits);
  const given = cases.flatMap(([x, y, power]) => [bitsOf(x, format), bitsOf(y, format), (127 + power) << 23]);
  const want = cases.flatMap((one) => resultsOf(one).map((x) => bitsOf(x, format)));
  const kernel = { code: probeText(type), groups: 1, words: FOUND * CASES, given: Uint32Array.from(given) };
  const answer = await probe(gpu, `subnormal ${type}`, kernel, (found) =>
    want.every((x, i) => x === found[i]),
  );
  if (typeof answer === "object") return answer.failed;
  return answer ? undefined : `the device flushes subnormal ${type} (tested)`;
}

const typesIn = ({ requires }: Pick<Manifest, "requires">): readonly ShortFloat[] =>
  TYPES.filter((type) => requires.includes(SUBNORMAL_REQUIREMENTS[type]));

/** The reason why the device cannot run the emitted files, if they need it to keep subnormal numbers; undefined if it can. */
export async function subnormalObstacle(gpu: Gpu, manifest: Manifest): Promise<string | undefined> {
  const found = await Promise.all(typesIn(manifest).map((type) => obstacleOf(gpu, type)));
  return found.find((reason) => reason !== undefined);
}

/** The types that were tested and whose subnormal numbers the device does not keep. */
export async function flushedOn(gpu: Gpu): Promise<readonly ShortFloat[]> {
  const answers = known.get(gpu.device) ?? {};
  const found = await Promise.all(TYPES.map((type) => answers[type]));
  return TYPES.filter((_, i) => found[i] !== undefined);
}
