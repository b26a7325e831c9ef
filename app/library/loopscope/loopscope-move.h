/* LoopscopeMove: something that can, or cannot, be done to a loop or block. */
#pragma once

#include <glib-object.h>

#include <loopscope/loopscope-version.h>

G_BEGIN_DECLS

/**
 * LoopscopeMoveGroup:
 * @LOOPSCOPE_MOVE_CAN: it can be applied
 * @LOOPSCOPE_MOVE_WITH_CHANGE: it is refused as it stands, and there is a way that leads to it
 * @LOOPSCOPE_MOVE_CANNOT: it cannot be applied
 *
 * Whether a move can be applied.
 */
typedef enum {
  LOOPSCOPE_MOVE_CAN,
  LOOPSCOPE_MOVE_WITH_CHANGE,
  LOOPSCOPE_MOVE_CANNOT
} LoopscopeMoveGroup;

#define LOOPSCOPE_TYPE_MOVE (loopscope_move_get_type ())

/**
 * LoopscopeMove:
 *
 * A schedule primitive at a loop or block, with the reason when it cannot be applied.
 */
LOOPSCOPE_PUBLIC
G_DECLARE_FINAL_TYPE (LoopscopeMove, loopscope_move, LOOPSCOPE, MOVE, GObject)

/**
 * loopscope_move_get_group:
 * @self: a move
 *
 * Whether it can be applied.
 *
 * Returns: the group
 */
LOOPSCOPE_PUBLIC
LoopscopeMoveGroup loopscope_move_get_group (LoopscopeMove *self);

/**
 * loopscope_move_get_call:
 * @self: a move
 *
 * The call in the names of the program, such as "split(k, [32, 4])".
 *
 * Returns: (transfer none): the call
 */
LOOPSCOPE_PUBLIC
const char *loopscope_move_get_call (LoopscopeMove *self);

/**
 * loopscope_move_get_effect:
 * @self: a move
 *
 * What it does, a sentence.
 *
 * Returns: (transfer none): the sentence
 */
LOOPSCOPE_PUBLIC
const char *loopscope_move_get_effect (LoopscopeMove *self);

/**
 * loopscope_move_get_reason:
 * @self: a move
 *
 * Why it cannot be applied; of one that can: a warning.
 *
 * Returns: (transfer none) (nullable): the sentence, or %NULL
 */
LOOPSCOPE_PUBLIC
const char *loopscope_move_get_reason (LoopscopeMove *self);

/**
 * loopscope_move_get_repair:
 * @self: a move
 *
 * What leads to it, such as "First rfactor(k, 0)".
 *
 * Returns: (transfer none) (nullable): the words, or %NULL
 */
LOOPSCOPE_PUBLIC
const char *loopscope_move_get_repair (LoopscopeMove *self);

/**
 * loopscope_move_get_steps:
 * @self: a move
 *
 * The steps that do it, for [method@Program.apply].
 *
 * Returns: (transfer none): Python text
 */
LOOPSCOPE_PUBLIC
const char *loopscope_move_get_steps (LoopscopeMove *self);

G_END_DECLS
