/** The rules of the sources that manifests do not hold: order within a package, no circle of values, one meaning for a name of a type. */

/** What a file may not import; `$1` is the group of the first pattern. */
const FORBIDDEN = [
  ["/strategies/([^/]+)/", "/strategies/(?!$1/)[^/]+/", "a strategy imports no other strategy"],
  ["/strategies/[^/]+$", "/strategies/[^/]+/", "what strategies share imports none of them"],
  ["^packages/lower/src/(?!strategies)", "/strategies/", "only the list of strategies imports them"],
  [
    "^packages/(runtime|streams)/",
    "/strategies/(?!look-back/)",
    "the code of chunks is between the kernels of look-back alone",
  ],
  [
    "^packages/runtime/src/plan/",
    "/print[/-]",
    "manifests and plans describe modules: they import no printer",
  ],
  [
    "^packages/target-[^/]+/src/(?!.*tools)",
    "/tools(/|\\.ts$)",
    "tools list devices: only the registry imports them",
  ],
  [
    "^packages/target-wgsl/src/(?!tools|node|device/(?:open|node))",
    "/node(/|\\.ts$)",
    "WGSL is emitted and run in browsers: only tools and the entry for Node use Node",
  ],
];

/** Why a file may not import another; undefined if it may. */
export function refusalOf(from, to) {
  for (const [one, another, reason] of FORBIDDEN) {
    const match = from.match(one);
    if (match && new RegExp(another.replace("$1", match[1])).test(to)) return reason;
  }
  return undefined;
}

/** Every import that is refused, with the reason. */
export const againstOrder = (sources) =>
  sources.flatMap(({ path, imports }) =>
    imports.flatMap((to) => {
      const reason = refusalOf(path, to);
      return reason === undefined ? [] : [`${path} imports ${to}: ${reason}`];
    }),
  );

/** Every file from which one is reached, itself only through others. */
export function reachedFrom(start, next) {
  const found = new Set();
  const pending = [start];
  for (let one = pending.pop(); one !== undefined; one = pending.pop())
    for (const other of next.get(one) ?? []) if (!found.has(other)) pending.push(found.add(other) && other);
  return found;
}

/** Groups of files that reach one another through imports that remain at run time. */
export function circlesOf(sources) {
  const next = new Map(sources.map(({ path, values }) => [path, values]));
  const reached = new Map(sources.map(({ path }) => [path, reachedFrom(path, next)]));
  const groups = sources
    .filter(({ path }) => reached.get(path).has(path))
    .map(({ path }) =>
      [...reached.get(path)]
        .filter((other) => reached.get(other)?.has(path))
        .sort()
        .join(" "),
    );
  return [...new Set(groups)];
}

/** Names of exported types that several files define. */
export function sharedNames(sources) {
  const files = new Map();
  for (const { path, types } of sources)
    for (const name of types) files.set(name, [...(files.get(name) ?? []), path]);
  return [...files].filter(([, paths]) => paths.length > 1).map(([name]) => name);
}
