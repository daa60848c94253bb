#!/usr/bin/env bash
# One would guess that `import("data:text/javascript,export default 1.5")` gives the module, whose default export is 1.5: the type of a data: URL is what
# its head says (RFC 2397; HTML, "fetch a single module script"), and Node and Deno do so.
# Bun 1.4.4 and 1.4.5 take what follows the last dot of the URL for the extension of a file, and choose a loader by it: the default export is the URL itself, a string, here, and
# after `// a.txt` the text. No error is thrown. Without a dot, and in base64, the module is right. The dot may be anywhere in the text, as in `x.y`.
# npm: bun 1.4.4 and 1.4.5, Linux, x86-64 (the binaries of @oven/bun-linux-x64). Needs npm, and Node 20 or newer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >urls.mjs <<'J'
const base64 = (text) => `data:text/javascript;base64,${btoa(text)}`;
for (const url of [
  "data:text/javascript,export default 1",
  "data:text/javascript,export default 1.5",
  base64("export default 1.5"),
  "data:text/javascript,export default 1 // a.txt",
])
  console.log(typeof (await import(url)).default);
J
printf '%s\n' number number number number >right
printf '%s\n' number string number string >wrong
see() { # what is expected, and the command
  echo "$2:"
  "${@:2}" urls.mjs | tee seen
  diff "$1" seen
}
see right node
for version in 1.4.4 1.4.5; do
  mkdir "$version"
  echo '{}' >"$version/package.json"
  (cd "$version" && npm install --silent --no-audit --no-fund --ignore-scripts "@oven/bun-linux-x64@$version")
  see wrong "$version/node_modules/@oven/bun-linux-x64/bin/bun"
done
