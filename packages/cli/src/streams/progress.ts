/** The line of progress of a stream. */

/** A stream that is under way. */
export interface Course {
  /** The first item. */
  readonly from: number;
  /** Items of the inputs; undefined if only their end shows it. */
  readonly length: number | undefined;
  /** Time since the first item. */
  readonly milliseconds: number;
}

/** @param at the first item whose outputs are not written */
export function progressText(at: number, { from, length, milliseconds }: Course): string {
  const perSecond = ((at - from) / Math.max(milliseconds, 1)) * 1000;
  const rate = `${(perSecond / 1e6).toFixed(1)} million per second`;
  if (length === undefined) return `${at} items, ${rate}`;
  const left = at < length ? `${Math.ceil((length - at) / perSecond)} s left` : "0 s left";
  return `${at} of ${length} items, ${rate}, ${left}`;
}
