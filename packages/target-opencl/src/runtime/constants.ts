/** Numbers of cl.h. */
export const CL = {
  TRUE: 1,
  DEVICE_TYPE_ALL: 0xffffffffn,
  PLATFORM_NAME: 0x0902,
  CONTEXT_PLATFORM: 0x1084n,
  DEVICE_TYPE: 0x1000,
  DEVICE_MAX_WORK_GROUP_SIZE: 0x1004,
  DEVICE_MAX_MEM_ALLOC_SIZE: 0x1010,
  DEVICE_SINGLE_FP_CONFIG: 0x101b,
  DEVICE_GLOBAL_MEM_SIZE: 0x101f,
  DEVICE_LOCAL_MEM_SIZE: 0x1023,
  DEVICE_NAME: 0x102b,
  DEVICE_VENDOR: 0x102c,
  DRIVER_VERSION: 0x102d,
  DEVICE_VERSION: 0x102f,
  DEVICE_EXTENSIONS: 0x1030,
  DEVICE_OPENCL_C_VERSION: 0x103d,
  PROGRAM_BUILD_LOG: 0x1183,
  KERNEL_WORK_GROUP_SIZE: 0x11b0,
  MEM_READ_WRITE: 1n,
} as const;

/** Bits of CL_DEVICE_SINGLE_FP_CONFIG. */
export const FP = {
  DENORM: 0x1n,
  INF_NAN: 0x2n,
  ROUND_TO_NEAREST: 0x4n,
  FMA: 0x20n,
  CORRECTLY_ROUNDED_DIVIDE_SQRT: 0x80n,
} as const;

/** Bits of CL_DEVICE_TYPE. */
export const DEVICE_TYPES: readonly (readonly [
  bit: bigint,
  name: "cpu" | "gpu" | "accelerator" | "custom",
])[] = [
  [1n << 2n, "gpu"],
  [1n << 1n, "cpu"],
  [1n << 3n, "accelerator"],
  [1n << 4n, "custom"],
];

/** Status codes by number, for messages. */
export const STATUS: Readonly<Record<number, string>> = {
  [-1]: "CL_DEVICE_NOT_FOUND",
  [-2]: "CL_DEVICE_NOT_AVAILABLE",
  [-3]: "CL_COMPILER_NOT_AVAILABLE",
  [-4]: "CL_MEM_OBJECT_ALLOCATION_FAILURE",
  [-5]: "CL_OUT_OF_RESOURCES",
  [-6]: "CL_OUT_OF_HOST_MEMORY",
  [-11]: "CL_BUILD_PROGRAM_FAILURE",
  [-14]: "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
  [-30]: "CL_INVALID_VALUE",
  [-33]: "CL_INVALID_DEVICE",
  [-34]: "CL_INVALID_CONTEXT",
  [-36]: "CL_INVALID_COMMAND_QUEUE",
  [-38]: "CL_INVALID_MEM_OBJECT",
  [-43]: "CL_INVALID_BUILD_OPTIONS",
  [-44]: "CL_INVALID_PROGRAM",
  [-45]: "CL_INVALID_PROGRAM_EXECUTABLE",
  [-46]: "CL_INVALID_KERNEL_NAME",
  [-48]: "CL_INVALID_KERNEL",
  [-49]: "CL_INVALID_ARG_INDEX",
  [-50]: "CL_INVALID_ARG_VALUE",
  [-51]: "CL_INVALID_ARG_SIZE",
  [-52]: "CL_INVALID_KERNEL_ARGS",
  [-54]: "CL_INVALID_WORK_GROUP_SIZE",
  [-55]: "CL_INVALID_WORK_ITEM_SIZE",
  [-61]: "CL_INVALID_BUFFER_SIZE",
  [-63]: "CL_INVALID_GLOBAL_WORK_SIZE",
  [-1001]: "CL_PLATFORM_NOT_FOUND_KHR",
};

/** The loader answers so where it finds no driver. */
export const NO_PLATFORM = -1001;
export const DEVICE_NOT_FOUND = -1;
