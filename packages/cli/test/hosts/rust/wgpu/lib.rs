//! The part of wgpu that the host uses, with the names and types of wgpu 30, in front of another WebGPU: each call is a
//! line on standard output, and the bytes of a buffer are a line of standard input. `device.ts` is the other side.
use std::borrow::Cow;
use std::io::{stdin, stdout, Write};
use std::sync::atomic::{AtomicU32, Ordering};

static IDS: AtomicU32 = AtomicU32::new(0);
/// Sends a call that makes an object, and returns the object's number.
fn make(call: &str, rest: &str) -> u32 {
    let id = IDS.fetch_add(1, Ordering::Relaxed);
    tell(&format!("{call} {id} {rest}"));
    id
}
fn tell(line: &str) {
    writeln!(stdout(), "{line}").expect("the other side reads");
    stdout().flush().expect("the other side reads");
}
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[derive(Clone)]
pub struct Device;
#[derive(Clone)]
pub struct Queue;
pub struct ShaderModule(u32);
pub struct Buffer(u32);
pub struct BindGroupLayout(u32);
pub struct PipelineLayout(u32);
pub struct ComputePipeline(u32);
pub struct BindGroup(u32);
pub struct CommandEncoder;
pub struct CommandBuffer;
pub struct BufferSlice<'a>(&'a Buffer);

#[derive(Default)]
pub struct CommandEncoderDescriptor;
#[derive(Default)]
pub struct ComputePassDescriptor;
#[derive(Default)]
pub struct PipelineCompilationOptions;
pub struct PipelineCache;

type Label<'a> = Option<&'a str>;
pub enum ShaderSource<'a> {
    Wgsl(Cow<'a, str>),
}
pub struct ShaderModuleDescriptor<'a> {
    pub label: Label<'a>,
    pub source: ShaderSource<'a>,
}

#[derive(Clone, Copy)]
pub struct BufferUsages(u32);
impl BufferUsages {
    pub const COPY_SRC: Self = Self(4);
    pub const UNIFORM: Self = Self(64);
    pub const STORAGE: Self = Self(128);
}
impl std::ops::BitOr for BufferUsages {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
pub struct ShaderStages;
impl ShaderStages {
    pub const COMPUTE: Self = Self;
}
pub struct Features;
impl Features {
    pub const SHADER_F16: Self = Self;
    pub fn contains(&self, _: Self) -> bool {
        false
    }
}
pub struct Limits {
    pub max_storage_buffer_binding_size: u64,
    pub max_compute_workgroups_per_dimension: u32,
}

pub enum BufferBindingType {
    Uniform,
    Storage { read_only: bool },
}
pub enum BindingType {
    Buffer { ty: BufferBindingType, has_dynamic_offset: bool, min_binding_size: Option<std::num::NonZeroU64> },
}
pub struct BindGroupLayoutEntry {
    pub binding: u32,
    pub visibility: ShaderStages,
    pub ty: BindingType,
    pub count: Option<std::num::NonZeroU32>,
}
pub struct BindGroupLayoutDescriptor<'a> {
    pub label: Label<'a>,
    pub entries: &'a [BindGroupLayoutEntry],
}
#[derive(Default)]
pub struct PipelineLayoutDescriptor<'a> {
    pub label: Label<'a>,
    pub bind_group_layouts: &'a [Option<&'a BindGroupLayout>],
    pub immediate_size: u32,
}
pub struct ComputePipelineDescriptor<'a> {
    pub label: Label<'a>,
    pub layout: Option<&'a PipelineLayout>,
    pub module: &'a ShaderModule,
    pub entry_point: Option<&'a str>,
    pub compilation_options: PipelineCompilationOptions,
    pub cache: Option<&'a PipelineCache>,
}
pub struct BindingResource<'a>(&'a Buffer);
pub struct BindGroupEntry<'a> {
    pub binding: u32,
    pub resource: BindingResource<'a>,
}
pub struct BindGroupDescriptor<'a> {
    pub label: Label<'a>,
    pub layout: &'a BindGroupLayout,
    pub entries: &'a [BindGroupEntry<'a>],
}
pub enum PollType {
    Poll,
}
impl PollType {
    pub const fn wait_indefinitely() -> Self {
        Self::Poll
    }
}

impl Device {
    pub fn features(&self) -> Features {
        Features
    }
    /// Small ones, so that passes have two dimensions and long arrays are refused.
    pub fn limits(&self) -> Limits {
        Limits { max_storage_buffer_binding_size: 1 << 20, max_compute_workgroups_per_dimension: 2 }
    }
    pub fn create_shader_module(&self, desc: ShaderModuleDescriptor<'_>) -> ShaderModule {
        let ShaderSource::Wgsl(text) = desc.source;
        ShaderModule(make("shader", &hex(text.as_bytes())))
    }
    pub fn create_bind_group_layout(&self, desc: &BindGroupLayoutDescriptor<'_>) -> BindGroupLayout {
        let entry = |entry: &BindGroupLayoutEntry| match entry.ty {
            BindingType::Buffer { ty: BufferBindingType::Uniform, .. } => format!("{}:uniform ", entry.binding),
            BindingType::Buffer { ty: BufferBindingType::Storage { read_only: true }, .. } => {
                format!("{}:read-only-storage ", entry.binding)
            }
            BindingType::Buffer { .. } => format!("{}:storage ", entry.binding),
        };
        BindGroupLayout(make("layout", &desc.entries.iter().map(entry).collect::<String>()))
    }
    pub fn create_pipeline_layout(&self, desc: &PipelineLayoutDescriptor<'_>) -> PipelineLayout {
        PipelineLayout(desc.bind_group_layouts[0].expect("a layout").0)
    }
    pub fn create_compute_pipeline(&self, desc: &ComputePipelineDescriptor<'_>) -> ComputePipeline {
        let (module, layout) = (desc.module.0, desc.layout.expect("a layout").0);
        let entry = desc.entry_point.expect("a name");
        ComputePipeline(make("pipeline", &format!("{module} {layout} {entry}")))
    }
    pub fn create_bind_group(&self, desc: &BindGroupDescriptor<'_>) -> BindGroup {
        let entry = |entry: &BindGroupEntry<'_>| format!("{}:{} ", entry.binding, entry.resource.0 .0);
        let entries: String = desc.entries.iter().map(entry).collect();
        BindGroup(make("group", &format!("{} {entries}", desc.layout.0)))
    }
    pub fn create_command_encoder(&self, _: &CommandEncoderDescriptor) -> CommandEncoder {
        CommandEncoder
    }
    pub fn poll(&self, _: PollType) -> Result<(), std::fmt::Error> {
        Ok(())
    }
}
impl Queue {
    pub fn submit<I: IntoIterator<Item = CommandBuffer>>(&self, _: I) {}
}
impl Buffer {
    pub fn as_entire_binding(&self) -> BindingResource<'_> {
        BindingResource(self)
    }
    pub fn slice(&self, _: std::ops::RangeFull) -> BufferSlice<'_> {
        BufferSlice(self)
    }
}
impl CommandEncoder {
    pub fn begin_compute_pass(&mut self, _: &ComputePassDescriptor) -> ComputePass<'_> {
        ComputePass { pipeline: 0, group: 0, _encoder: self }
    }
    pub fn finish(self) -> CommandBuffer {
        CommandBuffer
    }
}
pub struct ComputePass<'a> {
    pipeline: u32,
    group: u32,
    _encoder: &'a mut CommandEncoder,
}
impl ComputePass<'_> {
    pub fn set_pipeline(&mut self, pipeline: &ComputePipeline) {
        self.pipeline = pipeline.0;
    }
    pub fn set_bind_group(&mut self, _: u32, group: &BindGroup, _: &[u32]) {
        self.group = group.0;
    }
    pub fn dispatch_workgroups(&mut self, x: u32, y: u32, z: u32) {
        tell(&format!("dispatch {} {} {x} {y} {z}", self.pipeline, self.group));
    }
}

pub mod util {
    use super::{hex, make, stdin, tell, Buffer, BufferSlice, BufferUsages, Device, Label, Queue};
    pub struct BufferInitDescriptor<'a> {
        pub label: Label<'a>,
        pub contents: &'a [u8],
        pub usage: BufferUsages,
    }
    pub trait DeviceExt {
        fn create_buffer_init(&self, desc: &BufferInitDescriptor<'_>) -> Buffer;
    }
    impl DeviceExt for Device {
        fn create_buffer_init(&self, desc: &BufferInitDescriptor<'_>) -> Buffer {
            Buffer(make("buffer", &format!("{} {}", desc.usage.0, hex(desc.contents))))
        }
    }
    pub struct DownloadBuffer(Vec<u8>);
    impl std::ops::Deref for DownloadBuffer {
        type Target = [u8];
        fn deref(&self) -> &[u8] {
            &self.0
        }
    }
    impl DownloadBuffer {
        pub fn read_buffer(
            _: &Device,
            _: &Queue,
            slice: &BufferSlice<'_>,
            callback: impl FnOnce(Result<Self, std::fmt::Error>) + Send + 'static,
        ) {
            tell(&format!("read {}", slice.0 .0));
            let mut line = String::new();
            stdin().read_line(&mut line).expect("the other side answers");
            let byte = |at: usize| u8::from_str_radix(&line[at..at + 2], 16).expect("two digits");
            callback(Ok(Self((0..line.trim().len()).step_by(2).map(byte).collect())));
        }
    }
}
