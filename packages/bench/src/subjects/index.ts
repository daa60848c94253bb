/** Every primitive beside plain loops: the tests of primitives and the matrix run them. */
import { LINE } from "./line.ts";
import { ORDER } from "./order.ts";
import { RANKS } from "./ranks.ts";
import { ROWS } from "./rows.ts";
import { SEGMENTS } from "./segments.ts";
import type { PrimitiveSubject } from "./subject.ts";

export { LINE } from "./line.ts";
export { ORDER } from "./order.ts";
export { problemsOf } from "./problems.ts";
export { SEGMENTS } from "./segments.ts";
export {
  arrayOf,
  compiledOn,
  type PrimitiveSubject,
  type PrimitiveTrial,
  run,
  trialOf,
  wrong,
} from "./subject.ts";
export const SUBJECTS: readonly PrimitiveSubject[] = [...LINE, ...SEGMENTS, ...ORDER, ...RANKS, ...ROWS];
