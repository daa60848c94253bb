/** The measures of the sources, and their limits. */
import { dirname } from "node:path";

/** Largest numbers of lines, files and functions. */
export const LIMITS = {
  "lines of half the files": 80,
  "lines of 90 % of the files": 200,
  "lines of any file": 350,
  "lines of 99 % of the functions": 40,
  "lines of any function": 75,
  "parameters of any function": 5,
  "files in a folder": 16,
  "import cycles between folders": 0,
};

/** The value that a share of the numbers does not exceed. */
export function percentile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** Groups of folders that import one another, types included. */
export function cyclesOf(sources) {
  const next = new Map(sources.map(({ path }) => [dirname(path), new Set()]));
  for (const { path, imports } of sources)
    for (const other of imports)
      if (dirname(other) !== dirname(path)) next.get(dirname(path)).add(dirname(other));
  const reaches = new Map([...next.keys()].map((folder) => [folder, reachedFrom(folder, next)]));
  const isMutual = (a, b) => reaches.get(a).has(b) && reaches.get(b)?.has(a);
  const found = new Set();
  for (const folder of next.keys())
    if (isMutual(folder, folder))
      found.add([...next.keys()].filter((other) => isMutual(folder, other)).join(" "));
  return [...found];
}

function reachedFrom(start, next) {
  const found = new Set();
  const pending = [start];
  for (let one = pending.pop(); one !== undefined; one = pending.pop())
    for (const other of next.get(one) ?? []) if (!found.has(other)) pending.push(found.add(other) && other);
  return found;
}

/**
 * Every measure of the sources: its value, and what exceeds its limit.
 * @param {readonly import("./sources.mjs").Source[]} sources
 */
export function measure(sources) {
  const lines = sources.map((source) => source.lines);
  const signatures = sources.flatMap(({ path, functions }) => functions.map((one) => ({ path, ...one })));
  const functions = signatures.filter((one) => one.lines > 0);
  const folders = new Map();
  for (const { path } of sources) folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), path]);
  const cycles = cyclesOf(sources);
  const longFiles = (limit) => sources.filter((s) => s.lines > limit).map((s) => `${s.path}: ${s.lines}`);
  const longFunctions = (limit) =>
    functions
      .filter((one) => one.lines > limit)
      .map((one) => `${one.path}:${one.line} ${one.name}: ${one.lines}`);
  const rows = {
    "lines of half the files": [percentile(lines, 0.5), []],
    "lines of 90 % of the files": [percentile(lines, 0.9), longFiles(LIMITS["lines of 90 % of the files"])],
    "lines of any file": [Math.max(...lines), longFiles(LIMITS["lines of any file"])],
    "lines of 99 % of the functions": [
      percentile(
        functions.map((f) => f.lines),
        0.99,
      ),
      longFunctions(LIMITS["lines of 99 % of the functions"]),
    ],
    "lines of any function": [
      Math.max(0, ...functions.map((one) => one.lines)),
      longFunctions(LIMITS["lines of any function"]),
    ],
    "parameters of any function": [
      Math.max(0, ...signatures.map(({ parameters }) => parameters)),
      signatures
        .filter(({ parameters }) => parameters > LIMITS["parameters of any function"])
        .map((one) => `${one.path}:${one.line} ${one.name}: ${one.parameters}`),
    ],
    "files in a folder": [
      Math.max(...[...folders.values()].map((files) => files.length)),
      [...folders]
        .filter(([, files]) => files.length > LIMITS["files in a folder"])
        .map(([folder, files]) => `${folder}: ${files.length}`),
    ],
    "import cycles between folders": [cycles.length, cycles],
  };
  return Object.entries(LIMITS).map(([name, limit]) => {
    const [value, look] = rows[name];
    return { name, value, limit, isMet: value <= limit, look };
  });
}
