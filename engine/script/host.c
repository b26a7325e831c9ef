/* host: what a script shares with the program around it.
 *
 * A script inside a Python program may name the program's values: numbers, shapes, buffers, helper functions.  The
 * reader asks the host for names that the text does not define.  Plain values and nodes become values of the reader at
 * once; anything else stays the host's own object (LS_VALUE_FOREIGN), whose attributes, items and calls the host
 * carries out.  What a call gives is read the same way.
 */
#include "engine/script/script-private.h"

static void
drop_object (gpointer data)
{
  LsParse *p = ((gpointer *) data)[0];

  p->host->release (p->host, ((gpointer *) data)[1]);
  g_free (data);
}

/* Keeps a reference to an object until the parse ends. */
static gpointer
keep_object (LsParse  *p,
             gpointer  object)
{
  gpointer *pair = g_new (gpointer, 2);

  pair[0] = p;
  pair[1] = object;
  if (p->foreign == NULL)
    p->foreign = g_ptr_array_new_with_free_func (drop_object);
  g_ptr_array_add (p->foreign, pair);
  return object;
}

/* ---- objects to values ------------------------------------------------------------ */

static LsValue *take_object (LsParse *p, gpointer object, guint depth, LsSyn *at);

static LsValue *
take_items (LsParse     *p,
            LsHostValue *read,
            LsValueKind  kind,
            guint        depth,
            LsSyn       *at)
{
  LsValue **items = ls_arena_alloc (&p->arena, (read->n + 1) * sizeof (LsValue *));

  for (guint i = 0; i < read->n; i++)
    items[i] = take_object (p, read->items[i], depth + 1, at);
  g_free (read->items);
  return ls_value_list (p, kind, items, read->n);
}

static LsValue *
take_dict (LsParse     *p,
           LsHostValue *read,
           guint        depth,
           LsSyn       *at)
{
  guint n = read->n / 2;
  LsValue *v = ls_value_new (p, LS_VALUE_DICT);

  v->n = n;
  v->keys = ls_arena_alloc (&p->arena, (n + 1) * sizeof (LsValue *));
  v->items = ls_arena_alloc (&p->arena, (n + 1) * sizeof (LsValue *));
  for (guint i = 0; i < n; i++)
    {
      v->keys[i] = take_object (p, read->items[2 * i], depth + 1, at);
      v->items[i] = take_object (p, read->items[2 * i + 1], depth + 1, at);
    }
  g_free (read->items);
  return v;
}

/* "T.grid" as the member that it is, any other path as a module. */
static LsValue *
take_path (LsParse    *p,
           const char *path,
           LsSyn      *at)
{
  const char *kept = ls_arena_strndup (&p->arena, path, strlen (path));
  gboolean quiet = p->quiet;
  LsValue *v;

  if (kept[0] == '\0' || kept[1] != '.' || at == NULL || (kept[0] != 'T' && kept[0] != 'I'))
    return ls_module_value (p, kept);
  p->quiet = TRUE;
  v = ls_eval_member (p, kept[0] == 'T' ? "T" : "I", kept + 2, at);
  p->quiet = quiet;
  return v;
}

/* Takes the reference. */
static LsValue *
take_object (LsParse  *p,
             gpointer  object,
             guint     depth,
             LsSyn    *at)
{
  LsHostValue read = { 0 };
  LsValue *v = NULL;

  if (object == NULL)
    return ls_value_new (p, LS_VALUE_NONE);
  keep_object (p, object);
  if (depth < LS_SCRIPT_MAX_NESTING)
    p->host->read (p->host, object, &read);
  switch (read.kind)
    {
    case LS_HOST_NONE: return ls_value_new (p, LS_VALUE_NONE);
    case LS_HOST_BOOL: return ls_value_bool (p, read.i != 0);
    case LS_HOST_INT: return ls_value_int (p, read.i);
    case LS_HOST_FLOAT: return ls_value_float (p, read.f);
    case LS_HOST_STRING: return ls_value_string (p, ls_arena_strndup (&p->arena, read.s, strlen (read.s)));
    case LS_HOST_TUPLE: return take_items (p, &read, LS_VALUE_TUPLE, depth, at);
    case LS_HOST_LIST: return take_items (p, &read, LS_VALUE_LIST, depth, at);
    case LS_HOST_DICT: return take_dict (p, &read, depth, at);
    case LS_HOST_META: return take_items (p, &read, LS_VALUE_META, depth, at);
    case LS_HOST_NODE:
      g_ptr_array_add (p->keep, read.node);
      if (ls_is_var (read.node))
        g_hash_table_add (p->known, read.node);
      v = ls_value_node (p, read.node);
      v->foreign = object;
      return v;
    case LS_HOST_PATH: return take_path (p, read.s, at);
    case LS_HOST_OTHER: break;
    }
  v = ls_value_new (p, LS_VALUE_FOREIGN);
  v->foreign = object;
  return v;
}

LsValue *
ls_host_take (LsParse  *p,
              gpointer  object)
{
  return take_object (p, p->host->keep (p->host, object), 0, NULL);
}

LsValue *
ls_host_lookup (LsParse    *p,
                const char *name,
                LsSyn      *at)
{
  gpointer object = p->host != NULL ? p->host->lookup (p->host, name) : NULL;

  return object != NULL ? take_object (p, object, 0, at) : NULL;
}

/* ---- values to objects -------------------------------------------------------------- */

static gboolean
give_items (LsParse     *p,
            LsValue     *v,
            LsHostValue *out)
{
  gboolean dict = v->kind == LS_VALUE_DICT;
  guint n = dict ? 2 * v->n : v->n;
  g_autofree gpointer *items = g_new0 (gpointer, n + 1);
  gboolean good = TRUE;

  for (guint i = 0; i < n && good; i++)
    {
      LsValue *item = !dict ? v->items[i] : i % 2 == 0 ? v->keys[i / 2] : v->items[i / 2];

      items[i] = ls_host_give (p, item);
      good = items[i] != NULL;
    }
  out->kind = dict ? LS_HOST_DICT : v->kind == LS_VALUE_LIST ? LS_HOST_LIST : LS_HOST_TUPLE;
  out->items = g_steal_pointer (&items);
  out->n = n;
  return good;
}

gpointer
ls_host_give (LsParse *p,
              LsValue *v)
{
  LsHostValue out = { 0 };
  gpointer object;

  if (v == NULL)
    return NULL;
  switch (v->kind)
    {
    case LS_VALUE_NONE: out.kind = LS_HOST_NONE; break;
    case LS_VALUE_BOOL: out.kind = LS_HOST_BOOL; out.i = v->i; break;
    case LS_VALUE_INT: out.kind = LS_HOST_INT; out.i = v->i; break;
    case LS_VALUE_FLOAT: out.kind = LS_HOST_FLOAT; out.f = v->f; break;
    case LS_VALUE_STRING: out.kind = LS_HOST_STRING; out.s = v->s; break;
    case LS_VALUE_NODE:
      if (v->foreign != NULL)
        return p->host->keep (p->host, v->foreign);
      out.kind = LS_HOST_NODE;
      out.node = v->node;
      break;
    case LS_VALUE_DTYPE: out.kind = LS_HOST_STRING; out.s = ls_dtype_name (v->dtype); break;
    case LS_VALUE_FOREIGN: return p->host->keep (p->host, v->foreign);
    case LS_VALUE_TUPLE:
    case LS_VALUE_LIST:
    case LS_VALUE_DICT:
      object = give_items (p, v, &out) ? p->host->make (p->host, &out) : NULL;
      for (guint i = 0; i < out.n; i++)
        if (out.items[i] != NULL)
          p->host->release (p->host, out.items[i]);
      g_free (out.items);
      return object;
    case LS_VALUE_META: return ls_host_give (p, v->items[0]);
    case LS_VALUE_SLICE:
    case LS_VALUE_MODULE:
    case LS_VALUE_FUNC:
    case LS_VALUE_METHOD:
    case LS_VALUE_LAMBDA:
    case LS_VALUE_FRAME:
    case LS_VALUE_STORE:
    case LS_VALUE_IR_MODULE:
    case LS_VALUE_OPAQUE:
    case LS_VALUE_POISON:
      return NULL;
    }
  return p->host->make (p->host, &out);
}

/* ---- what the host carries out --------------------------------------------------------- */

static LsValue *
result (LsParse  *p,
        gpointer  object,
        GError   *error,
        LsSyn    *at)
{
  if (object != NULL)
    return take_object (p, object, 0, at);
  ls_parse_error (p, at->span, "script/python", "%s", error != NULL ? error->message : ls_translate ("The Python expression gives nothing."));
  g_clear_error (&error);
  return NULL;
}

LsValue *
ls_host_attribute (LsParse *p,
                   LsValue *base,
                   LsSyn   *at)
{
  GError *error = NULL;
  gpointer object = p->host->attribute (p->host, base->foreign, at->text, &error);

  return result (p, object, error, at);
}

LsValue *
ls_host_node_attribute (LsParse *p,
                        LsValue *base,
                        LsSyn   *at)
{
  GError *error = NULL;
  gpointer self = ls_host_give (p, base);
  gpointer object = self != NULL ? p->host->attribute (p->host, self, at->text, &error) : NULL;

  if (self != NULL)
    p->host->release (p->host, self);
  return result (p, object, error, at);
}

/* What the host knows of a node, or NULL. */
LsNode *
ls_host_struct_info (LsParse *p,
                     LsNode  *node)
{
  g_autoptr (GError) error = NULL;
  LsHostValue out = { .kind = LS_HOST_NODE, .node = node };
  gpointer self = p->host != NULL ? p->host->make (p->host, &out) : NULL;
  gpointer object = self != NULL ? p->host->attribute (p->host, self, "struct_info_", &error) : NULL;
  LsValue *v = object != NULL ? take_object (p, object, 0, NULL) : NULL;

  if (self != NULL)
    p->host->release (p->host, self);
  return v != NULL && v->kind == LS_VALUE_NODE && ls_is_struct_info (v->node) ? v->node : NULL;
}

/* As an object, or a finding. */
static gpointer
give_or_say (LsParse *p,
             LsValue *v,
             LsSpan   span)
{
  gpointer object = ls_host_give (p, v);

  if (object == NULL && v != NULL && v->kind != LS_VALUE_POISON)
    ls_parse_error (p, span, "script/python", "%s cannot be handed to a Python function.", ls_value_describe (p, v));
  return object;
}

LsValue *
ls_host_item (LsParse *p,
              LsValue *base,
              LsValue *index,
              LsSyn   *at)
{
  GError *error = NULL;
  gpointer key = give_or_say (p, index, at->span);
  gpointer object = key != NULL ? p->host->item (p->host, base->foreign, key, &error) : NULL;

  if (key == NULL)
    return NULL;
  p->host->release (p->host, key);
  return result (p, object, error, at);
}

/* An argument as an object: functions of the vocabulary and lambdas are what Python makes of their text. */
static gpointer
argument (LsParse *p,
          LsValue *v,
          LsSyn   *syn)
{
  if (v != NULL && (v->kind == LS_VALUE_MODULE || v->kind == LS_VALUE_FUNC || v->kind == LS_VALUE_LAMBDA))
    v = ls_host_eval (p, syn->kind == LS_SYN_KEYWORD || syn->kind == LS_SYN_STAR ? syn->a : syn);
  return give_or_say (p, v, syn->span);
}

LsValue *
ls_host_call (LsParse *p,
              LsValue *callee,
              LsSyn   *call)
{
  g_autoptr (GPtrArray) args = g_ptr_array_new ();
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GError *error = NULL;
  gboolean good = TRUE;
  gpointer object = NULL;
  LsValue *v;
  guint n_known;

  for (guint i = 0; i < call->n && good; i++)
    {
      LsSyn *syn = call->items[i];
      LsValue *value = ls_eval (p, syn->kind == LS_SYN_KEYWORD || syn->kind == LS_SYN_STAR ? syn->a : syn);
      gboolean spread = syn->kind == LS_SYN_STAR && value != NULL && ls_value_is_sequence (value);

      for (guint k = 0; good && k < (spread ? value->n : 1); k++)
        {
          gpointer given = argument (p, spread ? value->items[k] : value, syn);

          good = given != NULL;
          if (good)
            {
              g_ptr_array_add (args, given);
              g_ptr_array_add (names, syn->kind == LS_SYN_KEYWORD ? (gpointer) syn->text : NULL);
            }
        }
    }
  if (good)
    object = p->host->call (p->host, callee->foreign, args->pdata, (const char **) names->pdata, args->len, &error);
  for (guint i = 0; i < args->len; i++)
    p->host->release (p->host, args->pdata[i]);
  n_known = g_hash_table_size (p->known);
  v = good ? result (p, object, error, call) : NULL;
  /* A variable that the call has made is new to the script: the name that it gets is its name. */
  if (v != NULL && v->kind == LS_VALUE_NODE && ls_is_var (v->node) && g_hash_table_size (p->known) > n_known)
    g_hash_table_remove (p->known, v->node);
  return v;
}

LsValue *
ls_host_eval (LsParse *p,
              LsSyn   *syn)
{
  g_autofree char *text = g_strndup (p->text + syn->span.start, syn->span.end - syn->span.start);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GPtrArray) objects = g_ptr_array_new ();
  GError *error = NULL;
  gpointer object;

  for (guint i = 0; i < p->scopes->len; i++)
    {
      GHashTableIter iter;
      gpointer key, value;

      g_hash_table_iter_init (&iter, p->scopes->pdata[i]);
      while (g_hash_table_iter_next (&iter, &key, &value))
        if ((object = ls_host_give (p, value)) != NULL)
          {
            g_ptr_array_add (names, key);
            g_ptr_array_add (objects, object);
          }
    }
  object = p->host->eval (p->host, text, (const char **) names->pdata, objects->pdata, names->len, &error);
  for (guint i = 0; i < objects->len; i++)
    p->host->release (p->host, objects->pdata[i]);
  return result (p, object, error, syn);
}

LsNode *
ls_host_index_map (LsParse    *p,
                   LsValue    *function,
                   const char *dtype,
                   LsSpan      span)
{
  const char *name = "function";
  g_autofree char *text = g_strdup_printf ("__import__ (\"tvm.tir\").tir.IndexMap.from_func (function, index_dtype=\"%s\")", dtype);
  g_autoptr (GError) error = NULL;
  gpointer made = p->host->eval (p->host, text, &name, &function->foreign, 1, &error);
  LsValue *v = made != NULL ? take_object (p, made, 0, NULL) : NULL;

  if (v != NULL && v->kind == LS_VALUE_NODE && ls_is (v->node, INDEX_MAP))
    return v->node;
  ls_parse_error (p, span, "script/type", "An index map is a function of indices: %s", error != NULL ? error->message : ls_translate ("this one gives something else."));
  return NULL;
}

gboolean
ls_parse_is_lenient (LsParse *p)
{
  return p->host != NULL && p->host->lenient;
}
