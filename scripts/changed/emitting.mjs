// Sources that decide what is emitted, and nothing else: what a runtime reads as well is not among them.

/** Of the files of `packages`. */
export const EMITTING = [
  /^core\/src\/(kernel|target)\.ts$/,
  // Runtimes read capabilities, sizes in memory and states, and print small programs that try a device.
  /^core\/src\/compiler\/(?!(capabilities|carry)\/|kernel\/memory\.ts|print\/(names|text)\.ts)/,
  /^target-wgsl\/src\/(emit|keywords|names|spelling|base\/(fast|own))\.ts$/,
  /^target-opencl\/src\/print\/(emit|fast|keywords|own|spelling)\.ts$/,
  /^target-c\/src\/(spelling\/|print\/(checks|emit|entry|formula|header)\.ts$)/,
  /^target-js\/src\/(emit|entry|formula|helpers|keywords|own|spelling)\.ts$/,
  /^target-js\/src\/gpu-js\/(emit|spelling)\.ts$/,
];

/** @param path from the root */
export const isEmitting = (path) =>
  path.startsWith("packages/") && EMITTING.some((pattern) => pattern.test(path.slice("packages/".length)));

/** Whether all tests of a file are checks of the conformance suite, which have names and texts. */
export const hasOnlyChecks = (text) =>
  /\bconformance(By)?\(/.test(text) && !/(?<![.\w])(deviceTest|test|it)(\.\w+)*(<[^>]*>)?\(/.test(text);
