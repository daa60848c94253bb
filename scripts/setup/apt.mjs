// apt with separate lists: files in /etc/apt and /var/lib/apt/lists are never written.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { reason, run } from "./run.mjs";

const ENV = { DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C.UTF-8" };
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
const PARTS = "/etc/apt/sources.list.d";
const PAUSES = [0, 5, 20];

function sourceFiles() {
  const parts = existsSync(PARTS) ? readdirSync(PARTS).filter((name) => /\.(list|sources)$/.test(name)) : [];
  return ["/etc/apt/sources.list", ...parts.map((name) => join(PARTS, name))].filter((file) =>
    existsSync(file),
  );
}

/** The address from which this machine installs `codename`, so that its mirror is used; undefined if there is none. */
export function mirrorOf(codename) {
  for (const file of sourceFiles()) {
    const text = readFileSync(file, "utf8");
    const line = text.match(new RegExp(`^deb\\s+(?:\\[[^\\]]*\\]\\s+)?(\\S+)\\s+${codename}\\s`, "m"));
    if (line) return line[1];
    for (const stanza of text.split(/\n\s*\n/)) {
      const suites =
        stanza
          .match(/^Suites:(.*)$/m)?.[1]
          ?.trim()
          .split(/\s+/) ?? [];
      const uri = stanza.match(/^URIs:\s*(\S+)/m)?.[1];
      if (uri && suites.includes(codename) && !/^Enabled:\s*no/im.test(stanza)) return uri;
    }
  }
  return undefined;
}

function privateLists(codename, releases) {
  const dir = mkdtempSync(join(tmpdir(), "groupwise-apt-"));
  chmodSync(dir, 0o755); // apt downloads as the user _apt
  mkdirSync(join(dir, "parts"));
  mkdirSync(join(dir, "lists/partial"), { recursive: true });
  for (const file of sourceFiles()) copyFileSync(file, join(dir, "parts", file.split("/").pop()));
  const signed = existsSync(KEYRING) ? ` [signed-by=${KEYRING}]` : "";
  const mirror = mirrorOf(codename);
  const lines = mirror ? releases.map((release) => `deb${signed} ${mirror} ${release} main\n`) : [];
  writeFileSync(join(dir, "parts/groupwise.list"), lines.join(""));
  return dir;
}

const aptOptions = (dir) =>
  [
    "Dir::Etc::SourceList=/dev/null",
    `Dir::Etc::SourceParts=${join(dir, "parts")}`,
    `Dir::State::Lists=${join(dir, "lists")}`,
    "Dir::Cache::pkgcache=",
    "Dir::Cache::srcpkgcache=",
    "DPkg::Lock::Timeout=120",
    "Acquire::Retries=3",
    "Acquire::Languages=none",
  ].flatMap((option) => ["-o", option]);

/**
 * Downloads the newest version of a package of a Debian release, without installing it, and unpacks it into an existing folder.
 * @returns {Promise<string[]>} the reasons of failures, empty if there are none
 */
export async function unpack(name, { codename, release, into }) {
  const dir = privateLists(codename, [release]);
  const options = aptOptions(dir);
  try {
    const update = await run("apt-get", ["-q", ...options, "update"], { env: ENV });
    const archive = join(dir, "archive.deb");
    const script = 'cd "$1" && shift && apt-get -q "$@" && mv ./*.deb archive.deb';
    const args = ["-c", script, "sh", dir, ...options, "download", `${name}/${release}`];
    const got = await run("sh", args, { env: ENV });
    if (got.code !== 0) return reason(`${update.log}\n${got.log}`);
    const { code, log } = await run("dpkg-deb", ["-x", archive, into]);
    return code === 0 ? [] : reason(log);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * Installs groups of packages with one update and one install. If that fails repeatedly, it installs group by group, so that
 * all available packages are installed. `releases`: further Debian releases that the names refer to.
 * @param {string[][]} groups package names, `name/release` for a given release
 * @returns {Promise<string[]>} the reasons of failures, empty if there are none
 */
export async function install(groups, { codename, releases, say }) {
  const dir = privateLists(codename, releases);
  const options = aptOptions(dir);
  const apt = (label, ...args) => run("apt-get", ["-q", "-y", ...options, ...args], { env: ENV, say, label });
  const get = (packages) => apt("installing", "install", "--no-install-recommends", ...packages);
  try {
    let updateLog = "";
    let log = "";
    for (const [attempt, pause] of PAUSES.entries()) {
      if (attempt > 0) say(`  ${reason(log).join("\n  ")}\n  trying again in ${pause} s`);
      await sleep(pause * 1000);
      // A broken third-party source makes the update fail although the install may succeed, so the result of the install counts.
      // An update that fetched nothing can exit with 0, so its log is read.
      updateLog = (await apt("reading package lists", "update")).log;
      const result = await get(groups.flat());
      if (result.code === 0) return [];
      log = `${updateLog}\n${result.log}`;
    }
    if (groups.length === 1) return reason(log);
    const why = [];
    for (const group of groups) {
      const result = await get(group);
      if (result.code !== 0) why.push(...reason(`${updateLog}\n${result.log}`));
    }
    return [...new Set(why)];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
