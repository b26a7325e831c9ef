"""Blocks that go into their readers or into what they read."""
from ...tir.schedule import ScheduleError


def _attempt(act, blocks):
    """Does something to the first of the blocks that takes it: its number, None: none does."""
    for i, block in enumerate(blocks):
        try:
            act(block)
            return i
        except ScheduleError:
            continue
    return None


def try_inline(sch, blocks):
    """Inlines as many of the blocks (BlockInfo) as possible, into readers before into producers. Those that are left."""
    left = list(blocks)
    while True:
        handles = [one.block_rv for one in left]
        found = _attempt(sch.compute_inline, handles)
        if found is None:
            found = _attempt(sch.reverse_compute_inline, handles)
        if found is None:
            return left
        del left[found]


def try_inline_contiguous_spatial(sch, block_infos):
    """Inlines within each run of injective blocks; blocks that sum stay between them. None for None."""
    if block_infos is None:
        return None
    left, run = [], []
    for one in block_infos:
        if one.is_injective():
            run.append(one)
            continue
        left += try_inline(sch, run) + [one]
        run = []
    return left + try_inline(sch, run)


def auto_inline_producers(sch, block, skip_blocks=()):
    """Takes what the block reads into it, as far as that goes, not through `skip_blocks`."""
    skip = [sch.get(one) for one in skip_blocks]
    while True:
        done = 0
        for producer in sch.get_producers(block):
            if any(sch.get(producer).same_as(one) for one in skip):
                continue
            try:
                auto_inline_producers(sch, producer, skip_blocks)
                sch.compute_inline(producer)
                done += 1
            except ScheduleError:
                continue
        if not done:
            return


def auto_inline_consumers(sch, block):
    """Takes the readers of the block into one another, or into the block, as far as that goes."""
    while True:
        done = 0
        for consumer in sch.get_consumers(block):
            try:
                sch.compute_inline(consumer)
                done += 1
            except ScheduleError:
                continue
        for consumer in sch.get_consumers(block):
            try:
                sch.reverse_compute_inline(consumer)
                done += 1
            except ScheduleError:
                continue
        if not done:
            return


def auto_inline_consumer_chain(sch, block):
    """The readers of the block become one, whose other inputs are taken in; then they go into the block where they can."""
    auto_inline_consumers(sch, block)
    rest = list(sch.get_consumers(block))
    if not rest:
        return
    if len(rest) == 1:
        auto_inline_producers(sch, rest[0], [block])
    else:
        for consumer in rest:
            for other in sch.get_producers(consumer):
                if any(sch.get(other).same_as(sch.get(one)) for one in [*rest, block]):
                    continue
                try:
                    sch.compute_inline(other)
                except ScheduleError:
                    continue
    auto_inline_consumers(sch, block)
    for consumer in sch.get_consumers(block):
        try:
            sch.reverse_compute_inline(consumer)
        except ScheduleError:
            continue
