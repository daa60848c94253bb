// Selects the items, and asks whether they may be installed.
import { createInterface } from "node:readline/promises";

/** Those that tests run on, or that the demo runs on; with those of the matrix. */
export const wantedItems = (items, { demo, matrix }) =>
  items.filter((item) => (demo ? item.demo : matrix || !item.matrix));

/** The size of items as text. */
export const diskOf = (items) => {
  const megabytes = items.reduce((sum, { disk }) => sum + disk, 0);
  return megabytes < 1000 ? `${megabytes} MB` : `${(megabytes / 1000).toFixed(1)} GB`;
};

/**
 * Asks whether to install, if a terminal is attached; otherwise the environment decides: GROUPWISE_INSTALL=no installs nothing.
 * @param {{ disk: number }[]} missing
 * @param {{ yes: boolean, json: boolean }} flags
 * @returns {Promise<boolean>}
 */
export async function consent(
  missing,
  { yes, json },
  say,
  { env = process.env, input = process.stdin, output = process.stdout } = {},
) {
  const total = `about ${diskOf(missing)} in all`;
  if (/^(no|0|false)$/i.test(env.GROUPWISE_INSTALL ?? "")) {
    say(`GROUPWISE_INSTALL=${env.GROUPWISE_INSTALL}: nothing is installed (${total}).`);
    return false;
  }
  const isTold = yes || /^(yes|1|true)$/i.test(env.GROUPWISE_INSTALL ?? "");
  if (isTold || json || env.CI || !input.isTTY) {
    say(`Installing, ${total}; GROUPWISE_INSTALL=no continues without.`);
    return true;
  }
  const asking = createInterface({ input, output });
  const gone = new Promise((resolve) => asking.once("close", () => resolve("no"))); // Ctrl-D, Ctrl-C
  const answer = await Promise.race([asking.question(`Install them, ${total}? [Y/n] `), gone]);
  asking.close();
  return /^\s*(y|yes)?\s*$/i.test(answer);
}
