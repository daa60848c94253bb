/** All faults. */
import { CHECKS } from "./checks.ts";
import type { Fault } from "./fault.ts";
import { HOSTS } from "./hosts.ts";
import { LOWERING } from "./lowering.ts";
import { MEANING } from "./meaning.ts";
import { NUMBERS } from "./numbers.ts";
import { OUTSIDE } from "./outside.ts";
import { TARGETS } from "./targets.ts";

export const FAULTS: readonly Fault[] = [
  ...MEANING,
  ...NUMBERS,
  ...LOWERING,
  ...CHECKS,
  ...HOSTS,
  ...OUTSIDE,
  ...TARGETS,
];
