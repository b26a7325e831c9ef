/* bundle: what the files of this program share.
 *
 *   plan.c      made for this folder: arguments, steps, kernels, launches (the tables below)
 *   main        the command line; each step in a process of its own with a watchdog; result.json
 *   step        one step: load, run, compare, time
 *   probe       two kernels that say what the device can do at best
 *   generate    inputs by a stated generator, checksums
 *   compare     element by element: first difference, ULP
 *   tools       what compute-sanitizer and ncu have said
 *   say         the sentence of what failed; files read whole; what was loaded
 *   cuda, opencl, hip   the drivers, opened at run time
 *   clocks      how fast the device runs now
 *   json        writing JSON
 *
 * C11 and POSIX; nothing else is needed to build it.
 */
#ifndef BUNDLE_H
#define BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- generate.c: shared with the program that makes the folder ---- */

/* Element i of the stream `seed`: 64 bits of splitmix64. */
uint64_t bundle_bits     (uint64_t seed, uint64_t i);
/* Fills n elements of a type ('f' float, 'b' bfloat, 'i', 'u', 'o' boolean; bits): floats are multiples of a power of two in [-1, 1), which every
 * format holds exactly; integers -8 to 7, unsigned ones 0 to 15, booleans 0 and 1.  FALSE: no such type. */
bool     bundle_fill     (void *data, char kind, int bits, uint64_t n, uint64_t seed);
/* FNV-1a of 64 bits; start with BUNDLE_SUM. */
uint64_t bundle_sum      (uint64_t sum, const void *data, size_t bytes);
#define BUNDLE_SUM UINT64_C (14695981039346656037)

/* ---- plan.c: the tables ---- */

typedef struct {
  const char    *name;
  char           kind;          /* as in bundle_fill */
  int            bits;
  int            n_dims;
  long long      shape[8];
  char           role;          /* 'i' only read, 'o' only written, 'b' both */
  uint64_t       seed;
  uint64_t       input_sum;     /* of what is generated */
  const char    *expected;      /* file of what has to come out; NULL: only read */
  uint64_t       expected_sum;
  double         relative;      /* an element may differ by relative x the largest of the array */
} Argument;

typedef struct {
  const char    *kernel;
  unsigned       grid[3], block[3];
  unsigned       dynamic_shared;
  int            n_args;
  int            args[64];      /* 0 ..: arguments; -1, -2 ..: the step's temporaries */
} Launch;

typedef struct {
  int            capability;    /* 80: of sm_80 */
  const char    *path;
  const char    *text;          /* itself; NULL: it is in the file */
} Ptx;

typedef struct {
  const char    *name, *title, *hash;
  const char    *source;        /* kernels as CUDA C, OpenCL C or HIP C++ */
  const char    *no_ptx;        /* why there is no PTX; NULL: there is */
  const Ptx     *ptx;
  int            n_ptx;
  const long long *temporaries; /* bytes */
  int            n_temporaries;
  const Launch  *launches;
  int            n_launches;
  const char    *simulated;     /* what the simulator counted, as JSON */
  const char    *text;          /* the source itself; NULL: it is in the file */
} Step;

typedef struct {
  const char    *api;           /* "cuda", "opencl", "hip" */
  const char    *name, *program_hash, *made_by, *target;
  const Argument *arguments;
  int            n_arguments;
  const Step    *steps;
  int            n_steps;
} Plan;

/* What this program runs: the tables of plan.c, or those that loopscope-device has read. */
extern const Plan *plan;

/* ---- say.c: failing, in one sentence ---- */

/* Keeps the sentence (the first one since the last clearing). Returns false. */
bool        fail         (const char *format, ...);
const char *failure      (void);
void        forgive      (void);

/* ---- json.c ---- */

/* A text of its own begins. */
void put_start   (void);
/* `"name": ` with a comma before it where one is needed; name NULL: an item of a list. */
void put_member  (FILE *file, const char *name);
void put_string  (FILE *file, const char *name, const char *value);
void put_integer (FILE *file, const char *name, long long value);
/* NaN and infinities become null. */
void put_number  (FILE *file, const char *name, double value);
void put_bool    (FILE *file, const char *name, bool value);
/* A text that is JSON already. */
void put_raw     (FILE *file, const char *name, const char *json);
void put_open    (FILE *file, const char *name, char bracket);
void put_close   (FILE *file, char bracket);

/* ---- drivers ---- */

typedef struct {
  char      name[256], driver[256], version[256], architecture[64];
  long long memory;             /* bytes */
  int       units;              /* multiprocessors, compute units */
  long long clock_khz, memory_clock_khz;        /* 0: not told */
  long long cache_bytes;        /* the last cache; 0: not told */
  int       capability;         /* 80; 0: not told */
  long long most_shared, most_threads;
  char      kind[32];           /* "GPU", "CPU", "accelerator" */
  char      bus[32];            /* "0000:17:00.0"; "": not told */
} Device;

/* What a kernel needs, as the driver says; -1: not told. */
typedef struct {
  long long registers, shared_bytes, local_bytes, most_threads;
  char      from[256];          /* what it was made from */
} KernelFacts;

/* The kernels of a step, as the driver knows them. */
typedef struct {
  void *module, *functions[64];
} Loaded;

typedef struct {
  /* Opens the library and the device with this number.  FALSE with a sentence (each of these). */
  bool (*open)     (int number, Device *device);
  /* Makes the kernels of a step; facts: one for each launch. */
  bool (*load)     (const Step *step, const Device *device, KernelFacts *facts);
  bool (*allocate) (size_t bytes, void **memory);
  bool (*release)  (void *memory);
  bool (*write)    (void *memory, const void *data, size_t bytes);
  bool (*read)     (void *memory, void *data, size_t bytes);
  /* Copies on the device and says how long it took. */
  bool (*copy)     (void *to, void *from, size_t bytes, double *ns);
  /* Runs all launches `times` times and waits; ns: what the device's events say of one round. */
  bool (*run)      (const Step *step, void *const *arguments, void *const *temporaries, int times, double *ns);
  void (*close)    (void);
  /* For a program that keeps the kernels of several steps.  What was loaded last (drop it; NULL: no memory), which runs until another is used. */
  Loaded *(*take)  (void);
  void (*use)      (const Loaded *loaded);
  void (*drop)     (Loaded *loaded);
  /* The calling thread works on the device from now on. */
  bool (*enter)    (void);
} Driver;

extern const Driver cuda_driver, opencl_driver, hip_driver;

/* The whole of a file with a 0 behind it, or NULL with a sentence. (free it) */
char *read_file   (const char *path, size_t *length);
/* The source of a step's kernels, the same way. */
char *read_source (const Step *step, size_t *length);
/* What is left of a stream, the same way; NULL: no memory. */
char *read_stream (FILE *file, size_t *length);
/* A module and its functions, kept; NULL: no memory.  (free it) */
Loaded *keep_loaded (void *module, void *const *functions);

/* ---- clocks.c ---- */

typedef struct {
  long long core_khz, memory_khz;       /* memory 0: not told */
} Clocks;

/* FALSE: this device, or this machine, does not tell. */
bool read_clocks (const Device *device, Clocks *out);
void put_clocks  (FILE *out, const char *name, const Clocks *clocks);

/* ---- step.c ---- */

typedef struct {
  bool   once;                  /* run and compare, no timing */
  bool   quick;                 /* without how fast the device copies, and without times with its cache emptied */
  double seconds;               /* of timing, for each step */
  int    device;
} Options;

/* Writes one object: what came of the step.  Returns whether the results are right. */
bool run_step    (const Driver *driver, const Step *step, const Options *options, FILE *out);
/* Writes one object: the device and its copy bandwidth.  FALSE with a sentence. */
bool run_probe   (const Driver *driver, const Options *options, FILE *out);

/* ---- probe.c ---- */

/* Writes the members copy_kernel_bytes_per_second and peak_float32_operations_per_second; one that could not be measured is not there. */
void run_probe_kernels (const Driver *driver, const Device *device, FILE *out);

/* ---- compare.c ---- */

typedef struct {
  long long n, different;
  double    largest;            /* absolute difference */
  double    largest_ulp;        /* of elements that may differ; 0 for integers */
  long long first;              /* element; -1: none differs */
  double    expected, actual, allowed, ulp;     /* there */
} Comparison;

/* FALSE: a type that is not known. */
bool compare (const Argument *argument, const void *actual, const void *expected, Comparison *result);
long long count_elements (const Argument *argument);
size_t    bytes_of       (const Argument *argument);

/* ---- tools.c ---- */

/* Members "tools" and "missing" from the folder where `run` keeps what the tools said. */
void put_tools     (FILE *out, const char *folder);
/* Member "counters" of launch number `launch` (counted over all steps) from ncu.csv; nothing when there is none. */
void put_counters  (FILE *out, const char *folder, int launch);

#endif
