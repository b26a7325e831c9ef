/* recipe: what the recipes share.  A recipe looks at the nests of the program and writes Python lines; what the primitives
 * refuse is dropped. */
#pragma once

#include "engine/advice/advice.h"
#include "engine/advice/nest.h"

G_BEGIN_DECLS

typedef struct {
  LsSchedule            *base;
  const char            *func;
  const LsAdviceMachine *machine;
  GPtrArray             *sizes; /* "n=256": of symbolic extents; or NULL */
  GPtrArray             *nests; /* of LsNest, for these sizes */
  GPtrArray             *made;  /* of LsProposal */
  GHashTable            *seen;  /* texts of modules; or NULL */
  GHashTable            *texts; /* of the modules made */
  const char            *before; /* lines that come before those of each proposal: the nests are of the program after them; or NULL */
  GHashTable            *refusals; /* what primitives said (owned) -> how often; or NULL */
  guint                  inlined; /* blocks that these lines compute where they are read */
} LsRecipes;

/* Tries the lines (taken) on a copy; what is refused, or is a program that was seen, is dropped: FALSE.  The names in `move` are
 * copied. */
gboolean ls_recipe_try         (LsRecipes   *self,
                                LsCause      removes,
                                LsAdviceMove move,
                                GString     *steps);
/* The lines, with those that come before, are not refused. */
gboolean ls_recipe_may         (LsRecipes   *self,
                                const char  *lines);
/* A line that binds `variable` to the block and l_VARIABLE to its loops. */
void     ls_recipe_bind        (LsRecipes    *self,
                                GString      *steps,
                                const char   *variable,
                                const LsNest *nest);
/* Loops of the nest inside its scope are all serial, and there is a block with a name. */
gboolean ls_recipe_is_fresh    (const LsNest *nest);
/* A parallel loop is around. */
gboolean ls_recipe_is_parallel (const LsNest *nest);
/* The loop by which the stored elements follow each other, or n_loops. */
guint    ls_recipe_unit        (const LsNest *nest);
/* The largest divisor of n that is at most `most`. */
gint64   ls_recipe_divisor     (gint64 n,
                                gint64 most);

/* The same of a loop; 1 where nothing divides what its size will be. */
gint64   ls_recipe_factor      (const LsNest *nest,
                                guint         loop,
                                gint64        most);
/* Numbers of a vector register, of the type that is stored. */
gint64   ls_recipe_lanes       (const LsRecipes *self,
                                const LsNest    *nest);
/* Numbers of a vectorised loop that is so many registers wide; where a function is called for each number, half a register. */
gint64   ls_recipe_width       (const LsRecipes *self,
                                const LsNest    *nest,
                                gint64           vectors);

/* ---- recipe-tile.c, recipe-rows.c, recipe.c ---- */

void     ls_recipe_tile        (LsRecipes *self);
void     ls_recipe_rows        (LsRecipes *self);
void     ls_recipe_spatial     (LsRecipes *self);
void     ls_recipe_inline      (LsRecipes *self);
/* Lines that compute blocks where they are read; *n: how many. (transfer full) */
GString *ls_recipe_inline_lines (LsRecipes *self,
                                guint     *n);
void     ls_recipe_small       (LsRecipes *self);
/* Writes lines for one spatial block: vectors inside, cores outside; FALSE: nothing to do. */
gboolean ls_recipe_write_spatial (LsRecipes    *self,
                                  GString      *steps,
                                  const char   *variable,
                                  const LsNest *nest,
                                  gint64        lanes);

G_END_DECLS
