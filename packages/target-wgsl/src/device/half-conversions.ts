/** A device is tested before kernels convert halves by its operations, in the forms that they have in kernels. */
import type { Manifest } from "@groupwise/core";
import {
  HALF_FORMS,
  HALF_REQUIREMENTS,
  HALF_ROUNDS,
  HALF_STEP,
  HALF_WORDS,
  type HalfConversions,
  HalfTest,
  OTHER_HALVES,
} from "@groupwise/core/target";
import { HALF_CONVERSIONS } from "../print/half-conversions.ts";
import type { Gpu } from "./device.ts";
import { probe } from "./probe.ts";

const WORK_ITEMS = 64;
const HALVES = 65536;

const {
  f16_bits_of_f32: bits,
  two_f16_bits_of_f32: pack,
  f32_of_f16_bits: low,
  f32_of_high_f16_bits: high,
} = HALF_CONVERSIONS;
/** As the kernels have it. */
const ROUNDED: Readonly<Record<HalfConversions, string>> = {
  exact: low(bits("x")),
  apart: low(`${bits("x")} | 65536u`),
};
const [a, b] = OTHER_HALVES.map(({ factor, offset }) => low(`(half * ${factor}u + ${offset}u) % ${HALVES}u`));
const FUNCTIONS = HALF_FORMS.map((form) => `fn ${form}(x: f32) -> f32 { return ${ROUNDED[form]}; }`);
const RESULTS = HALF_FORMS.map(
  (form) => `
  let ${form}_s = ${form}(x + a);
  let ${form}_t = ${form}(${form}_s + b);
  found[at] = bitcast<u32>(${form}_s);
  found[at + 1u] = ${pack(`${form}_s`, `${form}_t`)};
  found[at + 2u] = bitcast<u32>(${form}(${form}_s * ${form}_t));
  found[at + 3u] = bitcast<u32>(${form}(${form}(x + ${HALF_STEP}f) - ${HALF_STEP}f));
  var ${form}_v = x;
  for (var i = 0u; i < ${HALF_ROUNDS}u; i += 1u) { ${form}_v = ${form}(${form}(${form}_v + a) + b); }
  found[at + 4u] = bitcast<u32>(${form}_v);
  at += 5u;`,
);

/** The kernel that computes what `HalfTest` evaluates. */
export const probeText: string = `@group(0) @binding(0) var<storage, read> floats: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> found: array<u32>;

${FUNCTIONS.join("\n")}

@compute @workgroup_size(${WORK_ITEMS})
fn probe(@builtin(global_invocation_id) id: vec3<u32>) {
  let half = id.x;
  let own = floats[half];
  let x = ${low("half")};
  let a = ${a};
  let b = ${b};
  let both = half | ((${HALVES - 1}u - half) << 16u);
  var at = half * ${HALF_WORDS}u;
  found[at] = ${pack("own.x", "own.y")};
  found[at + 1u] = ${pack("own.z", "own.w")};
  found[at + 2u] = ${pack("own.y", "own.x")};
  found[at + 3u] = ${pack("own.w", "own.z")};
  found[at + 4u] = bitcast<u32>(${low("both")});
  found[at + 5u] = bitcast<u32>(${high("both")});
  at += 6u;${RESULTS.join("")}
}
`;

type Problems = ReturnType<HalfTest["problems"]>;
const known = new WeakMap<GPUDevice, Promise<Problems>>();

/** What is wrong with the device's conversions, by their form. The device is tested once. */
function problemsOf(gpu: Gpu): Promise<Problems> {
  const { device } = gpu;
  const answer = known.get(device) ?? tryOut(gpu);
  known.set(device, answer);
  // A test that failed to run says nothing about the device.
  answer.catch(() => known.delete(device));
  return answer;
}

const formIn = ({ requires }: Pick<Manifest, "requires">): HalfConversions | undefined =>
  HALF_FORMS.find((form) => requires.includes(HALF_REQUIREMENTS[form]));

/** Whether files rely on a test of the device's conversions of halves. */
export const needsHalfConversions = (manifest: Manifest): boolean => formIn(manifest) !== undefined;

/** The reason why the device cannot run the emitted files, if they need exact conversions of halves; undefined if it can. */
export async function halfObstacle(gpu: Gpu, manifest: Manifest): Promise<string | undefined> {
  const form = formIn(manifest);
  return form && (await problemsOf(gpu))[form];
}

/** The form of conversions that are exact on the device; undefined if it has none. */
export async function halfFormOn(gpu: Gpu): Promise<HalfConversions | undefined> {
  const problems = await problemsOf(gpu);
  return HALF_FORMS.find((form) => problems[form] === undefined);
}

async function tryOut(gpu: Gpu): Promise<Problems> {
  const test = new HalfTest();
  const kernel = {
    code: probeText,
    groups: HALVES / WORK_ITEMS,
    words: HALVES * HALF_WORDS,
    given: test.floats,
  };
  const answer = await probe(gpu, "conversions", kernel, (found) => test.problems(found));
  return "failed" in answer ? { exact: answer.failed, apart: answer.failed } : answer;
}
