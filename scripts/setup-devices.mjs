#!/usr/bin/env node
// Installs the devices and outside compilers that the tests run on: on Debian as root, after printing what and why, and
// after asking if a terminal is attached; elsewhere it prints what is missing and the commands that install it. Plain Node,
// without packages.
import { parseArgs } from "node:util";
import { install } from "./setup/apt.mjs";
import { consent, wantedItems } from "./setup/consent.mjs";
import { ITEMS } from "./setup/items.mjs";
import { atLeast, installed, system } from "./setup/system.mjs";

const USAGE = `usage: node scripts/setup-devices.mjs [--demo|--matrix] [--check] [--yes] [--json]
  --demo   only what the demo runs on
  --matrix also what npm run matrix runs on: further drivers and compilers, up to 3 GB
  --check  only say what is there and what is missing
  --yes    install without asking
  --json   one JSON object on stdout, progress on stderr
GROUPWISE_INSTALL=no in the environment means --check, GROUPWISE_INSTALL=yes means --yes; also for npm test.
exit code: 0 fine, 1 something that should have been installed could not be, 2 bad use`;

function options() {
  try {
    const { values } = parseArgs({
      options: {
        check: { type: "boolean", default: false },
        matrix: { type: "boolean", default: false },
        demo: { type: "boolean", default: false },
        yes: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false, short: "h" },
      },
    });
    return values;
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    process.exit(2);
  }
}

function missingPackages(item, versions) {
  return item.packages.filter((name) => {
    const version = versions.get(name);
    return version === undefined || (item.min?.[name] && !atLeast(version, item.min[name]));
  });
}

/** An item is installed when its packages are; one that makes more than packages decides itself. */
function isInstalled(item, where, versions) {
  if (where.family !== "debian") return item.found();
  const plain = item.plainFrom;
  if (plain && versions.has(plain.pkg) && atLeast(versions.get(plain.pkg), plain.min)) return true;
  return item.makes ? item.found() : missingPackages(item, versions).length === 0;
}

const remedy = (item, where, self) =>
  where.family === "debian"
    ? self
    : (item.elsewhere[where.family] ?? item.elsewhere.default ?? "see your system's packages");

const flags = options();
if (flags.help) {
  console.log(USAGE);
  process.exit(0);
}
const say = flags.json ? (line) => console.error(line) : (line) => console.log(line);
const where = system();
const items = wantedItems(ITEMS, flags).filter((item) => !item.notOn?.includes(where.family));
const names = [...new Set(items.flatMap((item) => [...item.packages, item.plainFrom?.pkg ?? []].flat()))];
const survey = () => {
  const versions = where.family === "debian" ? installed(names) : new Map();
  return { versions, missing: items.filter((item) => !isInstalled(item, where, versions)) };
};

const before = survey();
const self = `sudo node scripts/setup-devices.mjs${flags.matrix ? " --matrix" : ""}`;
const mayInstall = where.family === "debian" && where.root && !flags.check;
let canInstall = mayInstall;
let why = [];
if (before.missing.length > 0 && mayInstall) {
  say(
    `${flags.demo ? "The demo runs" : "Tests run"} on real devices and compilers. Missing on ${where.name}:`,
  );
  const groups = [];
  for (const item of before.missing) {
    const release = item.release?.[where.codename] ?? {};
    const group = missingPackages(item, before.versions).map((name) =>
      release[name] ? `${name}/${release[name]}` : name,
    );
    say(`- ${item.what} (${group.join(", ") || item.where?.()}; about ${item.disk} MB): ${item.why}`);
    if (group.length > 0) groups.push(group);
  }
  say("apt's own source lists are not changed.");
  const releases = [
    ...new Set(before.missing.flatMap((item) => Object.values(item.release?.[where.codename] ?? {}))),
  ];
  canInstall = await consent(before.missing, flags, say);
  if (canInstall && groups.length > 0)
    why = await install(groups, { codename: where.codename, releases, say });
  for (const { makes } of before.missing)
    if (canInstall && makes && why.length === 0) why = await makes({ codename: where.codename, say });
}

const after = canInstall && before.missing.length > 0 ? survey() : before;
const rows = items.map((item) => {
  const now = !after.missing.includes(item);
  const state = !now
    ? canInstall
      ? "failed"
      : "missing"
    : before.missing.includes(item)
      ? "installed"
      : "present";
  const path = now && item.where ? { path: item.where() } : {};
  return {
    id: item.id,
    what: item.what,
    why: item.why,
    state,
    ...path,
    ...(now ? {} : { remedy: remedy(item, where, self) }),
  };
});
const failed = rows.some((row) => row.state === "failed");
const reasons = !failed ? [] : why.length > 0 ? why : ["apt had nothing newer than what is installed"];

if (flags.json) {
  console.log(
    JSON.stringify({ system: where.name ?? where.family, ok: !failed, items: rows, reasons }, null, 2),
  );
} else {
  const gone = rows.filter((row) => row.remedy);
  if (flags.check)
    for (const row of rows) console.log(`${row.state.padEnd(9)} ${row.id.padEnd(9)} ${row.what}`);
  else if (gone.length === 0) console.log(`Devices: ${rows.map((row) => row.id).join(", ")} are available.`);
  for (const row of gone) console.log(`${row.state}: ${row.what} (${row.why})\n  install: ${row.remedy}`);
  if (gone.length > 0 && !failed)
    console.log(
      flags.demo
        ? "The demo runs on the available devices; JavaScript is always available."
        : "Tests of missing devices are skipped with the reason.",
    );
  for (const line of reasons) console.log(`  ${line}`);
}
process.exitCode = failed ? 1 : 0;
