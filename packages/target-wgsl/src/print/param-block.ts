/** The uniform buffer that holds the scalars of a run, a word each, and where bindings begin. */

/** Its binding number; arrays follow in the module's order. */
export const PARAMS_BINDING = 0;
/** Bytes: the default limits `minStorageBufferOffsetAlignment` and `minUniformBufferOffsetAlignment`. */
export const ALIGNMENT = 256;
/** Bytes of a scalar. */
export const WORD = 4;
/** Bytes that the sizes of uniform buffers are multiples of. */
const UNIT = 16;
/** Bytes of the buffer for so many scalars. */
export const blockBytes = (scalars: number): number => Math.ceil((scalars * WORD) / UNIT) * UNIT;
