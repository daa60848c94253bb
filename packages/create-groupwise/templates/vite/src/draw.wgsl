// A line through the heights, which the scan leaves in this buffer.
@group(0) @binding(0) var<storage, read> height: array<f32>;

@vertex
fn point(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  let x = 2.0 * f32(i) / f32(arrayLength(&height) - 1u) - 1.0;
  return vec4f(x, height[i] / 100.0, 0.0, 1.0);
}

@fragment
fn colour() -> @location(0) vec4f {
  return vec4f(0.1, 0.4, 0.8, 1.0);
}
