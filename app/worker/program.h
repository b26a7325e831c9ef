/* From the text in a request to code that runs; the arguments for it.  Used by the methods compile, llvm, asm, run, time. */
#pragma once

#include "app/worker/server.h"
#include "engine/codegen/codegen.h"

G_BEGIN_DECLS

/* ---- program.c ----------------------------------------------------------- */

/* A function that was read and, unless only its texts were wanted, linked. */
typedef struct {
  gatomicrefcount refs;
  LsSource   *source;
  LsModule   *module;           /* as written */
  LsPrimFunc *func;             /* borrowed from the module */
  char       *name;
  LsTarget   *target;
  LsObject   *object;
  LsKernel   *kernel;           /* or NULL */
  LsKernel   *written;          /* with check-bounds: the function before it was lowered, whose indices are those of the text; or NULL */
  gint64      parse_ns, lower_ns, compile_ns, link_ns;
  char       *wishes;           /* what it was built with, of one that is kept for its structure; or NULL */
  gboolean    ahead;            /* it was built before it was asked for */
  gboolean    asked, again;     /* it was asked for; and once more */
} LsProgram;

/* Reads `text`, lowers and compiles.  Where bounds are checked, what is written is compiled as well: its findings speak of
 * the buffers and lines of the text, those of `kernel` of what the passes made of them.  `params` gives func,
 * target, check-bounds, contract, debug-lines, threads-as-loops (with `device`: a function that is bound to threads becomes loops); `options` (borrowed) says what texts are wanted.  Errors: those of the parser as one text, of the
 * passes and of codegen. (transfer full) */
LsProgram  *ls_program_build         (const char             *text,
                                      GVariant               *params,
                                      const LsCodegenOptions *options,
                                      GError                **error);
/* The same without texts, or the program that was built for a structurally equal module with the same parameters a while ago; its names and places in
 * messages are then those of that one's text.  Where it has to be built, the first of `ahead` (texts up to a NULL; or NULL) are built at the same time, each in a
 * thread of its own, one for each further processor, and kept: nothing of them goes on when this returns, and what is wrong with one of them is said when it is asked for. (transfer full) */
LsProgram  *ls_program_build_once    (const char             *text,
                                      GVariant               *params,
                                      const char *const      *ahead,
                                      GError                **error);
/* Only reads: module, function and name, no target and no code. (transfer full) */
LsProgram  *ls_program_read         (const char             *text,
                                      GVariant               *params,
                                      GError                **error);
/* The program of the request: the one that `compile` kept under `kernel`, or that of `module`. (transfer full) */
LsProgram  *ls_program_of_request    (GVariant               *params,
                                      GError                **error);
/* The module of a text; errors are those of the parser as one text. (transfer full) */
LsModule   *ls_program_read_module   (const char             *text,
                                      GError                **error);
/* The asked-for function, else the only one, else "main"; and its name, borrowed too.  Errors: REQUEST, with the names that there are.
 * Borrowed. */
LsPrimFunc *ls_program_find_function     (LsModule               *module,
                                          const char             *name,
                                          const char            **found,
                                          GError                **error);
/* The process's linker, made when it is first needed. Borrowed. */
LsJit      *ls_program_jit           (GError                **error);
/* Keeps it; the id is for `kernel` in later requests.  The oldest of more than 64 goes. */
gint64      ls_program_keep          (LsProgram              *self);
LsProgram  *ls_program_ref           (LsProgram              *self);
void        ls_program_unref         (LsProgram              *self);
/* parse-ns, lower-ns, emit-ns, optimise-ns, machine-ns, link-ns, build-ns, object-bytes into a dictionary. */
void        ls_program_put_times     (LsProgram              *self,
                                      GVariantDict           *dict);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsProgram, ls_program_unref)

/* ---- arguments.c ---------------------------------------------------------- */

typedef enum {
  LS_ROLE_IN,                   /* only read */
  LS_ROLE_OUT,                  /* only written: starts as zeros */
  LS_ROLE_INOUT
} LsRole;

typedef struct {
  char       *name;
  LsRole      role;
  LsNDArray  *array;            /* or NULL: a number */
  char       *values;           /* which numbers were made, and why: they say which elements of another buffer are touched; or NULL */
} LsArgument;

/* The arguments of one call. */
typedef struct {
  guint       n;
  LsArgument *arguments;
  LsArg      *args;
} LsArguments;

/* Arrays from npy files (`inputs`, in the order of the array parameters that are not only written, or of all of them when there are as
 * many; "" is random, and what other buffers are indexed with is random among the valid), from descriptors ("fd:0": raw bytes of the parameter's shape, written back), else seeded random numbers; numbers and symbolic extents
 * from `set` ("n=128").  Errors: REQUEST and those of the files. (transfer full) */
LsArguments *ls_arguments_prepare    (LsProgram              *program,
                                      LsRequest              *request,
                                      GVariant               *params,
                                      GError                **error);
/* Fresh arrays with the same contents. (transfer full) */
LsArguments *ls_arguments_copy       (LsArguments            *self,
                                      GError                **error);
/* The contents of another one into this one. */
void         ls_arguments_reset      (LsArguments            *self,
                                      LsArguments            *from);
/* Which numbers were made for arrays that others are indexed with; NULL: there are none. (transfer full) */
char        *ls_arguments_describe   (LsArguments            *self);
void         ls_arguments_free       (LsArguments            *self);
const char  *ls_role_name            (LsRole                  role);

/* ---- compare.c ------------------------------------------------------------ */

/* What two calls gave. */
typedef struct {
  double      max_abs;          /* the largest difference of what agrees */
  const char *name;             /* of the argument that differs first, borrowed from `actual`; NULL: none does, or not one of them */
  char       *place;            /* "(1, 2)" */
  double      actual;           /* there */
  double      expected;
  gint64      n_different;      /* elements of that argument */
  gint64      n_elements;
  char       *text;             /* the same in words, or NULL */
} LsDifference;

/* The arrays that either side writes, one after the other: within 1e-5 of the element or of the largest one of the array; integers
 * exactly.  FALSE when they differ. */
gboolean     ls_arguments_compare    (LsArguments            *actual,
                                      LsArguments            *expected,
                                      LsDifference           *difference);
void         ls_difference_clear     (LsDifference           *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsDifference, ls_difference_clear)

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsArguments, ls_arguments_free)

G_END_DECLS
