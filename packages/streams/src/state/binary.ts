/**
 * The binary form of states: the bytes `GWST`, the version and the length of a header as u32, the header (JSON without totals), and then
 * the totals of all scans in order as little-endian bits. Its length depends on the range and the operators, and with rounds on the results in the header.
 */
import { requireArguments, type Wanted } from "@groupwise/ir/base/arguments.js";
import { errorOf } from "@groupwise/ir/base/errors.js";
import { SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { extentsOf, type Total } from "./cover.ts";
import { requireState } from "./fit.ts";
import { parseOutline, stateToJson } from "./json.ts";
import { type ScanState, STATE_VERSION, type State, typesOfState } from "./state.ts";

const MAGIC = "GWST";
/** Bytes before the header. */
const START = 12;

const totalsOf = (scan: ScanState): readonly Total[] =>
  scan.kind === "total" ? [scan.total] : scan.blocks.map(({ total }) => total);

/** The characters of a JSON text, the others escaped. */
const asciiOf = (text: string): Uint8Array =>
  Uint8Array.from(
    text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    (unit) => unit.charCodeAt(0),
  );
const textIn = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

/**
 * The state as bytes.
 * @example
 * ```ts
 * import { f32, pipeline, scalar } from "@groupwise/dsl";
 * import { decodeState, encodeState, mergeStates, stepper } from "@groupwise/core/state";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const total = pipeline("total", { x: f32 }, ({ x }) => ({ sum: scalar(x.reduce("add")) }));
 * const steps = await stepper(jsRuntime(), total);
 * const left = await steps.stateOf({ x: Float32Array.of(1, 2) }, { from: 0n });
 * const right = await steps.stateOf({ x: Float32Array.of(3) }, { from: 2n });
 * const bytes = encodeState(left);
 * console.log(mergeStates(decodeState(bytes), right).to); // 3n
 * ```
 */
export function encodeState(state: State): Uint8Array<ArrayBuffer> {
  requireArguments(arguments, "encodeState", ["state"]);
  const { scans, ...rest } = stateToJson(state);
  const names = { ...rest, scans: scans.map(({ operator }) => ({ operator })) };
  const head = asciiOf(JSON.stringify(names));
  const values = state.scans.flatMap((scan) => {
    const types = typesOfState(scan.operator);
    return totalsOf(scan).flatMap((total) => types.map((type, i) => [type, total[i]] as const));
  });
  const size = values.reduce((sum, [type]) => sum + SCALARS[type].hostBytes, START + head.length);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  bytes.set(asciiOf(MAGIC));
  view.setUint32(4, STATE_VERSION, true);
  view.setUint32(8, head.length, true);
  bytes.set(head, START);
  let at = START + head.length;
  for (const [type, value] of values) {
    const { hostBytes } = SCALARS[type];
    bytes.set(bytesOf(type, SCALARS[type].toHost(value as never)), at);
    at += hostBytes;
  }
  return bytes;
}

const isLittle = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The bytes of a host array of one element, the lowest first. */
function bytesOf(type: Scalar, stored: number | bigint): Uint8Array {
  const array = new SCALARS[type].array(1);
  (array as unknown as (number | bigint)[])[0] = stored;
  const bytes = new Uint8Array(array.buffer);
  return isLittle ? bytes : bytes.reverse();
}

function storedIn(type: Scalar, bytes: Uint8Array): number | bigint {
  const array = new SCALARS[type].array(1);
  new Uint8Array(array.buffer).set(isLittle ? bytes : bytes.toReversed());
  return array[0] as number | bigint;
}

const BYTES: Wanted = { want: "a Uint8Array", is: (value) => value instanceof Uint8Array };

/**
 * Reads the bytes of a state.
 * @throws GroupwiseError `bad-state`, `bad-version`; as `parseState`
 * @example
 * ```ts
 * import { f32, pipeline, scalar } from "@groupwise/dsl";
 * import { decodeState, encodeState, mergeStates, stepper } from "@groupwise/core/state";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const total = pipeline("total", { x: f32 }, ({ x }) => ({ sum: scalar(x.reduce("add")) }));
 * const steps = await stepper(jsRuntime(), total);
 * const left = await steps.stateOf({ x: Float32Array.of(1, 2) }, { from: 0n });
 * const right = await steps.stateOf({ x: Float32Array.of(3) }, { from: 2n });
 * const bytes = encodeState(left);
 * console.log(mergeStates(decodeState(bytes), right).to); // 3n
 * ```
 */
export function decodeState(bytes: Uint8Array): State {
  requireArguments(arguments, "decodeState", { bytes: BYTES });
  const fail = (reason: string): never => {
    throw errorOf("bad-state", { reason }, "the bytes");
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < START || textIn(bytes.subarray(0, 4)) !== MAGIC)
    return fail(`they do not begin with ${MAGIC}`);
  const version = view.getUint32(4, true);
  if (version !== STATE_VERSION)
    throw errorOf("bad-version", { version, supported: STATE_VERSION }, "the bytes");
  const end = START + view.getUint32(8, true);
  if (end > bytes.length) return fail("they end within the head");
  const outline = parseOutline(textIn(bytes.subarray(START, end)));
  let at = end;
  const take = (type: Scalar): ScalarValue => {
    const { hostBytes, fromHost } = SCALARS[type];
    if (at + hostBytes > bytes.length) return fail("they end within the totals");
    at += hostBytes;
    return fromHost(storedIn(type, bytes.subarray(at - hostBytes, at)));
  };
  const scans = outline.scans.map((scan): ScanState => {
    const total = (): Total => typesOfState(scan.operator).map(take);
    if (scan.kind === "total") return { ...scan, total: total() };
    return {
      ...scan,
      blocks: extentsOf(outline.from, outline.to).map((extent) => ({ ...extent, total: total() })),
    };
  });
  if (at < bytes.length) fail(`${bytes.length - at} bytes follow the totals`);
  const state = { ...outline, scans };
  requireState(state);
  return state;
}
