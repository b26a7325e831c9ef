/* session/advice-words: verdicts and proposals of engine/advice in the language of the user. */
#pragma once

#include "engine/advice/advice.h"

G_BEGIN_DECLS

/* The cause in a few words: "bandwidth of L2". (transfer full) */
char *ls_advice_say_cause   (const LsAdviceReason  *reason);
/* What it rests on, a sentence. (transfer full) */
char *ls_advice_say_reason  (const LsAdviceVerdict *verdict,
                             const LsAdviceReason  *reason);
/* All of it in one sentence, or why nothing is known. (transfer full) */
char *ls_advice_say_verdict (const LsAdviceVerdict *verdict);
/* Title of a proposal. (transfer full) */
char *ls_advice_say_title   (const LsAdviceMove    *move);
/* The same of a word of ls_advice_move_to_text(), or of two, one after the other; NULL: it is none. (transfer full) */
char *ls_advice_say_moves   (const char            *moves);
/* Why it should help. (transfer full) */
char *ls_advice_say_why     (const LsAdviceMove    *move);

G_END_DECLS
