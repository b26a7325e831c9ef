/* list-store: a GListStore gets new contents, and only the part that differs is told, so that rows that stay keep their widgets,
 * focus and scroll position. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Makes `store` hold `items` (NULL: nothing). */
void ls_list_store_replace (GListStore *store,
                            GPtrArray  *items);
/* Makes `store` hold what `model` holds now. */
void ls_list_store_follow  (GListStore *store,
                            GListModel *model);

G_END_DECLS
