// Targets with drivers or compilers are tasks of turbo, by a script `test` of their manifest. One task has all others, which depend on most packages,
// so that most changes run them anyway: each vitest costs three seconds.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Folders of packages with a task of their own, and folders of the tests of all others. */
export function placesOfTests() {
  const places = ["packages", "apps"].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
  );
  const isOwn = (place) =>
    !!JSON.parse(readFileSync(join(ROOT, place, "package.json"), "utf8")).scripts?.test;
  const others = places.filter((place) => !isOwn(place) && existsSync(join(ROOT, place, "test")));
  return {
    own: places.filter(isOwn),
    others: [...others.map((place) => `${place}/test`), "examples/test", "scripts"],
  };
}
