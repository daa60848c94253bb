// The line index of a text, by the kernels and the host that groupwise emitted for ../line-index.ts, compared with a
// plain loop. Usage: line-index line-index.cl
#include <stdio.h>
#include <stdlib.h>

#include "device.h"
#include "line-index.h"

static void* take(size_t bytes) {
  void* memory = malloc(bytes);
  if (memory) return memory;
  fputs("out of memory\n", stderr);
  exit(EXIT_FAILURE);
}

static int differs(const char* what, size_t n, size_t at, cl_uint got, cl_uint want) {
  if (got == want) return 0;
  fprintf(stderr, "%zu bytes, %s[%zu]: %u, and a plain loop gives %u\n", n, what, at, got, want);
  return 1;
}

// True where a text of n bytes is indexed wrongly.
static int is_wrong(struct device device, cl_program program, size_t n) {
  cl_uchar* text = take(line_index_bytes_text(n));
  struct line_index_values values;
  values.in_text = text;
  values.out_line = take(line_index_bytes_line(n));
  values.out_starts = take(line_index_bytes_starts(n));
  values.out_lines = take(line_index_bytes_lines(n));
  for (size_t i = 0; i < n; i++) text[i] = i * 37 % 101 < 4 ? '\n' : 'a';
  check(line_index_run(device.context, device.queue, program, n, &values), "line_index_run");

  int wrong = 0;
  cl_uint line = 0;
  for (size_t i = 0; i < n && !wrong; i++) {
    wrong |= differs("line", n, i, values.out_line[i], line);
    if (text[i] != '\n') continue;
    wrong |= differs("starts", n, line, values.out_starts[line], (cl_uint)i + 1);
    line++;
  }
  wrong |= differs("lines", n, 0, values.out_lines[0], line);
  free(text);
  free(values.out_line);
  free(values.out_starts);
  free(values.out_lines);
  return wrong;
}

int main(int argc, char** argv) {
  const size_t sizes[] = {0, 1, 2, 255, 256, 2047, 2048, 2049, 100000, 4194304 + 2048 + 5};
  if (argc != 2) {
    fprintf(stderr, "usage: %s %s\n", argv[0], LINE_INDEX_FILE);
    return EXIT_FAILURE;
  }
  const struct device device = open_device();
  cl_program program = build(device, 1, argv + 1, LINE_INDEX_BUILD_OPTIONS);
  int wrong = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const int is = is_wrong(device, program, sizes[i]);
    printf("%zu bytes: %s\n", sizes[i], is ? "wrong" : "right");
    wrong |= is;
  }
  check(clReleaseProgram(program), "clReleaseProgram");
  close_device(device);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
