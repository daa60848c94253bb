/** Views of numbers as bits: texts before the code of a module. */
import type { ModuleHelper } from "@groupwise/core/target";

export const VIEWS: readonly ModuleHelper[] = [
  {
    names: ["lowWordOf", "highWordOf", "doubleOf"],
    text: `
// A double and its words; the byte order of the machine decides which word is the low one.
const doubleView = new Float64Array([1]);
const wordsView = new Uint32Array(doubleView.buffer);
const lowWord = wordsView[0] === 0 ? 0 : 1;
function lowWordOf(double) {
  doubleView[0] = double;
  return wordsView[lowWord];
}
function highWordOf(double) {
  doubleView[0] = double;
  return wordsView[1 - lowWord];
}
function doubleOf(low, high) {
  wordsView[lowWord] = low;
  wordsView[1 - lowWord] = high;
  return doubleView[0];
}
`,
  },
  {
    names: ["bitsOf", "floatOf"],
    text: `
// A float and its bits.
const floatView = new Float32Array(1);
const bitsView = new Uint32Array(floatView.buffer);
function bitsOf(float) {
  floatView[0] = float;
  return bitsView[0];
}
function floatOf(bits) {
  bitsView[0] = bits;
  return floatView[0];
}
`,
  },
];
