//! Runs WGSL that `groupwise emit --target wgsl --host rust` wrote, with the crates `wgpu` (29 or later) and `serde_json`.
//!
//! ```ignore
//! mod groupwise_host;
//! use groupwise_host::{Program, Range, Value};
//!
//! let (manifest, source) = (include_str!("line-index.wgsl.json"), include_str!("line-index.wgsl"));
//! let program = Program::new(&device, &queue, manifest, source)?;
//! let results = program.run(&[("text", Value::array(b"one\ntwo\n"))], &Range::default())?;
//! let starts: Vec<u32> = results["starts"].to_vec()?;
//! ```
//!
//! The manifest lists arrays, scalars and passes; `groupwise schema manifest` describes it. Arguments that do not fit
//! are errors before anything runs. Errors of the device go to its handler, which panics by default.

use serde_json::Value as Json;
use std::collections::{BTreeMap, HashMap};
use std::sync::mpsc;
use wgpu::util::{BufferInitDescriptor, DeviceExt, DownloadBuffer};

/// A run, a manifest or a device that does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(pub String);
impl std::fmt::Display for Error {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(&self.0)
    }
}
impl std::error::Error for Error {}

/// The 16 bits of an f16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct F16(pub u16);
/// The 16 bits of a bf16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bf16(pub u16);

/// A type of a manifest.
pub trait Element: Copy {
    const TYPE: &'static str;
    const BYTES: usize;
    /// Its bits, in the low ones.
    fn bits(self) -> u64;
    fn of_bits(bits: u64) -> Self;
}
macro_rules! elements {
    ($($type:ty, $name:literal, $bits:expr, $of:expr;)*) => {$(
        impl Element for $type {
            const TYPE: &'static str = $name;
            const BYTES: usize = std::mem::size_of::<$type>();
            fn bits(self) -> u64 { $bits(self) }
            fn of_bits(bits: u64) -> Self { $of(bits) }
        }
    )*};
}
elements! {
    bool, "bool", u64::from, |x| x != 0;
    i8, "i8", |x| x as u64, |x| x as i8;
    u8, "u8", u64::from, |x| x as u8;
    i16, "i16", |x| x as u64, |x| x as i16;
    u16, "u16", u64::from, |x| x as u16;
    i32, "i32", |x| x as u64, |x| x as i32;
    u32, "u32", u64::from, |x| x as u32;
    i64, "i64", |x| x as u64, |x| x as i64;
    u64, "u64", |x| x, |x| x;
    F16, "f16", |x: F16| u64::from(x.0), |x| F16(x as u16);
    Bf16, "bf16", |x: Bf16| u64::from(x.0), |x| Bf16(x as u16);
    f32, "f32", |x: f32| u64::from(x.to_bits()), |x| f32::from_bits(x as u32);
    f64, "f64", f64::to_bits, f64::from_bits;
}

/// An argument of a run: an array, or a number or bool.
#[derive(Debug, Clone)]
pub struct Value {
    type_name: &'static str,
    bytes: Vec<u8>,
    /// The elements of an array.
    count: Option<usize>,
}
impl Value {
    pub fn array<T: Element>(elements: &[T]) -> Self {
        let bytes = elements.iter().flat_map(|x| x.bits().to_le_bytes().into_iter().take(T::BYTES)).collect();
        Value { type_name: T::TYPE, bytes, count: Some(elements.len()) }
    }
    pub fn number<T: Element>(number: T) -> Self {
        Value { type_name: T::TYPE, bytes: number.bits().to_le_bytes().to_vec(), count: None }
    }
    /// Of a number.
    fn bits(&self) -> u64 {
        u64::from_le_bytes(self.bytes[..8].try_into().expect("a number has 8 bytes"))
    }
}

/// The number of items of each dimension, dimension 0 first, and the first global ids. A range of one dimension is by
/// default as long as the inputs, and ids begin by default at 0.
#[derive(Debug, Clone, Default)]
pub struct Range {
    pub size: Option<Vec<u64>>,
    pub offset: Option<Vec<u64>>,
}

/// The array of an output.
#[derive(Debug, Clone)]
pub struct Output {
    /// As in the manifest.
    pub type_name: String,
    pub bytes: Vec<u8>,
}
impl Output {
    /// Its elements, if they are of this type.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>, Error> {
        if self.type_name != T::TYPE {
            return Err(Error(format!("the output is an array of {}, not of {}", self.type_name, T::TYPE)));
        }
        let bits = |bytes: &[u8]| bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
        Ok(self.bytes.chunks_exact(T::BYTES).map(|bytes| T::of_bits(bits(bytes))).collect())
    }
}

/// A pipeline on a device.
pub struct Program {
    manifest: Json,
    device: wgpu::Device,
    queue: wgpu::Queue,
    /// Of each pass.
    pipelines: Vec<(wgpu::ComputePipeline, wgpu::BindGroupLayout)>,
}

fn text<'a>(of: &'a Json, name: &str) -> &'a str {
    of[name].as_str().unwrap_or_default()
}
fn list<'a>(of: &'a Json, name: &str) -> &'a [Json] {
    of[name].as_array().map_or(&[], Vec::as_slice)
}
fn number(of: &Json, name: &str) -> u64 {
    of[name].as_u64().unwrap_or_default()
}
fn is(of: &Json, name: &str) -> bool {
    of[name].as_bool().unwrap_or_default()
}
fn named<'a>(list: &'a [Json], name: &Json) -> &'a Json {
    list.iter().find(|one| one["name"] == *name).unwrap_or(&Json::Null)
}

/// The binding numbers of an array: of its parts, and of the array as vectors.
fn slots(binding: &Json) -> Vec<u32> {
    let parts = binding["parts"].as_u64().unwrap_or(1);
    let own = (0..parts).map(|part| number(binding, "slot") + part);
    own.chain(binding["rowSlot"].as_u64()).map(|slot| slot as u32).collect()
}

/// The argument that an array holds before the run.
fn given(binding: &Json) -> Option<&str> {
    let is_read = ["input", "table"].contains(&text(binding, "role"));
    binding["inPlace"].as_str().or(is_read.then(|| text(binding, "name")))
}

impl Program {
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, manifest: &str, source: &str) -> Result<Self, Error> {
        let manifest: Json = serde_json::from_str(manifest).map_err(|error| Error(error.to_string()))?;
        if text(&manifest, "target") != "wgsl" || number(&manifest, "version") != 2 {
            return Err(Error("this is not a manifest of WGSL, version 2".into()));
        }
        for feature in list(&manifest, "requires").iter().filter_map(Json::as_str) {
            // What subgroups and subnormal numbers do only a test shows, which this host does not have.
            if feature != "shader-f16" || !device.features().contains(wgpu::Features::SHADER_F16) {
                return Err(Error(format!("this host does not run {feature} on this device")));
            }
        }
        let source = wgpu::ShaderSource::Wgsl(source.into());
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
        let entry = |binding: u32, ty: wgpu::BufferBindingType| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
            count: None,
        };
        let pipeline = |pass: &Json| {
            let mut entries =
                vec![entry(number(&manifest["paramBlock"], "binding") as u32, wgpu::BufferBindingType::Uniform)];
            for used in list(pass, "bindings") {
                let binding = named(list(&manifest, "bindings"), &used["name"]);
                let read_only = ["input", "table"].contains(&text(binding, "role"));
                entries.extend(
                    slots(binding).into_iter().map(|slot| entry(slot, wgpu::BufferBindingType::Storage { read_only })),
                );
            }
            let layout =
                device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries });
            let of_pipeline = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                bind_group_layouts: &[Some(&layout)],
                ..Default::default()
            });
            let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: pass["entryPoint"].as_str(),
                layout: Some(&of_pipeline),
                module: &module,
                entry_point: pass["entryPoint"].as_str(),
                compilation_options: Default::default(),
                cache: None,
            });
            (pipeline, layout)
        };
        let pipelines = list(&manifest, "passes").iter().map(pipeline).collect();
        Ok(Program { device: device.clone(), queue: queue.clone(), pipelines, manifest })
    }

    /// Runs all passes over arrays of the host, and waits. Results are by the names of outputs.
    pub fn run(&self, values: &[(&str, Value)], range: &Range) -> Result<BTreeMap<String, Output>, Error> {
        let run = Run::new(&self.manifest, values, range).map_err(|problem| self.error(&problem))?;
        let limits = self.device.limits();
        let storage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let mut buffers: HashMap<&str, Vec<wgpu::Buffer>> = HashMap::new();
        for binding in list(&self.manifest, "bindings") {
            let parts = run.parts(binding);
            if parts.iter().any(|part| part.len() as u64 > limits.max_storage_buffer_binding_size) {
                return Err(self.error(&format!("{} is longer than a binding of this device", text(binding, "name"))));
            }
            let made = |contents: &Vec<u8>| {
                self.device.create_buffer_init(&BufferInitDescriptor { label: None, contents, usage: storage })
            };
            buffers.insert(text(binding, "name"), parts.iter().map(made).collect());
        }
        let block = run.param_block();
        let usage = wgpu::BufferUsages::UNIFORM;
        let params = self.device.create_buffer_init(&BufferInitDescriptor { label: None, contents: &block, usage });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        for (pass, (pipeline, layout)) in list(&self.manifest, "passes").iter().zip(&self.pipelines) {
            let groups = run.value(&pass["groups"]) as u64;
            if groups == 0 {
                continue;
            }
            let block = number(&self.manifest["paramBlock"], "binding") as u32;
            let mut entries = vec![wgpu::BindGroupEntry { binding: block, resource: params.as_entire_binding() }];
            for used in list(pass, "bindings") {
                let binding = named(list(&self.manifest, "bindings"), &used["name"]);
                let of_array = &buffers[text(used, "name")];
                for (slot, buffer) in slots(binding).into_iter().zip(of_array.iter().cycle()) {
                    entries.push(wgpu::BindGroupEntry { binding: slot, resource: buffer.as_entire_binding() });
                }
            }
            let group =
                self.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries });
            // Any x * y that is not less than the number of work-groups.
            let x = groups.min(u64::from(limits.max_compute_workgroups_per_dimension));
            let mut encoded = encoder.begin_compute_pass(&Default::default());
            encoded.set_pipeline(pipeline);
            encoded.set_bind_group(0, &group, &[]);
            encoded.dispatch_workgroups(x as u32, ((groups - 1) / x + 1) as u32, 1);
        }
        self.queue.submit([encoder.finish()]);
        let mut memory = HashMap::new();
        for binding in list(&self.manifest, "bindings") {
            if ["output", "status"].contains(&text(binding, "role")) {
                memory.insert(text(binding, "name"), self.read(&buffers[text(binding, "name")])?);
            }
        }
        run.results(memory).map_err(|problem| self.error(&problem))
    }

    fn error(&self, problem: &str) -> Error {
        Error(format!("{}: {problem}", text(&self.manifest, "pipeline")))
    }

    /// The bytes of buffers, one after the other.
    fn read(&self, buffers: &[wgpu::Buffer]) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        for buffer in buffers {
            let (done, result) = mpsc::channel();
            DownloadBuffer::read_buffer(&self.device, &self.queue, &buffer.slice(..), move |read| {
                drop(done.send(read))
            });
            self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| self.error(&error.to_string()))?;
            let read = result.recv().map_err(|error| self.error(&error.to_string()))?;
            bytes.extend_from_slice(&read.map_err(|error| self.error(&error.to_string()))?);
        }
        Ok(bytes)
    }
}

/// The checked arguments of one run.
struct Run<'a> {
    manifest: &'a Json,
    values: HashMap<&'a str, &'a Value>,
    offsets: Vec<u64>,
    /// Of formulas: `n`, `size_x`, …, `param k`, `length t`.
    variables: HashMap<String, i128>,
}

fn require(holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if holds {
        Ok(())
    } else {
        Err(problem())
    }
}
const IDS: u64 = 1 << 32;
const SIDES: [&str; 3] = ["size_x", "size_y", "size_z"];

impl<'a> Run<'a> {
    fn new(manifest: &'a Json, values: &'a [(&'a str, Value)], range: &Range) -> Result<Self, String> {
        let by_name: HashMap<&str, &Value> = values.iter().map(|(name, value)| (*name, value)).collect();
        require(by_name.len() == values.len(), || "a name is given twice".into())?;
        let mut run = Run { manifest, values: by_name, offsets: Vec::new(), variables: HashMap::new() };
        run.check_names()?;
        run.set_range(range)?;
        for table in list(manifest, "bindings").iter().filter(|binding| text(binding, "role") == "table") {
            let (name, most) = (text(table, "name"), number(manifest, "maxItems"));
            let length = run.values[name].count.unwrap_or_default();
            require(length as u64 <= most, || format!("the table {name} is too long"))?;
            run.variables.insert(format!("length {name}"), length as i128);
        }
        for (name, value) in run.values.iter().filter(|(_, value)| value.count.is_none()) {
            run.variables.insert(format!("param {name}"), i128::from(value.bits()));
        }
        let n = run.variables["n"];
        for param in list(manifest, "params").iter().filter(|param| is(param, "divides")) {
            let (name, value) = (text(param, "name"), i128::from(run.bits(param)));
            require(value > 0 && n % value == 0, || format!("{name} is {value}, which does not divide {n} items"))?;
        }
        for binding in list(manifest, "bindings") {
            let name = text(binding, "name");
            let is_empty = is(binding, "needsItems") && n == 0;
            require(!is_empty, || format!("{name} needs an item, but the range is empty"))?;
            // Kernels compute capacities in u32, so that every part of one must be in u32.
            let fits = !is(binding, "scatter")
                || run.is_u32(&binding["elements"])
                    && run.value(&binding["elements"]) <= i128::from(number(manifest, "maxItems"));
            require(fits, || format!("{name} cannot have this capacity"))?;
        }
        Ok(run)
    }

    fn check_names(&self) -> Result<(), String> {
        let arrays =
            list(self.manifest, "bindings").iter().filter_map(|b| given(b).map(|name| (name, text(b, "type"), true)));
        let users = list(self.manifest, "params").iter().filter(|param| text(param, "role") == "user");
        let numbers = users.map(|param| if param["from"].is_null() { param } else { &param["from"] });
        let expected: Vec<_> =
            arrays.chain(numbers.map(|user| (text(user, "name"), text(user, "type"), false))).collect();
        for name in self.values.keys() {
            require(expected.iter().any(|(one, ..)| one == name), || format!("there is no {name}"))?;
        }
        for (name, wanted, is_array) in expected {
            let value = self.values.get(name).ok_or_else(|| format!("{name} is missing"))?;
            let fits = value.type_name == wanted && value.count.is_some() == is_array;
            require(fits, || format!("{name} must be {} of {wanted}", if is_array { "an array" } else { "a number" }))?;
        }
        Ok(())
    }

    fn set_range(&mut self, range: &Range) -> Result<(), String> {
        let (dimensions, most) = (list(self.manifest, "workGroupSize").len(), number(self.manifest, "maxItems"));
        let inputs =
            list(self.manifest, "bindings").iter().filter(|binding| text(binding, "role") != "table").filter_map(given);
        let lengths: Vec<(&str, u64)> =
            inputs.map(|name| (name, self.values[name].count.unwrap_or_default() as u64)).collect();
        let inferred = lengths.first().filter(|_| dimensions == 1).map(|(_, length)| vec![*length]);
        let sides = range.size.clone().or(inferred).unwrap_or_default();
        let offsets = range.offset.clone().unwrap_or_else(|| vec![0; dimensions]);
        require(sides.len() == dimensions && offsets.len() == dimensions, || {
            format!("size and offset have {dimensions} number(s)")
        })?;
        let n = sides.iter().try_fold(1u64, |n, side| n.checked_mul(*side)).filter(|n| *n <= most);
        let n = n.ok_or("there are too many items")?;
        for (side, offset) in sides.iter().zip(&offsets) {
            let end = offset.checked_add((*side).max(1));
            require(matches!(end, Some(end) if end <= IDS), || "the last global id is past 2^32".into())?;
        }
        for (name, length) in lengths {
            require(length == n, || format!("{name} has {length} elements for {n} items"))?;
        }
        self.variables.extend(SIDES.iter().zip(&sides).map(|(name, side)| (name.to_string(), i128::from(*side))));
        self.variables.insert("n".into(), i128::from(n));
        self.offsets = offsets;
        Ok(())
    }

    /// The bits of a scalar of the manifest.
    fn bits(&self, param: &Json) -> u64 {
        let dimension = number(param, "dimension") as usize;
        match text(param, "role") {
            "length" => self.variables["n"] as u64,
            "size" => self.variables[SIDES[dimension]] as u64,
            "offset" => self.offsets[dimension],
            "table-length" => self.variables[&format!("length {}", text(param, "table"))] as u64,
            "user" if param["from"].is_null() => self.values[text(param, "name")].bits(),
            "user" => self.values[text(&param["from"], "name")].bits() >> (32 * number(&param["from"], "word")),
            _ => 0,
        }
    }

    /// The uniform buffer of all scalars, which are words.
    fn param_block(&self) -> Vec<u8> {
        let mut block = vec![0; number(&self.manifest["paramBlock"], "bytes") as usize];
        for param in list(self.manifest, "params") {
            let at = number(param, "offset") as usize;
            block[at..at + 4].copy_from_slice(&self.bits(param).to_le_bytes()[..4]);
        }
        block
    }

    fn is_u32(&self, formula: &Json) -> bool {
        list(formula, "args").iter().all(|arg| self.is_u32(arg)) && (0..i128::from(IDS)).contains(&self.value(formula))
    }

    /// A formula of the manifest; -1, which no size is, if it divides by 0.
    fn value(&self, formula: &Json) -> i128 {
        if let Some(number) = formula.as_i64() {
            return i128::from(number);
        }
        if let Some(name) = formula.as_str() {
            return self.variables[name];
        }
        for kind in ["param", "length"] {
            if let Some(name) = formula[kind].as_str() {
                return self.variables[&format!("{kind} {name}")];
            }
        }
        let (a, b) = (self.value(&formula["args"][0]), self.value(&formula["args"][1]));
        match text(formula, "op") {
            "add" => a + b,
            "sub" => a - b,
            "mul" => a * b,
            "min" => a.min(b),
            "max" => a.max(b),
            "floor-div" if b != 0 => a.div_euclid(b),
            "ceil-div" if b != 0 => -(-a).div_euclid(b),
            _ => -1,
        }
    }

    /// The contents of an array before the run, in the parts that it is bound in.
    fn parts(&self, binding: &Json) -> Vec<Vec<u8>> {
        let mut bytes = vec![0; self.value(&binding["bytes"]) as usize];
        if let Some(name) = given(binding) {
            // A bool is a byte here and a word in memory.
            let step = if text(binding, "type") == "bool" { number(binding, "bytesPerElement") as usize } else { 1 };
            for (i, byte) in self.values[name].bytes.iter().enumerate() {
                bytes[i * step] = *byte;
            }
        }
        let count = binding["parts"].as_u64().unwrap_or(1) as usize;
        let step = (number(binding, "partElements") * number(binding, "bytesPerElement")) as usize;
        let mut parts: Vec<Vec<u8>> =
            if count == 1 { vec![bytes] } else { bytes.chunks(step).map(<[u8]>::to_vec).collect() };
        parts.resize(count, vec![0; 16]); // parts that the array does not reach
        parts
    }

    /// The outputs after the passes, or the reason why they have no meaning.
    fn results(&self, mut memory: HashMap<&str, Vec<u8>>) -> Result<BTreeMap<String, Output>, String> {
        let bindings = list(self.manifest, "bindings");
        if let Some(status) = bindings.iter().find(|binding| text(binding, "role") == "status") {
            let bytes = &memory[text(status, "name")];
            for (i, scatter) in bindings.iter().filter(|binding| is(binding, "scatter")).enumerate() {
                let is_outside = bytes[i / 8] >> (i % 8) & 1 == 1;
                require(!is_outside, || format!("an item was written outside of {}", text(scatter, "name")))?;
            }
        }
        let outputs: Vec<&Json> = bindings.iter().filter(|binding| text(binding, "role") == "output").collect();
        let length_of = |name: &str| u32::from_le_bytes(memory[name][..4].try_into().expect("a length has 4 bytes"));
        let lengths: Vec<Option<u32>> =
            outputs.iter().map(|output| output["lengthFrom"].as_str().map(length_of)).collect();
        let mut results = BTreeMap::new();
        for (output, length) in outputs.into_iter().zip(lengths).filter(|(output, _)| !is(output, "hidden")) {
            let (name, each) = (text(output, "name"), number(output, "bytesPerElement") as usize);
            let elements = self.value(&output["elements"]) as usize;
            let used = elements.min(length.map_or(elements, |length| length as usize)) * each;
            let mut bytes = memory.remove(name).unwrap_or_default();
            bytes.truncate(used);
            if text(output, "type") == "bool" {
                bytes = bytes.into_iter().step_by(each).collect();
            }
            results.insert(name.to_string(), Output { type_name: text(output, "type").to_string(), bytes });
        }
        Ok(results)
    }
}
