/**
 * For targets whose runtimes call native libraries: koffi, loaded at first use.
 * @module
 */

export {
  importKoffi,
  type Koffi,
  type KoffiLibrary,
  type NativeCall,
  NativeLibrary,
  once,
  openNative,
  P,
  type Signatures,
  yieldOf,
} from "./device/native.ts";
export { KeptCode, PROGRAM_CACHE, type ProgramCache, type ProgramStore } from "./device/program-store.ts";
