/** A fault as a change of a text. */

/**
 * The text with the fault.
 * @throws Error where the text to replace does not occur exactly once
 */
export function faulty({ id, file, find, replace }, text) {
  const count = text.split(find).length - 1;
  if (count !== 1)
    throw new Error(`fault ${id}: ${file} has ${count} occurrences of ${JSON.stringify(find)}, not one`);
  return text.replace(find, () => replace);
}

/** Every k-th row, so that about `count` are left, from all areas. */
export function sampleOf(rows, count) {
  const step = Math.max(1, Math.floor(rows.length / count));
  return rows.filter((_, i) => i % step === 0).slice(0, count);
}
