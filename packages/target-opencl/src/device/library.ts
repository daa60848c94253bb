/** Opens the library of OpenCL. */
import {
  importKoffi,
  type NativeCall,
  once,
  openNative,
  P,
  type Signatures,
  yieldOf,
} from "@groupwise/target-c/native";
import { FUNCTIONS, MAKERS, OpenCl } from "./ffi.ts";

const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  linux: ["libOpenCL.so.1", "libOpenCL.so"],
  darwin: ["/System/Library/Frameworks/OpenCL.framework/OpenCL"],
  win32: ["OpenCL.dll"],
};
const MISSING = {
  what: "OpenCL",
  reason: "its loader library cannot be opened",
  remedy: "install one, on Debian with: apt install ocl-icd-libopencl1 and a driver such as pocl-opencl-icd",
};
const SIGNATURES: Signatures = {
  ...Object.fromEntries(Object.entries(FUNCTIONS).map(([name, args]) => [name, ["int", args]])),
  ...Object.fromEntries(Object.entries(MAKERS).map(([name, args]) => [name, [P, [...args, P]]])),
};

async function open(): Promise<OpenCl> {
  const koffi = await importKoffi("OpenCL");
  const files = LIBRARIES[process.platform] ?? (LIBRARIES.linux as readonly string[]);
  const natives: Map<string, NativeCall> = openNative(koffi, files, SIGNATURES, MISSING);
  return new OpenCl(natives, yieldOf(koffi), (memory) => BigInt(koffi.address(memory)));
}

/**
 * Opens koffi and the library, once.
 * @throws GroupwiseError `device-missing`
 */
export const openLibrary: () => Promise<OpenCl> = /*@__PURE__*/ once(open);
