import { conformance } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

conformance("WGSL on lavapipe", () => runtimeOn("lavapipe"), { slowCompiler: true });
conformance("WGSL on SwiftShader", () => runtimeOn("swiftshader"), { slow: true, slowCompiler: true });
