/** A runtime whose kernels the interpreter of kernels runs: lowerings to work-groups without a device, whose own compiler takes seconds for a document. */
import {
  type ArrayType,
  type Capabilities,
  evaluate,
  type HostArray,
  type Plan,
  plan,
  type Runtime,
  type ScalarValue,
  type Target,
} from "@groupwise/core";
import { manifestOf } from "@groupwise/core/kernel";
import { arraySpec, type Call, HostDevice, hostedRuntime, OWN_ARRAYS } from "@groupwise/core/target";
import type { Buffer } from "../../kernel/src/language/module.ts";
import { runGroup } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { toValues } from "../src/data/arrays.ts";

const DEVICE = "interpreter";

/** All types, each as its values: what emulates types has tests of its own. */
export const WHOLE_VALUES: Capabilities = {
  ...SIMT,
  scalars: Object.fromEntries(
    Object.keys(SIMT.scalars).map((type) => [type, "native"]),
  ) as Capabilities["scalars"],
  boolMemory: "u8",
  narrow: "native",
};

/** Kernels take the bits of a bf16. */
const elementOf = (type: ArrayType): ArrayType => (type === "bf16" ? "u16" : type);

/** The elements of an array, at least one; of those that a kernel has to write, nothing. */
function held({ type, role, cleared, inPlace }: Buffer, array: HostArray): ScalarValue[] {
  const isGiven = role === "input" || role === "table" || inPlace !== undefined || cleared;
  if (!isGiven) return Array(Math.max(1, array.length));
  return toValues(elementOf(type), array.length > 0 ? array : new (arraySpec(type).array)(1));
}

/** Elements that no kernel wrote are anything. */
function copy(values: readonly ScalarValue[], type: ArrayType, array: HostArray): void {
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength).fill(0xa5);
  const { toHost } = arraySpec(type);
  for (let i = 0; i < array.length; i++)
    if (values[i] !== undefined) array[i] = toHost(values[i] as ScalarValue) as never;
}

const callOf =
  ({ module }: Plan, flushes: boolean): Call =>
  (launch, arrays) => {
    const { functions, kernels, buffers } = module;
    const storage = Object.fromEntries(
      buffers.map((buffer) => [buffer.name, held(buffer, arrays.get(buffer.name) as HostArray)]),
    );
    const params = Object.fromEntries(launch.params.map(({ name, value }) => [name, value]));
    for (const kernel of kernels)
      for (let group = 0; group < evaluate(kernel.groups, launch); group++)
        runGroup(kernel, {
          ...{ functions, storage, params, flushes },
          ...{ size: kernel.workGroupSize, group, subgroupSize: 32 },
        });
    for (const { name, type, role } of buffers)
      if (role === "output" || role === "status")
        copy(storage[name] as ScalarValue[], elementOf(type), arrays.get(name) as HostArray);
  };

/** @param flushes whether its sums and products of f32 flush subnormal numbers */
export function interpretedRuntime(
  capabilities: Capabilities = WHOLE_VALUES,
  flushes: boolean = false,
): Runtime {
  const print = (): never => {
    throw new Error("the interpreter has no text");
  };
  const target: Target = { name: "interpreter", title: DEVICE, capabilities, optionalTypes: {}, print };
  return hostedRuntime({
    device: { target: "js", name: DEVICE, driver: DEVICE },
    capabilities,
    host: new HostDevice(DEVICE),
    debug: false,
    make: async (source, wanted) => {
      const lowered = plan(source, target, { capabilities, ...wanted });
      const manifest = manifestOf(lowered, {
        ...{
          generator: "",
          command: "",
          target: "js",
          file: "",
          requires: [],
          flags: {},
          arrays: OWN_ARRAYS,
        },
      });
      return { plan: lowered, manifest, call: callOf(lowered, flushes) };
    },
  });
}
