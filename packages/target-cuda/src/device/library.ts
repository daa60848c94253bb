/** Opens the libraries of CUDA. */
import { importKoffi, once, openNative } from "@groupwise/target-c/native";
import { COMPILER, Cuda, DRIVER } from "./ffi.ts";

interface Files {
  readonly driver: readonly string[];
  readonly compiler: readonly string[];
}

const VERSIONS = ["13", "12", "11.2"];
const INSTALLED = [process.env.CUDA_PATH, process.env.CUDA_HOME, "/usr/local/cuda"].filter(
  (path) => path !== undefined && path !== "",
);
const LINUX: Files = {
  driver: ["libcuda.so.1", "libcuda.so"],
  compiler: [
    "libnvrtc.so",
    ...VERSIONS.map((version) => `libnvrtc.so.${version}`),
    ...INSTALLED.map((path) => `${path}/lib64/libnvrtc.so`),
  ],
};
const WINDOWS: Files = {
  driver: ["nvcuda.dll"],
  compiler: ["nvrtc64_130_0.dll", "nvrtc64_120_0.dll", "nvrtc64_112_0.dll"],
};
const WITHOUT_DRIVER = {
  what: "CUDA",
  reason: "its driver library cannot be opened",
  remedy: "install the driver of your NVIDIA GPU",
};
const WITHOUT_COMPILER = {
  what: "CUDA",
  reason: "its compiler library, NVRTC, cannot be opened",
  remedy: "install it from NVIDIA's CUDA toolkit (cuda-nvrtc), or set CUDA_PATH to where it is",
};

async function open(): Promise<Cuda> {
  const koffi = await importKoffi("CUDA");
  const files = process.platform === "win32" ? WINDOWS : LINUX;
  const driver = openNative(koffi, files.driver, DRIVER, WITHOUT_DRIVER);
  const compiler = openNative(koffi, files.compiler, COMPILER, WITHOUT_COMPILER);
  const cuda = new Cuda(koffi, new Map([...driver, ...compiler]));
  cuda.call("cuInit", 0);
  return cuda;
}

/**
 * Opens koffi and the libraries, once.
 * @throws GroupwiseError `device-missing`, `device-error`
 */
export const openLibrary: () => Promise<Cuda> = /*@__PURE__*/ once(open);
