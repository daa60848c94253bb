/** The characters of a text. */

/** Unicode code points, one u32 each. */
export function codePoints(text: string): Uint32Array {
  const points = new Uint32Array(text.length);
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const point = text.codePointAt(i) as number;
    if (point > 0xffff) i++;
    points[count++] = point;
  }
  return points.slice(0, count);
}
