/** Faults of targets: what printers spell, what drivers are told, threads and ranks of emitted C. */
import { type Fault, replaceExport, replaceIn } from "./fault.ts";

/** A table that a fault may write to. */
type Open<T> = { -readonly [K in keyof T]: T[K] };
const open = <T extends object>(table: T): Open<T> => table as Open<T>;

const js = () => import("../../../target-js/src/spelling.ts");
const JS = ["packages/target-js/test/conformance.test.ts"];
const SANITIZED = ["packages/target-c/test/sanitized.test.ts"];

export const TARGETS: readonly Fault[] = [
];
