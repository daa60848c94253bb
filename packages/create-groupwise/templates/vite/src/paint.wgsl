// Paints the heights that the scan leaves in its buffer.
@group(0) @binding(0) var<storage, read> height: array<f32>;
@group(0) @binding(1) var<storage, read_write> pixels: array<u32>;

const SIZE = vec2u(512, 256);

// One work-item for each pixel: blue below the line of heights, white above it.
@compute @workgroup_size(16, 16)
fn paint(@builtin(global_invocation_id) at: vec3u) {
  let line = f32(SIZE.y) / 2.0 - height[at.x * arrayLength(&height) / SIZE.x];
  pixels[at.y * SIZE.x + at.x] = select(0xffffffffu, 0xffcc6622u, f32(at.y) > line);
}
