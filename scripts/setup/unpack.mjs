// node scripts/setup/unpack.mjs PACKAGE RELEASE FOLDER: a package of a Debian release, unpacked and not installed.
import { readFileSync } from "node:fs";
import { unpack } from "./apt.mjs";

const [, , name, release, into] = process.argv;
const codename = readFileSync("/etc/os-release", "utf8").match(/^VERSION_CODENAME=(\S+)/m)?.[1];
const why = await unpack(name, { codename, release, into });
for (const line of why) console.error(line);
process.exitCode = why.length > 0 ? 1 : 0;
