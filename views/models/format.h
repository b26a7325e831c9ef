/* format: figures in words, as look.md section 8 wants them.
 *
 * Times take seconds and carry at most three significant figures with the unit
 * after a narrow no-break space.  A column has one unit: ask for it once with
 * ls_format_time_unit() for the largest value and pass it to every cell.
 * Separators and decimal signs follow the locale.  All answers are
 * (transfer full).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Between statements that stand beside each other and do not need each other ("30 samples · 1 core pinned"): each is translated by
 * itself, none contains it. */
#define LS_PARTS " · "

typedef enum {
  LS_TIME_UNIT_NS,
  LS_TIME_UNIT_US,
  LS_TIME_UNIT_MS,
  LS_TIME_UNIT_S,
} LsTimeUnit;

LsTimeUnit  ls_format_time_unit   (double      seconds);
const char *ls_time_unit_name     (LsTimeUnit  unit);
double      ls_time_in_unit       (double      seconds,
                                   LsTimeUnit  unit);
char       *ls_format_time        (double      seconds);
/* A moment as it is here, in the user's language: "22 Nov 2026, 00:01"; NULL where the text is no ISO 8601 with its zone. (transfer full) */
char       *ls_format_date        (const char *iso8601);
/* The bare figure in `unit`. */
char       *ls_format_time_in     (double      seconds,
                                   LsTimeUnit  unit);
/* The difference that a time `of` makes, with no more decimals than that has itself: 0.08 where 1.63 became 1.55. */
char       *ls_format_time_difference (double      seconds,
                                       double      of,
                                       LsTimeUnit  unit);
/* "225 ±2 µs" */
char       *ls_format_time_spread (double      median,
                                   double      half_iqr);
/* "×3.90"; below 1 "×0.92, slower", far below it "1,090 times slower" */
char       *ls_format_speedup     (double      factor);
/* "×0.99": without a word, for what is no real difference. */
char       *ls_format_factor      (double      factor);
/* "2,097,152" */
char       *ls_format_count       (gint64      count);
/* "65.5 KiB" */
char       *ls_format_bytes       (gint64      bytes);
/* 0.996 gives "99.6 %" */
char       *ls_format_share       (double      share);
/* "4.21 M" */
char       *ls_format_short_count (double      count);

G_END_DECLS
