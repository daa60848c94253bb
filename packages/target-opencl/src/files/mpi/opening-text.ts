/** The functions of a device's file that find, open and close devices. */
import type { Requirement } from "./requirements.ts";

const TESTS: readonly (readonly [call: string, text: string])[] = [
  [
    "divides_right",
    `
static bool divides_right(cl_device_id id) {
  cl_device_fp_config config = 0;
  clGetDeviceInfo(id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, NULL);
  return (config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
}
`,
  ],
  [
    "has_extension",
    `
static bool has_extension(cl_device_id id, const char *name) {
  bool has = false;
  char *list;
  READ_TEXT(list, clGetDeviceInfo, id, CL_DEVICE_EXTENSIONS);
  for (const char *found = list; found != NULL && !has; found = strchr(found, ' ')) {
    found += strspn(found, " ");
    const size_t length = strcspn(found, " ");
    has = length == strlen(name) && memcmp(found, name, length) == 0;
  }
  free(list);
  return has;
}
`,
  ],
];

/** The functions that the requirements call. */
const testsFor = (requirements: readonly Requirement[]): string =>
  TESTS.filter(([call]) => requirements.some(({ test }) => test.startsWith(call)))
    .map(([, text]) => text)
    .join("");

/** The device of the process. */
const STATE = (prefix: string): string => `
#define PLATFORMS 16
#define DEVICES 64
#define LOG_BYTES ((size_t)1 << 20) // of a compiler's log that are reported

struct device {
  bool is_open;
  cl_ulong longest, all; // bytes of one buffer, and of all
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  struct ${prefix}_kernels kernels;
};
static struct device device;

// Sets \`text\` to the text that a query returns, which the caller frees; NULL if it returns none.
#define READ_TEXT(text, query, ...) \\
  do { \\
    size_t size = 0; \\
    text = query(__VA_ARGS__, 0, NULL, &size) == CL_SUCCESS ? calloc(size + 1, 1) : NULL; \\
    if (text != NULL && query(__VA_ARGS__, size, text, NULL) != CL_SUCCESS) { \\
      free(text); \\
      text = NULL; \\
    } \\
  } while (0)
`;

const FIND = `
// The devices that are available, first in the list; their number.
static cl_uint available(cl_device_id *found, cl_uint count) {
  cl_uint left = 0;
  for (cl_uint i = 0; i < count; i++) {
    cl_bool is_available = CL_FALSE;
    clGetDeviceInfo(found[i], CL_DEVICE_AVAILABLE, sizeof is_available, &is_available, NULL);
    if (is_available) found[left++] = found[i];
  }
  return left;
}

// Whether GW_DEVICE_PLATFORM is not set, or is a part of the platform's name.
static bool is_wanted(cl_platform_id platform) {
  const char *part = getenv("GW_DEVICE_PLATFORM");
  if (part == NULL) return true;
  char *name;
  READ_TEXT(name, clGetPlatformInfo, platform, CL_PLATFORM_NAME);
  const bool is_part = name != NULL && strstr(name, part) != NULL;
  free(name);
  return is_part;
}

// The devices of a kind, of all platforms in their order.
static int find_kind(cl_device_type kind, cl_device_id *found) {
  cl_platform_id platforms[PLATFORMS];
  cl_uint count = 0, all = 0;
  if (clGetPlatformIDs(PLATFORMS, platforms, &count) != CL_SUCCESS) return 0;
  for (cl_uint i = 0; i < count && i < PLATFORMS && all < DEVICES; i++) {
    const cl_uint room = DEVICES - all;
    cl_uint more = 0;
    if (!is_wanted(platforms[i])) continue;
    if (clGetDeviceIDs(platforms[i], kind, room, found + all, &more) != CL_SUCCESS) continue;
    all += available(found + all, more < room ? more : room);
  }
  return (int)all;
}

// The devices of the kind that GW_DEVICE_KIND names. If it is not set, all GPUs, or all devices if there is no GPU.
static int find_devices(cl_device_id *found) {
  static const struct { const char *name; cl_device_type type; } KINDS[] = {
    {"gpu", CL_DEVICE_TYPE_GPU},
    {"cpu", CL_DEVICE_TYPE_CPU},
    {"accelerator", CL_DEVICE_TYPE_ACCELERATOR},
    {"any", CL_DEVICE_TYPE_ALL},
  };
  const char *kind = getenv("GW_DEVICE_KIND");
  if (kind == NULL) {
    const int gpus = find_kind(CL_DEVICE_TYPE_GPU, found);
    return gpus > 0 ? gpus : find_kind(CL_DEVICE_TYPE_ALL, found);
  }
  for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
    if (strcmp(kind, KINDS[i].name) == 0) return find_kind(KINDS[i].type, found);
  note("GW_DEVICE_KIND is gpu, cpu, accelerator or any, not %s", kind);
  return 0;
}
`;

/** The functions that build the kernels for a device. */
const BUILD = (prefix: string, macro: string): string => `
static void note_log(const struct device *one) {
  char *log;
  READ_TEXT(log, clGetProgramBuildInfo, one->program, one->id, CL_PROGRAM_BUILD_LOG);
  size_t length = log == NULL ? 0 : strlen(log);
  while (length > 0 && log[length - 1] == '\\n') length--;
  if (length == 0) note("the kernels are not built: the driver returns no log");
  else if (length <= LOG_BYTES) note("the kernels are not built: %.*s", (int)length, log);
  else note("the kernels are not built: %.*s\\n(and %zu more bytes)", (int)LOG_BYTES, log, length - LOG_BYTES);
  free(log);
}

static void release(struct device *one) {
  ${prefix}_release_kernels(&one->kernels);
  if (one->program) clReleaseProgram(one->program);
  if (one->queue) clReleaseCommandQueue(one->queue);
  if (one->context) clReleaseContext(one->context);
  memset(one, 0, sizeof *one);
}

static cl_int build(struct device *one) {
  cl_int status = CL_SUCCESS;
  one->context = clCreateContext(NULL, 1, &one->id, NULL, NULL, &status);
  TRY_AS("clCreateContext", status);
  one->queue = clCreateCommandQueue(one->context, one->id, 0, &status);
  TRY_AS("clCreateCommandQueue", status);
  // Some drivers do not accept pointers to const.
  one->program = clCreateProgramWithSource(
    one->context, sizeof KERNELS / sizeof *KERNELS, (const char **)(uintptr_t)KERNELS, NULL, &status);
  TRY_AS("clCreateProgramWithSource", status);
  status = clBuildProgram(one->program, 1, &one->id, ${macro}_BUILD_OPTIONS, NULL, NULL);
  if (status == CL_BUILD_PROGRAM_FAILURE) note_log(one);
  TRY_AS("clBuildProgram", status);
  TRY(${prefix}_make_kernels(one->program, &one->kernels));
done:
  return status;
}
`;

/** The memory of a device, and the items of a piece that it has room for. */
const MEASURE = ({ lengths }: Opening): string => `
// The memory of a device that so many processes share, half of which is left to others.
static void measure(struct device *one, int sharing) {
  clGetDeviceInfo(one->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof one->longest, &one->longest, NULL);
  clGetDeviceInfo(one->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof one->all, &one->all, NULL);
  one->all = one->all / 2 / (cl_ulong)sharing;
}

// The maximum number of items of a piece that fits into the device's memory beside the tables.
static uint64_t room_of(${["const struct device *one", ...lengths.map(({ name }) => `size_t ${name}`)].join(", ")}) {
  for (uint64_t room = MOST; room >= GW_DEVICE_LEAST; room /= 2)
    if (has_room(${["one", "(size_t)room", ...lengths.map(({ name }) => name)].join(", ")})) return room;
  return 0;
}
`;

/** The functions of the header, but the ones that open the device and run a piece. */
const CLOSE = ({ symbol, macro, lengths, room }: Opening): string => `
void ${symbol}_device_close(void) {
  for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
    if (slots[i]->buffer) clReleaseMemObject(slots[i]->buffer);
    memset(slots[i], 0, sizeof *slots[i]);
  }
  release(&device);
}

const char *${symbol}_device_problem(void) { return problem == NULL ? "" : problem; }

int ${symbol}_device_room(${room.join(", ")}) {
  forget();
  *room = 0;
  if (!device.is_open) return GW_NO_DEVICE;
${lengths.map(({ text }) => `  if (${text} > ${macro}_MAX_ITEMS) return GW_TABLE_TOO_LONG;\n`).join("")}  *room = room_of(${["&device", ...lengths.map(({ text }) => text)].join(", ")});
  if (*room > 0) return GW_OK;
  note("the OpenCL device has no memory for %llu items and the tables", (unsigned long long)GW_DEVICE_LEAST);
  return GW_NO_MEMORY;
}
`;

const OPEN = ({ symbol, lengths }: Opening): string => `
int ${symbol}_device_open(int number, int rank, int ranks) {
  forget();
  if (device.is_open && number < 0) return GW_OK;
  cl_device_id found[DEVICES];
  const int count = find_devices(found);
  if (count == 0) {
    if (problem == NULL) note("no OpenCL device is found");
    return GW_NO_DEVICE;
  }
  if (number >= count) {
    note("there is no OpenCL device %d: the last one is %d", number, count - 1);
    return GW_NO_DEVICE;
  }
  struct device made;
  memset(&made, 0, sizeof made);
  made.id = found[number < 0 ? rank % count : number];
  const char *what = lacking(made.id);
  if (what != NULL) {
    note("the OpenCL device lacks %s", what);
    return GW_NO_DEVICE;
  }
  measure(&made, number < 0 ? (ranks + count - 1) / count : ranks);
  if (room_of(${["&made", ...lengths.map(() => "0")].join(", ")}) == 0) {
    note("the OpenCL device has no memory for %llu items", (unsigned long long)GW_DEVICE_LEAST);
    return GW_NO_MEMORY;
  }
  if (device.is_open && device.id == made.id) {
    device.all = made.all;
    return GW_OK;
  }
  const cl_int status = build(&made);
  if (status != CL_SUCCESS) {
    release(&made);
    return result_of(status);
  }
  ${symbol}_device_close();
  device = made;
  device.is_open = true;
  return GW_OK;
}
`;

/** The names in the functions. */
export interface Opening {
  /** The function over a chunk. */
  readonly symbol: string;
  readonly prefix: string;
  readonly macro: string;
  readonly requirements: readonly Requirement[];
  /** The lengths of the caller's tables: the names in functions of sizes, and of arguments. */
  readonly lengths: readonly { readonly name: string; readonly text: string }[];
  /** The declarations of the arguments of `…_device_room`. */
  readonly room: readonly string[];
}

/** The state of the device, before the functions that use it. */
export const stateText = ({ prefix }: Pick<Opening, "prefix">): string => STATE(prefix);

/** The functions that find, open and close a device. */
export const openingText = (opening: Opening): string => {
  const { prefix, macro, requirements } = opening;
  const lacking = `
// The first thing that a device lacks; NULL if it has all.
static const char *lacking(cl_device_id id) {
${requirements.map(({ test, what }) => `  if (!${test}) return "${what}";`).join("\n") || "  (void)id;"}
  return NULL;
}
`;
  return [
    testsFor(requirements),
    lacking,
    FIND,
    BUILD(prefix, macro),
    MEASURE(opening),
    CLOSE(opening),
    OPEN(opening),
  ].join("");
};
