// The system: platform family, Debian release, root, installed packages.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

function osRelease() {
  if (!existsSync("/etc/os-release")) return {};
  const pairs = readFileSync("/etc/os-release", "utf8").matchAll(/^(\w+)=("?)(.*)\2$/gm);
  return Object.fromEntries([...pairs].map(([, key, , value]) => [key, value]));
}

/** `family` is a key of an item's `elsewhere`: debian, ubuntu, fedora, arch, darwin, win32 or linux. */
export function system() {
  if (process.platform !== "linux") return { family: process.platform, codename: "", root: false };
  const release = osRelease();
  const names = [release.ID, ...(release.ID_LIKE ?? "").split(" ")];
  const family = ["ubuntu", "debian", "fedora", "arch"].find((name) => names.includes(name)) ?? "linux";
  // A derivative of Debian has its own codenames: the commands are printed, and nothing is installed.
  const debian = release.ID === "debian" && existsSync("/usr/bin/apt-get");
  return {
    family: family === "debian" && !debian ? "ubuntu" : family,
    codename: release.VERSION_CODENAME ?? "",
    name: release.PRETTY_NAME ?? "Linux",
    root: process.getuid?.() === 0,
  };
}

/** Versions of those of `packages` that are installed and configured, in this system or by a database of another. */
export function installed(packages, database = "/var/lib/dpkg") {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own format
  const format = "${Package} ${db:Status-Status} ${Version}\n";
  const { stdout } = spawnSync("dpkg-query", [`--admindir=${database}`, "-W", "-f", format, ...packages], {
    encoding: "utf8",
  });
  const rows = (stdout ?? "")
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
  return new Map(
    rows.filter(([, status]) => status === "installed").map(([name, , version]) => [name, version]),
  );
}

/** Is the leading number of a Debian version (epoch dropped) at least `min`? */
export function atLeast(version, min) {
  return Number.parseInt(version.replace(/^\d+:/, ""), 10) >= Number.parseInt(min, 10);
}
