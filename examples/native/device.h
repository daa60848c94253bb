// The first device, programs from files, and errors that end the program.
#ifndef DEVICE_H
#define DEVICE_H

#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif

struct device {
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
};

// Ends the program with an error where the status is one.
void check(cl_int status, const char* what);

struct device open_device(void);
void close_device(struct device device);

// A program of several files, one after the other.
cl_program build(struct device device, int count, char** paths, const char* options);

#endif
