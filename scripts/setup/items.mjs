// The devices and outside compilers of the tests, and how each platform installs them. One row for each.
import { existsSync, readdirSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { debianRoot } from "./roots.mjs";

const onPath = (...names) =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .some((dir) => names.some((name) => existsSync(join(dir, name)) || existsSync(join(dir, `${name}.exe`))));

const inAny = (dirs, pattern) =>
  dirs.some(
    (dir) =>
      statSync(dir, { throwIfNoEntry: false })?.isDirectory() &&
      readdirSync(dir).some((f) => pattern.test(f)),
  );

const VULKAN_DIRS = ["/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"];
const OPENCL_DIRS = [
  "/etc/OpenCL/vendors",
  "/usr/local/etc/OpenCL/vendors",
  "/opt/homebrew/etc/OpenCL/vendors",
];

const NEEDS_DEBIAN = "needs Debian and root: sudo node scripts/setup-devices.mjs --matrix";

/**
 * `demo`: the demo runs on it; tests run on all but those of the `matrix`, which are installed only when asked for. `disk`: approximate MB on disk with dependencies, on a Debian that has none
 * of them; `packages`: Debian packages, `min` their least version, `release` the Debian release of a newer one, by codename.
 * `makes`: an action after its packages are installed. `found`: how to detect it without dpkg. `elsewhere`: the command, by
 * platform.
 */
export const ITEMS = [
  {
    id: "lavapipe",
    demo: true,
    disk: 70,
    what: "Mesa lavapipe, a Vulkan driver on the CPU",
    why: "runs the emitted WGSL in Node through Dawn (older than Mesa 23, Dawn finds no adapter)",
    packages: ["mesa-vulkan-drivers", "libvulkan1"],
    min: { "mesa-vulkan-drivers": "23" },
    release: { bookworm: { "mesa-vulkan-drivers": "bookworm-backports" } },
    found: () => inAny(VULKAN_DIRS, /^lvp_icd.*\.json$/),
    elsewhere: {
      ubuntu: "sudo apt-get install mesa-vulkan-drivers libvulkan1",
      fedora: "sudo dnf install mesa-vulkan-drivers vulkan-loader",
      arch: "sudo pacman -S vulkan-swrast vulkan-icd-loader",
    },
    // Dawn uses Metal and D3D12 there.
    notOn: ["darwin", "win32"],
  },
  {
    id: "chromium",
    disk: 400,
    what: "Chromium, with SwiftShader inside",
    why: "runs the emitted WGSL in a real browser, and lends its Vulkan driver SwiftShader to Dawn in Node",
    packages: ["chromium"],
    found: () =>
      onPath("chromium", "chromium-browser", "google-chrome") ||
      existsSync("/Applications/Google Chrome.app") ||
      existsSync("/Applications/Chromium.app") ||
      existsSync("C:/Program Files/Google/Chrome/Application/chrome.exe"),
    elsewhere: {
      ubuntu: "install Google Chrome from https://www.google.com/chrome (Ubuntu's own chromium is a snap)",
      fedora: "sudo dnf install chromium",
      arch: "sudo pacman -S chromium",
      darwin: "brew install --cask google-chrome",
      win32: "winget install Google.Chrome",
    },
  },
  {
    id: "pocl",
    demo: true,
    disk: 260,
    what: "PoCL, an OpenCL device on the CPU",
    why: "runs the emitted OpenCL C",
    // PoCL runs `ld` to link each kernel, and does not depend on it.
    packages: ["pocl-opencl-icd", "ocl-icd-libopencl1", "binutils"],
    found: () => inAny(OPENCL_DIRS, /pocl.*\.icd$/),
    elsewhere: {
      ubuntu: "sudo apt-get install pocl-opencl-icd ocl-icd-libopencl1",
      fedora: "sudo dnf install pocl ocl-icd",
      arch: "sudo pacman -S pocl ocl-icd",
      darwin: "brew install pocl",
      win32: "install the OpenCL driver of your GPU's or CPU's vendor",
    },
  },
  {
    id: "oclgrind",
    disk: 70,
    what: "Oclgrind, an OpenCL simulator",
    why: "finds data races and out-of-bounds access in the emitted OpenCL C",
    packages: ["oclgrind"],
    // Debian 13 does not have it; that of Debian 12 runs there, with its own LLVM 14.
    release: { trixie: { oclgrind: "bookworm" } },
    found: () => onPath("oclgrind"),
    elsewhere: {
      ubuntu: "sudo apt-get install oclgrind",
      default: "build it from https://github.com/jrprice/Oclgrind",
    },
  },
  {
    id: "clang",
    disk: 60,
    what: "clang, with its OpenCL headers and OpenMP",
    why: "a second front end that reads every emitted .cl with all warnings as errors, and a second compiler of emitted C",
    packages: ["clang", "libomp-dev"],
    found: () => onPath("clang"),
    elsewhere: {
      ubuntu: "sudo apt-get install clang libomp-dev",
      fedora: "sudo dnf install clang libomp-devel",
      arch: "sudo pacman -S clang openmp",
      darwin: "xcode-select --install",
      win32: "winget install LLVM.LLVM",
    },
  },
  {
    id: "native",
    disk: 250,
    what: "compilers of C and C++, CMake, OpenCL's headers and nlohmann/json",
    why: "builds emitted C, hosts in C and C++, and examples/native and examples/c as their users do",
    packages: [
      ...["gcc", "g++", "libc6-dev", "make", "cmake"],
      ...["opencl-c-headers", "ocl-icd-opencl-dev", "nlohmann-json3-dev"],
    ],
    found: () =>
      onPath("cc", "gcc", "clang", "cl") &&
      onPath("c++", "g++", "clang++", "cl") &&
      onPath("cmake") &&
      (["/usr/include/CL/cl.h", "/usr/local/include/CL/cl.h"].some((file) => existsSync(file)) ||
        process.platform === "darwin"),
    elsewhere: {
      ubuntu:
        "sudo apt-get install build-essential cmake ocl-icd-opencl-dev opencl-c-headers nlohmann-json3-dev",
      fedora: "sudo dnf install gcc gcc-c++ make cmake ocl-icd-devel opencl-headers json-devel",
      arch: "sudo pacman -S base-devel cmake opencl-headers ocl-icd nlohmann-json",
      darwin: "xcode-select --install; brew install cmake nlohmann-json",
      win32: "install Visual Studio's C++ tools, CMake, an OpenCL SDK and nlohmann/json",
    },
  },
  {
    id: "python",
    disk: 75,
    what: "Python with pyopencl, numpy and mypy",
    why: "runs the modules of Python, and checks their types",
    packages: ["python3-pyopencl", "python3-numpy", "mypy"],
    found: () => inAny(["/usr/lib/python3/dist-packages"], /^pyopencl$/) && onPath("mypy"),
    elsewhere: {
      ubuntu: "sudo apt-get install python3-pyopencl python3-numpy mypy",
      fedora: "sudo dnf install python3-pyopencl python3-numpy python3-mypy",
      arch: "sudo pacman -S python-pyopencl python-numpy mypy",
      default: "python3 -m pip install pyopencl numpy mypy",
    },
  },
  {
    id: "rust",
    disk: onPath("cargo") ? 20 : 290,
    what: "Rust with the crate serde_json",
    why: "compiles the host in Rust",
    // One from elsewhere, such as rustup's, is as good.
    packages: ["librust-serde-json-dev", ...(onPath("cargo") ? [] : ["cargo"])],
    found: () => onPath("cargo") && inAny(["/usr/share/cargo/registry"], /^serde_json-/),
    elsewhere: {
      ubuntu: "sudo apt-get install cargo librust-serde-json-dev",
      default: "the test needs Debian's crates",
    },
    notOn: ["darwin", "win32"],
  },
  ...[
    ["openmpi", "Open MPI", ["libopenmpi-dev", "openmpi-bin"], "open-mpi", 100],
    ["mpich", "MPICH", ["libmpich-dev", "mpich"], "mpich", 120],
  ].map(([id, title, packages, brew, disk]) => ({
    id,
    disk,
    what: title,
    why: "builds and runs emitted programs of several processes",
    packages,
    found: () => onPath(`mpirun.${id}`) || onPath("mpirun"),
    elsewhere: {
      ubuntu: `sudo apt-get install ${packages.join(" ")}`,
      fedora: `sudo dnf install ${id}-devel`,
      arch: `sudo pacman -S ${id}`,
      darwin: `brew install ${brew}`,
    },
    notOn: ["win32"],
  })),
  {
    id: "pocl6",
    disk: 550,
    what: "PoCL 6 in a Debian 13 root of its own",
    why: "has native work-group collectives, which PoCL 3.1 has not",
    packages: ["debootstrap"],
    ...debianRoot("pocl6", "trixie", ["pocl-opencl-icd", "ocl-icd-libopencl1"]),
    // A Debian with PoCL 6 needs no second root file system.
    plainFrom: { pkg: "pocl-opencl-icd", min: "6" },
    elsewhere: { default: "needs Debian and root: sudo node scripts/setup-devices.mjs" },
    notOn: ["darwin", "win32"],
  },
  {
    id: "clangs",
    matrix: true,
    disk: 350,
    what: "clang 15 and 16",
    why: "rows of the matrix",
    packages: ["clang-15", "clang-16"],
    release: { trixie: { "clang-15": "bookworm", "clang-16": "bookworm" } },
    found: () => onPath("clang-15") && onPath("clang-16"),
    elsewhere: { ubuntu: "sudo apt-get install clang-15 clang-16", default: NEEDS_DEBIAN },
  },
  {
    id: "arm",
    matrix: true,
    disk: 250,
    what: "gcc for 64-bit Arm, and QEMU, which runs programs for it",
    why: "rows of the matrix: another processor",
    packages: ["qemu-user", "gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "libstdc++6-arm64-cross"],
    found: () => onPath("qemu-aarch64") && onPath("aarch64-linux-gnu-gcc"),
    elsewhere: {
      ubuntu: "sudo apt-get install qemu-user g++-aarch64-linux-gnu",
      default: NEEDS_DEBIAN,
    },
  },
  {
    id: "trixie",
    matrix: true,
    disk: 700,
    what: "lavapipe 25, rusticl 25, clang 17 and 18 in the Debian 13 root",
    why: "rows of the matrix",
    packages: ["debootstrap", "bubblewrap"],
    ...debianRoot("pocl6", "trixie", [
      ...["pocl-opencl-icd", "ocl-icd-libopencl1", "binutils", "mesa-vulkan-drivers", "libvulkan1"],
      ...["mesa-opencl-icd", "clang-17", "clang-18", "libc6-dev"],
    ]),
    elsewhere: { default: NEEDS_DEBIAN },
  },
  {
    id: "sid",
    matrix: true,
    disk: 2000,
    what: "PoCL 7, lavapipe 26, rusticl 26, Firefox, clang 19, 21 and 22 in a root of Debian sid",
    why: "rows of the matrix: the newest drivers and compilers",
    packages: ["debootstrap", "bubblewrap"],
    ...debianRoot("sid", "sid", [
      ...["pocl-opencl-icd", "ocl-icd-libopencl1", "binutils", "mesa-vulkan-drivers", "libvulkan1"],
      ...["mesa-opencl-icd", "firefox", "clang-19", "clang-21", "clang-22", "libc6-dev"],
    ]),
    elsewhere: { default: NEEDS_DEBIAN },
  },
];
