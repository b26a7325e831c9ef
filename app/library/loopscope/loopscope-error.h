/* What can go wrong. */
#pragma once

#include <glib.h>

#include <loopscope/loopscope-version.h>

G_BEGIN_DECLS

/**
 * LOOPSCOPE_ERROR:
 *
 * The domain of the errors of this library.
 */
#define LOOPSCOPE_ERROR (loopscope_error_quark ())

/**
 * LoopscopeError:
 * @LOOPSCOPE_ERROR_SYNTAX: a program or steps cannot be read; the message has every finding with its line and column
 * @LOOPSCOPE_ERROR_REFUSED: a step is refused; the message has the condition that does not hold
 * @LOOPSCOPE_ERROR_NAME: there is no function, block or loop of this name
 * @LOOPSCOPE_ERROR_ARGUMENT: the arguments of a function have another number, type or size
 * @LOOPSCOPE_ERROR_RUN: lowering or running ended with an error of the program
 *
 * What can go wrong.
 */
typedef enum {
  LOOPSCOPE_ERROR_SYNTAX,
  LOOPSCOPE_ERROR_REFUSED,
  LOOPSCOPE_ERROR_NAME,
  LOOPSCOPE_ERROR_ARGUMENT,
  LOOPSCOPE_ERROR_RUN
} LoopscopeError;

/**
 * loopscope_error_quark:
 *
 * The domain of #LoopscopeError.
 *
 * Returns: the quark
 */
LOOPSCOPE_PUBLIC
GQuark loopscope_error_quark (void);

G_END_DECLS
