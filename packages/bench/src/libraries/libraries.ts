/** The libraries that compute sums and running sums on one thread of a CPU in JavaScript. */
import { createRequire } from "node:module";
import type { Runtime } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { f32, f64, i32, i64, pipeline } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { wasmRuntime } from "@groupwise/target-wasm/runtime";
import { versionOf } from "@groupwise/testkit/devices";
import { fetched } from "@groupwise/testkit/packed";
import { sumModel } from "./onnx-model.ts";
import type { SumArray, SumForm, SumLibrary, SumType, Timed } from "./sums.ts";

const like = (x: SumArray, length: number): SumArray =>
  new (x.constructor as new (length: number) => SumArray)(length);

/** A sum in the precision of the type. */
const ROUNDED: Readonly<Record<SumType, string>> = {
  f32: "Math.fround(sum + x[i])",
  f64: "sum + x[i]",
  i32: "(sum + x[i]) | 0",
  i64: "BigInt.asIntN(64, sum + x[i])",
};

/** The loop that one writes by hand, from left to right: a function for each form and type, as engines compile them. */
function loopOf(form: SumForm, type: SumType): (x: SumArray, y: SumArray) => void {
  const [each, end] = form === "scan" ? ["y[i] = sum;", ""] : ["", "y[0] = sum;"];
  const loop = `for (let i = 0; i < x.length; i++) { sum = ${ROUNDED[type]}; ${each} }`;
  return new Function("x", "y", `let sum = ${type === "i64" ? "0n" : "0"}; ${loop} ${end}`) as never;
}

async function plainLoops(): Promise<SumLibrary> {
  return {
    make: (form, type, x) => {
      const y = like(x, form === "scan" ? x.length : 1);
      const loop = loopOf(form, type);
      return { run: () => loop(x, y), read: () => y };
    },
  };
}

// Interfaces of the libraries, as far as they are used.
interface Gpu {
  createKernel(source: (...args: never[]) => number, settings: object): (x: SumArray) => Float32Array;
  destroy(): Promise<unknown>;
}
interface Tensor {
  data(): Promise<SumArray>;
  dispose(): void;
}
interface TensorFlow {
  setBackend(name: string): Promise<boolean>;
  tensor1d(values: SumArray, type: string): Tensor;
  cumsum(x: Tensor): Tensor;
  sum(x: Tensor): Tensor;
}
interface OrtSession {
  run(inputs: object): Promise<{ readonly y: { readonly data: SumArray } }>;
  release(): Promise<void>;
}
interface Ort {
  readonly env: { readonly wasm: { numThreads: number } };
  readonly InferenceSession: { create(model: Uint8Array): Promise<OrtSession> };
  readonly Tensor: new (type: string, data: SumArray, dims: readonly number[]) => object;
}

/** gpu.js on the CPU has no scan: the sum is one work-item. */
async function gpuJs(): Promise<SumLibrary> {
  // The checkout has it for its target.
  const name = "gpu.js";
  const { GPU } = (await import(name)) as { GPU: new (settings: object) => Gpu };
  const gpu = new GPU({ mode: "cpu" });
  return {
    version: versionOf("gpu.js"),
    make: (form, type, x) => {
      if (form === "scan" || type !== "f32") return undefined;
      const kernel = gpu.createKernel(
        function (this: { readonly constants: { readonly n: number } }, all: Float32Array) {
          let sum = 0;
          for (let i = 0; i < this.constants.n; i++) sum += all[i] as number;
          return sum;
        },
        { output: [1], constants: { n: x.length } },
      );
      let y: SumArray = new Float32Array(1);
      const run = (): void => {
        y = kernel(x);
      };
      return { run, read: () => y };
    },
    dispose: async () => void (await gpu.destroy()),
  };
}

/** Loads modules of packages that are fetched into a folder, as in full runs. @throws GroupwiseError `device-missing` */
async function modulesOf(...packages: readonly string[]): Promise<NodeJS.Require> {
  process.env.GROUPWISE_FULL = "1";
  const folder = await fetched(...packages);
  if (folder.found) return createRequire(`${folder.value}/`);
  throw errorOf("device-missing", { what: packages.join(", "), reason: folder.reason });
}

const TENSORFLOW = "4.22.0";

/** TensorFlow.js: tensors lie in the memory of its WebAssembly; a run makes one and gives it back. */
async function tensorFlow(): Promise<SumLibrary> {
  const names = ["@tensorflow/tfjs-core", "@tensorflow/tfjs-backend-cpu", "@tensorflow/tfjs-backend-wasm"];
  const load = await modulesOf(...names.map((name) => `${name}@${TENSORFLOW}`));
  const [tf] = names.map((name) => load(name)) as [TensorFlow];
  await tf.setBackend("wasm");
  const types: Partial<Record<SumType, string>> = { f32: "float32", i32: "int32" };
  return {
    version: TENSORFLOW,
    make: (form, type, x) => {
      const name = types[type];
      if (name === undefined) return undefined;
      const tensor = tf.tensor1d(x, name);
      const compute = (): Tensor => (form === "scan" ? tf.cumsum(tensor) : tf.sum(tensor));
      return {
        run: () => compute().dispose(),
        read: async () => {
          const y = compute();
          const data = await y.data();
          y.dispose();
          return data;
        },
        dispose: () => tensor.dispose(),
      };
    },
  };
}

const ORT = "1.30.0";

/** onnxruntime-web on one thread: a run copies its tensors into memory and its result out of it. */
async function onnxRuntime(): Promise<SumLibrary> {
  const load = await modulesOf(`onnxruntime-web@${ORT}`);
  const ort = load("onnxruntime-web") as Ort;
  ort.env.wasm.numThreads = 1;
  const types: Readonly<Record<SumType, string>> = {
    f32: "float32",
    f64: "float64",
    i32: "int32",
    i64: "int64",
  };
  return {
    version: ORT,
    make: async (form, type, x): Promise<Timed> => {
      const session = await ort.InferenceSession.create(sumModel(form, type));
      const tensor = new ort.Tensor(types[type], x, [x.length]);
      let y: SumArray = x;
      return {
        run: async () => {
          y = (await session.run({ x: tensor })).y.data;
        },
        read: () => y,
        dispose: () => session.release(),
      };
    },
  };
}

const TYPES = { f32, f64, i32, i64 };

/** Ours: arrays lie where the runtime keeps them. */
async function ours(runtime: Runtime): Promise<SumLibrary> {
  return {
    make: async (form, type, given) => {
      const definition = pipeline(`${form}-${type}`, { x: TYPES[type] as typeof f32 }, ({ x }) => ({
        y: form === "scan" ? x.scanInclusive("add") : x.reduce("add"),
      }));
      const program = await runtime.compile(definition);
      const x = runtime.array(type, given as never);
      const y = runtime.array(type, form === "scan" ? given.length : 1);
      return {
        run: () =>
          runtime
            .record()
            .run(program, { x, y } as never)
            .submit(),
        read: async () => (await y.read()) as SumArray,
        dispose: () => {
          for (const one of [x, y, program]) one.dispose();
        },
      };
    },
    dispose: () => runtime.dispose(),
  };
}

/** What is measured, by its name. */
export const LIBRARIES: Readonly<Record<string, () => Promise<SumLibrary>>> = {
  "groupwise, WebAssembly": () => ours(wasmRuntime()),
  "groupwise, JavaScript": () => ours(jsRuntime()),
  "a loop by hand": plainLoops,
  "gpu.js, CPU mode": gpuJs,
  "TensorFlow.js, wasm": tensorFlow,
  "onnxruntime-web, wasm": onnxRuntime,
};
