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
  constexpr std::array<std::string_view, 4> is_signed = {"i8", "i16", "i32", "i64"}, is_unsigned = {"u8", "u16", "u32", "u64"};
  if constexpr (std::is_same_v<T, bool>) return "bool";
  else if constexpr (std::is_same_v<T, half>) return "f16";
  else if constexpr (std::is_same_v<T, bfloat16>) return "bf16";
  else if constexpr (std::is_same_v<T, float>) return "f32";
  else if constexpr (std::is_same_v<T, double>) return "f64";
  else if constexpr (std::is_integral_v<T>)
    return (std::is_signed_v<T> ? is_signed : is_unsigned)[std::countr_zero(sizeof(T))];
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
  const bool is_known = manifest_["version"].is_number() && manifest_["version"].number() == 2;
  if (!is_known || manifest_["target"].text() != "opencl") throw Error("this is not a manifest of OpenCL C, version 2");
  const auto device = of_queue<cl_device_id>(CL_QUEUE_DEVICE);
  require_device(device);
  const char* text = source.data();
  const std::size_t length = source.size();
  cl_int status = CL_SUCCESS;
  program_.reset(clCreateProgramWithSource(of_queue<cl_context>(CL_QUEUE_CONTEXT), 1, &text, &length, &status));
  check(status, "clCreateProgramWithSource");
  status = clBuildProgram(program_.get(), 1, &device, manifest_["flags"]["buildOptions"].text().c_str(), nullptr, nullptr);
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

// The checked arguments of one run.
struct Program::Run {
  Run(const Program& program, const Values& values, const Range& range) : program_(program), manifest(program.manifest_) {
    check_names(values);
    set_range(values, range);
    for (const Json& binding : manifest["bindings"].list())
      if (binding["role"].text() == "table") {
        const std::uint64_t length = values.find(binding["name"].text())->second.count();
        require(length <= most_items(), "the table " + binding["name"].text() + " is too long");
        variables["length " + binding["name"].text()] = static_cast<std::int64_t>(length);
      }
    for (const auto& [name, value] : values)
      if (!value.is_array() && value.type() == "u32") variables["param " + name] = static_cast<std::int64_t>(value.bits());
    for (const Json& param : manifest["params"].list()) scalars[param["name"].text()] = launched(param, values);
    for (const Json& binding : manifest["bindings"].list()) check_sizes(binding);
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
    for (const Json& binding : manifest["bindings"].list())
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
    for (const Json& binding : manifest["bindings"].list())
      if (const std::string name = given_to(binding); !name.empty() && binding["role"].text() != "table")
        lengths[name] = values.find(name)->second.count();
    if (sides.empty() && dimensions == 1 && !lengths.empty()) sides = {lengths.begin()->second};
    const std::string count = std::to_string(dimensions);
    require(sides.size() == dimensions && offsets.size() == dimensions, "size and offset have " + count + " number(s)");
    std::uint64_t n = 1;
    for (const std::uint64_t side : sides) {
      require(side <= most_items() && n * side <= most_items(), "there are too many items");  // n * side < 2^64
      n *= side;
    }
    for (std::size_t d = 0; d < dimensions; d++) {
      const bool fits = offsets[d] <= ids && offsets[d] + std::max<std::uint64_t>(sides[d], 1) <= ids;
      require(fits, "the last global id is past 2^32");
      variables[std::string("size_") + "xyz"[d]] = static_cast<std::int64_t>(sides[d]);
    }
    for (const auto& [name, length] : lengths)
      require(length == n, name + " has " + std::to_string(length) + " elements for " + std::to_string(n) + " items");
    variables["n"] = static_cast<std::int64_t>(n);
  }

  // The bits of a scalar of the manifest; kernels take as many of the low ones as its type in memory has.
  std::uint64_t launched(const Json& param, const Values& values) const {
    const std::string& role = param["role"].text();
    const std::size_t d = param["dimension"].is_null() ? 0 : static_cast<std::size_t>(param["dimension"].number());
    if (role == "length") return static_cast<std::uint64_t>(variables.at("n"));
    if (role == "size") return static_cast<std::uint64_t>(variables.at(std::string("size_") + "xyz"[d]));
    if (role == "offset") return offsets[d];
    if (role == "zero") return 0;
    if (role == "table-length") return static_cast<std::uint64_t>(variables.at("length " + param["table"].text()));
    const Json& from = param["from"];
    const std::uint64_t bits = values.find((from.is_null() ? param : from)["name"].text())->second.bits();
    if (param["divides"].flag()) {
      const auto n = static_cast<std::uint64_t>(variables.at("n"));
      const std::string value = param["name"].text() + " is " + std::to_string(bits);
      require(bits > 0 && n % bits == 0, value + ", which does not divide " + std::to_string(n) + " items");
    }
    return from.is_null() ? bits : bits >> (32 * from["word"].number()) & std::numeric_limits<std::uint32_t>::max();
  }

  // Kernels compute capacities in u32, so that every part of one must be in u32.
  void check_sizes(const Json& binding) const {
    const std::string& name = binding["name"].text();
    require(!binding["needsItems"].flag() || variables.at("n") > 0, name + " needs an item, but the range is empty");
    if (!binding["scatter"].flag()) return;
    const bool fits = is_u32(binding["elements"]) && static_cast<std::uint64_t>(value(binding["elements"])) <= most_items();
    require(fits, name + " cannot have this capacity");
  }
  bool is_u32(const Json& formula) const {
    if (!formula["op"].is_null())
      for (const Json& arg : formula["args"].list())
        if (!is_u32(arg)) return false;
    const std::int64_t size = value(formula);
    return size >= 0 && static_cast<std::uint64_t>(size) < ids;
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

  static constexpr std::uint64_t ids = std::uint64_t{1} << 32;
  const Program& program_;
  const Json& manifest;
  std::vector<std::uint64_t> offsets;
  std::map<std::string, std::int64_t, std::less<>> variables;  // of formulas
  std::map<std::string, std::uint64_t, std::less<>> scalars;   // their bits
};

inline Results Program::run(const Values& values, const Range& range) {
  const Run run(*this, values, range);
  const auto context = of_queue<cl_context>(CL_QUEUE_CONTEXT);
  const auto& bindings = manifest_["bindings"].list();
  std::map<std::string, Owned<cl_mem>, std::less<>> buffers;
  std::map<std::string, std::vector<std::byte>, std::less<>> memory;
  // A bool is a byte here and a number of 4 bytes in memory.
  const auto is_wide = [](const Json& b) { return b["type"].text() == "bool" && b["bytesPerElement"].number() == 4; };
  for (const Json& b : bindings) {
    const std::string& name = b["name"].text();
    std::vector<std::byte>& bytes = memory[name];
    bytes.resize(run.size(b["bytes"]));
    if (const std::string from = Run::given_to(b); !from.empty()) {
      const auto given = values.find(from)->second.bytes();
      const std::size_t step = is_wide(b) ? 4 : 1;
      for (std::size_t i = 0; i < given.size(); i++) bytes[i * step] = given[i];
    }
    cl_int status = CL_SUCCESS;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    buffers[name].reset(clCreateBuffer(context, flags, bytes.size(), bytes.data(), &status));
    check(status, "clCreateBuffer");
  }
  for (std::size_t i = 0; i < kernels_.size(); i++) {
    const Json& pass = manifest_["passes"].list()[i];
    const std::size_t local = run.size(pass["workGroupSize"]), global = run.size(pass["groups"]) * local;
    if (global == 0) continue;
    cl_uint at = 0;
    for (const Json& name : pass["params"].list()) {
      const auto& params = manifest_["params"].list();
      const auto param = std::ranges::find_if(params, [&](const Json& p) { return p["name"].text() == name.text(); });
      const std::string& type = (*param)["memory"].text();
      const std::size_t bytes = static_cast<std::size_t>(std::stoi(type.substr(1))) / 8;
      check(clSetKernelArg(kernels_[i].get(), at++, bytes, &run.scalars.find(name.text())->second), "clSetKernelArg");
    }
    for (const Json& use : pass["bindings"].list()) {
      const cl_mem buffer = buffers.find(use["name"].text())->second.get();
      check(clSetKernelArg(kernels_[i].get(), at++, sizeof buffer, &buffer), "clSetKernelArg");
    }
    const cl_int status = clEnqueueNDRangeKernel(queue_, kernels_[i].get(), 1, nullptr, &global, &local, 0, nullptr, nullptr);
    check(status, "clEnqueueNDRangeKernel");
  }
  for (const Json& b : bindings) {
    if (b["role"].text() != "output" && b["role"].text() != "status") continue;
    std::vector<std::byte>& bytes = memory[b["name"].text()];
    const cl_mem buffer = buffers[b["name"].text()].get();
    check(clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr, nullptr), "clEnqueueReadBuffer");
  }
  // Bit i of the status is of the i-th scatter.
  std::size_t scatter = 0;
  for (const Json& status : bindings)
    if (status["role"].text() == "status")
      for (const Json& b : bindings)
        if (b["scatter"].flag()) {
          const auto bits = std::to_integer<unsigned>(memory[status["name"].text()][scatter / 8]);
          require((bits >> scatter % 8 & 1) == 0, "an item was written outside of " + b["name"].text());
          scatter++;
        }
  Results results;
  for (const Json& b : bindings) {
    if (b["role"].text() != "output" || b["hidden"].flag()) continue;
    std::vector<std::byte> bytes = std::move(memory[b["name"].text()]);
    std::size_t elements = run.size(b["elements"]), each = run.size(b["bytesPerElement"]);
    if (!b["lengthFrom"].is_null()) {
      std::uint32_t length = 0;
      check(clEnqueueReadBuffer(queue_, buffers[b["lengthFrom"].text()].get(), CL_TRUE, 0, sizeof length, &length, 0, nullptr, nullptr), "clEnqueueReadBuffer");
      elements = std::min<std::size_t>(elements, length);
    }
    if (is_wide(b)) {
      for (std::size_t i = 0; i < elements; i++) bytes[i] = bytes[i * each];
      each = 1;
    }
    bytes.resize(elements * each);
    results.emplace(b["name"].text(), Output(b["type"].text(), std::move(bytes)));
  }
  return results;
}

}  // namespace groupwise
