#!/usr/bin/env bash
# One would guess that `getCompilationInfo()` of a shader module gives its messages, none for a valid module (WebGPU, "Shader Module Compilation Information"), or, where it is
# not built, that the method is absent, so that `"getCompilationInfo" in module` says so.
# bun-webgpu 0.1.7 has the method, and it throws `Error: getCompilationInfo not implemented` for each module, a valid one too. A program that asks for the messages of a module
# because a pipeline was refused thus reports this error in place of the refusal; here the error of the error scope stands.
# npm: bun-webgpu 0.1.7, on bun 1.4.4 (the binary of @oven/bun-linux-x64), Linux, x86-64. Needs npm and a Vulkan driver, such as Mesa's lavapipe.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts bun-webgpu@0.1.7 @oven/bun-linux-x64@1.4.4
cat >info.mjs <<'J'
import { setupGlobals } from "bun-webgpu";
setupGlobals();
const device = await (await navigator.gpu.requestAdapter()).requestDevice();
device.pushErrorScope("validation");
const module = device.createShaderModule({ code: "@compute @workgroup_size(1) fn main() {}" });
console.log("the module is valid:", (await device.popErrorScope()) === null);
console.log("has the method:", "getCompilationInfo" in module);
try {
  console.log("messages:", (await module.getCompilationInfo()).messages.length);
} catch ({ name, message }) {
  console.log(`${name}: ${message}`);
}
process.exit(0);
J
printf '%s\n' "the module is valid: true" "has the method: true" "Error: getCompilationInfo not implemented" >expected
echo "bun $(node_modules/@oven/bun-linux-x64/bin/bun --version), bun-webgpu $(node -p 'require("./node_modules/bun-webgpu/package.json").version')"
node_modules/@oven/bun-linux-x64/bin/bun run info.mjs 2>errors | tee seen
diff expected seen
