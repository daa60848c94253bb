/** A WebGPU encoder that records each command in a pass of its own. */

/** The timestamp writes before and after a command. */
export type Around = (what: string) => { readonly before: object; readonly after: object };

/** The encoder, with its methods replaced by those of `own`. */
const withMethods = <T extends object>(target: T, own: Readonly<Record<string, unknown>>): T =>
  new Proxy(target, {
    get: (_, key) => {
      if (Object.hasOwn(own, key)) return own[key as string];
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });

/** An encoder whose commands have a timestamp before and after each. */
export function stamped(encoder: GPUCommandEncoder, around: Around): GPUCommandEncoder {
  const alone = (what: string, command: () => void): void => {
    const { before, after } = around(what);
    encoder.beginComputePass({ timestampWrites: before as never }).end();
    command();
    encoder.beginComputePass({ timestampWrites: after as never }).end();
  };
  return withMethods(encoder, {
    beginComputePass: () => stampedPass(encoder, around),
    clearBuffer: (buffer: GPUBuffer, offset?: number, size?: number) =>
      alone(`clear ${size ?? buffer.size} bytes`, () => encoder.clearBuffer(buffer, offset, size)),
    copyBufferToBuffer: (...args: Parameters<GPUCommandEncoder["copyBufferToBuffer"]>) =>
      alone("copy", () => encoder.copyBufferToBuffer(...args)),
  });
}

/** A pass that becomes one pass for each dispatch; state that is set before a dispatch is set in each. */
function stampedPass(encoder: GPUCommandEncoder, around: Around): GPUComputePassEncoder {
  let label = "";
  const set = new Map<string, (pass: GPUComputePassEncoder) => void>();
  const dispatch = (what: string, command: (pass: GPUComputePassEncoder) => void): void => {
    const { before, after } = around(what);
    const pass = encoder.beginComputePass({ timestampWrites: { ...before, ...after } as never });
    for (const apply of set.values()) apply(pass);
    command(pass);
    pass.end();
  };
  return {
    setPipeline: (pipeline: GPUComputePipeline) => {
      label = pipeline.label;
      set.set("pipeline", (pass) => pass.setPipeline(pipeline));
    },
    setBindGroup: (...args: Parameters<GPUComputePassEncoder["setBindGroup"]>) =>
      set.set(`group ${args[0]}`, (pass) => pass.setBindGroup(...args)),
    dispatchWorkgroups: (x: number, y = 1, z = 1) =>
      dispatch(`${label}, ${x * y * z} work-groups`, (pass) => pass.dispatchWorkgroups(x, y, z)),
    dispatchWorkgroupsIndirect: (buffer: GPUBuffer, offset: number) =>
      dispatch(`${label}, counted`, (pass) => pass.dispatchWorkgroupsIndirect(buffer, offset)),
    end: () => {},
  } as unknown as GPUComputePassEncoder;
}
