/* script: TVMScript from Python: text to modules, nodes to text. */
#include "engine/python/core/objects.h"

#include "engine/ir/structural.h"
#include "engine/script/saved.h"
#include "engine/script/script.h"
#include "engine/script/target.h"

#include <string.h>

/* parse (text, name, names, lenient): the module of a text; DiagnosticError with all findings otherwise */
static PyObject *
py_parse (PyObject *module,
          PyObject *args)
{
  const char *text, *name;
  PyObject *names = Py_None;
  int lenient = 0;
  Py_ssize_t length;
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsModule) parsed = NULL;

  if (!PyArg_ParseTuple (args, "s#s|Op", &text, &length, &name, &names, &lenient))
    return NULL;
  source = ls_source_new (name, text, length);
  parsed = ls_py_parse_with (source, names, lenient, diagnostics);
  if (ls_py_failed ())
    return NULL;
  if (parsed == NULL || ls_diagnostics_has_error (diagnostics))
    return ls_py_raise_diagnostics (LS_PY_DIAGNOSTIC_ERROR, diagnostics);
  return ls_py_wrap (g_steal_pointer (&parsed));
}

/* target_defaults (kind): what a target of the kind has where nothing is said, as a map */
static PyObject *
py_target_defaults (PyObject *module,
                    PyObject *object)
{
  const char *kind = PyUnicode_Check (object) ? PyUnicode_AsUTF8AndSize (object, NULL) : NULL;

  if (kind == NULL)
    return PyErr_Occurred () != NULL ? NULL : PyErr_Format (PyExc_TypeError, "the kind of a target is a text, not %R", object);
  return ls_py_wrap (ls_target_defaults (kind));
}

/* verify (node): findings as a text, or None when the function or module is well formed */
static PyObject *
py_verify (PyObject *module,
           PyObject *object)
{
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsNode *node = ls_py_is_node (object) ? ls_py_node (object) : NULL;
  gboolean good;

  if (ls_is (node, MODULE))
    good = ls_verify_module ((LsModule *) node, diagnostics);
  else if (ls_is (node, PRIM_FUNC))
    good = ls_verify_prim_func ((LsPrimFunc *) node, diagnostics);
  else
    return PyErr_Format (PyExc_TypeError, "%R is no function or module", object);
  if (good)
    Py_RETURN_NONE;
  return ls_py_text (ls_diagnostics_print (diagnostics));
}

/* (start, end, path, node, is a definition) of each range; FALSE with an exception. */
static gboolean
append_ranges (PyObject    *list,
               LsSourceMap *map)
{
  guint n;
  const LsSourceRange *ranges = ls_source_map_get_ranges (map, &n);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (LsPath) path = ls_source_map_dup_path (map, &ranges[i]);
      g_autofree char *text = ls_structural_path (ls_source_map_get_root (map), path);
      PyObject *item = Py_BuildValue ("(IIsNi)", ranges[i].start, ranges[i].end, text, ls_py_wrap (ls_node_ref (ranges[i].node)),
                                      ranges[i].role == LS_SOURCE_DEFINE);

      if (item == NULL || PyList_Append (list, item) < 0)
        {
          Py_XDECREF (item);
          return FALSE;
        }
      Py_DECREF (item);
    }
  return TRUE;
}

/* print (node, style, header, verbose, indent, function_name, only, list of ranges or None, hide_known, keep_names) */
static PyObject *
py_print (PyObject *module,
          PyObject *args)
{
  PyObject *ranges = Py_None;
  g_autoptr (LsSourceMap) map = NULL;
  char *text;

  PyObject *object;
  const char *style;
  const char *function_name = NULL;
  int header, verbose, meta = FALSE, hide_known = FALSE, keep_names = FALSE;
  unsigned indent = 0;
  LsScriptPrintOptions options = { 0 };

  if (!PyArg_ParseTuple (args, "O!spp|IzpOpp", ls_py_node_type, &object, &style, &header, &verbose, &indent, &function_name, &meta, &ranges, &hide_known,
                         &keep_names))
    return NULL;
  if (!ls_script_style_parse (style, &options.style))
    return PyErr_Format (PyExc_ValueError, "there is no style %s", style);
  options.no_header = !header;
  options.show_meta = meta;
  options.verbose = verbose;
  options.hide_known = hide_known;
  options.whole_heads = TRUE;
  options.keep_names = keep_names;
  options.indent = indent;
  options.function_name = function_name;
  text = ls_script_print (ls_py_node (object), &options, ranges != Py_None ? &map : NULL);
  if (map == NULL || append_ranges (ranges, map))
    return ls_py_text (text);
  g_free (text);
  return NULL;
}

/* line (node): the line of the script that a node came from, 0: unknown */
static PyObject *
py_line (PyObject *module,
         PyObject *object)
{
  LsNode *node;
  g_autoptr (LsSource) source = NULL;

  if (!ls_py_is_node (object))
    return PyErr_Format (PyExc_TypeError, "%R is no node", object);
  node = ls_py_node (object);
  source = node->span.source != 0 ? ls_source_lookup (node->span.source) : NULL;
  return PyLong_FromUnsignedLong (source != NULL ? ls_source_place (source, node->span.start).line : 0);
}

/* ---- where a definition ends ----------------------------------------------------------- */

/* Past a string literal that begins at `at` (its quotes), or past the text. */
static const char *
skip_string (const char *at)
{
  char quote = *at;
  gboolean triple = at[1] == quote && at[2] == quote;

  at += triple ? 3 : 1;
  while (*at != '\0')
    {
      if (*at == '\\' && at[1] != '\0')
        at += 2;
      else if (*at == quote && (!triple || (at[1] == quote && at[2] == quote)))
        return at + (triple ? 3 : 1);
      else if (*at == '\n' && !triple)
        return at;
      else
        at++;
    }
  return at;
}

static guint
indent_of (const char *at)
{
  guint n = 0;

  for (; *at == ' ' || *at == '\t' || *at == '\f'; at++)
    n = *at == '\t' ? (n / 8 + 1) * 8 : *at == '\f' ? 0 : n + 1;
  return n;
}

static gboolean
is_blank (const char *at)
{
  while (*at == ' ' || *at == '\t' || *at == '\f' || *at == '\r')
    at++;
  return *at == '\n' || *at == '\0' || *at == '#';
}

/* The first logical line after the one that begins at `at`. */
static const char *
next_line (const char *at)
{
  guint depth = 0;

  for (; *at != '\0'; at++)
    switch (*at)
      {
      case '(': case '[': case '{':
        depth++;
        break;
      case ')': case ']': case '}':
        depth -= depth > 0;
        break;
      case '"': case '\'':
        at = skip_string (at) - 1;
        break;
      case '#':
        while (at[1] != '\0' && at[1] != '\n')
          at++;
        break;
      case '\\':
        if (at[1] != '\0')
          at++;
        break;
      case '\n':
        if (depth == 0)
          return at + 1;
        break;
      default:
        break;
      }
  return at;
}

/* definition (text): the leading part of a text that is one decorated function or class: decorators, head, body. */
static PyObject *
py_definition (PyObject *module,
               PyObject *args)
{
  const char *text, *at, *end;
  gboolean head = FALSE;
  guint indent;

  if (!PyArg_ParseTuple (args, "s", &text))
    return NULL;
  for (at = text; is_blank (at) && *at != '\0'; at = next_line (at))
    ;
  indent = indent_of (at);
  for (end = at; *at != '\0'; at = next_line (at))
    {
      if (is_blank (at))
        continue;
      if (head && indent_of (at) <= indent)
        break;
      head = head || at[strspn (at, " \t\f")] != '@';
      end = next_line (at);
    }
  return PyUnicode_FromStringAndSize (text, end - text);
}

/* load_saved (text): the module in TVM's JSON, Relax too */
static PyObject *
py_load_saved (PyObject *module,
               PyObject *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModule) saved = NULL;
  const char *utf8;
  Py_ssize_t length;

  if ((utf8 = PyUnicode_AsUTF8AndSize (text, &length)) == NULL)
    return NULL;
  saved = ls_saved_read (utf8, (gsize) length, &error);
  return saved != NULL ? ls_py_from_node (saved) : PyErr_Format (PyExc_ValueError, "%s", error->message);
}

PyMethodDef ls_py_script_methods[] = {
  { "load_saved", py_load_saved, METH_O, "The module in the JSON of TVM's save_json." },
  { "parse", py_parse, METH_VARARGS, "parse(text, name)" },
  { "target_defaults", py_target_defaults, METH_O, "What a target of a kind has where nothing is said." },
  { "verify", py_verify, METH_O, "Findings of the verifier, or None." },
  { "print", py_print, METH_VARARGS, "print(node, style, header, verbose, indent=0, function_name=None, show_meta=False, ranges=None, hide_known=False)" },
  { "line", py_line, METH_O, "The line that a node came from." },
  { "definition", py_definition, METH_VARARGS, "definition(text)" },
  { NULL, NULL, 0, NULL },
};
