// compact: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target wasm
// Inputs: f32 x[n], f32 least
// Outputs: f32 kept[n]
// Strategy: one-thread

// The module, whose text is compact.wat.
export const wasm = Uint8Array.from(
  `
  0061736d0100000001090160057f7d7f7f7f000228020967726f757077697365066d656d6f72790200010967726f757077697365056672616d65037f
  0003020100070a01066b65726e656c00000add0301da0305037f107b027f017d027f4100210520002000411f716b2106410021072007200649044003
  40200220074102746afd000000210820082001fd13fd462109200220074102746afd000010210a200a2001fd13fd46210b200220074102746afd0000
  20210c200c2001fd13fd46210d200220074102746afd000030210e200e2001fd13fd46210f200220074102746afd000040211020102001fd13fd4621
  11200220074102746afd000050211220122001fd13fd462113200220074102746afd000060211420142001fd13fd462115200220074102746afd0000
  70211620162001fd13fd4621172009fda401200bfda40141047472200dfda40141087472200ffda401410c74722011fda401411074722013fda40141
  1474722015fda401411874722017fda401411c747221182018410047044003402007201868411f716a21192018201841016b71211820022019410274
  6a2a0200211a200320054102746a201a380200200541016a210520184100470d000b0b200741206a210720072006490d000b0b200621072007200049
  04400340200220074102746a2a0200211a201a200160211b201b211c200320054102746a2300201b1b201a3802002005201c6a2105200741016a2107
  20072000490d000b0b200420053602000b
  `.match(/\w\w/g),
  (byte) => parseInt(byte, 16),
);
const compiled = new WebAssembly.Module(wasm);

// The loops on a memory take launch scalars, then the byte offset of each array.
// They write `frameBytes` at `frame` too.
export const frameBytes = 8;
export function instantiate(memory, frame = 256) {
  const imports = { memory, frame: new WebAssembly.Global({ value: "i32" }, frame) };
  return new WebAssembly.Instance(compiled, { groupwise: imports }).exports.kernel;
}
// Arrays may be at byte 264 and higher; the loops check nothing.
export const memory = new WebAssembly.Memory({ initial: 1 });
export const kernel = instantiate(memory);

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function compactPipeline(values = {}, options = {}) {
  const n = options.n ?? values.x?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4026531840) throw new RangeError("n, by default the length of x, is not a number of items");
  const x = requireArray(values, "x", Float32Array, n);
  const least = requireNumber(values, "least", "number", (x) => Math.fround(x));
  const places = inMemory(264, [Float32Array, x], [Float32Array, n], [Uint32Array, 1]);
  kernel(n, least, ...places.map((view) => view.byteOffset));
  const kept = places[1];
  const kept_length = places[2];
  return { kept: kept.slice(0, kept_length[0]) };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must have the type ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
function requireNumber(values, name, type, convert) {
  const value = values[name];
  if (typeof value !== type) throw new TypeError(`${name} must be a ${type}`);
  return convert(value);
}
// Arrays in the memory: copies of arguments, and zeros where a length is given.
function inMemory(first, ...arrays) {
  let end = first;
  const places = arrays.map(([type, given]) => {
    const place = end;
    end += 16 * Math.ceil((type.BYTES_PER_ELEMENT * (given.length ?? given) + 1) / 16);
    return place;
  });
  const pages = Math.ceil((end - memory.buffer.byteLength) / 65536);
  if (pages > 0) memory.grow(pages);
  return arrays.map(([type, given], i) => {
    const view = new type(memory.buffer, places[i], given.length ?? given);
    if (given.length >= 0) view.set(given);
    else new Uint8Array(memory.buffer, places[i], view.byteLength).fill(0);
    return view;
  });
}
