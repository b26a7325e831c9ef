/* vm-private: what the files of a machine under the debugger share. */
#pragma once

#include "engine/debug/vm.h"

G_BEGIN_DECLS

/* From a position on a register holds this. */
typedef struct {
  guint position, reg;
  int   thing;                  /* -1: nothing */
} LsVMEffect;

/* From a position on a symbolic extent is this. */
typedef struct {
  guint  position, slot;
  gint64 value;
} LsVMExtent;

/* One call of a function of the executable. */
typedef struct {
  guint    function;
  int      caller;              /* frame, -1: none */
  guint    begin, end;          /* positions; end: where it is gone */
  GArray  *effects;             /* of LsVMEffect */
  GArray  *extents;             /* of LsVMExtent */
  gint64  *slots;               /* while the run goes */
} LsVMFrameNote;

struct _LsDebugVM {
  LsVMExecutable *executable;
  GArray         *steps;        /* of LsVMStep */
  GPtrArray      *frames;       /* of LsVMFrameNote */
  GPtrArray      *things;       /* of LsVMThing */
  GPtrArray      *blocks;       /* of LsVMBlock */
  LsVMValue      *result;
  char           *problem;
  guint           lost;         /* the position from which on changes were not kept; G_MAXUINT: all were */
  guint           at;           /* where one stands */
  GPtrArray      *stops;        /* of char * */
};

static inline LsVMThing *
ls_debug_vm_thing (LsDebugVM *self,
                   guint      number)
{
  return self->things->pdata[number];
}

static inline LsVMStep *
ls_debug_vm_step (LsDebugVM *self,
                  guint      number)
{
  return &g_array_index (self->steps, LsVMStep, number);
}

static inline LsVMFrameNote *
ls_debug_vm_frame (LsDebugVM *self,
                   guint      number)
{
  return self->frames->pdata[number];
}

static inline LsVMFunction *
ls_debug_vm_function (LsDebugVM *self,
                      guint      frame)
{
  return self->executable->functions->pdata[ls_debug_vm_frame (self, frame)->function];
}

/* The function that a KERNEL or PACKED instruction names. Borrowed. */
static inline const char *
ls_debug_vm_callee (LsDebugVM    *self,
                    const gint64 *code)
{
  return self->executable->strings->pdata[code[2]];
}

G_END_DECLS
