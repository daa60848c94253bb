// Runs OpenCL C that `groupwise emit --target opencl --host cpp` wrote. C++20; link OpenCL.
// Needs the OpenCL headers and nlohmann/json 3 (Debian: opencl-c-headers, ocl-icd-opencl-dev, nlohmann-json3-dev).
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
// What does not fit throws groupwise::Error before anything runs. One thread at a time may use a Program.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
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

using Json = nlohmann::json;

inline std::string text(const Json& object, const char* member) { return object.at(member).get<std::string>(); }

// What the manifest names.
template <class Map>
const typename Map::mapped_type& named(const Map& map, const std::string& name) {
  const auto found = map.find(name);
  if (found == map.end()) throw Error("the manifest does not define " + name);
  return found->second;
}

// An argument of a run: an array, which is not copied and must live as long as the run, or a number or bool.
struct Value {
  template <std::ranges::contiguous_range Range>
    requires Element<std::ranges::range_value_t<Range>> && (!std::is_array_v<std::remove_reference_t<Range>>)
  Value(const Range& array)
      : type(type_name<std::ranges::range_value_t<Range>>()),
        bytes(std::as_bytes(std::span(array))), count(std::ranges::size(array)), is_array(true) {}
  template <Element T>
  Value(T number) : type(type_name<T>()) { std::memcpy(&bits, &number, sizeof number); }

  std::string_view type;
  std::span<const std::byte> bytes;
  std::size_t count = 0;
  std::uint64_t bits = 0;
  bool is_array = false;
};
using Values = std::map<std::string, Value, std::less<>>;

// The number of items of each dimension, dimension 0 first, and the first global ids. A range of one dimension is by
// default as long as the inputs, and ids begin by default at 0.
struct Range {
  std::vector<std::uint64_t> size = {}, offset = {};
};

// The array of an output.
struct Output {
  template <Element T>
  std::span<const T> as() const {
    if (type_name<T>() != type) throw Error("an output is " + type + ", not " + std::string(type_name<T>()));
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }

  std::string type;
  std::vector<std::byte> bytes;
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
  void require_device(cl_device_id device) const;
  void require(bool holds, const std::string& problem) const {
    if (!holds) throw Error(text(manifest_, "pipeline") + ": " + problem);
  }

  Json manifest_;
  cl_command_queue queue_;
  cl_context context_ = nullptr;
  Owned<cl_program> program_;
  std::vector<Owned<cl_kernel>> kernels_;  // one of each pass
};

inline Program::Program(cl_command_queue queue, std::string_view manifest, std::string_view source) try
    : manifest_(Json::parse(manifest)), queue_(queue) {
  const bool is_known = manifest_.value("version", 0) == 2 && manifest_.value("target", "") == "opencl";
  if (!is_known) throw Error("this is not a manifest of OpenCL C, version 2");
  cl_device_id device = nullptr;
  check(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr), "clGetCommandQueueInfo");
  check(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context_, &context_, nullptr), "clGetCommandQueueInfo");
  require_device(device);
  const char* first = source.data();
  const std::size_t length = source.size();
  cl_int status = CL_SUCCESS;
  program_.reset(clCreateProgramWithSource(context_, 1, &first, &length, &status));
  check(status, "clCreateProgramWithSource");
  const std::string options = text(manifest_.at("flags"), "buildOptions");
  status = clBuildProgram(program_.get(), 1, &device, options.c_str(), nullptr, nullptr);
  if (status != CL_SUCCESS) {
    std::string log(65536, '\0');
    clGetProgramBuildInfo(program_.get(), device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    require(false, "clBuildProgram failed with status " + std::to_string(status) + "\n" + log.c_str());
  }
  for (const Json& pass : manifest_.at("passes")) {
    kernels_.emplace_back(clCreateKernel(program_.get(), text(pass, "entryPoint").c_str(), &status));
    check(status, "clCreateKernel");
  }
} catch (const Json::exception& problem) {
  throw Error(std::string("the manifest does not fit: ") + problem.what());
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
  for (const auto& feature : manifest_.at("requires").get<std::vector<std::string>>()) {
    const auto found = has.find(feature);
    require(found != has.end() && found->second, "this host does not run " + feature + " on this device");
  }
}

// One run: its checked arguments, and its arrays.
struct Program::Run {
  Run(const Program& program, const Values& values, const Range& range)
      : program_(program), manifest(program.manifest_), bindings(manifest.at("bindings")) {
    check_names(values);
    set_range(values, range);
    for (const Json& binding : bindings)
      if (text(binding, "role") == "table") {
        const std::string name = text(binding, "name");
        const std::uint64_t length = named(values, name).count;
        require(length <= most_items(), "the table " + name + " is too long");
        variables["length " + name] = static_cast<std::int64_t>(length);
      }
    for (const auto& [name, value] : values)
      if (!value.is_array && value.type == "u32") variables["param " + name] = static_cast<std::int64_t>(value.bits);
    for (const Json& param : manifest.at("params"))
      scalars[text(param, "name")] = {launched(param, values), std::stoul(text(param, "memory").substr(1)) / 8};
    for (const Json& binding : bindings) check_sizes(binding);
  }

  void require(bool holds, const std::string& problem) const { program_.require(holds, problem); }
  std::uint64_t most_items() const { return manifest.at("maxItems").get<std::uint64_t>(); }

  // The name of the argument that an array holds before the run; empty if there is none.
  static std::string given_to(const Json& binding) {
    const std::string role = text(binding, "role");
    return binding.value("inPlace", role == "input" || role == "table" ? text(binding, "name") : "");
  }

  void check_names(const Values& values) const {
    std::map<std::string, std::pair<std::string, bool>> expected;  // type, and whether it is an array
    for (const Json& binding : bindings)
      if (const std::string name = given_to(binding); !name.empty()) expected[name] = {text(binding, "type"), true};
    for (const Json& param : manifest.at("params")) {
      const Json user = param.value("from", param);
      if (text(param, "role") == "user") expected[text(user, "name")] = {text(user, "type"), false};
    }
    for (const auto& [name, value] : values) require(expected.contains(name), "there is no " + name);
    for (const auto& [name, wanted] : expected) {
      const auto found = values.find(name);
      require(found != values.end(), name + " is missing");
      const bool fits = found->second.type == wanted.first && found->second.is_array == wanted.second;
      require(fits, name + " must be " + (wanted.second ? "an array of " : "a value of ") + wanted.first);
    }
  }

  void set_range(const Values& values, const Range& range) {
    const std::size_t dimensions = manifest.at("workGroupSize").size();
    std::vector<std::uint64_t> sides = range.size;
    offsets = range.offset.empty() ? std::vector<std::uint64_t>(dimensions) : range.offset;
    std::map<std::string, std::uint64_t> lengths;
    for (const Json& binding : bindings)
      if (const std::string name = given_to(binding); !name.empty() && text(binding, "role") != "table")
        lengths[name] = named(values, name).count;
    if (sides.empty() && dimensions == 1 && !lengths.empty()) sides = {lengths.begin()->second};
    const bool fits = sides.size() == dimensions && offsets.size() == dimensions;
    require(fits, "size and offset have " + std::to_string(dimensions) + " number(s)");
    std::uint64_t n = 1;
    for (std::size_t d = 0; d < dimensions; d++) {
      require(sides[d] <= most_items() && n * sides[d] <= most_items(), "there are too many items");
      n *= sides[d];
      const std::uint64_t most = ids - std::max<std::uint64_t>(sides[d], 1);
      require(offsets[d] <= most, "the last global id is past 2^32");
      variables[side_names[d]] = static_cast<std::int64_t>(sides[d]);
    }
    for (const auto& [name, length] : lengths)
      require(length == n, name + " has " + std::to_string(length) + " elements for " + std::to_string(n) + " items");
    variables["n"] = static_cast<std::int64_t>(n);
  }

  // The bits of a scalar of the manifest.
  std::uint64_t launched(const Json& param, const Values& values) const {
    const auto variable = [&](const std::string& name) { return static_cast<std::uint64_t>(named(variables, name)); };
    const std::string role = text(param, "role");
    if (role == "length") return variable("n");
    if (role == "size") return variable(side_names.at(param.at("dimension").get<std::size_t>()));
    if (role == "offset") return offsets.at(param.at("dimension").get<std::size_t>());
    if (role == "table-length") return variable("length " + text(param, "table"));
    if (role == "zero") return 0;
    const Json from = param.value("from", param);
    const std::uint64_t bits = named(values, text(from, "name")).bits;
    if (param.value("divides", false)) {
      const std::string value = text(param, "name") + " is " + std::to_string(bits);
      const std::string n = std::to_string(variable("n"));
      require(bits > 0 && variable("n") % bits == 0, value + ", which does not divide " + n + " items");
    }
    return bits >> (32 * from.value("word", 0));
  }

  // Kernels compute capacities in u32, so that every part of one must be in u32.
  void check_sizes(const Json& binding) const {
    const std::string name = text(binding, "name");
    const bool lacks_items = binding.value("needsItems", false) && named(variables, "n") == 0;
    require(!lacks_items, name + " needs an item, but the range is empty");
    const bool fits = !binding.value("scatter", false) ||
                      (is_u32(binding.at("elements")) && size(binding, "elements") <= most_items());
    require(fits, name + " cannot have this capacity");
  }
  bool is_u32(const Json& formula) const {
    if (formula.contains("op"))
      for (const Json& arg : formula.at("args"))
        if (!is_u32(arg)) return false;
    return value(formula) >= 0 && static_cast<std::uint64_t>(value(formula)) < ids;
  }

  // A formula of the manifest; -1, which no size is, if it divides by 0.
  std::int64_t value(const Json& formula) const {
    if (formula.is_number()) return formula.get<std::int64_t>();
    if (formula.is_string()) return named(variables, formula.get<std::string>());
    for (const char* kind : {"param", "length"})
      if (formula.contains(kind)) return named(variables, kind + (" " + text(formula, kind)));
    const std::int64_t a = value(formula.at("args").at(0)), b = value(formula.at("args").at(1));
    return named(std::map<std::string, std::int64_t>{
        {"add", a + b}, {"sub", a - b}, {"min", std::min(a, b)}, {"max", std::max(a, b)},
        {"mul", static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b))},
        {"floor-div", b == 0 ? -1 : a / b - (a % b < 0)}, {"ceil-div", b == 0 ? -1 : a / b + (a % b > 0)},
    }, text(formula, "op"));
  }
  std::size_t size(const Json& object, const char* formula) const {
    return static_cast<std::size_t>(value(object.at(formula)));
  }

  // Bytes of an element of a bool, which is one byte here and a number of several in memory; else 1.
  static std::size_t step_of(const Json& binding) {
    return text(binding, "type") == "bool" ? binding.at("bytesPerElement").get<std::size_t>() : 1;
  }

  void upload(cl_context context, const Values& values) {
    for (const Json& binding : bindings) {
      std::vector<std::byte>& bytes = memory[text(binding, "name")];
      bytes.resize(size(binding, "bytes"));
      if (const std::string from = given_to(binding); !from.empty()) {
        const auto given = named(values, from).bytes;
        for (std::size_t i = 0, step = step_of(binding); i < given.size(); i++) bytes[i * step] = given[i];
      }
      cl_int status = CL_SUCCESS;
      const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
      buffers[text(binding, "name")].reset(clCreateBuffer(context, flags, bytes.size(), bytes.data(), &status));
      check(status, "clCreateBuffer");
    }
  }

  void enqueue(cl_command_queue queue, const Json& pass, cl_kernel kernel) const {
    const std::size_t local = size(pass, "workGroupSize"), global = size(pass, "groups") * local;
    if (global == 0) return;
    cl_uint at = 0;
    for (const Json& name : pass.at("params")) {
      const auto& [bits, bytes] = named(scalars, name.get<std::string>());
      check(clSetKernelArg(kernel, at++, bytes, &bits), "clSetKernelArg");
    }
    for (const Json& use : pass.at("bindings")) {
      const cl_mem buffer = named(buffers, text(use, "name")).get();
      check(clSetKernelArg(kernel, at++, sizeof buffer, &buffer), "clSetKernelArg");
    }
    const cl_int status = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr);
    check(status, "clEnqueueNDRangeKernel");
  }

  void download(cl_command_queue queue) {
    for (const Json& binding : bindings) {
      const std::string role = text(binding, "role"), name = text(binding, "name");
      if (role != "output" && role != "status") continue;
      std::vector<std::byte>& bytes = memory[name];
      const cl_mem buffer = buffers[name].get();
      check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
      if (role == "status") failures = bytes;
    }
  }

  // The outputs, or the reason why they have no meaning.
  Results results() const {
    std::size_t scatters = 0;
    Results results;
    for (const Json& binding : bindings) {
      if (binding.value("scatter", false) && !failures.empty()) {
        const auto bits = std::to_integer<unsigned>(failures[scatters / 8]);
        require((bits >> scatters % 8 & 1) == 0, "an item was written outside of " + text(binding, "name"));
        scatters++;
      }
      if (text(binding, "role") != "output" || binding.value("hidden", false)) continue;
      const std::vector<std::byte>& all = named(memory, text(binding, "name"));
      std::size_t elements = size(binding, "elements");
      if (binding.contains("lengthFrom")) {
        std::uint32_t length = 0;
        std::memcpy(&length, named(memory, text(binding, "lengthFrom")).data(), sizeof length);
        elements = std::min<std::size_t>(elements, length);
      }
      const std::size_t step = step_of(binding);
      std::vector<std::byte> bytes(elements * size(binding, "bytesPerElement") / step);
      for (std::size_t i = 0; i < bytes.size(); i++) bytes[i] = all[i * step];
      results.emplace(text(binding, "name"), Output{text(binding, "type"), std::move(bytes)});
    }
    return results;
  }

  static constexpr std::uint64_t ids = std::uint64_t{1} << 32;
  static constexpr std::array<const char*, 3> side_names = {"size_x", "size_y", "size_z"};
  const Program& program_;
  const Json& manifest;
  const Json& bindings;
  std::vector<std::uint64_t> offsets;
  std::map<std::string, std::int64_t> variables;                        // of formulas
  std::map<std::string, std::pair<std::uint64_t, std::size_t>> scalars;  // bits, and bytes of the argument
  std::map<std::string, std::vector<std::byte>> memory;
  std::vector<std::byte> failures;  // the status
  std::map<std::string, Owned<cl_mem>> buffers;
};

inline Results Program::run(const Values& values, const Range& range) try {
  Run run(*this, values, range);
  run.upload(context_, values);
  for (std::size_t i = 0; i < kernels_.size(); i++)
    run.enqueue(queue_, manifest_.at("passes").at(i), kernels_[i].get());
  run.download(queue_);
  return run.results();
} catch (const Json::exception& problem) {
  throw Error(std::string("the manifest does not fit: ") + problem.what());
}

}  // namespace groupwise
