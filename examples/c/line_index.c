// The line index of a text, by the C that groupwise emitted for ../line-index.ts, compared with a plain loop.
#include "gw_line-index.h"

#include <stdio.h>
#include <stdlib.h>

static void *take(size_t bytes) {
  void *memory = malloc(bytes + 1);
  if (memory) return memory;
  fputs("out of memory\n", stderr);
  exit(EXIT_FAILURE);
}

static bool differs(const char *what, size_t n, size_t at, uint32_t got, uint32_t want) {
  if (got == want) return false;
  fprintf(stderr, "%zu bytes, %s[%zu]: %u, and a plain loop gives %u\n", n, what, at, got, want);
  return true;
}

// True where a text of n bytes is indexed wrongly.
static bool is_wrong(size_t n) {
  uint8_t *text = take(n);
  uint32_t *line = take(n * sizeof *line), *starts = take(n * sizeof *starts), lines = 0;
  for (size_t i = 0; i < n; i++) text[i] = i * 37 % 101 < 4 ? '\n' : 'a';
  const int status = gw_line_index(n, text, line, starts, &lines);
  if (status != GW_OK) fprintf(stderr, "%zu bytes: status %d\n", n, status);

  bool wrong = status != GW_OK;
  uint32_t count = 0;
  for (size_t i = 0; i < n && !wrong; i++) {
    wrong = differs("line", n, i, line[i], count);
    if (text[i] != '\n') continue;
    wrong = wrong || differs("starts", n, count, starts[count], (uint32_t)i + 1);
    count++;
  }
  wrong = wrong || differs("lines", n, 0, lines, count);
  free(text);
  free(line);
  free(starts);
  return wrong;
}

int main(void) {
  const size_t sizes[] = {0, 1, 2, 63, 64, 65, 100000, 4194304 + 2048 + 5};
  bool wrong = false;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const bool is = is_wrong(sizes[i]);
    printf("%zu bytes: %s\n", sizes[i], is ? "wrong" : "right");
    wrong = wrong || is;
  }
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
