/** The devices of this machine, as their drivers describe them. */
import type { Handle } from "@groupwise/core/queue";
import { errorOf } from "@groupwise/core/target";
import { CL, DEVICE_NOT_FOUND, DEVICE_TYPES, FP, NO_PLATFORM } from "./constants.ts";
import type { OpenCl } from "./ffi.ts";

/** The description of a device by its driver. */
export interface OpenClDevice {
  /** Its index in the list, from 0. */
  readonly index: number;
  readonly platform: string;
  readonly name: string;
  readonly vendor: string;
  readonly driver: string;
  /** `OpenCL 3.0 …` */
  readonly version: string;
  /** `OpenCL C 1.2 …` */
  readonly languageVersion: string;
  /** Versions of OpenCL C that its compiler supports, if it lists them (from OpenCL 3.0 on): `3.0`, … */
  readonly languages: readonly string[];
  /** Optional features of OpenCL C 3.0 that it lists. */
  readonly features: readonly string[];
  readonly type: "cpu" | "gpu" | "accelerator" | "custom";
  /** Cores of a CPU, multiprocessors of a GPU. */
  readonly computeUnits: number;
  readonly maxWorkGroupSize: number;
  /** Bytes of work-group memory. */
  readonly localMemory: number;
  /** Bytes of device memory. */
  readonly globalMemory: number;
  /** Bytes of the largest buffer. */
  readonly maxAllocation: number;
  /** Alignment in bytes of the parts of a buffer that kernels use. */
  readonly alignment: number;
  readonly extensions: readonly string[];
  /** The major number of the compute capability of NVIDIA's devices. */
  readonly computeCapability?: number;
  /** Properties of 32-bit floats. */
  readonly floats: {
    readonly subnormals: boolean;
    readonly infinitiesAndNaN: boolean;
    readonly correctlyRoundedDivide: boolean;
    readonly fma: boolean;
  };
}

/** A device and its OpenCL identifiers. */
export interface FoundOpenclDevice {
  readonly info: OpenClDevice;
  readonly platform: Handle;
  readonly device: Handle;
}

/** Ids of a two-step list; none if the driver reports none. */
function ids(
  cl: OpenCl,
  name: "clGetPlatformIDs" | "clGetDeviceIDs",
  ...args: readonly (Handle | number)[]
): Handle[] {
  const count = new Uint32Array(1);
  const status = cl.status(name, ...args, 0, null, count);
  if (status === NO_PLATFORM || status === DEVICE_NOT_FOUND) return [];
  cl.check(name, status);
  const list = new BigUint64Array(count[0] as number);
  if (list.length > 0) cl.call(name, ...args, list.length, list, null);
  return [...list];
}

export function findDevices(cl: OpenCl): FoundOpenclDevice[] {
  const pairs = ids(cl, "clGetPlatformIDs").flatMap((platform) =>
    ids(cl, "clGetDeviceIDs", platform, CL.DEVICE_TYPE_ALL).map((device) => ({ platform, device })),
  );
  return pairs.map((pair, index) => ({ ...pair, info: describe(cl, pair.platform, pair.device, index) }));
}

function describe(cl: OpenCl, platform: Handle, device: Handle, index: number): OpenClDevice {
  const text = (what: number): string => cl.text("clGetDeviceInfo", device, what);
  const integer = (what: number): bigint => cl.integer("clGetDeviceInfo", device, what);
  const type = integer(CL.DEVICE_TYPE);
  const floats = integer(CL.DEVICE_SINGLE_FP_CONFIG);
  const has = (bit: bigint): boolean => (floats & bit) !== 0n;
  const extensions = text(CL.DEVICE_EXTENSIONS).split(/\s+/).filter(Boolean);
  const isNvidia = extensions.includes("cl_nv_device_attribute_query");
  return {
    index,
    platform: cl.text("clGetPlatformInfo", platform, CL.PLATFORM_NAME),
    name: text(CL.DEVICE_NAME),
    vendor: text(CL.DEVICE_VENDOR),
    driver: text(CL.DRIVER_VERSION),
    version: text(CL.DEVICE_VERSION),
    languageVersion: text(CL.DEVICE_OPENCL_C_VERSION),
    languages: listed(cl, device, CL.DEVICE_OPENCL_C_ALL_VERSIONS).map(({ version }) => version),
    features: listed(cl, device, CL.DEVICE_OPENCL_C_FEATURES).map(({ name }) => name),
    type: DEVICE_TYPES.find(([bit]) => (type & bit) !== 0n)?.[1] ?? "custom",
    computeUnits: Number(integer(CL.DEVICE_MAX_COMPUTE_UNITS)),
    maxWorkGroupSize: Number(integer(CL.DEVICE_MAX_WORK_GROUP_SIZE)),
    localMemory: Number(integer(CL.DEVICE_LOCAL_MEM_SIZE)),
    globalMemory: Number(integer(CL.DEVICE_GLOBAL_MEM_SIZE)),
    maxAllocation: Number(integer(CL.DEVICE_MAX_MEM_ALLOC_SIZE)),
    alignment: Math.max(1, Number(integer(CL.DEVICE_MEM_BASE_ADDR_ALIGN)) / 8),
    extensions,
    ...(isNvidia && { computeCapability: Number(integer(CL.DEVICE_COMPUTE_CAPABILITY_MAJOR_NV)) }),
    floats: {
      subnormals: has(FP.DENORM),
      infinitiesAndNaN: has(FP.INF_NAN),
      correctlyRoundedDivide: has(FP.CORRECTLY_ROUNDED_DIVIDE_SQRT),
      fma: has(FP.FMA),
    },
  };
}

/** True for a GPU; false for a device of several types, such as a simulator. */
export function isOnlyGpu(cl: OpenCl, device: Handle): boolean {
  const bits = cl.integer("clGetDeviceInfo", device, CL.DEVICE_TYPE);
  const names = DEVICE_TYPES.filter(([bit]) => (bits & bit) !== 0n).map(([, name]) => name);
  return names.length === 1 && names[0] === "gpu";
}

const NAME_VERSION_BYTES = 68;

/** An array of cl_name_version; empty if the driver is older than the query. */
function listed(cl: OpenCl, device: Handle, what: number): { version: string; name: string }[] {
  let bytes: Uint8Array;
  try {
    bytes = cl.bytes("clGetDeviceInfo", device, what);
  } catch {
    return [];
  }
  return Array.from({ length: Math.floor(bytes.length / NAME_VERSION_BYTES) }, (_, i) => {
    const row = bytes.slice(i * NAME_VERSION_BYTES, (i + 1) * NAME_VERSION_BYTES);
    const packed = new DataView(row.buffer).getUint32(0, true);
    const name = new TextDecoder().decode(row.subarray(4)).replace(/\0.*$/s, "");
    return { version: `${packed >>> 22}.${(packed >>> 12) & 0x3ff}`, name };
  });
}

/**
 * The requested device: by index, or by a part of its name, its platform's or its vendor's,
 * case-insensitively. Default: the first GPU, or the first device if there is no GPU.
 * @throws GroupwiseError `device-missing`
 */
export function chooseDevice(
  devices: readonly FoundOpenclDevice[],
  wish: number | string | undefined,
): FoundOpenclDevice {
  const matches = ({ info }: FoundOpenclDevice): boolean =>
    typeof wish === "number"
      ? info.index === wish
      : wish === undefined
        ? info.type === "gpu"
        : [info.name, info.platform, info.vendor].some((text) =>
            text.toLowerCase().includes(wish.toLowerCase()),
          );
  const found = devices.find(matches) ?? (wish === undefined ? devices[0] : undefined);
  if (found) return found;
  const listed = devices.map(({ info }) => `${info.index}: ${info.name} (${info.platform})`).join("; ");
  const reason =
    devices.length === 0
      ? "no driver has a device; on Debian, install a driver for the CPU with: apt install pocl-opencl-icd"
      : `there are ${listed}`;
  const what = wish === undefined ? "an OpenCL device" : `the OpenCL device ${JSON.stringify(wish)}`;
  throw errorOf("device-missing", { what, reason });
}
