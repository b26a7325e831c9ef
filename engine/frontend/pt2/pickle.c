/* pt2/pickle: the tensors of a dictionary that torch.save wrote, without Python.
 *
 * What torch.save writes is an archive of its own: data.pkl says which tensors there are, data/KEY are their storages.  A pickle is a program for a
 * stack machine.  This one knows numbers, texts, tuples, lists, dictionaries, and of what may be called only those who put a tensor together; what
 * else a pickle wants to call is named and not done, so that a file can do nothing. */
#include "engine/frontend/frontend-private.h"
#include "engine/frontend/pt2/pt2-private.h"

#include <string.h>

#define MOST_VALUES 4000000     /* that one pickle makes */

typedef enum { NONE, MARK, BOOL, INT, REAL, TEXT, LIST, DICT, GLOBAL, STORAGE, TENSOR } Kind;

typedef struct {
  Kind       kind;
  gint64     number;            /* INT, BOOL; of a storage and a tensor: torch's number of its dtype */
  char      *text;              /* TEXT, GLOBAL; of a storage its key */
  GPtrArray *items;             /* LIST (and tuples): values, borrowed; DICT: key, value, ...; TENSOR: storage, offset, sizes, strides */
} Value;

typedef struct {
  const guint8 *at, *end;
  const char   *where;          /* the file and the member */
  GPtrArray    *all;            /* of Value, owned */
  GPtrArray    *stack;          /* borrowed */
  GHashTable   *memo;           /* number -> Value */
  GError       *error;
} Machine;

static void
value_free (gpointer data)
{
  Value *self = data;

  g_free (self->text);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_free (self);
}

/* ---- the machine --------------------------------------------------------------------------- */

static gpointer G_GNUC_PRINTF (2, 3)
fail (Machine    *self,
      const char *format,
      ...)
{
  va_list args;

  va_start (args, format);
  ls_fx_fail_file (&self->error, self->where, format, args);
  va_end (args);
  return NULL;
}

static Value *
make (Machine *self,
      Kind     kind)
{
  Value *value = g_new0 (Value, 1);

  value->kind = kind;
  if (kind == LIST || kind == DICT || kind == TENSOR)
    value->items = g_ptr_array_new ();
  g_ptr_array_add (self->all, value);
  if (self->all->len > MOST_VALUES)
    fail (self, LS_TEXT ("the pickle makes more than %d values"), MOST_VALUES);
  return value;
}

static void
push (Machine *self,
      Value   *value)
{
  g_ptr_array_add (self->stack, value);
}

static void
push_number (Machine *self,
             Kind     kind,
             gint64   number)
{
  Value *value = make (self, kind);

  value->number = number;
  push (self, value);
}

/* A damaged pickle takes more than there is: then NULL, and an error. */
static Value *
pop (Machine *self)
{
  return self->stack->len > 0 ? g_ptr_array_steal_index (self->stack, self->stack->len - 1) : fail (self, LS_TEXT ("the pickle is damaged: it takes more than it made"));
}

static Value *
top (Machine *self)
{
  return self->stack->len > 0 ? self->stack->pdata[self->stack->len - 1] : fail (self, LS_TEXT ("the pickle is damaged: it takes more than it made"));
}

static const guint8 *
take (Machine *self,
      gsize    n)
{
  const guint8 *at = self->at;

  if ((gsize) (self->end - self->at) < n)
    return fail (self, LS_TEXT ("the pickle ends too early"));
  self->at += n;
  return at;
}

/* Little-endian. */
static gint64
take_number (Machine *self,
             guint    bytes)
{
  const guint8 *at = take (self, bytes);
  guint64 value = 0;

  for (guint i = 0; at != NULL && i < bytes; i++)
    value |= (guint64) at[i] << (8 * i);
  return (gint64) value;
}

static void
push_text (Machine *self,
           gint64   length)
{
  const guint8 *at = length >= 0 ? take (self, (gsize) length) : fail (self, LS_TEXT ("the pickle is damaged: a text of negative length"));
  Value *value;

  if (at == NULL)
    return;
  value = make (self, TEXT);
  value->text = g_strndup ((const char *) at, (gsize) length);
  if (!g_utf8_validate (value->text, -1, NULL))
    fail (self, LS_TEXT ("the pickle is damaged: a text that is not UTF-8"));
  push (self, value);
}

/* What lies above the last mark becomes the items of `into`; the mark goes. */
static void
gather (Machine *self,
        Value   *into)
{
  guint from = self->stack->len;

  while (from > 0 && ((Value *) self->stack->pdata[from - 1])->kind != MARK)
    from--;
  if (from == 0 || into == NULL || into->items == NULL)
    {
      fail (self, LS_TEXT ("the pickle is damaged: a mark or a list is missing"));
      return;
    }
  for (guint i = from; i < self->stack->len; i++)
    g_ptr_array_add (into->items, self->stack->pdata[i]);
  g_ptr_array_set_size (self->stack, (gint) from - 1);
}

/* The list or dictionary below the last mark gets what lies above it. */
static void
extend (Machine *self)
{
  guint from = self->stack->len;

  while (from > 0 && ((Value *) self->stack->pdata[from - 1])->kind != MARK)
    from--;
  gather (self, from >= 2 ? self->stack->pdata[from - 2] : NULL);
}

static void
push_tuple (Machine *self,
            guint    n)
{
  Value *tuple = make (self, LIST);

  if (self->stack->len < n)
    {
      fail (self, LS_TEXT ("the pickle is damaged: it takes more than it made"));
      return;
    }
  for (guint i = self->stack->len - n; i < self->stack->len; i++)
    g_ptr_array_add (tuple->items, self->stack->pdata[i]);
  g_ptr_array_set_size (self->stack, (gint) (self->stack->len - n));
  push (self, tuple);
}

/* ---- what may be called -------------------------------------------------------------------------- */

static gint64
dtype_of_storage (const char *name)
{
  static const struct { const char *name; gint64 dtype; } STORAGES[] = {
    { "torch.ByteStorage", 1 }, { "torch.CharStorage", 2 }, { "torch.ShortStorage", 3 }, { "torch.IntStorage", 4 }, { "torch.LongStorage", 5 },
    { "torch.HalfStorage", 6 }, { "torch.FloatStorage", 7 }, { "torch.DoubleStorage", 8 }, { "torch.BoolStorage", 12 }, { "torch.BFloat16Storage", 13 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (STORAGES); i++)
    if (strcmp (STORAGES[i].name, name) == 0)
      return STORAGES[i].dtype;
  return 0;
}

static Value *
item (const Value *list,
      guint        i,
      Kind         kind)
{
  Value *value = list != NULL && list->kind == LIST && i < list->items->len ? list->items->pdata[i] : NULL;

  return value != NULL && value->kind == kind ? value : NULL;
}

/* ("storage", torch.FloatStorage, key, device, number of elements). */
static void
push_storage (Machine *self)
{
  Value *id = pop (self), *type = item (id, 1, GLOBAL), *key = item (id, 2, TEXT), *storage;

  if (self->error != NULL)
    return;
  if (type == NULL || key == NULL || dtype_of_storage (type->text) == 0)
    {
      fail (self, LS_TEXT ("a storage of the type %s is not read"), type != NULL ? type->text : ls_translate ("that is not named"));
      return;
    }
  storage = make (self, STORAGE);
  storage->text = g_strdup (key->text);
  storage->number = dtype_of_storage (type->text);
  push (self, storage);
}

static void
call (Machine *self)
{
  Value *args = pop (self), *func = pop (self), *made = NULL;

  if (self->error != NULL)
    return;
  if (func->kind != GLOBAL || args->kind != LIST)
    fail (self, LS_TEXT ("the pickle is damaged: it calls what cannot be called"));
  else if (strcmp (func->text, "collections.OrderedDict") == 0 && args->items->len == 0)
    made = make (self, DICT);
  else if (strcmp (func->text, "torch._utils._rebuild_tensor_v2") == 0 && item (args, 0, STORAGE) != NULL && item (args, 1, INT) != NULL && item (args, 2, LIST) != NULL
           && item (args, 3, LIST) != NULL)
    {
      made = make (self, TENSOR);
      made->number = item (args, 0, STORAGE)->number;
      for (guint i = 0; i < 4; i++)
        g_ptr_array_add (made->items, args->items->pdata[i]);
    }
  else if (strcmp (func->text, "torch._utils._rebuild_parameter") == 0 && item (args, 0, TENSOR) != NULL)
    made = item (args, 0, TENSOR);
  else
    fail (self, LS_TEXT ("the pickle calls %s, which is not done"), func->text);
  if (made != NULL)
    push (self, made);
}

static void
push_global (Machine    *self,
             const char *module,
             gsize       module_length,
             const char *name,
             gsize       name_length)
{
  Value *value = make (self, GLOBAL);

  value->text = g_strdup_printf ("%.*s.%.*s", (int) module_length, module, (int) name_length, name);
  for (char *c = value->text; *c != '\0'; c++)
    if (!g_ascii_isprint (*c))
      *c = '?';
  push (self, value);
}

/* A line of the pickle without its end. */
static const char *
take_line (Machine *self,
           gsize   *length)
{
  const guint8 *end = memchr (self->at, '\n', (gsize) (self->end - self->at));
  const char *line = (const char *) self->at;

  if (end == NULL || end - self->at > 1000)
    return fail (self, LS_TEXT ("the pickle ends too early"));
  *length = (gsize) (end - self->at);
  self->at = end + 1;
  return line;
}

/* ---- running it -------------------------------------------------------------------------------------- */

static void
memoize (Machine *self,
         gint64   number)
{
  Value *value = top (self);

  if (value != NULL)
    g_hash_table_insert (self->memo, GSIZE_TO_POINTER ((gsize) number), value);
}

static void
recall (Machine *self,
        gint64   number)
{
  Value *value = g_hash_table_lookup (self->memo, GSIZE_TO_POINTER ((gsize) number));

  if (value != NULL)
    push (self, value);
  else
    fail (self, LS_TEXT ("the pickle is damaged: it uses what it did not make"));
}

static void
set_item (Machine *self)
{
  Value *value = pop (self), *key = pop (self), *dict = top (self);

  if (self->error != NULL)
    return;
  if (dict->kind != DICT)
    {
      fail (self, LS_TEXT ("the pickle is damaged: a list or dictionary is missing"));
      return;
    }
  g_ptr_array_add (dict->items, key);
  g_ptr_array_add (dict->items, value);
}

static void
append (Machine *self)
{
  Value *value = pop (self), *list = top (self);

  if (self->error == NULL && list->kind != LIST)
    fail (self, LS_TEXT ("the pickle is damaged: a list or dictionary is missing"));
  if (self->error == NULL)
    g_ptr_array_add (list->items, value);
}

static void
long_number (Machine *self)
{
  guint n = (guint) take_number (self, 1);
  guint64 value = 0;
  const guint8 *at = take (self, n);

  if (at == NULL || n > 8)
    {
      fail (self, LS_TEXT ("the pickle has a number that is too long"));
      return;
    }
  for (guint i = 0; i < n; i++)
    value |= (guint64) at[i] << (8 * i);
  if (n > 0 && n < 8 && at[n - 1] >= 0x80)
    value |= ~(guint64) 0 << (8 * n);
  push_number (self, INT, (gint64) value);
}

static void
stack_global (Machine *self)
{
  Value *name = pop (self), *module = pop (self);

  if (self->error == NULL && (name->kind != TEXT || module->kind != TEXT))
    fail (self, LS_TEXT ("the pickle is damaged: a name is missing"));
  if (self->error == NULL)
    push_global (self, module->text, strlen (module->text), name->text, strlen (name->text));
}

/* FALSE: it was the last. */
static gboolean
step (Machine *self)
{
  const guint8 *at = take (self, 1);
  const char *module, *name;
  gsize module_length = 0, name_length = 0;
  Value *value;

  switch (at != NULL ? *at : '.')
    {
    case '.': return FALSE;
    case 0x80: take (self, 1); break;                           /* the version of the language */
    case 0x95: take (self, 8); break;                           /* a frame begins */
    case '(': push (self, make (self, MARK)); break;
    case 'N': push (self, make (self, NONE)); break;
    case 0x88: push_number (self, BOOL, 1); break;
    case 0x89: push_number (self, BOOL, 0); break;
    case 'K': push_number (self, INT, take_number (self, 1)); break;
    case 'M': push_number (self, INT, take_number (self, 2)); break;
    case 'J': push_number (self, INT, (gint32) take_number (self, 4)); break;
    case 0x8a: long_number (self); break;
    case 'G': take (self, 8); push (self, make (self, REAL)); break;
    case 'X': push_text (self, take_number (self, 4)); break;
    case 0x8c: push_text (self, take_number (self, 1)); break;
    case ']': case ')': push (self, make (self, LIST)); break;
    case '}': push (self, make (self, DICT)); break;
    case 0x85: push_tuple (self, 1); break;
    case 0x86: push_tuple (self, 2); break;
    case 0x87: push_tuple (self, 3); break;
    case 't': value = make (self, LIST); gather (self, value); push (self, value); break;
    case 'a': append (self); break;
    case 's': set_item (self); break;
    case 'e': case 'u': extend (self); break;
    case 'q': memoize (self, take_number (self, 1)); break;
    case 'r': memoize (self, take_number (self, 4)); break;
    case 0x94: memoize (self, g_hash_table_size (self->memo)); break;
    case 'h': recall (self, take_number (self, 1)); break;
    case 'j': recall (self, take_number (self, 4)); break;
    case '0': pop (self); break;
    case 'b': pop (self); break;                                /* what else an object remembers */
    case 'Q': push_storage (self); break;
    case 'R': call (self); break;
    case 0x93: stack_global (self); break;
    case 'c':
      module = take_line (self, &module_length);
      name = module != NULL ? take_line (self, &name_length) : NULL;
      if (name != NULL)
        push_global (self, module, module_length, name, name_length);
      break;
    default:
      fail (self, LS_TEXT ("the pickle has the operation %u, which is not read"), *at);
      break;
    }
  return self->error == NULL;
}

/* ---- tensors ------------------------------------------------------------------------------------------- */

/* FALSE: one is no number. */
static gboolean
ints_of (const Value *list,
         GArray      *numbers)
{
  for (guint i = 0; i < list->items->len; i++)
    {
      const Value *value = item (list, i, INT);

      if (value == NULL)
        return FALSE;
      g_array_append_val (numbers, value->number);
    }
  return TRUE;
}

static void
take_tensor (Machine     *self,
             LsZip       *zip,
             const char  *name,
             const Value *tensor,
             GHashTable  *tensors)
{
  const Value *storage = tensor->items->pdata[0];
  g_autofree char *path = g_strconcat ("data/", storage->text, NULL);
  g_autoptr (GArray) shape = g_array_new (FALSE, FALSE, sizeof (gint64)), strides = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GBytes) bytes = ls_zip_read (zip, path, &self->error);
  LsTensor *made;

  if (bytes == NULL)
    return;
  if (!ints_of (tensor->items->pdata[2], shape) || !ints_of (tensor->items->pdata[3], strides))
    {
      fail (self, LS_TEXT ("the shape of the weight %s cannot be read"), name);
      return;
    }
  made = ls_pt2_tensor_new (self->where, name, tensor->number, shape, strides, ((const Value *) tensor->items->pdata[1])->number, bytes, &self->error);
  if (made != NULL)
    g_hash_table_insert (tensors, g_strdup (name), made);
}

static void
take_tensors (Machine     *self,
              LsZip       *zip,
              const Value *dict,
              GHashTable  *tensors)
{
  if (dict == NULL || dict->kind != DICT || dict->items->len % 2 != 0)
    {
      fail (self, LS_TEXT ("the pickle is no dictionary of tensors"));
      return;
    }
  for (guint i = 0; i < dict->items->len && self->error == NULL; i += 2)
    {
      const Value *key = dict->items->pdata[i], *value = dict->items->pdata[i + 1];

      if (key->kind == TEXT && value->kind == TENSOR)
        take_tensor (self, zip, key->text, value, tensors);
    }
}

gboolean
ls_pt2_read_saved (const char  *name,
                   GBytes      *saved,
                   GHashTable  *tensors,
                   GError     **error)
{
  gsize size = 0, length = 0;
  gconstpointer data = g_bytes_get_data (saved, &size);
  g_autoptr (LsZip) zip = ls_zip_open (name, data, size, error);
  g_autoptr (GBytes) program = zip != NULL ? ls_zip_read (zip, "data.pkl", error) : NULL;
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (value_free), stack = g_ptr_array_new ();
  g_autoptr (GHashTable) memo = g_hash_table_new (NULL, NULL);
  g_autofree char *where = g_strdup_printf ("%s: data.pkl", name);
  Machine self = { .where = where, .all = all, .stack = stack, .memo = memo };

  if (program == NULL)
    return FALSE;
  self.at = g_bytes_get_data (program, &length);
  self.end = self.at + length;
  while (self.error == NULL && step (&self))
    continue;
  if (self.error == NULL)
    take_tensors (&self, zip, stack->len > 0 ? stack->pdata[stack->len - 1] : NULL, tensors);
  if (self.error == NULL)
    return TRUE;
  g_propagate_error (error, self.error);
  return FALSE;
}
