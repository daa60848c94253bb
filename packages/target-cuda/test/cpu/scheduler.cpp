// Runs the work-items of a work-group as fibers of one thread: each runs until it waits for others. A work-item that waits for one that never
// comes ends the process.
#include <setjmp.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <atomic>
#include <thread>
#include <vector>

#include "hip/hip_runtime.h"

namespace cpu {

thread_local Item* item;

namespace {

constexpr unsigned LANES = 32, MOST = 1024, STACK = 1 << 18;
constexpr unsigned THREADS = 3;

/** Work-items that wait for one another. */
struct Meeting {
  unsigned expected, arrived, generation;
  unsigned long long words[2][LANES];
};

struct Fiber : Item {
  jmp_buf at;
  bool started, done;
  unsigned turn;
  /** What it waits for, and the generation in which it arrived. */
  const Meeting* waits;
  unsigned generation;
};

/** One thread, which runs one work-group at a time. */
struct Runner {
  Fiber fibers[MOST];
  Meeting group, blocks[MOST / LANES];
  jmp_buf back;
  ucontext_t context;
  void (*body)(const void*);
  const void* arguments;
};
thread_local Runner* runner;

void begin() {
  runner->body(runner->arguments);
  static_cast<Fiber*>(item)->done = true;
  _longjmp(runner->back, 1);
}

/** Continues a fiber until it waits or ends. */
__attribute__((noinline)) void resume(Fiber& fiber, char* stack) {
  item = &fiber;
  fiber.waits = nullptr;
  if (_setjmp(runner->back)) return;
  if (fiber.started) _longjmp(fiber.at, 1);
  fiber.started = true;
  getcontext(&runner->context);
  runner->context.uc_stack.ss_sp = stack;
  runner->context.uc_stack.ss_size = STACK;
  runner->context.uc_link = nullptr;
  makecontext(&runner->context, begin, 0);
  setcontext(&runner->context);
}

__attribute__((noinline)) void meet(Meeting& meeting) {
  if (++meeting.arrived == meeting.expected) {
    meeting.arrived = 0;
    meeting.generation++;
    return;
  }
  Fiber& me = *static_cast<Fiber*>(item);
  me.waits = &meeting;
  me.generation = meeting.generation;
  if (!_setjmp(me.at)) _longjmp(runner->back, 1);
}

void run_group(unsigned group, unsigned size, bool backwards, char* stacks) {
  runner->group = {size, 0, 0, {}};
  for (unsigned i = 0; i < size; i++) {
    if (i % LANES == 0) runner->blocks[i / LANES] = {size - i < LANES ? size - i : LANES, 0, 0, {}};
    Fiber& fiber = runner->fibers[i];
    fiber.thread.x = i, fiber.group.x = group, fiber.size.x = size;
    fiber.started = fiber.done = false;
    fiber.turn = 0;
    fiber.waits = nullptr;
  }
  for (unsigned left = size; left > 0;) {
    bool moved = false;
    for (unsigned i = 0; i < size; i++) {
      const unsigned place = backwards ? size - 1 - i : i;
      Fiber& fiber = runner->fibers[place];
      if (fiber.done || (fiber.waits && fiber.waits->generation == fiber.generation)) continue;
      moved = true;
      resume(fiber, stacks + place * STACK);
      if (fiber.done) left--;
    }
    if (!moved) {
      fprintf(stderr, "work-items wait for others that never come\n");
      abort();
    }
  }
}

}  // namespace

void meet_group() { meet(runner->group); }

const unsigned long long* exchange(unsigned long long word) {
  Fiber& me = *static_cast<Fiber*>(item);
  Meeting& block = runner->blocks[me.thread.x / LANES];
  // Of two turns, since a lane may be at the next exchange before another has read.
  unsigned long long* words = block.words[me.turn ^= 1];
  words[me.thread.x % LANES] = word;
  meet(block);
  return words;
}

void run(unsigned groups, unsigned size, void (*body)(const void*), const void* arguments) {
  std::atomic<unsigned> next{0};
  auto work = [&](bool backwards) {
    void* stacks = mmap(nullptr, MOST * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks == MAP_FAILED || size > MOST) abort();
    runner = new Runner;
    runner->body = body, runner->arguments = arguments;
    for (unsigned group; (group = next++) < groups;) run_group(group, size, backwards, static_cast<char*>(stacks));
    delete runner;
    munmap(stacks, MOST * STACK);
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < THREADS && i < groups; i++) others.emplace_back(work, i % 2 == 1);
  work(false);
  for (std::thread& other : others) other.join();
}

}  // namespace cpu
