/** CUDA devices with other capabilities than those of the target. */
import { CUDA_CAPABILITIES } from "@groupwise/target-cuda";
import { cudaRuntime, listCudaDevices } from "@groupwise/target-cuda/runtime";
import type { NamedChoice, NamedDevice } from "./named.ts";
import { isNamed, noSuchDevice } from "./word.ts";

/** @throws GroupwiseError `device-missing` */
export async function openCuda({ device: word, capabilities }: NamedChoice): Promise<NamedDevice> {
  const devices = await listCudaDevices();
  const found = devices.find(({ name }) => isNamed(name, word));
  if (!found) throw noSuchDevice("cuda", word, devices.length);
  const changed = capabilities?.(CUDA_CAPABILITIES);
  const runtime = await cudaRuntime({
    device: found.index,
    profiling: true,
    ...(changed && { capabilities: changed }),
  });
  return { runtime, close: () => {} };
}
