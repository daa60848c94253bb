// Runs OpenCL C that `groupwise emit --target opencl --host cpp` wrote. C++20 and the OpenCL headers; link OpenCL.
//
//   #include "groupwise_host.hpp"
//   #include "line-index.cl.hpp"  // the kernels and the manifest as strings
//
//   const auto queue = groupwise::open_queue();
//   groupwise::Program program(queue.get(), line_index::manifest, line_index::source);
//   const std::vector<std::uint8_t> text = ...;
//   const auto results = program.run({{"text", text}});
//   const std::span<const std::uint32_t> starts = results.at("starts").as<std::uint32_t>();
//
// The manifest lists arrays, scalars and passes; `groupwise schema manifest` describes it.
// Arguments that do not fit throw groupwise::Error before anything runs. One thread at a time may use a Program.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace groupwise {

static_assert(std::endian::native == std::endian::little, "emitted files hold the low word first");

// A run, a manifest or a device that does not fit, or a call of OpenCL that failed; what() says why.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The 16 bits of an f16 and of a bf16.
enum class half : std::uint16_t {};
enum class bfloat16 : std::uint16_t {};

// The type of a manifest that T is; empty if it is none.
template <class T>
consteval std::string_view type_name() {
  constexpr std::array<std::string_view, 8> integers = {"u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64"};
  if constexpr (std::is_same_v<T, bool>) return "bool";
  else if constexpr (std::is_same_v<T, half>) return "f16";
  else if constexpr (std::is_same_v<T, bfloat16>) return "bf16";
  else if constexpr (std::is_same_v<T, float>) return "f32";
  else if constexpr (std::is_same_v<T, double>) return "f64";
  else if constexpr (std::is_integral_v<T>)
    return integers[std::countr_zero(sizeof(T)) + (std::is_signed_v<T> ? 4 : 0)];
  else return "";
}
template <class T>
concept Element = !type_name<T>().empty() && (!std::is_same_v<T, bool> || sizeof(bool) == 1);

// A value of JSON. Members that are missing are null.
class Json {
 public:
  Json() = default;
  static Json parse(std::string_view text);
  bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
  bool is_number() const { return std::holds_alternative<double>(value_); }
  bool is_text() const { return std::holds_alternative<std::string>(value_); }
  bool flag() const { return !is_null() && std::get<bool>(value_); }
  std::int64_t number() const { return static_cast<std::int64_t>(std::get<double>(value_)); }
  const std::string& text() const { return std::get<std::string>(value_); }
  const std::vector<Json>& list() const { return std::get<std::vector<Json>>(value_); }
  const Json& operator[](std::string_view name) const {
    static const Json none;
    const auto* members = std::get_if<Members>(&value_);
    const auto found = members ? members->find(name) : typename Members::const_iterator{};
    return members && found != members->end() ? found->second : none;
  }

 private:
  using Members = std::map<std::string, Json, std::less<>>;
  std::variant<std::nullptr_t, bool, double, std::string, std::vector<Json>, Members> value_ = nullptr;
  class Reader;
};

class Json::Reader {
 public:
  explicit Reader(std::string_view text) : left_(text) {}
  Json value() {
    Json made;
    const char first = peek();
    if (first == '{') {
      Members members;
      each('}', [&] { auto name = string(); take(':'); members.emplace(std::move(name), value()); });
      made.value_ = std::move(members);
    } else if (first == '[') {
      std::vector<Json> list;
      each(']', [&] { list.push_back(value()); });
      made.value_ = std::move(list);
    } else if (first == '"') {
      made.value_ = string();
    } else {
      const std::string word(left_.substr(0, left_.find_first_of(",]} \t\r\n")));
      left_.remove_prefix(word.size());
      if (word == "true" || word == "false") made.value_ = word == "true";
      else if (word != "null") made.value_ = std::strtod(word.c_str(), nullptr);
    }
    return made;
  }

 private:
  char peek() {
    left_.remove_prefix(std::min(left_.find_first_not_of(" \t\r\n"), left_.size()));
    if (left_.empty()) throw Error("the manifest is not whole");
    return left_.front();
  }
  void take(char wanted) {
    if (peek() != wanted) throw Error(std::string("the manifest lacks a ") + wanted);
    left_.remove_prefix(1);
  }
  template <class Each>
  void each(char end, Each one) {
    left_.remove_prefix(1);
    while (peek() != end) {
      one();
      if (peek() == ',') left_.remove_prefix(1);
    }
    left_.remove_prefix(1);
  }
  std::string string() {
    std::string made;
    for (take('"'); !left_.starts_with('"'); left_.remove_prefix(1)) {
      if (left_.starts_with('\\')) left_.remove_prefix(1);  // names have no escapes, and comments do not matter
      if (left_.empty()) throw Error("the manifest is not whole");
      made += left_.front();
    }
    take('"');
    return made;
  }
  std::string_view left_;
};
inline Json Json::parse(std::string_view text) { return Reader(text).value(); }

// An argument of a run: an array, which is not copied and must live as long as the run, or a number or bool.
class Value {
 public:
  template <std::ranges::contiguous_range Range>
    requires Element<std::ranges::range_value_t<Range>> && (!std::is_array_v<std::remove_reference_t<Range>>)
  Value(const Range& array)
      : type_(type_name<std::ranges::range_value_t<Range>>()),
        array_(std::as_bytes(std::span(array))), count_(std::ranges::size(array)), is_array_(true) {}
  template <Element T>
  Value(T number) : type_(type_name<T>()) { std::memcpy(&bits_, &number, sizeof number); }

  std::string_view type() const { return type_; }
  bool is_array() const { return is_array_; }
  std::span<const std::byte> bytes() const { return array_; }
  std::size_t count() const { return count_; }
  std::uint64_t bits() const { return bits_; }

 private:
  std::string_view type_;
  std::span<const std::byte> array_;
  std::size_t count_ = 0;
  std::uint64_t bits_ = 0;
  bool is_array_ = false;
};
using Values = std::map<std::string, Value, std::less<>>;

// The number of items of each dimension, dimension 0 first, and the first global ids. A range of one dimension is by
// default as long as the inputs, and ids begin by default at 0.
struct Range {
  std::vector<std::uint64_t> size = {}, offset = {};
};

// The array of an output.
class Output {
 public:
  Output(std::string type, std::vector<std::byte> bytes) : type_(std::move(type)), bytes_(std::move(bytes)) {}
  const std::string& type() const { return type_; }
  std::span<const std::byte> bytes() const { return bytes_; }
  template <Element T>
  std::span<const T> as() const {
    if (type_name<T>() != type_) throw Error("an output is " + type_ + ", not " + std::string(type_name<T>()));
    return {reinterpret_cast<const T*>(bytes_.data()), bytes_.size() / sizeof(T)};
  }

 private:
  std::string type_;
  std::vector<std::byte> bytes_;
};
using Results = std::map<std::string, Output, std::less<>>;

// Objects of OpenCL, released with their owners.
struct Release {
  void operator()(cl_mem x) const { clReleaseMemObject(x); }
  void operator()(cl_kernel x) const { clReleaseKernel(x); }
  void operator()(cl_program x) const { clReleaseProgram(x); }
  void operator()(cl_command_queue x) const { clReleaseCommandQueue(x); }
};
template <class T>
using Owned = std::unique_ptr<std::remove_pointer_t<T>, Release>;

inline void check(cl_int status, const char* call) {
  if (status != CL_SUCCESS) throw Error(std::string(call) + " failed with status " + std::to_string(status));
}

// A queue on the first GPU, else on the first device of any kind.
inline Owned<cl_command_queue> open_queue() {
  std::array<cl_platform_id, 16> platforms{};
  cl_uint count = 0;
  check(clGetPlatformIDs(platforms.size(), platforms.data(), &count), "clGetPlatformIDs");
  for (const cl_device_type kind : {cl_device_type{CL_DEVICE_TYPE_GPU}, cl_device_type{CL_DEVICE_TYPE_ALL}})
    for (const cl_platform_id platform : std::span(platforms).first(std::min<std::size_t>(count, platforms.size()))) {
      cl_device_id device = nullptr;
      cl_int status = clGetDeviceIDs(platform, kind, 1, &device, nullptr);
      if (status != CL_SUCCESS) continue;
      const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
      check(status, "clCreateContext");
      Owned<cl_command_queue> queue(clCreateCommandQueue(context, device, 0, &status));
      clReleaseContext(context);  // the queue keeps it
      check(status, "clCreateCommandQueue");
      return queue;
    }
  throw Error("there is no OpenCL device");
}

// A pipeline on the device of a queue, which must outlive it.
class Program {
 public:
  Program(cl_command_queue queue, std::string_view manifest, std::string_view source);
  // Runs all passes over arrays of the host, and waits. Results are by the names of outputs.
  Results run(const Values& values, const Range& range = {});

 private:
  struct Run;
  template <class T>
  T of_queue(cl_command_queue_info what) const {
    T value{};
    check(clGetCommandQueueInfo(queue_, what, sizeof value, &value, nullptr), "clGetCommandQueueInfo");
    return value;
  }
  void require_device(cl_device_id device) const;
  void require(bool holds, const std::string& problem) const {
    if (!holds) throw Error(manifest_["pipeline"].text() + ": " + problem);
  }

  Json manifest_;
  cl_command_queue queue_;
  Owned<cl_program> program_;
  std::vector<Owned<cl_kernel>> kernels_;  // one of each pass
};

inline Program::Program(cl_command_queue queue, std::string_view manifest, std::string_view source)
    : manifest_(Json::parse(manifest)), queue_(queue) {
  const Json &version = manifest_["version"], &target = manifest_["target"];
  const bool is_known = version.is_number() && version.number() == 2 && target.is_text() && target.text() == "opencl";
  if (!is_known) throw Error("this is not a manifest of OpenCL C, version 2");
  const auto device = of_queue<cl_device_id>(CL_QUEUE_DEVICE);
  require_device(device);
  const char* text = source.data();
  const std::size_t length = source.size();
  cl_int status = CL_SUCCESS;
  program_.reset(clCreateProgramWithSource(of_queue<cl_context>(CL_QUEUE_CONTEXT), 1, &text, &length, &status));
  check(status, "clCreateProgramWithSource");
  const std::string& options = manifest_["flags"]["buildOptions"].text();
  status = clBuildProgram(program_.get(), 1, &device, options.c_str(), nullptr, nullptr);
  if (status != CL_SUCCESS) {
    std::string log(65536, '\0');
    clGetProgramBuildInfo(program_.get(), device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    require(false, "clBuildProgram failed with status " + std::to_string(status) + "\n" + log.c_str());
  }
  for (const Json& pass : manifest_["passes"].list()) {
    kernels_.emplace_back(clCreateKernel(program_.get(), pass["entryPoint"].text().c_str(), &status));
    check(status, "clCreateKernel");
  }
}

inline void Program::require_device(cl_device_id device) const {
  std::size_t size = 0;
  check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &size), "clGetDeviceInfo");
  std::string extensions(size, ' ');
  check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, extensions.data(), nullptr), "clGetDeviceInfo");
  cl_device_fp_config floats = 0;
  check(clGetDeviceInfo(device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof floats, &floats, nullptr), "clGetDeviceInfo");
  const std::map<std::string_view, bool> has = {
      {"fp64", extensions.find("cl_khr_fp64") != std::string::npos},
      {"fp16", extensions.find("cl_khr_fp16") != std::string::npos},
      {"correctly-rounded-divide", (floats & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0},
  };
  // Whether work-items of a subgroup are consecutive only a test shows, which this host does not have.
  for (const Json& feature : manifest_["requires"].list()) {
    const auto found = has.find(feature.text());
    require(found != has.end() && found->second, "this host does not run " + feature.text() + " on this device");
  }
}

// One run: its checked arguments, and its arrays.
struct Program::Run {
  Run(const Program& program, const Values& values, const Range& range)
      : program_(program), manifest(program.manifest_), bindings(manifest["bindings"].list()) {
    check_names(values);
    set_range(values, range);
    for (const Json& binding : bindings)
      if (binding["role"].text() == "table") {
        const std::uint64_t length = values.find(binding["name"].text())->second.count();
        require(length <= most_items(), "the table " + binding["name"].text() + " is too long");
        variables["length " + binding["name"].text()] = static_cast<std::int64_t>(length);
      }
    for (const auto& [name, value] : values)
      if (!value.is_array() && value.type() == "u32")
        variables["param " + name] = static_cast<std::int64_t>(value.bits());
    for (const Json& param : manifest["params"].list()) {
      const std::size_t bits = std::stoul(param["memory"].text().substr(1));  // i32, f64, …
      scalars[param["name"].text()] = {launched(param, values), bits / 8};
    }
    for (const Json& binding : bindings) check_sizes(binding);
  }

  void require(bool holds, const std::string& problem) const { program_.require(holds, problem); }
  std::uint64_t most_items() const { return static_cast<std::uint64_t>(manifest["maxItems"].number()); }

  // The name of the argument that an array holds before the run; empty if there is none.
  static std::string given_to(const Json& binding) {
    if (!binding["inPlace"].is_null()) return binding["inPlace"].text();
    const std::string& role = binding["role"].text();
    return role == "input" || role == "table" ? binding["name"].text() : "";
  }

  void check_names(const Values& values) const {
    std::map<std::string, std::pair<std::string, bool>> expected;  // type, and whether it is an array
    for (const Json& binding : bindings)
      if (const std::string name = given_to(binding); !name.empty()) expected[name] = {binding["type"].text(), true};
    for (const Json& param : manifest["params"].list()) {
      const Json& user = param["from"].is_null() ? param : param["from"];
      if (param["role"].text() == "user") expected[user["name"].text()] = {user["type"].text(), false};
    }
    for (const auto& [name, value] : values) require(expected.contains(name), "there is no " + name);
    for (const auto& [name, wanted] : expected) {
      const auto found = values.find(name);
      require(found != values.end(), name + " is missing");
      const bool fits = found->second.type() == wanted.first && found->second.is_array() == wanted.second;
      require(fits, name + " must be " + (wanted.second ? "an array of " : "a value of ") + wanted.first);
    }
  }

  void set_range(const Values& values, const Range& range) {
    const std::size_t dimensions = manifest["workGroupSize"].list().size();
    std::vector<std::uint64_t> sides = range.size;
    offsets = range.offset.empty() ? std::vector<std::uint64_t>(dimensions) : range.offset;
    std::map<std::string, std::uint64_t> lengths;
    for (const Json& binding : bindings)
      if (const std::string name = given_to(binding); !name.empty() && binding["role"].text() != "table")
        lengths[name] = values.find(name)->second.count();
    if (sides.empty() && dimensions == 1 && !lengths.empty()) sides = {lengths.begin()->second};
    const std::string count = std::to_string(dimensions);
    require(sides.size() == dimensions && offsets.size() == dimensions, "size and offset have " + count + " number(s)");
    std::uint64_t n = 1;
    for (std::size_t d = 0; d < dimensions; d++) {
      require(sides[d] <= most_items() && n * sides[d] <= most_items(), "there are too many items");
      n *= sides[d];
      const bool fits = offsets[d] <= ids && offsets[d] + std::max<std::uint64_t>(sides[d], 1) <= ids;
      require(fits, "the last global id is past 2^32");
      variables[side_names[d]] = static_cast<std::int64_t>(sides[d]);
    }
    for (const auto& [name, length] : lengths)
      require(length == n, name + " has " + std::to_string(length) + " elements for " + std::to_string(n) + " items");
    variables["n"] = static_cast<std::int64_t>(n);
  }

  // The bits of a scalar of the manifest.
  std::uint64_t launched(const Json& param, const Values& values) const {
    const auto variable = [&](const std::string& name) { return static_cast<std::uint64_t>(variables.at(name)); };
    const std::string& role = param["role"].text();
    const std::size_t d = param["dimension"].is_null() ? 0 : static_cast<std::size_t>(param["dimension"].number());
    if (role == "length") return variable("n");
    if (role == "size") return variable(side_names[d]);
    if (role == "offset") return offsets[d];
    if (role == "table-length") return variable("length " + param["table"].text());
    if (role == "zero") return 0;
    const Json& from = param["from"];
    const std::uint64_t bits = values.find((from.is_null() ? param : from)["name"].text())->second.bits();
    if (param["divides"].flag()) {
      const std::string value = param["name"].text() + " is " + std::to_string(bits);
      const std::string n = std::to_string(variable("n"));
      require(bits > 0 && variable("n") % bits == 0, value + ", which does not divide " + n + " items");
    }
    return from.is_null() ? bits : bits >> (32 * from["word"].number());
  }

  // Kernels compute capacities in u32, so that every part of one must be in u32.
  void check_sizes(const Json& binding) const {
    const std::string& name = binding["name"].text();
    require(!binding["needsItems"].flag() || variables.at("n") > 0, name + " needs an item, but the range is empty");
    if (!binding["scatter"].flag()) return;
    const Json& elements = binding["elements"];
    require(is_u32(elements) && size(elements) <= most_items(), name + " cannot have this capacity");
  }
  bool is_u32(const Json& formula) const {
    if (!formula["op"].is_null())
      for (const Json& arg : formula["args"].list())
        if (!is_u32(arg)) return false;
    return value(formula) >= 0 && static_cast<std::uint64_t>(value(formula)) < ids;
  }

  // A formula of the manifest; -1, which no size is, if it divides by 0.
  std::int64_t value(const Json& formula) const {
    if (formula.is_number()) return formula.number();
    if (formula.is_text()) return variables.at(formula.text());
    if (!formula["param"].is_null()) return variables.at("param " + formula["param"].text());
    if (!formula["length"].is_null()) return variables.at("length " + formula["length"].text());
    const std::string& op = formula["op"].text();
    const std::int64_t a = value(formula["args"].list()[0]), b = value(formula["args"].list()[1]);
    if (op == "add") return a + b;
    if (op == "sub") return a - b;
    if (op == "mul") return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    if (op == "min") return std::min(a, b);
    if (op == "max") return std::max(a, b);
    if (b == 0) return -1;
    if (op == "floor-div") return a / b - (a % b < 0);
    if (op == "ceil-div") return a / b + (a % b > 0);
    throw Error("a formula has the operator " + op);
  }
  std::size_t size(const Json& formula) const { return static_cast<std::size_t>(value(formula)); }

  // Bytes of an element of a bool, which is one byte here and a number of several in memory; else 1.
  static std::size_t step_of(const Json& binding) {
    return binding["type"].text() == "bool" ? static_cast<std::size_t>(binding["bytesPerElement"].number()) : 1;
  }

  void upload(cl_context context, const Values& values) {
    for (const Json& binding : bindings) {
      std::vector<std::byte>& bytes = memory[binding["name"].text()];
      bytes.resize(size(binding["bytes"]));
      if (const std::string from = given_to(binding); !from.empty()) {
        const auto given = values.find(from)->second.bytes();
        for (std::size_t i = 0; i < given.size(); i++) bytes[i * step_of(binding)] = given[i];
      }
      cl_int status = CL_SUCCESS;
      const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
      buffers[binding["name"].text()].reset(clCreateBuffer(context, flags, bytes.size(), bytes.data(), &status));
      check(status, "clCreateBuffer");
    }
  }

  void enqueue(cl_command_queue queue, const Json& pass, cl_kernel kernel) const {
    const std::size_t local = size(pass["workGroupSize"]), global = size(pass["groups"]) * local;
    if (global == 0) return;
    cl_uint at = 0;
    for (const Json& name : pass["params"].list()) {
      const auto& [bits, bytes] = scalars.at(name.text());
      check(clSetKernelArg(kernel, at++, bytes, &bits), "clSetKernelArg");
    }
    for (const Json& use : pass["bindings"].list()) {
      const cl_mem buffer = buffers.at(use["name"].text()).get();
      check(clSetKernelArg(kernel, at++, sizeof buffer, &buffer), "clSetKernelArg");
    }
    const cl_int status = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr);
    check(status, "clEnqueueNDRangeKernel");
  }

  void download(cl_command_queue queue) {
    for (const Json& binding : bindings) {
      if (binding["role"].text() != "output" && binding["role"].text() != "status") continue;
      std::vector<std::byte>& bytes = memory.at(binding["name"].text());
      const cl_mem buffer = buffers.at(binding["name"].text()).get();
      check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
    }
  }

  // The outputs, or the reason why they have no meaning.
  Results results() const {
    const auto status = std::ranges::find_if(bindings, [](const Json& b) { return b["role"].text() == "status"; });
    std::size_t scatters = 0;
    for (const Json& binding : bindings) {
      if (status == bindings.end() || !binding["scatter"].flag()) continue;
      const auto bits = std::to_integer<unsigned>(memory.at((*status)["name"].text())[scatters / 8]);
      require((bits >> scatters % 8 & 1) == 0, "an item was written outside of " + binding["name"].text());
      scatters++;
    }
    Results results;
    for (const Json& binding : bindings) {
      if (binding["role"].text() != "output" || binding["hidden"].flag()) continue;
      const std::vector<std::byte>& all = memory.at(binding["name"].text());
      std::size_t elements = size(binding["elements"]);
      if (!binding["lengthFrom"].is_null()) {
        std::uint32_t length = 0;
        std::memcpy(&length, memory.at(binding["lengthFrom"].text()).data(), sizeof length);
        elements = std::min<std::size_t>(elements, length);
      }
      std::vector<std::byte> bytes(elements * size(binding["bytesPerElement"]) / step_of(binding));
      for (std::size_t i = 0; i < bytes.size(); i++) bytes[i] = all[i * step_of(binding)];
      results.emplace(binding["name"].text(), Output(binding["type"].text(), std::move(bytes)));
    }
    return results;
  }

  static constexpr std::uint64_t ids = std::uint64_t{1} << 32;
  static constexpr std::array<const char*, 3> side_names = {"size_x", "size_y", "size_z"};
  const Program& program_;
  const Json& manifest;
  const std::vector<Json>& bindings;
  std::vector<std::uint64_t> offsets;
  std::map<std::string, std::int64_t> variables;                             // of formulas
  std::map<std::string, std::pair<std::uint64_t, std::size_t>> scalars;      // bits, and bytes of the argument
  std::map<std::string, std::vector<std::byte>> memory;
  std::map<std::string, Owned<cl_mem>> buffers;
};

inline Results Program::run(const Values& values, const Range& range) {
  Run run(*this, values, range);
  run.upload(of_queue<cl_context>(CL_QUEUE_CONTEXT), values);
  for (std::size_t i = 0; i < kernels_.size(); i++)
    run.enqueue(queue_, manifest_["passes"].list()[i], kernels_[i].get());
  run.download(queue_);
  return run.results();
}

}  // namespace groupwise
