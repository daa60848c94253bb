// Debian root file systems beside the system, for drivers and compilers of other releases than the system's.
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { mirrorOf } from "./apt.mjs";
import { reason, run } from "./run.mjs";
import { installed } from "./system.mjs";

const rootOf = (name) => join(process.env.GROUPWISE_CACHE || join(homedir(), ".cache/groupwise"), name);

const UNUSED = ["var/cache/apt", "var/lib/apt/lists", "usr/share/doc", "usr/share/locale", "usr/share/man"];
const ENV = { DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C.UTF-8" };
// The signature of sid is good for a week; mirrors may be older.
const OPTIONS = ["-q", "-y", "--no-install-recommends", "-o", "Acquire::Check-Valid-Until=false"];

/**
 * An item whose packages are in a root of their own: its part that makes and finds the root.
 * @param {string} name the folder; several items may share one
 * @param {string} release
 * @param {string[]} packages
 */
export const debianRoot = (name, release, packages) => ({
  makes: (how) => make(rootOf(name), release, packages, how),
  found: () => installed(packages, join(rootOf(name), "var/lib/dpkg")).size === packages.length,
  where: () => rootOf(name),
});

/** @returns {Promise<string[]>} the reasons of failures, empty if there are none */
async function make(root, release, packages, { codename, say }) {
  const mirror = mirrorOf(codename);
  if (mirror === undefined) return [`apt's lists name no source of ${codename} to make it from`];
  const isNew = !existsSync(root);
  // A new root gets its final name when it is complete.
  const folder = isNew ? `${root}.partial` : root;
  const steps = [
    ["chroot", [folder, "apt-get", ...OPTIONS, "update"]],
    ["chroot", [folder, "apt-get", ...OPTIONS, "install", ...packages]],
  ];
  if (isNew) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dirname(root), { recursive: true });
    steps.unshift(["debootstrap", ["--variant=minbase", release, folder, mirror]]);
  }
  for (const [command, args] of steps) {
    const { code, log } = await run(command, args, { env: ENV, say, label: `making the root of ${release}` });
    if (code !== 0) return reason(log);
  }
  for (const unused of UNUSED) rmSync(join(folder, unused), { recursive: true, force: true });
  if (isNew) renameSync(folder, root);
  return [];
}
