// Runs the pipeline of levels.ts on samples, and compares the result with a plain loop.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "device.h"
#include "levels.h"

#define N 1000000

static float sample[N], energy[N], peaks[N];

int main(void) {
  const struct device device = open_device();
  cl_program program = build_program(device, LEVELS_KERNELS, LEVELS_BUILD_OPTIONS);
  for (size_t i = 0; i < N; i++) sample[i] = (float)((int)(i * 37 % 201) - 100) / 100.0f;

  cl_uint count = 0;
  struct levels_values values = {
      .in_sample = sample, .out_energy = energy, .out_peaks = peaks, .out_count = &count};
  check(levels_run(device.context, device.queue, program, N, &values), "levels_run");

  size_t place = 0, differing = 0;
  for (size_t i = 0; i < N; i++)
    if (fabsf(sample[i]) > 0.5f) differing += peaks[place++] != sample[i];
  printf("%u of %d samples are loud; a plain loop finds %zu, %zu differ\n", (unsigned)count, N, place, differing);
  printf("energy %.1f\n", energy[N - 1]);
  clReleaseProgram(program);
  close_device(device);
  return count == place && differing == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
