/** The arrays of a step. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { ArrayType } from "@groupwise/ir/tables/narrow.js";
import type { DeviceArray } from "../api/device-array.ts";
import { kindOf, typedArrayName } from "../api/host-view.ts";
import type { Manifest } from "../plan/manifest.ts";
import { bad } from "./bindings.ts";
import type { StepChecks } from "./step.ts";

/** The properties of a runtime's own arrays that the checks need. */
export interface OwnArray extends Omit<DeviceArray, "slice"> {
  /** Equal exactly for arrays that may share bytes. */
  readonly root: object;
  /** Bytes from the root's first to the array's first. */
  readonly byteOffset: number;
  /** @throws GroupwiseError `disposed` */
  check(): void;
}

/** An array for kernels. */
export function ownArray<A extends OwnArray>(
  manifest: Manifest,
  name: string,
  given: unknown,
  type: ArrayType | undefined,
  checks: StepChecks<A>,
): A {
  const want = `a device array${type ? ` of ${type}` : ""}`;
  const wrong = (got: string): Error => errorOf("wrong-dtype", { name, want, got }, manifest.pipeline);
  if (!isObject(given)) throw wrong(kindOf(given));
  const array = checks.own(given);
  if (!array) {
    if (!isArrayLike(given)) throw wrong(kindOf(given));
    throw errorOf("foreign-device", { what: `the array ${JSON.stringify(name)}` }, manifest.pipeline);
  }
  array.check();
  if (type && array.type !== type) throw wrong(`one of ${array.type}`);
  const { byteOffset } = array;
  if (byteOffset % checks.sliceAlignment !== 0)
    throw bad(
      manifest,
      name,
      `it begins at byte ${byteOffset}, which is not a multiple of ${checks.sliceAlignment}`,
      "begin slices for steps at multiples of `runtime.sliceAlignment` bytes, or copy the elements to an array of their own",
    );
  return array;
}

/** Whether it could be an array of another runtime. */
function isArrayLike(given: DeviceArray): boolean {
  try {
    return typedArrayName(given) === undefined && "slice" in given && "dispose" in given;
  } catch {
    return false;
  }
}

const isObject = (value: unknown): value is DeviceArray => typeof value === "object" && value !== null;
