/* LoopscopeMove: an offer of the schedule as an object. */
#include "app/library/program-private.h"

struct _LoopscopeMove
{
  GObject parent_instance;

  LoopscopeMoveGroup group;
  char *call, *effect, *reason, *repair, *steps;
};

G_DEFINE_FINAL_TYPE (LoopscopeMove, loopscope_move, G_TYPE_OBJECT)

static void
loopscope_move_finalize (GObject *object)
{
  LoopscopeMove *self = LOOPSCOPE_MOVE (object);

  g_free (self->call);
  g_free (self->effect);
  g_free (self->reason);
  g_free (self->repair);
  g_free (self->steps);
  G_OBJECT_CLASS (loopscope_move_parent_class)->finalize (object);
}

static void
loopscope_move_class_init (LoopscopeMoveClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = loopscope_move_finalize;
}

static void
loopscope_move_init (LoopscopeMove *self)
{
}

/* ORDER MOVE GROUP: as LsOfferGroup. */
G_STATIC_ASSERT ((int) LOOPSCOPE_MOVE_CAN == (int) LS_OFFER_CAN && (int) LOOPSCOPE_MOVE_CANNOT == (int) LS_OFFER_CANNOT);

LoopscopeMove *
ls_library_new_move (LsOffer *offer)
{
  LoopscopeMove *self = g_object_new (LOOPSCOPE_TYPE_MOVE, NULL);

  self->group = (LoopscopeMoveGroup) offer->group;
  self->call = g_steal_pointer (&offer->call);
  self->effect = g_steal_pointer (&offer->effect);
  self->reason = g_steal_pointer (&offer->reason);
  self->repair = g_steal_pointer (&offer->repair);
  self->steps = g_steal_pointer (&offer->text);
  return self;
}

LoopscopeMoveGroup
loopscope_move_get_group (LoopscopeMove *self)
{
  g_return_val_if_fail (LOOPSCOPE_IS_MOVE (self), LOOPSCOPE_MOVE_CANNOT);
  return self->group;
}

const char *
loopscope_move_get_call (LoopscopeMove *self)
{
  g_return_val_if_fail (LOOPSCOPE_IS_MOVE (self), NULL);
  return self->call;
}

const char *
loopscope_move_get_effect (LoopscopeMove *self)
{
  g_return_val_if_fail (LOOPSCOPE_IS_MOVE (self), NULL);
  return self->effect;
}

const char *
loopscope_move_get_reason (LoopscopeMove *self)
{
  g_return_val_if_fail (LOOPSCOPE_IS_MOVE (self), NULL);
  return self->reason;
}

const char *
loopscope_move_get_repair (LoopscopeMove *self)
{
  g_return_val_if_fail (LOOPSCOPE_IS_MOVE (self), NULL);
  return self->repair;
}

const char *
loopscope_move_get_steps (LoopscopeMove *self)
{
  g_return_val_if_fail (LOOPSCOPE_IS_MOVE (self), NULL);
  return self->steps;
}
