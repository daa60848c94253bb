// The first OpenCL device, and a program of a file; an error ends the process.
#ifndef DEVICE_H
#define DEVICE_H

#include <CL/cl.h>

struct device {
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
};

struct device open_device(void);
void close_device(struct device device);
cl_program build_program(struct device device, const char *path, const char *options);

// Ends the process if the status is an error.
void check(cl_int status, const char *what);

#endif
