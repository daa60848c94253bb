/** The pipelines that tuning measures: a sum of each kind and type, and data whose sums depend on the order of rounding. */
import { type Checked, check } from "@groupwise/ir/document/check.js";
import { PipelineNodes } from "@groupwise/ir/document/nodes.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import { encodeLiteral } from "@groupwise/ir/tables/literal.js";
import { OPS } from "@groupwise/ir/tables/op.js";
import { type HostArray, SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { TunedKind } from "../tuning/tuning.ts";

const NODE = { scan: "scan-inclusive", reduce: "reduce" } as const;
/** Every device has work-groups of this size. */
const GROUP = 64;

/** `y`, the sums of `x`. */
export function sumsOf(kind: TunedKind, type: Scalar): Checked {
  const identity = encodeLiteral(type, OPS.add.identity(type));
  const list = new PipelineNodes();
  const own = { kind: NODE[kind], op: "add", type, identity, scope: "device", order: "fixed" } as const;
  list.output("y", list.add({ ...own, of: list.input("x", type) }));
  return check(list.pipeline(`tune-${kind}-${type}`, [GROUP]));
}

/** Elements before the data repeat: a prime, so that no tile has the data of another. */
const PERIOD = 65_521;
const [A, B] = [0x2c1b3c6d, 0x297a2d39];

/** Bits that look random, of an index. */
function hash(i: number): number {
  let x = Math.imul(i ^ (i >>> 15), A);
  x = Math.imul(x ^ (x >>> 12), B);
  return (x ^ (x >>> 15)) >>> 0;
}

/** Any bits as an integer; floats of both signs and several magnitudes, whose sums round. */
function itemOf(type: Scalar, i: number): ScalarValue {
  const bits = hash(i);
  const { kind, wrap, whole } = SCALARS[type];
  if (kind !== "float") return whole((BigInt(bits) << 32n) | BigInt(hash(bits)));
  return wrap(((bits | 0) / 2 ** 31) * 2 ** -(bits & 3));
}

/** Items of a type. */
export function dataOf(type: Scalar, n: number): HostArray {
  const { array, toHost } = SCALARS[type];
  const data = new array(n);
  const some = Math.min(n, PERIOD);
  for (let i = 0; i < some; i++) data[i] = toHost(itemOf(type, i)) as never;
  for (let done = some; done < n; done *= 2) data.copyWithin(done, 0, Math.min(done, n - done));
  return data;
}

/** The elements of `y` by the reference, in the host's array. */
export function expectedOf(checked: Checked, type: Scalar, data: HostArray): HostArray {
  const { array, toHost, fromHost } = SCALARS[type];
  const x = Array.from(data as ArrayLike<number | bigint>, fromHost);
  const { y = [] } = reference(checked, { n: x.length, inputs: { x } });
  const host = new array(y.length);
  for (const [i, value] of y.entries()) host[i] = toHost(value) as never;
  return host;
}

/** The first element that differs in any bit, in words; undefined if none does. */
export function differenceOf(got: HostArray, want: HostArray): string | undefined {
  if (got.length !== want.length) return `y has ${got.length} elements, not ${want.length}`;
  const at = (want as Uint32Array).findIndex((value, i) => !Object.is(got[i], value));
  return at < 0 ? undefined : `y[${at}] is ${got[at]}, not ${want[at]}`;
}
