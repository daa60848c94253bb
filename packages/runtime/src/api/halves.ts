/** Halves as `Float16Array`, which engines of 2025 and later have: Node 24, Chrome 135, Firefox 129, Safari 18.2. */
import { requireArguments, type Wanted } from "@groupwise/ir/base/arguments.js";
import { errorOf } from "@groupwise/ir/base/errors.js";

/** `Float16Array` where the compiler's library has it. */
export type Float16View = typeof globalThis extends { Float16Array: { prototype: infer A } }
  ? A
  : Uint16Array;

const HALVES: Wanted = { want: "a Uint16Array", is: (value) => value instanceof Uint16Array };

/**
 * A result of f16, which is the 16 bits of each half, as `Float16Array`: a view of the same memory.
 * @throws GroupwiseError `unsupported` if the engine has no `Float16Array`
 * @example
 * ```ts
 * import { float16Of } from "@groupwise/core";
 *
 * // 1 and -2, as a run returns them.
 * const halves = Uint16Array.of(0x3c00, 0xc000);
 * if ("Float16Array" in globalThis) console.log(float16Of(halves)); // Float16Array [1, -2]
 * ```
 */
export function float16Of(halves: Uint16Array): Float16View {
  requireArguments(arguments, "float16Of", { halves: HALVES });
  const { Float16Array } = globalThis as {
    Float16Array?: new (buffer: ArrayBufferLike, byteOffset: number, length: number) => Float16View;
  };
  if (Float16Array) return new Float16Array(halves.buffer, halves.byteOffset, halves.length);
  throw errorOf("unsupported", {
    what: "Float16Array",
    reason: "this engine has none",
    remedy: "use Node 24 or newer, or a browser of 2025 or later",
  });
}
