/* Random programs that reduce rows across the threads of a block, and in registers. */
#include "tests/support/random-threads.h"

#include <string.h>

/* A row's sum or maximum, then something of each element with it. */
void
write_rows (Writer *w)
{
  gint m = upto (w, 1, 6), n = upto (w, 1, 70);
  gboolean across = chance (w, 70), largest = chance (w, 50);
  const char *each = largest ? "T.max(S[vi], X[vi, vk])" : "S[vi] + X[vi, vk]";
  g_autofree char *parameters = g_strdup_printf ("X: T.Buffer((%d, %d), \"$t\"), Y: T.Buffer((%d, %d), \"$t\")", m, n, m, n);

  w->ty = 1;
  begin (w, parameters);
  g_string_append_printf (w->program, "        S = T.alloc_buffer((%d,), \"%s\")\n        for i, k in T.grid(%d, %d):\n            with T.block(\"S\"):\n"
                          "                vi, vk = T.axis.remap(\"SR\", [i, k])\n                with T.init():\n                    S[vi] = %s\n                S[vi] = %s\n",
                          m, w->type, m, n, largest ? "T.min_value(\"$t\")" : "T.$t(0)", each);
  g_string_append_printf (w->program, "        for i, j in T.grid(%d, %d):\n            with T.block(\"Y\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
                          "                Y[vi, vj] = X[vi, vj] * S[vi] - S[vi]\n", m, n);
  g_string_replace (w->program, "$t", w->type, 0);
  g_string_append_printf (w->steps, "last = sch.get_block(\"Y\")\ni, j = sch.get_loops(last)\nsch.bind(i, \"blockIdx.x\")\nj0, j1 = sch.split(j, factors=[None, %d])\n"
                          "sch.bind(j1, \"threadIdx.x\")\nsum = sch.get_block(\"S\")\n", w->tx);
  if (across)
    g_string_append_printf (w->steps, "sch.compute_at(sum, i)\nsch.set_scope(sum, 0, \"shared\")\nk = sch.get_loops(sum)[-1]\nk0, k1 = sch.split(k, factors=[None, %d])\n"
                            "sch.bind(k1, \"threadIdx.x\")\n", w->tx);
  else
    g_string_append (w->steps, "sch.compute_at(sum, j1)\nsch.set_scope(sum, 0, \"local\")\n");
}

/* One number of each row: by rfactor its threads sum up apart before they add up, or many blocks do, or the threads of two axes. */
void
write_factored (Writer *w)
{
  static const char *const EACH[] = { "R[vi] + X[vi, vk]", "T.max(R[vi], X[vi, vk])", "T.min(R[vi], X[vi, vk])" }, *const FIRST[] = { "T.$t(0)", "T.min_value(\"$t\")", "T.max_value(\"$t\")" };
  gint m = upto (w, 1, 6), n = upto (w, 1, 90), which = upto (w, 0, 2), way = upto (w, 0, 3), threads = MIN (w->tx, 33);
  g_autofree char *parameters = g_strdup_printf ("X: T.Buffer((%d, %d), \"$t\"), R: T.Buffer((%d,), \"$t\")", m, n, m);

  begin (w, parameters);
  write_body (w, "        for i, k in T.grid(%d, %d):\n            with T.block(\"R\"):\n                vi, vk = T.axis.remap(\"SR\", [i, k])\n"
              "                with T.init():\n                    R[vi] = ", m, n);
  write_body (w, "%s", FIRST[which]);
  write_body (w, "\n                R[vi] = %s\n", EACH[which]);
  write_steps (w, "block = sch.get_block(\"R\")\ni, k = sch.get_loops(block)\n");
  if (way == 0)         /* what each thread has added up is in its registers */
    {
      write_steps (w, "k0, k1 = sch.split(k, factors=[None, %d])\npart = sch.rfactor(k1, %d)\nblock = sch.get_block(\"R\")\ni, k1 = sch.get_loops(block)\n", threads, upto (w, 0, 1));
      if (chance (w, 40))
        write_steps (w, "i0, i1 = sch.split(i, factors=[None, %d])\nsch.bind(i0, \"blockIdx.x\")\nsch.bind(i1, \"threadIdx.y\")\n", PICK (w, 1, 2, 3));
      else
        write_steps (w, "sch.bind(i, \"blockIdx.x\")\n");
      write_steps (w, "sch.bind(k1, \"threadIdx.x\")\nsch.compute_at(part, k1)\nsch.set_scope(part, 0, \"local\")\n");
    }
  else if (way == 1)    /* a kernel makes parts, a second one adds them up */
    {
      write_steps (w, "k0, k1 = sch.split(k, factors=[%d, None])\npart = sch.rfactor(k0, 0)\nlast = sch.get_block(\"R\")\npi, p0, p1 = sch.get_loops(part)\n"
                   "p2, p3 = sch.split(p1, factors=[None, %d])\nsch.bind(pi, \"blockIdx.y\")\nsch.bind(p0, \"blockIdx.x\")\nsch.bind(p3, \"threadIdx.x\")\n"
                   "li, lk = sch.get_loops(last)\nsch.bind(li, \"blockIdx.x\")\n", PICK (w, 2, 3, 8), threads);
      if (chance (w, 60))
        write_steps (w, "sch.bind(lk, \"threadIdx.x\")\n");
    }
  else if (way == 2)    /* two axes of threads reduce */
    write_steps (w, "sch.bind(i, \"blockIdx.x\")\nk0, k1, k2 = sch.split(k, factors=[None, %d, %d])\nsch.bind(k1, \"threadIdx.y\")\nsch.bind(k2, \"threadIdx.x\")\n", MIN (w->ty, 4), threads);
  else                  /* one reduces, the other has a row each */
    write_steps (w, "i0, i1 = sch.split(i, factors=[None, %d])\nsch.bind(i0, \"blockIdx.x\")\nsch.bind(i1, \"threadIdx.%c\")\nk0, k1 = sch.split(k, factors=[None, %d])\n"
                 "sch.bind(k1, \"threadIdx.%c\")\n", PICK (w, 2, 3, 4), which == 0 ? 'x' : 'y', threads, which == 0 ? 'y' : 'x');
}

/* The largest of a row, then the sum of how far the others are below it, then each of them with both. */
void
write_stages (Writer *w)
{
  gint m = upto (w, 1, 5), n = upto (w, 1, 70), threads = w->tx;
  gboolean kept = chance (w, 40);
  const char *read = kept ? "Z" : "X";
  g_autofree char *parameters = g_strdup_printf ("X: T.Buffer((%d, %d), \"$t\"), Y: T.Buffer((%d, %d), \"$t\")", m, n, m, n);

  begin (w, parameters);
  write_body (w, "        M = T.alloc_buffer((%d,), \"$t\")\n        S = T.alloc_buffer((%d,), \"$t\")\n", m, m);
  if (kept)
    write_body (w, "        Z = T.alloc_buffer((%d, %d), \"$t\")\n        for i, k in T.grid(%d, %d):\n            with T.block(\"Z\"):\n                vi, vk = T.axis.remap(\"SS\", [i, k])\n"
                "                Z[vi, vk] = X[vi, %d - vk] + T.$t(1)\n", m, n, m, n, n - 1);
  write_body (w, "        for i, k in T.grid(%d, %d):\n            with T.block(\"M\"):\n                vi, vk = T.axis.remap(\"SR\", [i, k])\n                with T.init():\n"
              "                    M[vi] = T.min_value(\"$t\")\n                M[vi] = T.max(M[vi], %s[vi, vk])\n", m, n, read);
  write_body (w, "        for i, k in T.grid(%d, %d):\n            with T.block(\"S\"):\n                vi, vk = T.axis.remap(\"SR\", [i, k])\n                with T.init():\n"
              "                    S[vi] = T.$t(0)\n                S[vi] = S[vi] + (M[vi] - %s[vi, vk])\n", m, n, read);
  write_body (w, "        for i, k in T.grid(%d, %d):\n            with T.block(\"Y\"):\n                vi, vk = T.axis.remap(\"SS\", [i, k])\n"
              "                Y[vi, vk] = S[vi] - (M[vi] - %s[vi, vk])\n", m, n, read);
  write_steps (w, "last = sch.get_block(\"Y\")\ni, k = sch.get_loops(last)\nsch.bind(i, \"blockIdx.x\")\nk0, k1 = sch.split(k, factors=[None, %d])\nsch.bind(k1, \"threadIdx.x\")\n", threads);
  for (guint b = 0; b < (kept ? 3u : 2u); b++)
    {
      write_steps (w, "stage = sch.get_block(\"%c\")\nsch.compute_at(stage, i)\nsch.set_scope(stage, 0, \"shared\")\nk = sch.get_loops(stage)[-1]\n", b == 0 ? 'S' : b == 1 ? 'M' : 'Z');
      write_steps (w, "k0, k1 = sch.split(k, factors=[None, %d])\nsch.bind(k1, \"threadIdx.x\")\n", threads);
    }
}

/* Where the largest of a row is, and how large; no two are equal. */
void
write_place (Writer *w)
{
  gint m = upto (w, 1, 5), n = upto (w, 1, 60), threads = MIN (w->tx, 32);
  g_autofree char *parameters = NULL;

  w->type = chance (w, 50) ? "int32" : "float32";
  parameters = g_strdup_printf ("X: T.Buffer((%d, %d), \"$t\"), I: T.Buffer((%d,), \"int32\"), V: T.Buffer((%d,), \"$t\")", m, n, m, m);
  begin (w, parameters);
  write_body (w, "        for i, k in T.grid(%d, %d):\n            with T.block(\"V\"):\n                vi, vk = T.axis.remap(\"SR\", [i, k])\n                with T.init():\n"
              "                    I[vi] = -1\n                    V[vi] = T.min_value(\"$t\")\n", m, n);
  write_body (w, "                v_i: T.int32 = T.Select(V[vi] >= X[vi, vk] * T.$t(128) + T.Cast(\"$t\", vk), I[vi], vk)\n"
              "                v_v: T.$t = T.Select(V[vi] >= X[vi, vk] * T.$t(128) + T.Cast(\"$t\", vk), V[vi], X[vi, vk] * T.$t(128) + T.Cast(\"$t\", vk))\n"
              "                I[vi] = v_i\n                V[vi] = v_v\n");
  write_steps (w, "block = sch.get_block(\"V\")\ni, k = sch.get_loops(block)\nk0, k1 = sch.split(k, factors=[None, %d])\n", threads);
  if (chance (w, 40))
    write_steps (w, "part = sch.rfactor(k1, 0)\nblock = sch.get_block(\"V\")\ni, k1 = sch.get_loops(block)\n");
  write_steps (w, "sch.bind(i, \"blockIdx.x\")\nsch.bind(k1, \"threadIdx.x\")\n");
  if (strstr (w->steps->str, "rfactor") != NULL)
    write_steps (w, "sch.compute_at(part, k1)\nsch.set_scope(part, 0, \"local\")\nsch.set_scope(part, 1, \"local\")\n");
}
