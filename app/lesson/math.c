/* Formulas of TeX as text that can be read aloud.
 *
 * One pass from left to right: commands become their Unicode signs, \frac{a}{b} becomes a/b (with brackets where
 * a part is longer than a name), sub- and superscripts become Unicode digits and letters where all of their characters exist
 * there, else _x or ^(x); grouping braces go.  An unknown command stays as its name.  Matrices and alignments are
 * read row by row.
 */
#include "app/lesson/lesson.h"

#include <string.h>

typedef struct {
  const char *name, *text;
} Sign;

static const Sign signs[] = {
  { "times", "×" }, { "cdot", "·" }, { "cdots", "⋯" }, { "ldots", "…" }, { "dots", "…" }, { "div", "÷" }, { "pm", "±" },
  { "sum", "∑" }, { "prod", "∏" }, { "int", "∫" }, { "infty", "∞" }, { "partial", "∂" }, { "nabla", "∇" }, { "sqrt", "√" },
  { "le", "≤" }, { "leq", "≤" }, { "ge", "≥" }, { "geq", "≥" }, { "ne", "≠" }, { "neq", "≠" }, { "approx", "≈" }, { "equiv", "≡" },
  { "in", "∈" }, { "notin", "∉" }, { "subset", "⊂" }, { "cup", "∪" }, { "cap", "∩" }, { "forall", "∀" }, { "exists", "∃" },
  { "to", "→" }, { "rightarrow", "→" }, { "leftarrow", "←" }, { "Rightarrow", "⇒" }, { "mapsto", "↦" }, { "circ", "∘" }, { "odot", "⊙" },
  { "oplus", "⊕" }, { "otimes", "⊗" }, { "lfloor", "⌊" }, { "rfloor", "⌋" }, { "lceil", "⌈" }, { "rceil", "⌉" },
  { "alpha", "α" }, { "beta", "β" }, { "gamma", "γ" }, { "delta", "δ" }, { "epsilon", "ε" }, { "varepsilon", "ε" }, { "eta", "η" },
  { "theta", "θ" }, { "lambda", "λ" }, { "mu", "μ" }, { "pi", "π" }, { "rho", "ρ" }, { "sigma", "σ" }, { "tau", "τ" }, { "phi", "φ" },
  { "varphi", "φ" }, { "omega", "ω" }, { "Gamma", "Γ" }, { "Delta", "Δ" }, { "Theta", "Θ" }, { "Lambda", "Λ" }, { "Sigma", "Σ" },
  { "Phi", "Φ" }, { "Omega", "Ω" }, { "mathbb", "" }, { "mathbf", "" }, { "mathrm", "" }, { "mathcal", "" }, { "text", "" },
  { "textrm", "" }, { "operatorname", "" }, { "boldsymbol", "" }, { "left", "" }, { "right", "" }, { "big", "" }, { "quad", "  " },
  { "qquad", "    " }, { "displaystyle", "" }, { "limits", "" }, { "lVert", "‖" }, { "rVert", "‖" }, { "mid", "|" }, { "ell", "ℓ" },
};

static const char *const above[] = {
  "0⁰", "1¹", "2²", "3³", "4⁴", "5⁵", "6⁶", "7⁷", "8⁸", "9⁹", "+⁺", "-⁻", "=⁼", "(⁽", ")⁾", "nⁿ", "iⁱ", "Tᵀ", "kᵏ", "mᵐ", "jʲ", "tᵗ",
};

static const char *const below[] = {
  "0₀", "1₁", "2₂", "3₃", "4₄", "5₅", "6₆", "7₇", "8₈", "9₉", "+₊", "-₋", "=₌", "(₍", ")₎", "aₐ", "eₑ", "hₕ", "iᵢ", "jⱼ", "kₖ", "lₗ", "mₘ",
  "nₙ", "oₒ", "pₚ", "rᵣ", "sₛ", "tₜ", "uᵤ", "vᵥ", "xₓ",
};

static const char *
find_script (const char *const *table,
             gsize              n,
             char               c)
{
  for (gsize i = 0; i < n; i++)
    if (table[i][0] == c)
      return table[i] + 1;
  return NULL;
}

static void
append_script (GString    *out,
               const char *text,
               gboolean    up)
{
  const char *const *table = up ? above : below;
  gsize n = up ? G_N_ELEMENTS (above) : G_N_ELEMENTS (below);
  g_autoptr (GString) small = g_string_new (NULL);

  for (const char *at = text; *at != 0; at++)
    {
      const char *sign = *at == ' ' || *at == ',' ? "" : find_script (table, n, *at);

      if (sign == NULL)
        {
          g_string_append_printf (out, g_utf8_strlen (text, -1) > 1 ? "%c(%s)" : "%c%s", up ? '^' : '_', text);
          return;
        }
      g_string_append (small, sign);
    }
  g_string_append (out, small->str);
}

static char *convert (const char **at,
                      int          depth,
                      gboolean     group);

/* The argument of a command or script: a group or one thing. (transfer full) */
static char *
argument (const char **at,
          int          depth)
{
  while (**at == ' ')
    (*at)++;
  if (**at == '{')
    {
      (*at)++;
      return convert (at, depth + 1, TRUE);
    }
  if (**at == '\\')
    {
      const char *start = *at;
      g_autofree char *one = NULL;
      const char *inner;

      (*at)++;
      while (g_ascii_isalpha (**at))
        (*at)++;
      one = g_strndup (start, (gsize) (*at - start));
      inner = one;
      return convert (&inner, depth + 1, FALSE);
    }
  if (**at != 0)
    {
      const char *start = *at;

      *at = g_utf8_next_char (start);
      return g_strndup (start, (gsize) (*at - start));
    }
  return g_strdup ("");
}

static gboolean
is_simple (const char *text)
{
  for (; *text != 0; text = g_utf8_next_char (text))
    if (!g_unichar_isalnum (g_utf8_get_char (text)))
      return FALSE;
  return TRUE;
}

static void
append_bracketed (GString    *out,
                  const char *text)
{
  g_string_append_printf (out, is_simple (text) ? "%s" : "(%s)", text);
}

static void
command (GString     *out,
         const char **at,
         int          depth)
{
  const char *start = *at;
  g_autofree char *name = NULL;

  if (!g_ascii_isalpha (**at))
    {
      if (**at == '\\')
        g_string_append (out, "; ");
      else if (**at == ',' || **at == ';' || **at == ':' || **at == ' ')
        g_string_append_c (out, ' ');
      else if (**at != '!' && **at != 0)
        g_string_append_c (out, **at);
      *at += **at != 0;
      return;
    }
  while (g_ascii_isalpha (**at))
    (*at)++;
  name = g_strndup (start, (gsize) (*at - start));
  if (strcmp (name, "frac") == 0)
    {
      g_autofree char *top = argument (at, depth);
      g_autofree char *bottom = argument (at, depth);

      append_bracketed (out, top);
      g_string_append_c (out, '/');
      append_bracketed (out, bottom);
      return;
    }
  if (strcmp (name, "begin") == 0 || strcmp (name, "end") == 0)
    {
      g_free (argument (at, depth));
      return;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (signs); i++)
    if (strcmp (signs[i].name, name) == 0)
      {
        g_string_append (out, signs[i].text);
        return;
      }
  g_string_append (out, name);
}

static char *
convert (const char **at,
         int          depth,
         gboolean     group)
{
  GString *out = g_string_new (NULL);

  while (**at != 0)
    {
      char c = **at;

      if (c == '}' && group)
        {
          (*at)++;
          break;
        }
      (*at)++;
      if (depth > 40)
        g_string_append_c (out, c);
      else if (c == '\\')
        command (out, at, depth);
      else if (c == '{')
        {
          g_autofree char *inner = convert (at, depth + 1, TRUE);

          g_string_append (out, inner);
        }
      else if (c == '_' || c == '^')
        {
          g_autofree char *inner = argument (at, depth);

          append_script (out, inner, c == '^');
        }
      else if (c == '&' || c == '~' || c == '\n')
        g_string_append_c (out, ' ');
      else if (c != '}')
        g_string_append_c (out, c);
    }
  return g_string_free (out, FALSE);
}

char *
ls_math_to_text (const char *tex)
{
  const char *at = tex;

  return g_strstrip (convert (&at, 0, FALSE));
}
