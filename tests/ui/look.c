/* Preloaded into the window by tests/ui/driver.py: tells in one answer what its objects say of themselves on the accessibility bus.
 *
 * A screen reader asks GTK for a name, a state, the children of one object in a message each; a test looks at all objects again and again.
 * What GTK registers there (g_dbus_connection_register_object) is noted, and its own functions are called as GIO calls them for a message:
 * the answers are GTK's, without the messages.  tests/ui/window.py compares them with what libatspi finds.
 *
 * /org/loopscope/look, org.loopscope.Look: Read (path) is the object and all below it, the parents first.  A row ends with ROW_END, its
 * fields are between FIELD_ENDs: path, name, description, number of the role, bits of the states, depth below the first.
 */
#include <dlfcn.h>
#include <gio/gio.h>
#include <stdlib.h>

#define ACCESSIBLE "org.a11y.atspi.Accessible"
#define OBJECT_EVENT "org.a11y.atspi.Event.Object"
#define TOGETHER_MS 20
#define LOOK_PATH  "/org/loopscope/look"
#define ROW_END    '\x1e'
#define FIELD_END  '\x1f'
#define FIELD_ENDS "\x1e\x1f"

enum { DEEPEST = 60 };

/* An object on the bus: what answers for it. */
typedef struct {
  GDBusConnection     *connection;      /* the object's, which outlives it there */
  GDBusInterfaceVTable table;
  gpointer             data;
  char                *path;
} Shown;

static const char look_xml[] =
  "<node><interface name='org.loopscope.Look'>"
  "<method name='Read'><arg type='s' direction='in'/><arg type='s' direction='out'/></method>"
  "</interface></node>";

static GHashTable *shown_by_path;       /* char * -> Shown * */
static GHashTable *shown_by_id;         /* number of the registration -> Shown *, owned */
static GDBusMethodInvocation *asking;   /* stands for a message where GTK is asked without one */
static GVariant *answered;              /* what it was answered */

static void
shown_free (gpointer data)
{
  Shown *shown = data;

  g_hash_table_remove (shown_by_path, shown->path);
  g_free (shown->path);
  g_free (shown);
}

static GVariant *
ask (const Shown *shown,
     const char  *method)
{
  g_autoptr (GVariant) nothing = g_variant_ref_sink (g_variant_new ("()"));

  shown->table.method_call (shown->connection, NULL, shown->path, ACCESSIBLE, method, nothing, asking, shown->data);
  return g_steal_pointer (&answered);
}

static GVariant *
get (const Shown *shown,
     const char  *property)
{
  g_autoptr (GError) error = NULL;

  return shown->table.get_property (shown->connection, NULL, shown->path, ACCESSIBLE, property, &error, shown->data);
}

static void
append_property (GString     *out,
                 const Shown *shown,
                 const char  *name)
{
  g_autoptr (GVariant) value = get (shown, name);
  gsize start = out->len;

  g_string_append (out, g_variant_get_string (value, NULL));
  g_strdelimit (out->str + start, FIELD_ENDS, ' ');
  g_string_append_c (out, FIELD_END);
}

static char *
parent_of (const char *path)
{
  const Shown *shown = g_hash_table_lookup (shown_by_path, path);
  g_autoptr (GVariant) parent = shown != NULL ? get (shown, "Parent") : NULL;
  char *above = NULL;

  if (parent != NULL)
    g_variant_get (parent, "(&so)", NULL, &above);
  return above;
}

static void
append_row (GString     *out,
            const Shown *shown,
            guint        depth)
{
  g_autoptr (GVariant) role = ask (shown, "GetRole");
  g_autoptr (GVariant) states = ask (shown, "GetState");
  g_autoptr (GVariant) bits = g_variant_get_child_value (states, 0);
  guint32 number;
  guint32 low;
  guint32 high;

  g_string_append (out, shown->path);
  g_string_append_c (out, FIELD_END);
  append_property (out, shown, "Name");
  append_property (out, shown, "Description");
  g_variant_get (role, "(u)", &number);
  g_variant_get_child (bits, 0, "u", &low);
  g_variant_get_child (bits, 1, "u", &high);
  g_string_append_printf (out, "%u%c%" G_GUINT64_FORMAT "%c%u%c", number, FIELD_END, (guint64) high << 32 | low, FIELD_END, depth, ROW_END);
}

/* The children of a stack are the pages of what it names as its children. */
static void
append_object (GString    *out,
               const char *path,
               guint       depth)
{
  const Shown *shown = g_hash_table_lookup (shown_by_path, path);
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GVariant) children = NULL;
  gboolean paged = FALSE;

  if (shown == NULL || depth > DEEPEST)
    return;
  append_row (out, shown, depth);
  answer = ask (shown, "GetChildren");
  children = g_variant_get_child_value (answer, 0);
  for (gsize i = 0; i < g_variant_n_children (children); i++)
    {
      g_autofree char *parent = NULL;
      const char *child;

      g_variant_get_child (children, i, "(&s&o)", NULL, &child);
      if (i == 0 || paged)
        parent = parent_of (child);
      if (i == 0)
        paged = g_strcmp0 (parent, path) != 0;
      append_object (out, paged && parent != NULL ? parent : child, depth + 1);
    }
}

static void
read_objects (GDBusConnection       *connection,
              const char            *sender,
              const char            *path,
              const char            *interface,
              const char            *method,
              GVariant              *arguments,
              GDBusMethodInvocation *invocation,
              gpointer               data)
{
  g_autoptr (GString) out = g_string_sized_new (1 << 17);
  const char *first;

  g_variant_get (arguments, "(&s)", &first);
  append_object (out, first, 0);
  g_dbus_method_invocation_return_value (invocation, g_variant_new ("(s)", out->str));
}

typedef guint RegisterObject (GDBusConnection *, const char *, GDBusInterfaceInfo *, const GDBusInterfaceVTable *, gpointer, GDestroyNotify, GError **);
typedef gboolean UnregisterObject (GDBusConnection *, guint);
typedef void ReturnValue (GDBusMethodInvocation *, GVariant *);
typedef gboolean EmitSignal (GDBusConnection *, const char *, const char *, const char *, const char *, GVariant *, GError **);

/* The first object: the place to ask is beside it. */
static void
begin (GDBusConnection *connection,
       RegisterObject  *add)
{
  static const GDBusInterfaceVTable table = { .method_call = read_objects };
  g_autoptr (GDBusNodeInfo) info = g_dbus_node_info_new_for_xml (look_xml, NULL);

  shown_by_path = g_hash_table_new (g_str_hash, g_str_equal);
  shown_by_id = g_hash_table_new_full (NULL, NULL, NULL, shown_free);
  asking = g_object_new (G_TYPE_DBUS_METHOD_INVOCATION, NULL);
  add (connection, LOOK_PATH, info->interfaces[0], &table, NULL, NULL, NULL);
}

G_MODULE_EXPORT guint
g_dbus_connection_register_object (GDBusConnection            *connection,
                                   const char                 *path,
                                   GDBusInterfaceInfo         *info,
                                   const GDBusInterfaceVTable *table,
                                   gpointer                    data,
                                   GDestroyNotify              free_data,
                                   GError                    **error)
{
  static RegisterObject *add;
  guint id;

  if (add == NULL)
    add = (RegisterObject *) dlsym (RTLD_NEXT, "g_dbus_connection_register_object");
  id = add (connection, path, info, table, data, free_data, error);
  if (id != 0 && g_strcmp0 (info->name, ACCESSIBLE) == 0)
    {
      Shown *shown = g_new (Shown, 1);

      if (shown_by_path == NULL)
        begin (connection, add);
      *shown = (Shown) { .connection = connection, .table = *table, .data = data, .path = g_strdup (path) };
      g_hash_table_insert (shown_by_path, shown->path, shown);
      g_hash_table_insert (shown_by_id, GUINT_TO_POINTER (id), shown);
    }
  return id;
}

G_MODULE_EXPORT gboolean
g_dbus_connection_unregister_object (GDBusConnection *connection,
                                     guint            id)
{
  static UnregisterObject *drop;

  if (drop == NULL)
    drop = (UnregisterObject *) dlsym (RTLD_NEXT, "g_dbus_connection_unregister_object");
  if (shown_by_id != NULL)
    g_hash_table_remove (shown_by_id, GUINT_TO_POINTER (id));
  return drop (connection, id);
}

G_MODULE_EXPORT void
g_dbus_method_invocation_return_value (GDBusMethodInvocation *invocation,
                                       GVariant              *value)
{
  static ReturnValue *give;

  if (give == NULL)
    give = (ReturnValue *) dlsym (RTLD_NEXT, "g_dbus_method_invocation_return_value");
  if (invocation != NULL && invocation == asking)
    answered = g_variant_ref_sink (value);
  else
    give (invocation, value);
}

/* Each object tells that it was made, laid out, and goes: thousands of messages of a window, which no test reads. */
static gboolean
is_of_no_use (const char *interface,
              const char *signal,
              GVariant   *arguments)
{
  const char *what = "";

  if (g_str_equal (signal, "StateChanged"))
    g_variant_get_child (arguments, 0, "&s", &what);
  return g_str_equal (interface, "org.a11y.atspi.Cache") || g_str_equal (signal, "BoundsChanged") || g_str_equal (what, "defunct");
}

/* Of all other changes a test wants to know that there was one since it looked (tree.py): of those that come together the first is told at once,
 * and one for the rest.  Who has the keyboard is told each time. */
static GDBusConnection *changing;       /* what the one for the rest goes to; NULL: there is none yet */
static gint64 told_until;

static EmitSignal *
own_emit (void)
{
  static EmitSignal *emit;

  if (emit == NULL)
    emit = (EmitSignal *) dlsym (RTLD_NEXT, "g_dbus_connection_emit_signal");
  return emit;
}

static gboolean
tell_rest (gpointer data)
{
  own_emit () (changing, NULL, LOOK_PATH, OBJECT_EVENT, "Changed", NULL, NULL);
  g_clear_object (&changing);
  told_until = g_get_monotonic_time () + TOGETHER_MS * 1000;
  return G_SOURCE_REMOVE;
}

static gboolean
is_one_of_many (GDBusConnection *connection,
                const char      *interface,
                const char      *signal,
                GVariant        *arguments)
{
  gint64 now = g_get_monotonic_time ();
  const char *what = "";

  if (g_str_equal (signal, "StateChanged"))
    g_variant_get_child (arguments, 0, "&s", &what);
  if (!g_str_equal (interface, OBJECT_EVENT) || g_str_equal (what, "focused"))
    return FALSE;
  if (now >= told_until)
    {
      told_until = now + TOGETHER_MS * 1000;
      return FALSE;
    }
  if (changing == NULL)
    {
      changing = g_object_ref (connection);
      g_timeout_add (TOGETHER_MS, tell_rest, NULL);
    }
  return TRUE;
}

G_MODULE_EXPORT gboolean
g_dbus_connection_emit_signal (GDBusConnection *connection,
                               const char      *destination,
                               const char      *path,
                               const char      *interface,
                               const char      *signal,
                               GVariant        *arguments,
                               GError         **error)
{
  if (!g_str_has_prefix (interface, "org.a11y.atspi.") || (!is_of_no_use (interface, signal, arguments) && !is_one_of_many (connection, interface, signal, arguments)))
    return own_emit () (connection, destination, path, interface, signal, arguments, error);
  g_variant_unref (g_variant_ref_sink (arguments));
  return TRUE;
}

/* What the window starts has no objects. */
__attribute__ ((constructor)) static void
only_here (void)
{
  if (dlsym (RTLD_DEFAULT, "gtk_window_new") != NULL)
    unsetenv ("LD_PRELOAD");
}
