// The part of NVRTC that is used: g++ makes a library of a text, whose path stands for the code. The folder of the headers and of what is made
// comes from the environment.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <sstream>
#include <string>

namespace {

enum { SUCCESS = 0, COMPILATION = 6 };
constexpr char LAUNCH[] = R"(
#include <utility>
namespace {
template <class... A, size_t... I>
void launched(void (*kernel)(A...), unsigned groups, unsigned size, void** given, std::index_sequence<I...>) {
  cpu::launch(groups, size, [&] { kernel(*static_cast<A*>(given[I])...); });
}
template <class... A>
void launched(void (*kernel)(A...), unsigned groups, unsigned size, void** pointers, const unsigned char* bytes) {
  void* given[sizeof...(A) + 1];
  size_t at = 0, i = 0;
  (void)std::initializer_list<int>{(at = (at + alignof(A) - 1) / alignof(A) * alignof(A), given[i++] = (void*)(bytes + at), at += sizeof(A), 0)...};
  launched(kernel, groups, size, pointers ? pointers : given, std::index_sequence_for<A...>());
}
}
)";

struct Program {
  std::string text, log, code;
};
Program* of(void* program) { return static_cast<Program*>(program); }

std::string setting(const char* name) {
  const char* value = getenv(name);
  return value ? value : "";
}
std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

int copied(const std::string& text, char* to) { return memcpy(to, text.c_str(), text.size() + 1), SUCCESS; }

}  // namespace

extern "C" {

int nvrtcVersion(int* major, int* minor) { return *major = 13, *minor = 0, SUCCESS; }
const char* nvrtcGetErrorString(int) { return "NVRTC_ERROR"; }
int nvrtcGetNumSupportedArchs(int* count) { return *count = 3, SUCCESS; }
int nvrtcGetSupportedArchs(int* numbers) { return numbers[0] = 75, numbers[1] = 90, numbers[2] = 91, SUCCESS; }
int nvrtcCreateProgram(void** program, const char* text, const char*, int, const char* const*, const char* const*) {
  return *program = new Program{text, "", ""}, SUCCESS;
}
int nvrtcDestroyProgram(void** program) { return delete of(*program), *program = nullptr, SUCCESS; }

int nvrtcCompileProgram(void* given, int count, const char* const* given_options) {
  Program& program = *of(given);
  const std::string headers = setting("GROUPWISE_CPU_HEADERS");
  std::string options = setting("GROUPWISE_CPU_OPTIONS");
  for (int i = 0; i < count; i++)
    if (std::string(given_options[i]) == "--gpu-architecture=sm_91") options += " -DGROUPWISE_WAVE=64";
  std::ostringstream text;
  text << "#include <hip/hip_runtime.h>\n#define GROUPWISE_KERNEL extern \"C\"\n" << program.text << LAUNCH;
  static const std::string head = "GROUPWISE_KERNEL void __launch_bounds__(";
  for (size_t at = program.text.find(head); at != std::string::npos; at = program.text.find(head, at + 1)) {
    const size_t begin = program.text.find(") ", at) + 2;
    const std::string name = program.text.substr(begin, program.text.find('(', begin) - begin);
    text << "extern \"C\" void launch_" << name << "(unsigned g, unsigned s, void** p, const unsigned char* b) { launched(groupwise::"
         << name << ", g, s, p, b); }\n";
  }
  const std::string key = std::to_string(std::hash<std::string>()(text.str() + options));
  const std::string base = setting("GROUPWISE_LIBRARIES") + "/kernels-" + key, path = base + ".so";
  if (access(path.c_str(), R_OK) != 0) {
    const std::string own = base + "-" + std::to_string(getpid()) + "-" + std::to_string(reinterpret_cast<uintptr_t>(&program));
    std::ofstream(own + ".cpp") << text.str();
    const std::string command = "g++ -std=c++17 -ffp-contract=off -frounding-math -fno-strict-aliasing -fPIC -w -shared -D__HIP__ " + options +
                                " -I '" + headers + "' '" + own + ".cpp' '" + setting("GROUPWISE_CPU_SCHEDULER") + "' -o '" + own + ".so' 2> '" + own + ".log'";
    if (system(command.c_str()) != 0) return program.log = contents(own + ".log"), COMPILATION;
    rename((own + ".so").c_str(), path.c_str());
  }
  program.code = path;
  return SUCCESS;
}

int nvrtcGetProgramLogSize(void* program, size_t* bytes) { return *bytes = of(program)->log.size() + 1, SUCCESS; }
int nvrtcGetProgramLog(void* program, char* to) { return copied(of(program)->log, to); }
int nvrtcGetCUBINSize(void* program, size_t* bytes) { return *bytes = of(program)->code.size() + 1, SUCCESS; }
int nvrtcGetCUBIN(void* program, char* to) { return copied(of(program)->code, to); }
int nvrtcGetPTXSize(void* program, size_t* bytes) { return nvrtcGetCUBINSize(program, bytes); }
int nvrtcGetPTX(void* program, char* to) { return copied(of(program)->code, to); }

}  // extern "C"
