/** The handbook: its sections and pages, in order. */
export interface Page {
  readonly text: string;
  readonly link: string;
}

export interface Section {
  readonly text: string;
  readonly items: readonly Page[];
}

export const page = (text: string, link: string): Page => ({ text, link });

export const SECTIONS: readonly Section[] = [
  {
    text: "Tutorials",
    items: [
      page("Overview", "/tutorials/"),
      page("First scan", "/tutorials/first-scan"),
      page("Compaction", "/tutorials/compaction"),
      page("Segments", "/tutorials/segments"),
      page("An operator of your own", "/tutorials/own-operator"),
      page("OpenCL C in a CMake project", "/tutorials/cmake"),
      page("WebGPU in a Vite app", "/tutorials/vite"),
      page("A deterministic cumsum in Python", "/tutorials/python"),
      page("One pipeline everywhere", "/tutorials/everywhere"),
    ],
  },
  {
    text: "Guide",
    items: [
      page("Start", "/start"),
      page("Projects from templates", "/templates"),
      page("Concepts", "/concepts"),
      page("How scans run", "/how-scans-run"),
      page("Coming from another library", "/coming-from"),
      page("From CUB, PyTorch, CuPy and JAX", "/coming-from-cub"),
      page("Coming from NumPy or pandas", "/coming-from-numpy"),
      page("Types and mistakes", "/typed-results"),
      page("User-defined operators", "/your-operators"),
      page("Laws of operators", "/laws"),
      page("Arrays of other lengths", "/arrays"),
      page("Neighbours, windows and runs", "/neighbours"),
      page("CDFs and percentiles", "/cumulative"),
      page("Arrow columns", "/arrow"),
      page("ONNX models", "/onnx"),
      page("Command line", "/cli"),
      page("Tune for a device", "/tuning"),
      page("Native toolchains", "/native"),
      page("Python", "/python"),
      page("C++ and Rust", "/hosts"),
      page("Bundles and their sizes", "/bundles"),
      page("Lengths and limits", "/limits"),
      page("Runtime for library authors", "/libraries"),
      page("States: chunks, streams, parts", "/states"),
      page("MPI", "/mpi"),
      page("Primitives", "/primitives"),
      page("Examples", "/examples"),
      page("Gallery", "/gallery"),
    ],
  },
  {
    text: "Targets",
    items: [
      page("Overview", "/targets/"),
      page("The CPU", "/targets/cpu"),
      page("WGSL", "/targets/wgsl"),
      page("OpenCL C", "/targets/opencl"),
      page("CUDA C++ and HIP", "/targets/cuda"),
      page("JavaScript", "/targets/javascript"),
      page("WebAssembly", "/targets/wasm"),
      page("C", "/targets/c"),
      page("gpu.js", "/targets/gpu-js"),
      page("Support matrix", "/support"),
    ],
  },
  {
    text: "Tables",
    items: [
      page("Element types", "/types"),
      page("Operators", "/operators"),
      page("Checklist", "/checklist"),
      page("Compared with others", "/peers"),
      page("Implementations", "/implementations"),
      page("Benchmarks", "/benchmarks"),
      page("Time by length", "/growth"),
      page("Memory", "/memory"),
      page("Vocabulary", "/vocabulary"),
      page("Errors", "/errors"),
    ],
  },
];
