/* order: see the header.
 *
 * What a step changed is found by going down both programs as long as they are the same; only that part is compared.  Answers
 * are kept by program and step, since the list of moves asks again whenever something is selected.  That an order is kept holds for any
 * two programs that are the same node for node, so the same steps on a program that was read once more are not computed again; what is the
 * same as which function of before is kept too, so that each step of a row compares its own result alone.
 */
#include "engine/schedule/step/order.h"

#include "engine/poly/poly.h"

#include <inttypes.h>

#define OPERATIONS 400000       /* of isl for one step */
#define MAX_KEPT 64             /* answers */

struct _LsOrderAnswer {
  gatomicrefcount refs;
  LsVersion      *version;      /* the program before, with the ids that the key has: the same module in another schedule has others */
  char           *key;
  LsPrimFunc     *func, *fresh; /* what was compared, or NULL */
  LsPrimFunc     *func_like, *fresh_like; /* those of the first that was compared and is the same, node for node */
  LsPolyVerdict   verdict;
  GPtrArray      *told;         /* of LsNode: those that the verdict names, also of programs that were made for the comparison alone; or NULL */
};

/* ---- what changed ------------------------------------------------------------------ */

typedef struct {
  LsPrimFunc *func;
  GPtrArray  *around;
  LsStmt     *before, *after;
} Change;

static gboolean
same_realize (LsBlockRealize *a,
              LsBlockRealize *b)
{
  return ls_array_same_items (a->iter_values, b->iter_values) && a->predicate == b->predicate && a->block->init == b->block->init &&
         ls_array_same_items (a->block->iter_vars, b->block->iter_vars) && ls_array_same_items (a->block->match_buffers, b->block->match_buffers);
}

static gboolean
same_loop (LsFor *a,
           LsFor *b)
{
  return a->loop_var == b->loop_var && a->min == b->min && a->extent == b->extent && a->kind == b->kind;
}

/* One step down on both sides. FALSE: what differs is here. */
static gboolean
go_down (Change *self)
{
  LsStmt *a = self->before, *b = self->after;

  if (ls_is (a, BLOCK_REALIZE) && ls_is (b, BLOCK_REALIZE) && same_realize ((LsBlockRealize *) a, (LsBlockRealize *) b))
    {
      g_ptr_array_add (self->around, a);
      self->before = ((LsBlockRealize *) a)->block->body;
      self->after = ((LsBlockRealize *) b)->block->body;
      return TRUE;
    }
  if (ls_is (a, FOR) && ls_is (b, FOR) && same_loop ((LsFor *) a, (LsFor *) b))
    {
      g_ptr_array_add (self->around, a);
      self->before = ((LsFor *) a)->body;
      self->after = ((LsFor *) b)->body;
      return TRUE;
    }
  if (ls_is (a, SEQ_STMT) && ls_is (b, SEQ_STMT))
    {
      guint first, n_a, n_b;

      ls_array_difference (((LsSeqStmt *) a)->seq, ((LsSeqStmt *) b)->seq, &first, &n_a, &n_b);
      if (n_a != 1 || n_b != 1)
        return FALSE;
      self->before = ((LsSeqStmt *) a)->seq->items[first];
      self->after = ((LsSeqStmt *) b)->seq->items[first];
      return TRUE;
    }
  return FALSE;
}

/* The function that differs, and the part of it that does. FALSE: nothing. */
static gboolean
find_change (Change   *self,
             LsModule *before,
             LsModule *now,
             LsPrimFunc **fresh)
{
  for (guint i = 0; i < MIN (ls_array_n (before->functions), ls_array_n (now->functions)); i++)
    if (before->functions->items[i] != now->functions->items[i] && ls_is (before->functions->items[i], PRIM_FUNC))
      {
        self->func = ls_array_at (before->functions, i, LsPrimFunc);
        *fresh = ls_array_at (now->functions, i, LsPrimFunc);
        self->before = self->func->body;
        self->after = (*fresh)->body;
        while (self->before != self->after && go_down (self))
          ;
        return self->before != self->after;
      }
  return FALSE;
}

/* ---- parts of a long sequence that have nothing to do with it -------------------------- */

static LsWalk
note_buffer (LsNode   *node,
             gpointer  user_data)
{
  if (ls_is (node, BUFFER_LOAD))
    g_hash_table_add (user_data, ((LsBufferLoad *) node)->buffer);
  else if (ls_is (node, BUFFER_STORE))
    g_hash_table_add (user_data, ((LsBufferStore *) node)->buffer);
  else if (ls_is (node, BUFFER_REGION))
    g_hash_table_add (user_data, ((LsBufferRegion *) node)->buffer);
  return LS_WALK_CONTINUE;
}

static void
note_changed (GHashTable *buffers,
              LsArray    *list,
              LsArray    *other)
{
  for (guint i = 0; i < ls_array_n (list); i++)
    if (ls_array_index_of (other, list->items[i]) < 0)
      ls_walk (list->items[i], note_buffer, NULL, buffers);
}

static LsStmt *
reduced (LsStmt     *stmt,
         LsArray    *other,
         GHashTable *buffers)
{
  LsArray *list = ((LsSeqStmt *) stmt)->seq;
  GPtrArray *kept = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (list); i++)
    {
      gboolean takes_part = ls_array_index_of (other, list->items[i]) < 0;
      GHashTableIter iter;
      gpointer buffer;

      g_hash_table_iter_init (&iter, buffers);
      while (!takes_part && g_hash_table_iter_next (&iter, &buffer, NULL))
        takes_part = ls_uses (list->items[i], buffer);
      if (takes_part)
        g_ptr_array_add (kept, ls_node_ref (list->items[i]));
    }
  return ls_seq (ls_array_take_ptr_array (kept));
}

/* ---- keeping answers ------------------------------------------------------------------- */

static GMutex kept_lock;
static GQueue kept = G_QUEUE_INIT;         /* of LsOrderAnswer, the newest first */

void
ls_order_unref (LsOrderAnswer *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  ls_poly_verdict_clear (&self->verdict);
  ls_version_unref (self->version);
  ls_unref (self->func);
  ls_unref (self->fresh);
  ls_unref (self->func_like);
  ls_unref (self->fresh_like);
  g_clear_pointer (&self->told, g_ptr_array_unref);
  g_free (self->key);
  g_free (self);
}

static void
put_argument (GString *key,
              LsMove  *move,
              LsNode  *arg)
{
  const LsHandle *handle = arg != NULL && ls_is_var (arg) ? ls_handles_get (move->handles, (LsVar *) arg) : NULL;
  gint64 number;

  if (ls_is (arg, ARRAY))
    for (guint i = 0; i < ((LsArray *) arg)->n; i++)
      put_argument (key, move, ((LsArray *) arg)->items[i]);
  else if (handle != NULL && handle->value == NULL)
    g_string_append_printf (key, " #%u", handle->id);
  else if (arg != NULL && ls_as_int (handle != NULL ? handle->value : (LsExpr *) arg, &number))
    g_string_append_printf (key, " %" PRId64, number);
  else if (ls_is (arg, STRING))
    g_string_append_printf (key, " %s", ((LsString *) arg)->value);
  else
    g_string_append (key, arg == NULL ? " -" : " ?");
}

static char *
key_of (LsMove *move)
{
  GString *key = g_string_new (move->instruction->name);

  for (guint i = 0; i < move->instruction->n_params; i++)
    put_argument (key, move, move->args[i]);
  return g_string_free (key, FALSE);
}

static LsOrderAnswer *
look_up (LsVersion  *version,
         const char *key)
{
  LsOrderAnswer *found = NULL;

  g_mutex_lock (&kept_lock);
  for (GList *l = kept.head; l != NULL && found == NULL; l = l->next)
    {
      LsOrderAnswer *answer = l->data;

      if (answer->version != version || strcmp (answer->key, key) != 0)
        continue;
      found = answer;
      g_atomic_ref_count_inc (&found->refs);
      g_queue_unlink (&kept, l);
      g_queue_push_head_link (&kept, l);
    }
  g_mutex_unlock (&kept_lock);
  return found;
}

/* The functions of which it is known that the second keeps the order of the first, if those of `self` are the same as they.  Kept ones alone:
 * another verdict has nodes of its own program. (transfer full) of LsOrderAnswer; `*like`: the one that is known to be the same as self->func, or
 * NULL (transfer full) */
static GPtrArray *
find_kin (LsOrderAnswer *self,
          LsPrimFunc   **like)
{
  GPtrArray *kin = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_order_unref);

  *like = NULL;
  g_mutex_lock (&kept_lock);
  for (GList *l = kept.head; l != NULL; l = l->next)
    {
      LsOrderAnswer *answer = l->data;

      if (answer->func == NULL)
        continue;
      if (*like == NULL && (answer->fresh == self->func || answer->func == self->func))
        *like = ls_ref (answer->fresh == self->func ? answer->fresh_like : answer->func_like);
      if (answer->verdict.answer != LS_POLY_KEPT || LS_NODE (answer->func)->hash != LS_NODE (self->func)->hash
          || LS_NODE (answer->fresh)->hash != LS_NODE (self->fresh)->hash)
        continue;
      g_atomic_ref_count_inc (&answer->refs);
      g_ptr_array_add (kin, answer);
    }
  g_mutex_unlock (&kept_lock);
  return kin;
}

/* Are the functions of one the same as those of the other, node for node?  Both pairs in one comparison: what a step left alone is compared once. */
static gboolean
is_same_pair (LsOrderAnswer *answer,
              LsOrderAnswer *self,
              LsPrimFunc    *like)
{
  g_autoptr (LsArray) a = NULL, b = NULL;

  if (like != NULL && answer->func_like == like)
    return ls_structural_equal (answer->fresh_like, self->fresh, FALSE, NULL, NULL);
  a = ls_array_of (ls_ref (answer->func_like), ls_ref (answer->fresh_like), NULL);
  b = ls_array_of (ls_ref (self->func), ls_ref (self->fresh), NULL);
  return ls_structural_equal (a, b, FALSE, NULL, NULL);
}

static gboolean
is_known_to_be_kept (LsOrderAnswer *self)
{
  g_autoptr (LsPrimFunc) like = NULL;
  g_autoptr (GPtrArray) kin = find_kin (self, &like);

  for (guint i = 0; i < kin->len; i++)
    if (is_same_pair (kin->pdata[i], self, like))
      {
        self->func_like = ls_ref (((LsOrderAnswer *) kin->pdata[i])->func_like);
        self->fresh_like = ls_ref (((LsOrderAnswer *) kin->pdata[i])->fresh_like);
        return TRUE;
      }
  self->func_like = ls_ref (like != NULL ? like : self->func);
  self->fresh_like = ls_ref (self->fresh);
  return FALSE;
}

static void
keep (LsOrderAnswer *answer)
{
  LsOrderAnswer *oldest = NULL;

  g_atomic_ref_count_inc (&answer->refs);
  g_mutex_lock (&kept_lock);
  g_queue_push_head (&kept, answer);
  if (kept.length > MAX_KEPT)
    oldest = g_queue_pop_tail (&kept);
  g_mutex_unlock (&kept_lock);
  ls_order_unref (oldest);
}

/* ---- steps that make other blocks ---------------------------------------------------------- */

static LsNode *
put_in_place (LsRewriter *rewriter,
              LsNode     *node,
              gpointer    user_data)
{
  GArray *meanings = user_data;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  for (guint i = 0; ls_is (node, BLOCK_REALIZE) && i < meanings->len; i++)
    if (node == LS_NODE (g_array_index (meanings, LsMeaning, i).realize))
      return LS_NODE (ls_ref (g_array_index (meanings, LsMeaning, i).stmt));
  return ls_rewrite_default (rewriter, node);
}

/* The block of the program before that a block of now comes from: findings are about what the reader sees. */
static LsBlock *
as_before (LsBlock *block,
           GArray  *meanings)
{
  for (guint i = 0; block != NULL && i < meanings->len; i++)
    if (ls_uses (g_array_index (meanings, LsMeaning, i).stmt, block))
      return g_array_index (meanings, LsMeaning, i).realize->block;
  return block;
}

/* ---- asking ------------------------------------------------------------------------------ */

static void
hold (LsOrderAnswer *self,
      gpointer       node)
{
  if (node == NULL)
    return;
  if (self->told == NULL)
    self->told = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_ptr_array_add (self->told, ls_node_ref (node));
}

static void
hold_round (LsOrderAnswer *self,
            LsPolyRound   *round)
{
  hold (self, round->block);
  for (guint i = 0; round->vars != NULL && i < round->vars->len; i++)
    hold (self, round->vars->pdata[i]);
}

static void
compare (LsOrderAnswer *self,
         LsMove        *move,
         LsModule      *now)
{
  g_autoptr(GPtrArray) around = g_ptr_array_new ();
  Change change = { .around = around };
  LsPrimFunc *fresh = NULL;
  g_autoptr(GHashTable) buffers = NULL;
  g_autoptr(LsNode) before = NULL;
  g_autoptr(LsNode) after = NULL;
  LsPolyQuestion question = { 0 };

  self->verdict.answer = LS_POLY_KEPT;
  if (!find_change (&change, self->version->module, now, &fresh))
    return;
  self->func = ls_ref (change.func);
  self->fresh = ls_ref (fresh);
  if (is_known_to_be_kept (self))
    return;
  before = ls_node_ref (change.before);
  after = ls_node_ref (change.after);
  if (ls_is (before, SEQ_STMT) && ls_is (after, SEQ_STMT))
    {
      LsArray *old = ((LsSeqStmt *) before)->seq, *new = ((LsSeqStmt *) after)->seq;

      buffers = g_hash_table_new (NULL, NULL);
      note_changed (buffers, old, new);
      note_changed (buffers, new, old);
      ls_take (&before, reduced (change.before, new, buffers));
      ls_take (&after, reduced (change.after, old, buffers));
    }
  if (move->meanings != NULL)
    ls_take (&before, ls_rewrite_with (before, put_in_place, move->meanings));
  question = (LsPolyQuestion) { change.func, around, change.before, before, after, fresh->body, OPERATIONS };
  ls_poly_compare (&question, &self->verdict);
  if (move->meanings != NULL)
    {
      self->verdict.first.block = as_before (self->verdict.first.block, move->meanings);
      self->verdict.second.block = as_before (self->verdict.second.block, move->meanings);
      /* an index of a cache says nothing to who has not seen it yet */
      if (self->verdict.buffer != NULL && !ls_uses (self->func->body, self->verdict.buffer))
        g_clear_pointer (&self->verdict.element, g_array_unref);
    }
  hold_round (self, &self->verdict.first);
  hold_round (self, &self->verdict.second);
  hold (self, self->verdict.buffer);
}

static LsOrderAnswer *
answer_new (LsVersion *version,
            char      *key)
{
  LsOrderAnswer *self = g_new0 (LsOrderAnswer, 1);

  g_atomic_ref_count_init (&self->refs);
  self->version = ls_version_ref (version);
  self->key = key;
  return self;
}

LsOrderAnswer *
ls_order_ask (LsMove    *move,
              LsVersion *before,
              LsModule  *now)
{
  g_autofree char *key = key_of (move);
  LsOrderAnswer *self = look_up (before, key);

  if (self != NULL)
    return self;
  self = answer_new (before, g_steal_pointer (&key));
  compare (self, move, now);
  keep (self);
  return self;
}

gboolean
ls_order_is_broken (LsOrderAnswer *self)
{
  return self->verdict.answer == LS_POLY_BROKEN;
}

/* ---- telling ------------------------------------------------------------------------------- */

/* "i = 1, j = 2" */
static char *
round_text (LsPolyRound *round)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < round->vars->len; i++)
    g_string_append_printf (text, "%s%s = %" PRId64, i > 0 ? ", " : "", ((LsVar *) round->vars->pdata[i])->name, g_array_index (round->values, gint64, i));
  return g_string_free (text, FALSE);
}

static char *
element_text (LsPolyVerdict *verdict)
{
  GString *text = g_string_new (verdict->buffer->name);

  for (guint i = 0; verdict->element != NULL && i < verdict->element->len; i++)
    g_string_append_printf (text, "%s%" PRId64, i > 0 ? ", " : "[", g_array_index (verdict->element, gint64, i));
  if (verdict->element != NULL && verdict->element->len > 0)
    g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

/* ORDER LsPolyKind; the second: at the same time.  Arguments: element, first round, second round. */
static const char *const sentences[][2] = {
  { LS_TEXT ("%s is written in the round %s and read in the round %s, which would come first."),
    LS_TEXT ("%s is written in the round %s and read in the round %s, which would run at the same time.") },
  { LS_TEXT ("%s is read in the round %s and overwritten in the round %s, which would come first."),
    LS_TEXT ("%s is read in the round %s and overwritten in the round %s, which would run at the same time.") },
  { LS_TEXT ("%s is written in the round %s and again in the round %s, which would come first."),
    LS_TEXT ("%s is written in the round %s and again in the round %s, which would run at the same time.") },
};

static char *
broken_text (LsPolyVerdict *verdict)
{
  g_autofree char *element = element_text (verdict);
  g_autofree char *first = round_text (&verdict->first);
  g_autofree char *second = round_text (&verdict->second);
  g_autofree char *pair = NULL;

G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  pair = g_strdup_printf (ls_translate (sentences[verdict->kind][verdict->at_once]), element, first, second);
G_GNUC_END_IGNORE_DEPRECATIONS
  return g_strconcat (pair, " ", ls_translate (!verdict->by_run ? LS_TEXT ("The indices prove it.") : verdict->on_random ? LS_TEXT ("A run on random numbers shows it.")
                                                                                                     : LS_TEXT ("A run on zeros shows it.")), NULL);
}

void
ls_order_tell (LsOrderAnswer *self,
               LsMove        *move,
               gboolean       strict,
               LsDiagnostics *diagnostics)
{
  LsPolyVerdict *verdict = &self->verdict;
  g_autofree char *text = NULL;
  LsDiagnostic *finding;

  if (diagnostics == NULL || verdict->answer == LS_POLY_KEPT)
    return;
  if (verdict->answer == LS_POLY_UNDECIDED)
    {
      ls_move_warn (move, diagnostics, "dependence-unknown", NULL, "Whether the rounds depend on each other is not decided: %s.", ls_translate (verdict->reason));
      return;
    }
  text = broken_text (verdict);
  if (strict)
    finding = ls_move_refuse (move, diagnostics, "dependence", verdict->first.block, "%s", text);
  else
    finding = ls_move_warn (move, diagnostics, "dependence", verdict->first.block, "%s", text);
  if (verdict->second.block != verdict->first.block)
    ls_move_add_culprit (move, finding, verdict->second.block);
}
