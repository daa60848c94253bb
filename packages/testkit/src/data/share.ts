/** Shares of the checks, for devices that compile slowly. JavaScript and full runs have all checks. */

/**
 * From the least to the most checks. `least`: an output of each kind, for devices that run the texts of another one; `few`: a dozen that compile
 * quickly; `some`: each strategy, class of types and feature of the language that compiles in seconds; `sample`: all that represent others.
 */
export const SHARES = ["least", "few", "some", "sample"] as const;
export type Share = (typeof SHARES)[number];

/** Whether a check belongs to the share. */
export const isIn = (share: Share, check: { readonly share?: Share | undefined }): boolean =>
  check.share !== undefined && SHARES.indexOf(check.share) <= SHARES.indexOf(share);
