/* llvm/reader: a log's LLVM IR is read by LLVM, in the worker: a text that ends LLVM ends nothing else. */
#pragma once

#include "engine/passlog/passlog.h"

G_BEGIN_DECLS

/* Bytes of logs all of whose dumps LLVM reads without being asked: of more it reads what is looked at. */
#define LS_LLVM_READS_ALL (4u << 20)

/* From now on diffs and counts of the log ask LLVM where it has LLVM IR; the worker starts with the first question. */
void ls_llvm_reader_set (LsPassLog *log);

G_END_DECLS
