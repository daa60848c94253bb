// PoCL 6 is installed in a small Debian 13 root file system, beside the system's PoCL.
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { mirrorOf } from "./apt.mjs";
import { reason, run } from "./run.mjs";

export const pocl6Root = () =>
  join(process.env.GROUPWISE_CACHE || join(homedir(), ".cache/groupwise"), "pocl6");

const UNUSED = ["var/cache/apt", "var/lib/apt/lists", "usr/share/doc", "usr/share/locale", "usr/share/man"];

// The root file system gets its final name when it is complete.
export const pocl6Ready = () => existsSync(join(pocl6Root(), "etc/OpenCL/vendors/pocl.icd"));

/** @returns {Promise<string[]>} the reasons of failures, empty if there are none */
export async function makePocl6({ codename, say }) {
  const mirror = mirrorOf(codename);
  if (mirror === undefined) return [`apt's lists name no source of ${codename} to make it from`];
  const root = pocl6Root();
  const partial = `${root}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(dirname(root), { recursive: true });
  const args = [
    "--variant=minbase",
    "--include=pocl-opencl-icd,ocl-icd-libopencl1",
    "trixie",
    partial,
    mirror,
  ];
  const made = await run("debootstrap", args, { say, label: "making the root of PoCL 6" });
  if (made.code !== 0) return reason(made.log);
  for (const name of UNUSED) rmSync(join(partial, name), { recursive: true, force: true });
  rmSync(root, { recursive: true, force: true });
  renameSync(partial, root);
  return [];
}
