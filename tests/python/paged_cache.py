"""The paged cache of keys and values against a model that keeps whole rows: forks, windows, trees, half precision, rotary modes; and what it refuses."""
import functools
import gc
import random
import unittest

import tap

if tap.has_numpy():
    import numpy as np

import tvm
from tvm import relax, tir
from tvm.relax.frontend import nn
from tvm.relax.frontend.nn.llm import kv_cache as kc
from tvm.relax.frontend.nn.llm import position_embedding
from tvm.runtime import ShapeTuple
from tvm.script import ir as I, relax as R, tir as T

LAYERS, H_Q, H_KV, PAGE = 2, 6, 2, 4
NONE, NORMAL, INLINE = kc.RopeMode.NONE, kc.RopeMode.NORMAL, kc.RopeMode.INLINE


def builtin(name):
    return tvm.get_global_func("vm.builtin." + name)


@functools.lru_cache(None)
def functions(d, dtype):
    made = {
        "append": kc._kv_cache_transpose_append(H_KV, d, dtype),
        "debug": kc._kv_cache_debug_get_kv(LAYERS, H_KV, d, dtype),
        "prefill": kc._attention_prefill_cpu(H_KV, H_Q, d, dtype, False, {}),
        "decode": kc._attention_decode_cpu(H_KV, H_Q, d, dtype, False, {}),
        "prefill_window": kc._attention_prefill_cpu(H_KV, H_Q, d, dtype, True, {}),
        "decode_window": kc._attention_decode_cpu(H_KV, H_Q, d, dtype, True, {}),
        "ragged": kc._attention_prefill_ragged_cpu(H_KV, H_Q, d, d, dtype, {}),
        "tree": kc.tree_attn_cpu(H_KV, H_Q, d, dtype, {}),
        "tree_paged": kc.tree_attn_with_paged_kv_cache_cpu(H_KV, H_Q, d, dtype, {}),
        "merge": kc._merge_state_inplace_cpu(dtype),
        "rotary": kc.llama_rope_with_position_map(1e4, 1.0, d, H_Q, H_KV, dtype, {}),
        "copy": kc._copy_single_page_cpu(H_KV, PAGE, d, dtype),
        "compact": kc._compact_kv_copy_cpu(H_KV, d, dtype),
    }
    return {name: tvm.tir.build(func, target=tap.LLVM)[func.attrs["global_symbol"]] for name, func in made.items()}


def arguments(d, dtype, mode=NORMAL, windows=False, tokens=256, sequences=16, chunk=128, f=None, kinds=None):
    f = f or functions(d, dtype)
    return [ShapeTuple([sequences, tokens, chunk, PAGE, int(windows)]), ShapeTuple([0, LAYERS]), H_Q, H_KV, d, d,
            ShapeTuple(kinds or [int(kc.AttnKind.MHA)] * LAYERS), False, mode, 1.0, 1e4, None, tvm.nd.empty((), dtype), f["append"], None,
            ["tir", f["ragged"]], ["tir", f["prefill"]], ["tir", f["decode"]], ["tir", f["prefill_window"]], ["tir", f["decode_window"]],
            ["tir", f["tree_paged"]], ["tir", f["tree"]], [], [f["merge"]], f["rotary"], f["copy"], f["debug"], f["compact"]]


def turned(x, positions):
    """Rows (n, heads, d) turned by their positions: the rule of rotary positions, in float64."""
    d = x.shape[-1]
    angle = np.asarray(positions, "float64")[:, None] / 1e4 ** (np.arange(0, d, 2) / d)
    cos, sin = np.cos(angle)[:, None, :], np.sin(angle)[:, None, :]
    a, b = x[..., :d // 2].astype("float64"), x[..., d // 2:].astype("float64")
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1)


class Model:
    """Each sequence as whole arrays (layers, tokens, heads, d), beside the cache that is tested."""

    def __init__(self, d, dtype, mode=NORMAL, windows=False, **sizes):
        self.d, self.dtype, self.mode = d, dtype, mode
        self.cache = builtin("paged_attention_kv_cache_create")(*arguments(d, dtype, mode, windows, **sizes))
        self.k, self.v, self.window, self.trees = {}, {}, {}, {}
        self.random = np.random.RandomState(7)
        self.tolerance = 4e-3 if dtype == "float16" else 1e-4

    def add(self, seq):
        builtin("kv_state_add_sequence")(self.cache, seq)
        self.k[seq] = self.v[seq] = np.zeros((LAYERS, 0, H_KV, self.d), self.dtype)

    def remove(self, seq):
        builtin("kv_state_remove_sequence")(self.cache, seq)
        for table in (self.k, self.v, self.window):
            table.pop(seq, None)

    def fork(self, parent, child, at=-1):
        builtin("kv_state_fork_sequence")(self.cache, parent, child, at)
        for table in (self.k, self.v):
            table[child] = table[parent] if at == -1 else table[parent][:, :at]

    def pop(self, seq, count):
        builtin("kv_state_popn")(self.cache, seq, count)
        for table in (self.k, self.v):
            table[seq] = table[seq][:, :table[seq].shape[1] - count]

    def slide(self, seq, size, sinks):
        builtin("attention_kv_cache_enable_sliding_window_for_seq")(self.cache, seq, size, sinks)
        self.window[seq] = size, sinks

    def length(self, seq):
        return self.k[seq].shape[1]

    def expected(self, q, k, v, positions, k_positions, seen):
        """Softmax by its definition; `seen`: (rows, keys)."""
        q = q if self.mode == NONE else turned(q, positions)
        k = turned(k, k_positions) if self.mode == INLINE else k
        k, v = (np.repeat(x.astype("float64"), H_Q // H_KV, axis=1) for x in (k, v))
        scores = np.einsum("qhd,khd->hqk", q.astype("float64"), k) / np.sqrt(self.d)
        scores = np.where(seen[None], scores, -np.inf)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        return np.einsum("hqk,khd->qhd", weights / weights.sum(-1, keepdims=True), v)

    def forward(self, batch, trees=None):
        """`batch`: (sequence, new tokens); `trees`: the parents of all nodes of each sequence's tree, of which the last ones are new."""
        parents = None
        if trees is not None:
            parents = ShapeTuple([p for tree, (_, n) in zip(trees, batch) for p in tree[len(tree) - n:]])
        builtin("kv_state_begin_forward")(self.cache, ShapeTuple([s for s, _ in batch]), ShapeTuple([n for _, n in batch]), parents)
        total = sum(n for _, n in batch)
        q, k, v = (self.random.uniform(-1, 1, (LAYERS, total, h, self.d)).astype(self.dtype) for h in (H_Q, H_KV, H_KV))
        positions, ways = [], []
        for i, (seq, n) in enumerate(batch):
            base = self.length(seq) + n - (len(trees[i]) if trees is not None else 0)
            length = self.length(seq) + n
            at, seen = np.arange(length), np.tril(np.ones((length, length), bool))
            if trees is not None:
                for node, parent in enumerate(trees[i]):
                    above = base + parent if parent >= 0 else None
                    at[base + node] = base if above is None else at[above] + 1
                    seen[base + node, base:] = False if above is None else seen[above, base:]
                    seen[base + node, base + node] = True
            positions.append(at[length - n:])
            ways.append((at, seen[length - n:]))
        flat = np.concatenate(positions)
        got = builtin("attention_kv_cache_get_query_positions")(self.cache)
        np.testing.assert_array_equal(got.numpy(), flat)
        kept = np.stack([turned(x, flat) for x in k]).astype(self.dtype) if self.mode == NORMAL else k
        start = 0
        for seq, n in batch:
            self.k[seq] = np.concatenate([self.k[seq], kept[:, start:start + n]], axis=1)
            self.v[seq] = np.concatenate([self.v[seq], v[:, start:start + n]], axis=1)
            start += n
        for layer in range(LAYERS):
            out = tvm.nd.empty((total, H_Q, self.d), self.dtype)
            qkv = tvm.nd.array(np.concatenate([q[layer], k[layer], v[layer]], axis=1))
            builtin("attention_kv_cache_attention_with_fused_qkv")(self.cache, layer, self.d ** -0.5, qkv, out)
            start = 0
            for (seq, n), (at, seen) in zip(batch, ways):
                wanted = self.expected(q[layer, start:start + n], self.k[seq][layer], self.v[seq][layer], at[len(at) - n:], at, seen)
                np.testing.assert_allclose(out.numpy()[start:start + n], wanted, rtol=self.tolerance, atol=self.tolerance, err_msg=f"sequence {seq}")
                start += n
        builtin("kv_state_end_forward")(self.cache)
        for seq, _ in batch if trees is None else []:
            self.cut_to_window(seq)
        self.compare()

    def cut_to_window(self, seq):
        size, sinks = self.window.get(seq, (0, 0))
        if size and self.length(seq) > size:
            for table in (self.k, self.v):
                table[seq] = np.concatenate([table[seq][:, :sinks], table[seq][:, table[seq].shape[1] - (size - sinks):]], axis=1)

    def accept(self, batch, leaves, trees):
        builtin("attention_kv_cache_commit_accepted_token_tree_nodes")(self.cache, ShapeTuple([s for s, _ in batch]), ShapeTuple(leaves))
        for (seq, n), leaf, tree in zip(batch, leaves, trees):
            path = []
            while leaf >= 0:
                path.insert(0, leaf)
                leaf = tree[leaf]
            base = self.length(seq) - n
            rows = list(range(base)) + [base + node for node in path]
            self.k[seq], self.v[seq] = self.k[seq][:, rows], self.v[seq][:, rows]
        self.compare()

    def compare(self):
        """Every sequence, also those that had no part in the last step: nobody writes into another's pages."""
        for seq, k in self.k.items():
            found = [tvm.nd.empty(k.shape, self.dtype) for _ in range(2)]
            builtin("attention_kv_cache_debug_get_kv")(self.cache, seq, 0, k.shape[1], *found)
            np.testing.assert_allclose(found[0].numpy(), k, rtol=self.tolerance, atol=self.tolerance, err_msg=f"keys of sequence {seq}")
            np.testing.assert_array_equal(found[1].numpy(), self.v[seq], err_msg=f"values of sequence {seq}")
        assert builtin("attention_kv_cache_get_total_sequence_length")(self.cache) == sum(k.shape[1] for k in self.k.values())


@tap.needs_numpy
class Sequences(unittest.TestCase):
    def test_prefill_and_decode_in_every_mode(self):
        for d, dtype, mode, windows in ((8, "float32", NORMAL, False), (20, "float32", NONE, False), (64, "float16", NORMAL, False),
                                        (8, "float32", INLINE, True), (64, "float16", NONE, True)):
            with self.subTest(d=d, dtype=dtype, mode=mode):
                model = Model(d, dtype, mode, windows)
                for seq in range(4):
                    model.add(seq)
                model.forward([(0, 3)])
                model.forward([(1, PAGE), (2, PAGE + 1), (3, 1)])
                model.forward([(2, 30), (0, 1)])
                for _ in range(3):
                    model.forward([(0, 1), (1, 1), (2, 1), (3, 1)])
                model.forward([(3, 1), (1, 1)])

    def test_forks_share_pages_until_one_writes(self):
        model = Model(8, "float32")
        free = builtin("attention_kv_cache_get_num_available_pages")
        model.add(0)
        model.forward([(0, 2 * PAGE + 2)])
        before = free(model.cache)
        model.fork(0, 1)
        model.fork(0, 2, PAGE)
        model.fork(0, 3, PAGE + 1)
        model.fork(0, 4, 0)
        self.assertEqual(free(model.cache), before)
        model.compare()
        model.forward([(0, 1), (1, 1)])
        self.assertEqual(free(model.cache), before - 1)                # one of the two keeps the page
        model.forward([(2, 1), (3, 1), (4, 5), (1, 9)])
        model.remove(0)
        model.compare()
        model.forward([(1, 3), (2, 3), (3, 3)])
        for seq in (1, 2, 3, 4):
            model.remove(seq)
        self.assertTrue(builtin("attention_kv_cache_empty")(model.cache))
        self.assertEqual(free(model.cache), 256 // PAGE + 1)

    def test_a_chain_of_forks_has_no_end(self):
        model = Model(8, "float32", tokens=1024, sequences=64)
        model.add(0)
        model.forward([(0, 5)])
        for seq in range(1, 40):
            model.fork(seq - 1, seq)
            model.forward([(seq, 1 + seq % 6)])
        model.forward([(seq, 1) for seq in range(40)])
        for seq in range(39):
            model.remove(seq)
        model.forward([(39, 2)])

    def test_tokens_go_again(self):
        model = Model(8, "float32")
        model.add(0)
        model.forward([(0, 11)])
        model.fork(0, 1)
        model.forward([(1, 6)])
        model.pop(1, 9)                  # into what both share
        model.pop(0, 0)
        model.compare()
        model.forward([(1, 2), (0, 1)])
        model.pop(0, 12)
        model.forward([(0, 4)])

    def test_clear_forgets_all(self):
        model = Model(8, "float32")
        model.add(5)
        model.forward([(5, 9)])
        builtin("kv_state_begin_forward")(model.cache, ShapeTuple([5]), ShapeTuple([1]))
        builtin("kv_state_clear")(model.cache)
        self.assertTrue(builtin("attention_kv_cache_empty")(model.cache))
        model.k, model.v = {}, {}
        model.add(5)
        model.forward([(5, 3)])


@tap.needs_numpy
class Windows(unittest.TestCase):
    def test_sinks_and_the_last_tokens_stay(self):
        for d, dtype, mode in ((8, "float32", INLINE), (64, "float16", NONE)):
            with self.subTest(mode=mode):
                model = Model(d, dtype, mode, windows=True)
                for seq, (size, sinks) in enumerate([(9, 0), (10, 3), (13, PAGE), (8, 7)]):
                    model.add(seq)
                    model.slide(seq, size, sinks)
                model.forward([(0, 4), (1, 5), (2, 6), (3, 7)])
                model.forward([(0, 20), (1, 19), (2, 8), (3, 1)])
                for _ in range(12):
                    model.forward([(seq, 1) for seq in range(4)])
                model.forward([(seq, 5) for seq in range(4)])

    def test_what_slid_out_is_free_again(self):
        model = Model(8, "float32", NONE, windows=True, tokens=64, sequences=2)
        model.add(0)
        model.slide(0, 10, 2)
        for _ in range(40):               # 280 tokens go through 21 pages
            model.forward([(0, 7)])
            self.assertGreaterEqual(builtin("attention_kv_cache_get_num_available_pages")(model.cache), 64 // PAGE + 1 + 4 - 4)
        model.remove(0)
        self.assertEqual(builtin("attention_kv_cache_get_num_available_pages")(model.cache), 64 // PAGE + 1 + 4)

    def test_forks_of_windows(self):
        model = Model(8, "float32", NONE, windows=True)
        model.add(0)
        model.slide(0, 10, 3)
        model.forward([(0, 17)])
        model.fork(0, 1)                  # all of it; without a window
        model.fork(0, 2, 2)               # only sinks
        model.fork(0, 3, 6)               # with a part of the window
        model.compare()
        model.forward([(1, 6), (2, 7), (3, 1), (0, 2)])
        model.slide(3, 8, 3)
        model.forward([(3, 9), (1, 1)])
        with self.assertRaisesRegex(tvm.TVMError, "3 sinks; it cannot have 2"):
            builtin("attention_kv_cache_enable_sliding_window_for_seq")(model.cache, 1, 8, 2)
        model.pop(0, 8)
        model.forward([(0, 12)])


@tap.needs_numpy
class Trees(unittest.TestCase):
    TREES = [[-1, 0, 0, 1, 1, 2, 2], [-1, 0, 1, 2], [-1, 0, 0, -1, 3, 3, 4]]

    def test_nodes_see_what_is_above_them(self):
        for d, dtype, mode in ((8, "float32", NORMAL), (64, "float16", NONE)):
            with self.subTest(mode=mode):
                model = Model(d, dtype, mode)
                for seq in range(3):
                    model.add(seq)
                model.forward([(0, 5), (1, 9)])
                model.add(7)
                batch = [(0, 7), (1, 4), (2, 7)]
                model.forward(batch, self.TREES)
                model.accept(batch, [6, 1, -1], self.TREES)
                model.forward([(0, 1), (1, 1), (2, 1)])
                model.forward([(0, 4), (7, 3)])

    def test_trees_grow_before_one_path_is_taken(self):
        model = Model(8, "float32")
        for seq in range(2):
            model.add(seq)
        model.forward([(0, 6), (1, 3)])
        tree = []
        for step in range(4):
            tree = tree + [(k - 1) // 2 for k in range(len(tree), 2 * 2 ** step - 1)]
            batch = [(0, 2 ** step), (1, 2 ** step)]
            model.forward(batch, [tree, tree])
        model.accept(batch, [2, -1], [tree, tree])
        model.forward([(0, 1), (1, 2)])

    def test_trees_in_a_fresh_cache(self):
        model = Model(8, "float32")
        model.add(0)
        model.add(1)
        model.forward([(0, 7), (1, 7)], [self.TREES[0], self.TREES[2]])
        model.accept([(0, 7), (1, 7)], [5, 6], [self.TREES[0], self.TREES[2]])
        model.forward([(1, 1)])

    def test_chains_slide_when_they_are_accepted(self):
        model = Model(8, "float32", INLINE, windows=True)
        model.add(0)
        model.slide(0, 6, 2)
        model.forward([(0, 5)])
        chain = [-1, 0, 1, 2]
        model.forward([(0, 4)], [chain])
        builtin("attention_kv_cache_commit_accepted_token_tree_nodes")(model.cache, ShapeTuple([0]), ShapeTuple([1]))
        model.k[0], model.v[0] = model.k[0][:, :7], model.v[0][:, :7]
        model.cut_to_window(0)
        model.compare()

    def test_what_is_not_accepted_stays_as_it_is(self):
        model = Model(8, "float32")
        model.add(0)
        model.forward([(0, 4)], [self.TREES[1]])
        for name, args in (("kv_state_popn", (0, 1)), ("kv_state_fork_sequence", (0, 1, -1)), ("kv_state_begin_forward", (ShapeTuple([0]), ShapeTuple([1])))):
            with self.assertRaisesRegex(tvm.TVMError, "none was accepted yet"):
                builtin(name)(model.cache, *args)
        commit = builtin("attention_kv_cache_commit_accepted_token_tree_nodes")
        for seqs, leaves, words in (([0], [4], "no node 4"), ([0], [-2], "no node -2"), ([1], [0], "no sequence 1"), ([0, 0], [0, 0], "had 1 sequences")):
            with self.assertRaisesRegex(tvm.TVMError, words):
                commit(model.cache, ShapeTuple(seqs), ShapeTuple(leaves))
        begin = builtin("kv_state_begin_forward")
        model.accept([(0, 4)], [3], [self.TREES[1]])
        for parents, words in (([-1, 1], "cannot have the parent 1"), ([-2, 0], "cannot have the parent -2"), ([-1], "too few"), ([-1, 0, 1], "3 parents came")):
            with self.assertRaisesRegex(tvm.TVMError, words):
                begin(model.cache, ShapeTuple([0]), ShapeTuple([2]), ShapeTuple(parents))
        with self.assertRaisesRegex(tvm.TVMError, "had 0 sequences"):
            commit(model.cache, ShapeTuple([0]), ShapeTuple([0]))
        model.compare()


@tap.needs_numpy
class AtRandom(unittest.TestCase):
    def test_any_order_of_steps(self):
        """Adds, forks, pops, removals, windows and forwards in any order; every sequence is compared after each forward."""
        full = 0
        for seed, windows in ((1, False), (2, False), (3, True)):
            with self.subTest(seed=seed):
                chance, ids = random.Random(seed), iter(range(10 ** 6))
                model = Model(8, "float32", INLINE if windows else NORMAL, windows, tokens=160)
                for _ in range(80):
                    known = list(model.k)
                    what = chance.randrange(8) if known else 0
                    seq = chance.choice(known) if known else None
                    if what == 0 and len(known) < 14:
                        model.add(next(ids))
                    elif what == 1 and len(known) < 14:
                        model.fork(seq, next(ids), chance.choice([-1, chance.randint(0, model.length(seq))]))
                    elif what == 2:
                        model.pop(seq, chance.randint(0, model.length(seq)))
                    elif what == 3 and len(known) > 3:
                        model.remove(seq)
                    elif what == 4 and windows and seq not in model.window:
                        try:
                            model.slide(seq, 9, 3)
                        except tvm.TVMError as e:
                            self.assertIn("sinks", str(e))
                    else:
                        batch = [(s, chance.choice([1, 1, 2, 7])) for s in chance.sample(known, chance.randint(1, len(known)))]
                        pages = builtin("attention_kv_cache_get_num_available_pages")(model.cache)
                        try:
                            model.forward(batch)
                        except tvm.TVMError as e:
                            self.assertIn("no pages left", str(e))
                            self.assertEqual(builtin("attention_kv_cache_get_num_available_pages")(model.cache), pages)
                            model.compare()
                            model.remove(seq)
                            full += 1
                for seq in list(model.k):
                    model.remove(seq)
                self.assertTrue(builtin("attention_kv_cache_empty")(model.cache))
                self.assertEqual(builtin("attention_kv_cache_get_num_available_pages")(model.cache), 160 // PAGE + 1 + (32 if windows else 0))
        self.assertGreater(full, 0)


@tap.needs_numpy
class Refused(unittest.TestCase):
    def refuses(self, words, name, *args):
        with self.assertRaisesRegex(tvm.TVMError, words):
            builtin(name)(*args)

    def test_sequences_that_are_not_there(self):
        model = Model(8, "float32")
        model.add(0)
        model.forward([(0, 6)])
        cache = model.cache
        self.refuses("has no sequence 3", "kv_state_remove_sequence", cache, 3)
        self.refuses("has no sequence 3", "kv_state_popn", cache, 3, 1)
        self.refuses("has no sequence 3", "kv_state_fork_sequence", cache, 3, 4, -1)
        self.refuses("has a sequence 0 already", "kv_state_add_sequence", cache, 0)
        self.refuses("has a sequence 0 already", "kv_state_fork_sequence", cache, 0, 0, -1)
        self.refuses("cannot be forked at 7", "kv_state_fork_sequence", cache, 0, 1, 7)
        self.refuses("6 tokens; 7 cannot go", "kv_state_popn", cache, 0, 7)
        self.refuses("6 tokens; -1 cannot go", "kv_state_popn", cache, 0, -1)
        self.refuses("without sliding windows", "attention_kv_cache_enable_sliding_window_for_seq", cache, 0, 8, 2)
        self.refuses("a paged cache is expected", "kv_state_add_sequence", 5, 0)
        self.refuses("3 to 4 arguments", "kv_state_fork_sequence", cache, 0)
        model.compare()

    def test_forwards_out_of_order(self):
        model = Model(8, "float32")
        model.add(0)
        cache = model.cache
        out, qkv = tvm.nd.empty((2, H_Q, 8), "float32"), tvm.nd.empty((2, H_Q + 2 * H_KV, 8), "float32")
        attend = "attention_kv_cache_attention_with_fused_qkv"
        self.refuses("no forward is under way", attend, cache, 0, 1.0, qkv, out)
        self.refuses("no forward is under way", "kv_state_end_forward", cache)
        self.refuses("no forward is under way", "attention_kv_cache_get_query_positions", cache)
        begin = "kv_state_begin_forward"
        self.refuses("no sequence 9", begin, cache, ShapeTuple([9]), ShapeTuple([1]))
        self.refuses("stands twice", begin, cache, ShapeTuple([0, 0]), ShapeTuple([1, 1]))
        self.refuses("at least one", begin, cache, ShapeTuple([0]), ShapeTuple([0]))
        self.refuses("at most 128", begin, cache, ShapeTuple([0]), ShapeTuple([129]))
        self.refuses("1 to 16 sequences", begin, cache, ShapeTuple([]), ShapeTuple([]))
        self.refuses("1 sequences get tokens, and 2 numbers", begin, cache, ShapeTuple([0]), ShapeTuple([1, 1]))
        builtin(begin)(cache, ShapeTuple([0]), ShapeTuple([2]))
        self.refuses("under way", begin, cache, ShapeTuple([0]), ShapeTuple([1]))
        for name, args in (("kv_state_remove_sequence", (0,)), ("kv_state_popn", (0, 1)), ("kv_state_fork_sequence", (0, 1, -1))):
            self.refuses("ended before sequences change", name, cache, *args)
        self.refuses("2 layers; there is no layer 2", attend, cache, 2, 1.0, qkv, out)
        self.refuses("is expected", attend, cache, 0, 1.0, out, out)
        self.refuses("is expected", attend, cache, 0, 1.0, qkv, tvm.nd.empty((2, H_Q, 8), "float16"))
        self.refuses("is expected", attend, cache, 0, 1.0, tvm.nd.empty((1, H_Q + 2 * H_KV, 8), "float32"), out)
        builtin(attend)(cache, 0, 1.0, qkv, out)
        builtin("kv_state_end_forward")(cache)
        rows = tvm.nd.empty((LAYERS, 2, H_KV, 8), "float32")
        self.refuses("2 tokens; \\[0, 3\\)", "attention_kv_cache_debug_get_kv", cache, 0, 0, 3, rows, rows)
        self.refuses("are expected", "attention_kv_cache_debug_get_kv", cache, 0, 0, 1, rows, rows)

    def test_no_pages_left(self):
        model = Model(8, "float32", tokens=4 * PAGE)
        model.add(0)
        model.add(1)
        model.forward([(0, 3 * PAGE)])
        self.refuses("no pages left: 3 would be needed, 2 of 5", "kv_state_begin_forward", model.cache, ShapeTuple([1]), ShapeTuple([2 * PAGE + 1]))
        model.compare()
        model.forward([(1, 2 * PAGE)])
        model.fork(1, 2)
        model.pop(2, 1)
        self.refuses("no pages left: 1 would be needed, 0 of 5", "kv_state_begin_forward", model.cache, ShapeTuple([2]), ShapeTuple([1]))
        model.remove(0)
        model.forward([(2, 1)])

    def test_what_no_cache_is_made_of(self):
        create = builtin("paged_attention_kv_cache_create")

        def with_(at, value):
            args = arguments(8, "float32")
            args[at] = value
            return args

        for args, words in ((with_(0, ShapeTuple([1, 2, 3])), "argument 0"), (with_(0, ShapeTuple([16, 256, 128, 0, 0])), "at least one"),
                            (with_(0, ShapeTuple([16, 2 ** 40, 128, 4, 0])), "at most"), (with_(2, 5), "multiple of the second"), (with_(3, 0), "multiple"),
                            (with_(5, 16), "not offered"), (with_(6, ShapeTuple([2, 2])), "attention of kind 2"), (with_(6, ShapeTuple([1, 1])), "mode of rotary positions is 0"), (with_(7, True), "transferred"),
                            (with_(8, 3), "no mode"), (with_(12, 1), "a tensor"), (with_(13, 1), "a function"), (with_(16, ["flashinfer", None, None]), "flashinfer"),
                            (arguments(8, "float32")[:-1], "28 or 32 arguments; 27 came")):
            with self.subTest(words=words):
                with self.assertRaisesRegex(tvm.TVMError, words):
                    create(*args)

    def test_functions_that_fail_or_call_back(self):
        class Own(Exception):
            pass

        def fail(*args):
            raise Own("mine")

        made = dict(functions(8, "float32"), append=fail)
        cache = builtin("paged_attention_kv_cache_create")(*arguments(8, "float32", f=made))
        builtin("kv_state_add_sequence")(cache, 0)
        builtin("kv_state_begin_forward")(cache, ShapeTuple([0]), ShapeTuple([1]))
        out, qkv = tvm.nd.empty((1, H_Q, 8), "float32"), tvm.nd.empty((1, H_Q + 2 * H_KV, 8), "float32")
        with self.assertRaises(Own):
            builtin("attention_kv_cache_attention_with_fused_qkv")(cache, 0, 1.0, qkv, out)
        builtin("kv_state_end_forward")(cache)

        def call_back(*args):
            builtin("kv_state_clear")(cache2)

        made["append"] = call_back
        cache2 = builtin("paged_attention_kv_cache_create")(*arguments(8, "float32", f=made))
        builtin("kv_state_add_sequence")(cache2, 0)
        builtin("kv_state_begin_forward")(cache2, ShapeTuple([0]), ShapeTuple([1]))
        with self.assertRaisesRegex(tvm.TVMError, "in use"):
            builtin("attention_kv_cache_attention_with_fused_qkv")(cache2, 0, 1.0, qkv, out)
        builtin("kv_state_end_forward")(cache2)
        made["decode"] = None
        made["prefill"] = None
        args = arguments(8, "float32", f=dict(functions(8, "float32")))
        for at in (15, 16, 17):
            args[at] = []
        cache3 = builtin("paged_attention_kv_cache_create")(*args)
        builtin("kv_state_add_sequence")(cache3, 0)
        builtin("kv_state_begin_forward")(cache3, ShapeTuple([0]), ShapeTuple([1]))
        with self.assertRaisesRegex(tvm.TVMError, "made without f_attention_prefill"):
            builtin("attention_kv_cache_attention_with_fused_qkv")(cache3, 0, 1.0, qkv, out)


@tap.needs_numpy
class Functions(unittest.TestCase):
    """The functions that move tokens, by themselves."""

    def test_pages_are_copied_and_closed_up(self):
        f, d = functions(8, "float32"), 8
        pages = np.random.RandomState(1).rand(5, 2, H_KV, PAGE, d).astype("float32")
        array = tvm.nd.array(pages)
        f["copy"](array, 1, 4, 3)
        pages[4, :, :, :3] = pages[1, :, :, :3]
        np.testing.assert_array_equal(array.numpy(), pages)
        f["compact"](array, tvm.nd.array(np.array([0, 2, 3], "int32")), tvm.nd.array(np.array([[5, 7, 18], [4, 5, 16]], "int32")), 2)
        for source, goal in ((5, 4), (7, 5), (18, 16)):
            pages[goal // PAGE, :, :, goal % PAGE] = pages[source // PAGE, :, :, source % PAGE]
        np.testing.assert_array_equal(array.numpy(), pages)

    def test_two_halves_of_the_keys_make_the_whole(self):
        f, d, rand = functions(8, "float32"), 8, np.random.RandomState(2)
        q, k, v = (rand.uniform(-1, 1, (n, h, d)).astype("float32") for n, h in ((5, H_Q), (9, H_KV), (9, H_KV)))

        def attend(k, v):
            out, lse = tvm.nd.empty((5, H_Q, d), "float32"), tvm.nd.empty((5, H_Q), "float32")
            ints = [tvm.nd.array(np.array(x, "int32")) for x in ([0, 5], [0, len(k)], range(5), [0])]
            f["ragged"](tvm.nd.array(q), ints[0], tvm.nd.array(k), tvm.nd.array(v), ints[1], ints[2], ints[3], out, lse, 0, 0, 1.0, 1e4, d ** -0.5)
            return out, lse

        whole, lse = attend(k, v)
        first, second = attend(k[:4], v[:4]), attend(k[4:], v[4:])
        f["merge"](*first, *second)
        np.testing.assert_allclose(first[0].numpy(), whole.numpy(), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(first[1].numpy(), lse.numpy(), rtol=1e-5, atol=1e-6)
        scores = np.einsum("qhd,khd->qhk", q, np.repeat(k, H_Q // H_KV, axis=1)) / np.sqrt(d)
        np.testing.assert_allclose(lse.numpy(), np.log2(np.exp(scores).sum(-1)), rtol=1e-5, atol=1e-5)

    def test_ways_of_turning(self):
        d, rows = 16, 6
        x = np.random.RandomState(3).rand(rows, 3, d).astype("float32")

        def run(scaling, last=1, rotary_dim=None):
            func = position_embedding.llama_rope_with_position_map(1e4, 1.0, d, 1, 1, "float32", scaling, rotary_dim)
            parts = [tvm.nd.empty((rows, 1, d), "float32") for _ in range(3)]
            positions = np.array([0, 3, 1, 900, 5000, 2], "int32")
            tvm.tir.build(func, target="llvm")[func.attrs["global_symbol"]](tvm.nd.array(x), tvm.nd.array(positions), *parts, last)
            np.testing.assert_array_equal(parts[2].numpy(), x[:, 2:3])
            return parts[0].numpy()[:, 0], positions

        def angles(speeds, positions):
            return positions[:, None] * speeds[None]

        speeds = 1e4 ** -(np.arange(0, d, 2) / d)
        got, positions = run({})
        np.testing.assert_allclose(got, turned(x[:, :1], positions)[:, 0], rtol=1e-3, atol=1e-3)
        np.testing.assert_array_equal(run({}, last=0)[0], x[:, 0])
        got, positions = run({}, rotary_dim=8)
        np.testing.assert_allclose(got[:, :8], turned(x[:, :1, :8], positions)[:, 0], rtol=1e-3, atol=1e-3)
        np.testing.assert_array_equal(got[:, 8:], x[:, 0, 8:])
        got, positions = run({"rope_type": "gptj"})
        a, even, odd = angles(speeds, positions), x[:, 0, 0::2], x[:, 0, 1::2]
        np.testing.assert_allclose(got[:, 0::2], even * np.cos(a) - odd * np.sin(a), rtol=1e-3, atol=1e-3)
        np.testing.assert_allclose(got[:, 1::2], odd * np.cos(a) + even * np.sin(a), rtol=1e-3, atol=1e-3)
        settings = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}
        turns = speeds * 8192 / (2 * np.pi)
        share = np.clip((turns - 1) / 3, 0, 1)
        got, positions = run(settings)
        a, first, second = angles(share * speeds + (1 - share) * speeds / 8, positions), x[:, 0, :8], x[:, 0, 8:]
        np.testing.assert_allclose(got[:, :8], first * np.cos(a) - second * np.sin(a), rtol=2e-3, atol=2e-3)
        factors = np.linspace(1, 4, 8).astype("float32")
        got, positions = run({"rope_type": "longrope", "max_position_embeddings": 4096, "original_max_position_embeddings": 1024}, tvm.nd.array(factors))
        a, grown = angles(speeds / factors, positions), np.sqrt(1 + np.log(4) / np.log(1024))
        np.testing.assert_allclose(got[:, :8], grown * (first * np.cos(a) - second * np.sin(a)), rtol=2e-3, atol=2e-3)
        with self.assertRaisesRegex(ValueError, "Unsupported"):
            position_embedding.switch_rope_freq_func({"rope_type": "other"})

    def test_no_rows_no_sums(self):
        f, d = functions(8, "float32"), 8
        out, lse = tvm.nd.empty((2, H_Q, d), "float32"), tvm.nd.empty((2, H_Q), "float32")
        nothing = tvm.nd.empty((0, H_KV, d), "float32")
        ints = [tvm.nd.array(np.array(x, "int32")) for x in ([0, 2], [0, 0], [0, 1], [0])]
        f["ragged"](tvm.nd.array(np.ones((2, H_Q, d), "float32")), ints[0], nothing, nothing, ints[1], ints[2], ints[3], out, lse, 0, 0, 1.0, 1e4, 1.0)
        np.testing.assert_array_equal(out.numpy(), 0)
        self.assertTrue((lse.numpy() < -1e4).all())


class Attention(nn.Module):
    """A layer that is attention alone."""

    def __init__(self, d, dtype):
        self.d, self.dtype = d, dtype

    def create(self, max_batch_size: tir.Var, max_total_seq_len: tir.Var, prefill_chunk_size: tir.Var, page_size: tir.Var, support_sliding_window: tir.Var):
        return kc.TIRPagedKVCache("mha", max_batch_size, max_total_seq_len, prefill_chunk_size, page_size, support_sliding_window,
                                  layer_partition=relax.ShapeExpr([0, LAYERS]), num_hidden_layers=LAYERS, num_attention_heads=H_Q, num_key_value_heads=H_KV,
                                  qk_head_dim=self.d, v_head_dim=self.d, rope_mode=kc.RopeMode.NORMAL, rope_scale=1, rope_theta=10000, rope_scaling={},
                                  dtype=self.dtype, target=tvm.target.Target("llvm"))

    def attend(self, qkv, cache: kc.PagedKVCache):
        return cache.attention_with_fused_qkv(1, qkv, H_Q, self.d ** -0.5)


@tap.needs_numpy
class InModels(unittest.TestCase):
    def compiled(self, d=8):
        sizes = {name: int for name in ("max_batch_size", "max_total_seq_len", "prefill_chunk_size", "page_size", "support_sliding_window")}
        module, _ = Attention(d, "float32").export_tvm(
            {"create": {**sizes, "$": {"param_mode": "none", "effect_mode": "none"}},
             "attend": {"qkv": nn.spec.Tensor([1, "n", H_Q + 2 * H_KV, d], "float32"), "cache": nn.spec.Object(object_type=kc.PagedKVCache),
                        "$": {"param_mode": "none", "effect_mode": "none"}}})
        return relax.VirtualMachine(relax.build(module, target="llvm"), tvm.cpu())

    def test_a_model_makes_and_uses_it(self):
        machine = self.compiled()
        cache = machine["create"](ShapeTuple([4]), ShapeTuple([64]), ShapeTuple([32]), ShapeTuple([PAGE]), ShapeTuple([0]))
        direct = Model(8, "float32")
        rand = np.random.RandomState(5)
        for holder in (cache, direct.cache):
            builtin("kv_state_add_sequence")(holder, 0)
        for n in (7, 1, 1):
            qkv = rand.rand(1, n, H_Q + 2 * H_KV, 8).astype("float32")
            for holder in (cache, direct.cache):
                builtin("kv_state_begin_forward")(holder, ShapeTuple([0]), ShapeTuple([n]))
            got = machine["attend"](tvm.nd.array(qkv), cache)
            out = tvm.nd.empty((n, H_Q, 8), "float32")
            builtin("attention_kv_cache_attention_with_fused_qkv")(direct.cache, 1, 8 ** -0.5, tvm.nd.array(qkv[0]), out)
            np.testing.assert_allclose(got.numpy()[0], out.numpy(), rtol=1e-5, atol=1e-6)
            for holder in (cache, direct.cache):
                builtin("kv_state_end_forward")(holder)

    def test_it_outlives_the_machine_that_made_it(self):
        machine = self.compiled()
        cache = machine["create"](ShapeTuple([4]), ShapeTuple([64]), ShapeTuple([32]), ShapeTuple([PAGE]), ShapeTuple([0]))
        del machine
        gc.collect()
        builtin("kv_state_add_sequence")(cache, 0)
        builtin("kv_state_begin_forward")(cache, ShapeTuple([0]), ShapeTuple([3]))
        out = tvm.nd.empty((3, H_Q, 8), "float32")
        qkv = np.random.RandomState(6).rand(3, H_Q + 2 * H_KV, 8).astype("float32")
        builtin("attention_kv_cache_attention_with_fused_qkv")(cache, 0, 1.0, tvm.nd.array(qkv), out)
        np.testing.assert_allclose(out.numpy()[0], np.repeat(qkv[0, H_Q + H_KV:], H_Q // H_KV, axis=0), rtol=1e-5)

    def test_a_compiled_function_is_a_value(self):
        @I.ir_module
        class Module:
            @T.prim_func
            def double(A: T.Buffer((3,), "float32"), B: T.Buffer((3,), "float32")):
                for i in range(3):
                    with T.block("double"):
                        v = T.axis.spatial(3, i)
                        B[v] = A[v] * T.float32(2)

            @R.function
            def main() -> R.Object:
                cls = Module
                gv: R.Object = R.call_pure_packed("test.paged_cache.same", cls.double, sinfo_args=(R.Object,))
                return gv

        tvm.register_func("test.paged_cache.same", lambda f: f, override=True)
        machine = relax.VirtualMachine(relax.build(Module, target="llvm"), tvm.cpu())
        double = machine["main"]()
        del machine
        gc.collect()
        a, b = tvm.nd.array(np.arange(3, dtype="float32")), tvm.nd.empty((3,), "float32")
        double(a, b)
        np.testing.assert_array_equal(b.numpy(), [0, 2, 4])


if __name__ == "__main__":
    tap.main()
