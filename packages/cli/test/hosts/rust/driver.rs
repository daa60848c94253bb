//! Runs the jobs of a file: driver JOBS.
#![deny(warnings)]
mod groupwise_host;
use groupwise_host::{Bf16, Element, Error, Output, Program, Range, Value, F16};
use std::collections::HashMap;
use std::fs;

fn array<T: Element>(bytes: &[u8]) -> Value {
    let bits = |bytes: &[u8]| bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
    Value::array(&bytes.chunks(T::BYTES).map(|bytes| T::of_bits(bits(bytes))).collect::<Vec<T>>())
}
fn number<T: Element>(bits: u64) -> Value {
    Value::number(T::of_bits(bits))
}
fn bytes<T: Element>(output: &Output) -> Vec<u8> {
    let elements = output.to_vec::<T>().expect("its type");
    elements.iter().flat_map(|x| x.bits().to_le_bytes().into_iter().take(T::BYTES)).collect()
}
type Makers = (fn(&[u8]) -> Value, fn(u64) -> Value, fn(&Output) -> Vec<u8>);
/// The functions of a type.
fn makers(name: &str) -> Makers {
    fn of<T: Element>() -> (&'static str, Makers) {
        (T::TYPE, (array::<T>, number::<T>, bytes::<T>))
    }
    let all = [
        of::<bool>(),
        of::<i8>(),
        of::<u8>(),
        of::<i16>(),
        of::<u16>(),
        of::<i32>(),
        of::<u32>(),
        of::<i64>(),
        of::<u64>(),
        of::<F16>(),
        of::<Bf16>(),
        of::<f32>(),
        of::<f64>(),
    ];
    all.into_iter().find(|(one, _)| *one == name).expect("a type").1
}

fn main() {
    let (device, queue) = (wgpu::Device, wgpu::Queue);
    let jobs = fs::read_to_string(std::env::args().nth(1).expect("a file")).expect("a file");
    let mut programs: HashMap<&str, Program> = HashMap::new();
    let (mut job, mut values, mut range) = ("", Vec::new(), Range::default());
    for line in jobs.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers = || Some(words[1..].iter().map(|word| word.parse().expect("a number")).collect());
        match words[0] {
            "job" => (job, values, range) = (words[1], Vec::new(), Range::default()),
            "array" => values.push((words[1], makers(words[2]).0(&fs::read(words[3]).expect("a file")))),
            "number" => values.push((words[1], makers(words[2]).1(words[3].parse().expect("bits")))),
            "size" => range.size = numbers(),
            "offset" => range.offset = numbers(),
            _ => {
                if !programs.contains_key(job) {
                    let (manifest, source) =
                        (fs::read_to_string(words[1]).expect("a file"), fs::read_to_string(words[2]).expect("a file"));
                    programs.insert(job, Program::new(&device, &queue, &manifest, &source).expect("a program"));
                }
                match programs[job].run(&values, &range) {
                    Ok(results) => results.into_iter().for_each(|(name, output)| {
                        fs::write(format!("{}/{name}", words[3]), makers(&output.type_name).2(&output))
                            .expect("a folder")
                    }),
                    Err(Error(problem)) => fs::write(format!("{}/error", words[3]), problem).expect("a folder"),
                }
            }
        }
    }
}
