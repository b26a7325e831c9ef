/* simt-events: see the header. */
#include "app/cli/simt-events.h"

#include "app/cli/remote.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOST_LANES 64

/* "0-7, 16" of the lanes of a mask. (transfer full) */
static char *
lanes_of (guint64 mask)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MOST_LANES; i++)
    {
      guint first = i;

      if ((mask >> i & 1) == 0)
        continue;
      while (i < MOST_LANES - 1 && (mask >> (i + 1) & 1) != 0)
        i++;
      g_string_append_printf (text, "%s%u", text->len > 0 ? ", " : "", first);
      if (i > first)
        g_string_append_printf (text, "-%u", i);
    }
  return g_string_free (text, FALSE);
}

/* "64, 68, ... 188" or each of them where the step is not one. (transfer full) */
static char *
offsets_of (const gint64 *offsets,
            guint64       mask)
{
  GString *text = g_string_new (NULL);
  gint64 all[MOST_LANES], step;
  guint n = 0;
  gboolean even = TRUE;

  for (guint i = 0; i < MOST_LANES; i++)
    if ((mask >> i & 1) != 0)
      all[n++] = offsets[i];
  step = n > 1 ? all[1] - all[0] : 0;
  for (guint i = 2; i < n; i++)
    even = even && all[i] - all[i - 1] == step;
  if (n > 3 && even && step == 0)
    g_string_append_printf (text, "%" PRId64 " all", all[0]);
  else if (n > 3 && even)
    g_string_append_printf (text, "%" PRId64 ", %" PRId64 ", .. %" PRId64, all[0], all[1], all[n - 1]);
  else
    for (guint i = 0; i < n; i++)
      g_string_append_printf (text, "%s%" PRId64, i > 0 ? " " : "", all[i]);
  return g_string_free (text, FALSE);
}

static void
print_access (guint         number,
              GVariant     *site,
              guint         warp,
              guint64       mask,
              const gint64 *offsets)
{
  g_autofree char *lanes = lanes_of (mask), *bytes = offsets_of (offsets, mask);
  g_autofree char *what = g_strdup_printf ("%s %s", ls_params_bool (site, "store", FALSE) ? "write" : "read", ls_params_string (site, "buffer", ""));

  printf ("%6u %5.0f %5u  %-24s %-8s %-12s %s\n", number, ls_cli_number (site, "line"), warp, what, ls_params_string (site, "space", ""), lanes, bytes);
}

void
ls_cli_put_events (GVariant *answer,
                   guint     kernel,
                   gint64    block)
{
  g_autoptr (GVariant) sites = ls_params_value (answer, "sites");
  g_autoptr (GVariant) events = g_variant_lookup_value (answer, "events", G_VARIANT_TYPE ("a(uuuttuax)"));

  printf ("Kernel %u, block %" PRId64 ", one after the other: the bytes are those from the start of the buffer's memory, of each lane\n event  line  warp  access                   memory   lanes        bytes\n", kernel + 1,
          block);
  for (gsize i = 0; events != NULL && i < g_variant_n_children (events); i++)
    {
      guint kind, number, warp, epoch;
      guint64 mask, live;
      g_autoptr (GVariant) list = NULL, site = NULL;
      gsize n = 0;
      const gint64 *offsets;

      g_variant_get_child (events, i, "(uuuttu@ax)", &kind, &number, &warp, &mask, &live, &epoch, &list);
      offsets = g_variant_get_fixed_array (list, &n, sizeof (gint64));
      if (kind == 1)
        printf ("%6u %5u     -  barrier: all threads of the block have come\n", (guint) i + 1, number);
      if (kind == 1 || n == 0 || n > MOST_LANES || (n < MOST_LANES && mask >> n != 0) || number >= g_variant_n_children (sites))
        continue;
      site = g_variant_get_child_value (sites, number);
      print_access ((guint) i + 1, site, warp, mask, offsets);
    }
  if (ls_params_bool (answer, "more-events", FALSE))
    printf ("There are more; these are the first.\n");
  printf ("\n");
}

int
ls_cli_draw_threads (const char                *command,
                     GVariant                  *answer,
                     const LsCliThreadsPicture *picture,
                     guint                      kernel,
                     gint64                     block)
{
  g_autoptr (GVariant) findings = ls_params_value (answer, "findings"), request = NULL;
  g_autoptr (GBytes) input = NULL;
  gboolean any = findings != NULL && g_variant_n_children (findings) > 0;
  const char *what = picture->layout > 0 ? "layout" : picture->finding > 0 || (picture->event == 0 && any) ? "finding" : "event";
  gint64 number = MAX (1, picture->layout > 0 ? picture->layout : picture->finding > 0 ? picture->finding : picture->event);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "answer", answer);
  g_variant_dict_insert (&dict, "path", "s", picture->path);
  g_variant_dict_insert (&dict, "what", "s", what);
  g_variant_dict_insert (&dict, "number", "u", (guint) (number - 1));
  g_variant_dict_insert (&dict, "kernel", "u", kernel);
  g_variant_dict_insert (&dict, "block", "x", block);
  request = g_variant_ref_sink (g_variant_dict_end (&dict));
  input = g_variant_get_data_as_bytes (request);
  return ls_cli_draw (command, "--threads", input, picture->dark, "pictures are painted by loopscope-draw, which is not beside this program");
}
