// Runs the jobs of a file: driver JOBS. The kernels of one pipeline are in the program, those of the others are files.
#include "groupwise_host.hpp"
#include "line-index.cl.hpp"

#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The argument of a type, as a program of a user would make it.
template <class... Types>
struct Typed {
  static void array(groupwise::Values& values, const std::string& name, const std::string& type, const std::string& bytes) {
    ((type == groupwise::type_name<Types>() &&
      values.emplace(name, std::span(reinterpret_cast<const Types*>(bytes.data()), bytes.size() / sizeof(Types))).second) || ...);
  }
  static void number(groupwise::Values& values, const std::string& name, const std::string& type, std::uint64_t bits) {
    const auto as = [&]<class T>(T value) {
      std::memcpy(&value, &bits, sizeof value);
      return values.emplace(name, value).second;
    };
    ((type == groupwise::type_name<Types>() && as(Types{})) || ...);
  }
};
using All = Typed<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
                  std::uint64_t, groupwise::half, groupwise::bfloat16, float, double>;

}  // namespace

int main(int, char** argv) {
  const auto queue = groupwise::open_queue();
  std::map<std::string, groupwise::Program> programs;
  programs.try_emplace("line-index", queue.get(), gw_line_index::manifest, gw_line_index::source);
  groupwise::Values values;
  groupwise::Range range;
  std::map<std::string, std::string> held;
  std::string job;
  std::ifstream jobs(argv[1]);
  for (std::string line; std::getline(jobs, line);) {
    std::istringstream words(line);
    std::string word, name, type, rest;
    words >> word;
    if (word == "job") {
      words >> job;
      values.clear();
      held.clear();
      range = {};
    } else if (word == "size" || word == "offset") {
      using Numbers = std::istream_iterator<std::uint64_t>;
      (word == "size" ? range.size : range.offset).assign(Numbers(words), Numbers());
    } else if (word == "run") {
      words >> name >> type >> rest;
      try {
        const auto made = programs.find(job) != programs.end()
                              ? programs.find(job)
                              : programs.try_emplace(job, queue.get(), text_of(name), text_of(type)).first;
        for (const auto& [output, array] : made->second.run(values, range)) {
          const auto& bytes = array.bytes;
          std::ofstream(rest + "/" + output, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        }
      } catch (const groupwise::Error& error) {
        std::ofstream(rest + "/error") << error.what();
      }
    } else {
      words >> name >> type >> rest;
      if (word == "array") All::array(values, name, type, held[name] = text_of(rest));
      else All::number(values, name, type, std::stoull(rest));
    }
  }
}
