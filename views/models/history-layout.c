/* history-layout: depth-first order with side branches before the main child;
 * a lane is taken at the fork and given back after the branch's last row. */
#include "views/models/history-layout.h"

#define MAX_LANES 31

typedef struct {
  GPtrArray       *nodes;
  GHashTable      *children;    /* id -> GPtrArray of LsStepItem */
  GHashTable      *active;      /* ids from the root to the current step */
  LsMainChildFunc  main_child;
  gpointer         data;
  GPtrArray       *rows;
  GArray          *rails;       /* LsStepRail per row */
} Layout;

typedef struct {
  LsStepItem *item;
  guint       lane;
  guint32     through;          /* lanes of ancestors that go on below */
  guint32     through_active;
  guint       fork_row;         /* row of the parent */
} Frame;

static gboolean
is_active (Layout     *layout,
           LsStepItem *item)
{
  return g_hash_table_contains (layout->active,
                                GUINT_TO_POINTER (ls_step_item_get (item)->id));
}

static void
collect (Layout *layout,
         guint   current)
{
  guint wanted = current;

  for (guint i = 0; i < layout->nodes->len; i++)
    {
      const LsStepRecord *record = ls_step_item_get (g_ptr_array_index (layout->nodes, i));
      GPtrArray *list;

      if (record->parent == record->id)
        continue;
      list = g_hash_table_lookup (layout->children, GUINT_TO_POINTER (record->parent));
      if (list == NULL)
        {
          list = g_ptr_array_new ();
          g_hash_table_insert (layout->children, GUINT_TO_POINTER (record->parent), list);
        }
      g_ptr_array_add (list, g_ptr_array_index (layout->nodes, i));
    }

  for (guint i = layout->nodes->len; i > 0; i--)
    {
      const LsStepRecord *record = ls_step_item_get (g_ptr_array_index (layout->nodes, i - 1));

      if (record->id != wanted)
        continue;
      g_hash_table_add (layout->active, GUINT_TO_POINTER (record->id));
      wanted = record->parent;
    }
}

static LsStepItem *
pick_main (Layout     *layout,
           LsStepItem *item,
           GPtrArray  *children)
{
  guint id = layout->main_child != NULL
               ? layout->main_child (ls_step_item_get (item)->id, layout->data)
               : G_MAXUINT;

  for (guint i = 0; i < children->len; i++)
    if (ls_step_item_get (g_ptr_array_index (children, i))->id == id)
      return g_ptr_array_index (children, i);

  return g_ptr_array_index (children, 0);
}

static void
push (GArray     *stack,
      LsStepItem *item,
      guint       lane,
      guint32     through,
      guint32     through_active,
      guint       row)
{
  Frame frame = { item, MIN (lane, MAX_LANES), through, through_active, row };

  g_array_append_val (stack, frame);
}

/* Pushes the children so that the first side branch is popped first and the
 * main child last. */
static void
push_children (Layout *layout,
               GArray *stack,
               Frame  *frame,
               guint   row)
{
  GPtrArray *children = g_hash_table_lookup (layout->children,
                                             GUINT_TO_POINTER (ls_step_item_get (frame->item)->id));
  LsStepItem *main_item;
  guint32 through = frame->through | 1u << frame->lane;
  guint32 through_active = frame->through_active;

  if (children == NULL)
    return;

  main_item = pick_main (layout, frame->item, children);
  if (is_active (layout, main_item))
    through_active |= 1u << frame->lane;
  push (stack, main_item, frame->lane, frame->through, frame->through_active, row);
  for (guint i = children->len; i > 0; i--)
    {
      LsStepItem *child = g_ptr_array_index (children, i - 1);

      if (child != main_item)
        push (stack, child, frame->lane + 1, through, through_active, row);
    }
}

static void
add_row (Layout *layout,
         Frame  *frame,
         guint   row)
{
  LsStepRail rail = { .lane = frame->lane, .above = frame->through, .below = frame->through,
                      .active = frame->through_active };
  LsStepRail *parent;

  g_ptr_array_add (layout->rows, frame->item);
  if (is_active (layout, frame->item))
    rail.active |= 1u << frame->lane;
  g_array_append_val (layout->rails, rail);
  if (row == 0)
    return;

  /* The rail of this node's lane runs from its parent, or turns off there. */
  parent = &g_array_index (layout->rails, LsStepRail, frame->fork_row);
  g_array_index (layout->rails, LsStepRail, row).above |= 1u << frame->lane;
  if (parent->lane == frame->lane)
    {
      parent->below |= 1u << frame->lane;
      return;
    }
  parent->forks |= 1u << frame->lane;
  for (guint i = frame->fork_row + 1; i < row; i++)
    {
      g_array_index (layout->rails, LsStepRail, i).above |= 1u << frame->lane;
      g_array_index (layout->rails, LsStepRail, i).below |= 1u << frame->lane;
    }
}

static void
walk (Layout *layout)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Frame));

  if (layout->nodes->len == 0)
    return;

  push (stack, g_ptr_array_index (layout->nodes, 0), 0, 0, 0, 0);
  while (stack->len > 0)
    {
      Frame frame = g_array_index (stack, Frame, stack->len - 1);
      guint row = layout->rows->len;

      g_array_set_size (stack, stack->len - 1);
      add_row (layout, &frame, row);
      push_children (layout, stack, &frame, row);
    }
}

GPtrArray *
ls_history_layout (GPtrArray       *nodes,
                   LsMainChildFunc  main_child,
                   gpointer         data,
                   guint            current)
{
  Layout layout = {
    .nodes = nodes,
    .children = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref),
    .active = g_hash_table_new (NULL, NULL),
    .main_child = main_child,
    .data = data,
    .rows = g_ptr_array_new (),
    .rails = g_array_new (FALSE, FALSE, sizeof (LsStepRail)),
  };

  collect (&layout, current);
  walk (&layout);
  for (guint i = 0; i < layout.rows->len; i++)
    ls_step_item_set_rail (g_ptr_array_index (layout.rows, i),
                           &g_array_index (layout.rails, LsStepRail, i));

  g_hash_table_unref (layout.children);
  g_hash_table_unref (layout.active);
  g_array_unref (layout.rails);
  return layout.rows;
}
