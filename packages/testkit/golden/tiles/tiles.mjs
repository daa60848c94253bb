// tiles: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target js

// a / b towards 0; a / 0 is a, and the least integer / -1 is itself.
function div_u32(a, b) {
  const divisor = (b === 0) ? 1 : b;
  return (a / divisor) >>> 0;
}

/**
 * The loops only: the caller provides every array, and none is checked.
 * @param x input, Int32Array of n
 * @param within output, Int32Array of n
 * @param relative output, Int32Array of n
 * @param total output, Int32Array of (ceil(size_x / 8) * ceil(size_y / 4))
 * @param border output, Uint8Array of n
 * @param checker output, Uint32Array of n
 * @param broadcast_3 scratch, Int32Array of (ceil(size_x / 8) * ceil(size_y / 4))
 */
export function kernel(n, size_x, size_y, offset_x, offset_y, x, within, relative, total, border, checker, broadcast_3) {
  // pass 1 over the items, work-group after work-group
  let add_so_far = 0;
  const groups_x = (((size_x / 8) >>> 0) + (((size_x % 8) !== 0) ? 1 : 0)) >>> 0;
  const groups_y = (((size_y / 4) >>> 0) + (((size_y % 4) !== 0) ? 1 : 0)) >>> 0;
  const groups = Math.imul(groups_x, groups_y) >>> 0;
  for (let group = 0; group < groups; group += 1) {
    const group_y = div_u32(group, groups_x);
    const group_x = (group - (Math.imul(group_y, groups_x) >>> 0)) >>> 0;
    const start_x = Math.imul(group_x, 8) >>> 0;
    const start_y = Math.imul(group_y, 4) >>> 0;
    const extent_x = Math.min(8, (size_x - start_x) >>> 0);
    const extent_y = Math.min(4, (size_y - start_y) >>> 0);
    add_so_far = 0;
    for (let local_y = 0; local_y < extent_y; local_y += 1) {
      for (let local_x = 0; local_x < extent_x; local_x += 1) {
        const item_x = (start_x + local_x) >>> 0;
        const item_y = (start_y + local_y) >>> 0;
        const i = ((Math.imul(item_y, size_x) >>> 0) + item_x) >>> 0;
        const x_i = x[i];
        add_so_far = (add_so_far + x_i) | 0;
        const inclusive = add_so_far;
        within[i] = inclusive;
        border[i] = Math.min(local_x, local_y) === 0 ? 1 : 0;
        const v12 = (((item_x + offset_x) >>> 0) ^ ((item_y + offset_y) >>> 0)) >>> 0;
        checker[i] = (v12 & 1) >>> 0;
      }
    }
    total[group] = add_so_far;
    const source = ((Math.imul(start_y, size_x) >>> 0) + start_x) >>> 0;
    const x_i = x[source];
    broadcast_3[group] = x_i;
  }
  // pass 2 over the items
  for (let i = 0; i < n; i += 1) {
    const x_i = x[i];
    const item_y = div_u32(i, size_x);
    const item_x = (i - (Math.imul(item_y, size_x) >>> 0)) >>> 0;
    const group_x = (item_x / 8) >>> 0;
    const group_y = (item_y / 4) >>> 0;
    const v3 = broadcast_3[((Math.imul(group_y, (((size_x / 8) >>> 0) + (((size_x % 8) !== 0) ? 1 : 0)) >>> 0) >>> 0) + group_x) >>> 0];
    relative[i] = (x_i - v3) | 0;
  }
}

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options globalSize: the number of items in each of the 2 dimensions
 * @param options globalOffset: the first global id in each dimension; default: zeros
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function tilesPipeline(values, options = {}) {
  const [size_x, size_y] = options.globalSize ?? [];
  const n = size_x * size_y;
  if (options.globalSize?.length !== 2 || !Number.isSafeInteger(size_x) || size_x < 0 || !Number.isSafeInteger(size_y) || size_y < 0 || n > 4294967295) throw new RangeError("globalSize is not a list of 2 numbers of items");
  const offset_x = options.globalOffset?.[0] ?? 0;
  if (!Number.isSafeInteger(offset_x) || offset_x < 0 || offset_x + size_x > 4294967296) throw new RangeError("globalOffset exceeds 2^32 in dimension 0");
  const offset_y = options.globalOffset?.[1] ?? 0;
  if (!Number.isSafeInteger(offset_y) || offset_y < 0 || offset_y + size_y > 4294967296) throw new RangeError("globalOffset exceeds 2^32 in dimension 1");
  const x = requireArray(values, "x", Int32Array, n);
  const within = new Int32Array(n);
  const relative = new Int32Array(n);
  const total = new Int32Array((Math.ceil(size_x / 8) * Math.ceil(size_y / 4)));
  const border = new Uint8Array(n);
  const checker = new Uint32Array(n);
  const broadcast_3 = new Int32Array((Math.ceil(size_x / 8) * Math.ceil(size_y / 4)));
  kernel(n, size_x, size_y, offset_x, offset_y, x, within, relative, total, border, checker, broadcast_3);
  return { within, relative, total, border, checker };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must be a ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
