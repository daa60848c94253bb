/** The modules that take the place of an import. Texts and manifests are in them as strings, so nothing in a name can become code. */
import type { Artifact } from "@groupwise/core";
import { type BundleTarget, type Request, textSpecifier } from "./request.ts";

const literal = (value: unknown): string => JSON.stringify(value);

/** An expression for plain data. Not an object literal: in one, `__proto__` is not a name. */
const parsed = (value: unknown): string => `JSON.parse(${literal(JSON.stringify(value))})`;

/** By target: the module whose default export loads what was emitted. */
const LOADERS: Readonly<Record<BundleTarget, (artifact: Artifact, request: Request) => string>> = {
  wgsl: ({ manifest, files }) => `import { load } from "@groupwise/target-wgsl/runtime";
export const manifest = ${parsed(manifest)};
const files = [${files
    .filter(({ path }) => path.endsWith(".wgsl"))
    .map(({ path, text }) => `{ path: ${literal(path)}, text: ${literal(text)} }`)
    .join(", ")}];
export default (device, name) => load(device, { manifest, files }, name);
`,
  js: ({ manifest }, request) => `import { load } from "@groupwise/target-js/runtime";
import { kernel } from ${literal(textSpecifier(request))};
export const manifest = ${parsed(manifest)};
export default () => load(manifest, { kernel });
`,
};

/** The code of a module. */
export const codeOf = (artifact: Artifact, request: Request): string =>
  request.isText ? (artifact.files[0]?.text ?? "") : LOADERS[request.target](artifact, request);
