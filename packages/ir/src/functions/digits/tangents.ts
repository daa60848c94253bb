/** The limits of the arguments at which the reduction of the arc tangent changes. */
import { circle, over, pi } from "./real.ts";

const P = 128;
/** Of 63 fraction bits. */
const tangentOf = (sixteenths: bigint): bigint => {
  const { sin, cos } = circle((pi(P) * sixteenths) / 16n, P);
  return over(sin, cos, 63);
};
export interface Tangents {
  readonly first: bigint;
  readonly second: bigint;
  readonly tangent: bigint;
}
/** The tangents of pi / 16, 3 pi / 16 and pi / 8. */
export const MIDDLE_TANGENTS: Tangents = {
  first: tangentOf(1n),
  second: tangentOf(3n),
  tangent: tangentOf(2n),
};
