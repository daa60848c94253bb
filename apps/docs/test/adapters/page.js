/** The code that the tests run in a page: each library on one device with groupwise. */
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { StorageBufferAttribute, WebGPURenderer } from "three/webgpu";
import tgpu, { d } from "typegpu";
import * as three from "./three.js";
import * as typegpu from "./typegpu.js";

async function openDevice() {
  const adapter = await navigator.gpu.requestAdapter();
  return adapter.requestDevice();
}

export async function useTypeGpu({ ir, x, header }) {
  const device = await openDevice();
  const root = tgpu.initFromDevice({ device });
  const type = d.arrayOf(d.f32, x.length);
  const [from, all, group] = [
    root.createBuffer(type, [...x]).$usage("storage"),
    root.createBuffer(type).$usage("storage"),
    root.createBuffer(type).$usage("storage"),
  ];
  await typegpu.runOn(root, await webgpuRuntime(device).compile(ir), x.length, { x: from, y: all });
  typegpu.groupSums(root, header, from, group);
  return { all: Float32Array.from(await all.read()), group: Float32Array.from(await group.read()) };
}

export async function useThree({ ir, x, header }) {
  const renderer = new WebGPURenderer({ device: await openDevice() });
  await renderer.init();
  const program = await webgpuRuntime(renderer.backend.device).compile(ir);
  const attribute = (values) => new StorageBufferAttribute(values, 1);
  const [from, all, group] = [
    attribute(x),
    attribute(new Float32Array(x.length)),
    attribute(new Float32Array(x.length)),
  ];
  await three.runOn(renderer, program, x.length, { x: from, y: all });
  await renderer.computeAsync(three.groupSums(header, x.length, from, group));
  const read = async (one) => new Float32Array(await renderer.getArrayBufferAsync(one));
  return { all: await read(all), group: await read(group) };
}
