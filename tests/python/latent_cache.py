"""A paged cache of latent vectors (MLA), and attention over what was there before, against whole rows in numpy."""
import functools
import random
import unittest

import tap

if tap.has_numpy():
    import numpy as np

import tvm
from tvm import relax
from tvm.relax.frontend import nn
from tvm.relax.frontend.nn.llm import kv_cache as kc
from tvm.runtime import ShapeTuple

LAYERS, HEADS, PAGE = 2, 4, 4
LATENT, ROPE, NOPE, VALUE = 12, 4, 6, 8        # a vector is (LATENT | ROPE); a head of queries (NOPE | ROPE), of values VALUE
SCALE = (NOPE + ROPE) ** -0.5


def builtin(name):
    return tvm.get_global_func("vm.builtin." + name)


def built(func):
    return tvm.tir.build(func, target=tap.LLVM)[func.attrs["global_symbol"]]


@functools.lru_cache(None)
def functions(dtype):
    d = LATENT + ROPE
    return {"append": built(kc._kv_cache_transpose_append_mla(d, dtype)), "debug": built(kc._kv_cache_debug_get_kv_mla(LAYERS, d, dtype)),
            "latent": built(kc._attention_prefill_mla_cpu(HEADS, LATENT, ROPE, dtype, False)),
            "ragged": built(kc._attention_prefill_ragged_cpu(HEADS, HEADS, NOPE + ROPE, VALUE, dtype, {})),
            "merge": built(kc._merge_state_inplace_cpu(dtype)), "copy": built(kc._copy_single_page_mla_cpu(PAGE, d, dtype))}


def arguments(dtype="float32", **changed):
    f = functions(dtype)
    args = {"sizes": ShapeTuple([8, 256, 64, PAGE, 0]), "layers": ShapeTuple([0, LAYERS]), "h_q": HEADS, "h_kv": 1, "d": LATENT + ROPE, "d_v": LATENT,
            "kinds": ShapeTuple([int(kc.AttnKind.MLA)] * LAYERS), "transfer": False, "mode": int(kc.RopeMode.NONE), "scale": 1.0, "theta": 1e4, "factors": None,
            "sample": tvm.nd.empty((), dtype), "append": None, "append_mla": f["append"], "ragged": ["tir", f["ragged"]],
            **{f"none{i}": [] for i in range(6)}, "latent": ["tir", f["latent"]], "merge": [f["merge"], f["merge"]], "rotary": None, "copy": f["copy"],
            "debug": f["debug"], "compact": None}
    args.update(changed)
    return list(args.values())


class Model:
    """Each sequence's latent vectors as a whole array (layers, tokens, LATENT + ROPE), beside the cache."""

    def __init__(self, dtype="float32"):
        self.dtype, self.kept, self.random = dtype, {}, np.random.RandomState(3)
        self.tolerance = 4e-3 if dtype == "float16" else 2e-5
        self.cache = builtin("paged_attention_kv_cache_create")(*arguments(dtype))
        self.up_k = self.random.uniform(-1, 1, (HEADS, NOPE, LATENT)).astype(dtype)      # keys and values of a head from a latent vector
        self.up_v = self.random.uniform(-1, 1, (HEADS, LATENT, VALUE)).astype(dtype)

    def add(self, seq):
        builtin("kv_state_add_sequence")(self.cache, seq)
        self.kept[seq] = np.zeros((LAYERS, 0, LATENT + ROPE), self.dtype)

    def fork(self, parent, child, at=-1):
        builtin("kv_state_fork_sequence")(self.cache, parent, child, at)
        self.kept[child] = self.kept[parent] if at < 0 else self.kept[parent][:, :at]

    def pop(self, seq, count):
        builtin("kv_state_popn")(self.cache, seq, count)
        self.kept[seq] = self.kept[seq][:, :self.kept[seq].shape[1] - count]

    def heads(self, vectors):
        """Keys (tokens, heads, NOPE + ROPE) and values (tokens, heads, VALUE) of latent vectors."""
        latent, rope = vectors[:, :LATENT].astype("float64"), vectors[:, LATENT:].astype("float64")
        keys = np.einsum("tl,hnl->thn", latent, self.up_k)
        return np.concatenate([keys, np.repeat(rope[:, None], HEADS, 1)], -1), np.einsum("tl,hlv->thv", latent, self.up_v)

    def forward(self, batch):
        """As a model does it: a prefill takes the new tokens by heads and the old ones by latent vectors, a decode all by latent vectors."""
        total = sum(n for _, n in batch)
        decode, fresh = all(n == 1 for _, n in batch), all(self.kept[s].shape[1] == 0 for s, _ in batch)
        builtin("kv_state_begin_forward")(self.cache, ShapeTuple([s for s, _ in batch]), ShapeTuple([n for _, n in batch]))
        q = self.random.uniform(-1, 1, (LAYERS, total, HEADS, NOPE + ROPE)).astype(self.dtype)
        new = self.random.uniform(-1, 1, (LAYERS, total, LATENT + ROPE)).astype(self.dtype)
        at = 0
        for seq, n in batch:
            self.kept[seq] = np.concatenate([self.kept[seq], new[:, at:at + n]], 1)
            at += n
        for layer in range(LAYERS):
            out, sums = tvm.nd.empty((total, HEADS, VALUE), self.dtype), tvm.nd.empty((total, HEADS), "float32")
            builtin("attention_kv_cache_append_mla_kv")(self.cache, layer, tvm.nd.array(new[layer]))
            if not decode:
                k, v = (tvm.nd.array(x.astype(self.dtype)) for x in self.heads(new[layer]))
                builtin("attention_kv_cache_self_attention")(self.cache, layer, SCALE, tvm.nd.array(q[layer]), k, v, out, sums)
            if decode or not fresh:
                absorbed = np.concatenate([np.einsum("thn,hnl->thl", q[layer][..., :NOPE], self.up_k), q[layer][..., NOPE:]], -1).astype(self.dtype)
                latent, latent_sums = tvm.nd.empty((total, HEADS, LATENT), self.dtype), tvm.nd.empty((total, HEADS), "float32")
                builtin("attention_kv_cache_cross_attention")(self.cache, layer, SCALE, tvm.nd.array(absorbed), latent, latent_sums)
                over = tvm.nd.array(np.einsum("thl,hlv->thv", latent.numpy(), self.up_v).astype(self.dtype))
                if decode:
                    out = over
                else:
                    builtin("attention_kv_cache_merge_attn_output_inplace")(self.cache, out, sums, over, latent_sums)
            self.check(layer, batch, q[layer], out.numpy())
        builtin("kv_state_end_forward")(self.cache)
        self.compare()

    def check(self, layer, batch, q, out):
        at = 0
        for seq, n in batch:
            k, v = self.heads(self.kept[seq][layer])
            length = len(k)
            scores = np.einsum("qhd,khd->hqk", q[at:at + n].astype("float64"), k) * SCALE
            seen = np.arange(length)[None] <= np.arange(length - n, length)[:, None]
            scores = np.where(seen[None], scores, -np.inf)
            weights = np.exp(scores - scores.max(-1, keepdims=True))
            wanted = np.einsum("hqk,khd->qhd", weights / weights.sum(-1, keepdims=True), v)
            np.testing.assert_allclose(out[at:at + n], wanted, rtol=self.tolerance, atol=self.tolerance, err_msg=f"sequence {seq}")
            at += n

    def compare(self):
        for seq, kept in self.kept.items():
            found = tvm.nd.empty(kept.shape, self.dtype)
            builtin("attention_kv_cache_debug_get_kv_mla")(self.cache, seq, 0, kept.shape[1], found)
            np.testing.assert_array_equal(found.numpy(), kept, err_msg=f"sequence {seq}")


@tap.needs_numpy
class Latent(unittest.TestCase):
    def test_prefill_and_decode(self):
        for dtype in ("float32", "float16"):
            with self.subTest(dtype=dtype):
                model = Model(dtype)
                for seq in range(3):
                    model.add(seq)
                model.forward([(0, 5), (1, PAGE), (2, 1)])
                model.forward([(0, 3), (2, 9)])
                for _ in range(3):
                    model.forward([(0, 1), (1, 1), (2, 1)])
                model.forward([(1, 1), (0, 2)])

    def test_any_order_of_steps(self):
        chance, ids, model = random.Random(5), iter(range(1000)), Model()
        for _ in range(60):
            known = list(model.kept)
            what, seq = chance.randrange(6) if known else 0, chance.choice(known) if known else None
            if what == 0 and len(known) < 7:
                model.add(next(ids))
            elif what == 1 and len(known) < 7:
                model.fork(seq, next(ids), chance.choice([-1, chance.randint(0, model.kept[seq].shape[1])]))
            elif what == 2:
                model.pop(seq, chance.randint(0, model.kept[seq].shape[1]))
            else:
                model.forward([(s, chance.choice([1, 1, 2, 7])) for s in chance.sample(known, chance.randint(1, min(4, len(known))))])
                if sum(k.shape[1] for k in model.kept.values()) > 150:
                    gone = chance.choice(known)
                    builtin("kv_state_remove_sequence")(model.cache, gone)
                    del model.kept[gone]

    def test_what_is_refused(self):
        create = builtin("paged_attention_kv_cache_create")
        for changed, words in (({"mode": 1}, "kept as they come"), ({"d_v": LATENT + ROPE + 1}, "cannot be its first 17"), ({"kinds": ShapeTuple([1, 0])}, "attention of kind 0"),
                               ({"kinds": ShapeTuple([2, 2])}, "attention of kind 2"), ({"latent": 5}, "a function")):
            with self.subTest(words=words), self.assertRaisesRegex(tvm.TVMError, words):
                create(*arguments(**changed))
        cache = create(*arguments(latent=[]))
        q, out, sums = (tvm.nd.empty(shape, "float32") for shape in ((2, HEADS, LATENT + ROPE), (2, HEADS, LATENT), (2, HEADS)))
        cross, append = builtin("attention_kv_cache_cross_attention"), builtin("attention_kv_cache_append_mla_kv")
        builtin("kv_state_add_sequence")(cache, 0)

        def refuses(words, f, *args):
            with self.assertRaisesRegex(tvm.TVMError, words):
                f(cache, *args)

        refuses("no forward is under way", append, 0, tvm.nd.empty((2, LATENT + ROPE), "float32"))
        refuses("no forward is under way", cross, 0, 1.0, q, out, sums)
        builtin("kv_state_begin_forward")(cache, ShapeTuple([0]), ShapeTuple([2]))
        refuses("there is no layer 2", cross, 2, 1.0, q, out, sums)
        refuses("made without f_mla_prefill", cross, 0, 1.0, q, out, sums)
        refuses("is expected", cross, 0, 1.0, out, out, sums)
        refuses("is expected", append, 0, tvm.nd.empty((2, LATENT), "float32"))
        refuses("one tensor are of other caches", builtin("attention_kv_cache_attention_with_fused_qkv"), 0, 1.0, q, out)
        refuses("debug_get_kv_mla gives it", builtin("attention_kv_cache_debug_get_kv"), 0, 0, 2, q, q)
        refuses("is expected", builtin("attention_kv_cache_debug_get_kv_mla"), 0, 0, 2, q)
        builtin("kv_state_end_forward")(cache)
        refuses("trees", builtin("kv_state_begin_forward"), ShapeTuple([0]), ShapeTuple([3]), ShapeTuple([-1, 0, 0]))


H_KV, D = 2, 8


@functools.lru_cache(None)
def head_functions(windows):
    return {"append": built(kc._kv_cache_transpose_append(H_KV, D, "float32")), "prefill": built(kc._attention_prefill_cpu(H_KV, HEADS, D, "float32", windows, {})),
            "decode": built(kc._attention_decode_cpu(H_KV, HEADS, D, "float32", windows, {})),
            "ragged": built(kc._attention_prefill_ragged_cpu(H_KV, HEADS, D, D, "float32", {})), "merge": built(kc._merge_state_inplace_cpu("float32")),
            "rotary": built(kc.llama_rope_with_position_map(1e4, 1.0, D, HEADS, H_KV, "float32", {}))}


@tap.needs_numpy
class Cross(unittest.TestCase):
    """Self attention and cross attention, merged, are the attention over all; with windows too."""

    def test_halves_make_the_whole(self):
        for windows in (False, True):
            with self.subTest(windows=windows):
                f, rand = head_functions(windows), np.random.RandomState(4)
                prefill, decode = ["tir", f["prefill"]], ["tir", f["decode"]]
                over = [[], [], prefill, decode] if windows else [prefill, decode, [], []]
                cache = builtin("paged_attention_kv_cache_create")(
                    ShapeTuple([4, 256, 64, PAGE, int(windows)]), ShapeTuple([0, 1]), HEADS, H_KV, D, D, ShapeTuple([0]), False, 0, 1.0, 1e4, None,
                    tvm.nd.empty((), "float32"), f["append"], None, ["tir", f["ragged"]], *over, [], [], [], [f["merge"]], f["rotary"], None, None, None)
                for seq in range(2):
                    builtin("kv_state_add_sequence")(cache, seq)
                    if windows:
                        builtin("attention_kv_cache_enable_sliding_window_for_seq")(cache, seq, 9, 3 * seq)
                for lengths in ((2, 3), (7, 6), (1, 5), (1, 1), (6, 1), (1, 1)):
                    total = sum(lengths)
                    builtin("kv_state_begin_forward")(cache, ShapeTuple([0, 1]), ShapeTuple(lengths))
                    q, k, v = (tvm.nd.array(rand.uniform(-1, 1, (total, h, D)).astype("float32")) for h in (HEADS, H_KV, H_KV))
                    whole, own, far = (tvm.nd.empty((total, HEADS, D), "float32") for _ in range(3))
                    own_sums, far_sums = (tvm.nd.empty((total, HEADS), "float32") for _ in range(2))
                    builtin("attention_kv_cache_attention_with_fused_qkv")(cache, 0, 0.3, tvm.nd.array(np.concatenate([x.numpy() for x in (q, k, v)], 1)), whole)
                    builtin("attention_kv_cache_cross_attention")(cache, 0, 0.3, q, far, far_sums)
                    if max(lengths) > 1:
                        builtin("attention_kv_cache_self_attention")(cache, 0, 0.3, q, k, v, own, own_sums)
                        builtin("attention_kv_cache_merge_attn_output_inplace")(cache, own, own_sums, far, far_sums)
                        far = own
                    np.testing.assert_allclose(far.numpy(), whole.numpy(), rtol=1e-5, atol=1e-5)
                    builtin("kv_state_end_forward")(cache)


class Decoder(nn.Module):
    """A layer that keeps latent vectors, taken apart by two weights."""

    def __init__(self):
        self.up_k, self.up_v = nn.Parameter((HEADS, NOPE, LATENT), "float32"), nn.Parameter((HEADS, LATENT, VALUE), "float32")

    def decode(self, q: nn.Tensor, vectors: nn.Tensor, cache: kc.PagedKVCache):
        cache = cache.append_mla_kv(0, vectors)
        nope, rope = nn.op.split(nn.op.permute_dims(q, [2, 0, 1, 3]).reshape(HEADS, 1, NOPE + ROPE), [NOPE], axis=2)
        absorbed = nn.op.matmul(nope, self.up_k)
        rows = nn.op.permute_dims(nn.op.concat([absorbed, rope], 2), [1, 0, 2]).reshape(1, 1, HEADS, LATENT + ROPE)
        out, _ = cache.cross_attention(0, rows, LATENT, SCALE)
        return nn.op.matmul(nn.op.permute_dims(out.reshape(1, HEADS, LATENT), [1, 0, 2]), self.up_v), cache

    def create(self):
        return kc.TIRPagedKVCache("mla", 4, 64, 16, PAGE, 0, relax.ShapeExpr([0, 1]), 1, HEADS, 1, LATENT + ROPE, LATENT, NOPE + ROPE, VALUE,
                                  rope_mode=kc.RopeMode.NONE, rope_scaling={}, dtype="float32", target=tvm.target.Target("llvm"))


@tap.needs_numpy
class InAModel(unittest.TestCase):
    def test_a_model_is_built_and_decodes(self):
        mod, params = Decoder().export_tvm({
            "decode": {"q": nn.spec.Tensor((1, 1, HEADS, NOPE + ROPE), "float32"), "vectors": nn.spec.Tensor((1, 1, 1, LATENT + ROPE), "float32"),
                       "cache": nn.spec.Object(object_type=kc.PagedKVCache)},
            "create": {}})
        vm = relax.VirtualMachine(tvm.compile(mod, target="llvm"), tvm.cpu())
        rand = np.random.RandomState(6)
        up_k, up_v = (rand.uniform(-1, 1, tuple(p.shape)).astype("float32") for _, p in params)
        cache = vm["create"](tvm.nd.array(up_k), tvm.nd.array(up_v))
        builtin("kv_state_add_sequence")(cache, 0)
        kept = np.zeros((0, LATENT + ROPE))
        for _ in range(6):
            q, vector = rand.uniform(-1, 1, (1, 1, HEADS, NOPE + ROPE)).astype("float32"), rand.uniform(-1, 1, (1, 1, 1, LATENT + ROPE)).astype("float32")
            builtin("kv_state_begin_forward")(cache, ShapeTuple([0]), ShapeTuple([1]))
            out, cache = vm["decode"](*map(tvm.nd.array, (q, vector)), cache, tvm.nd.array(up_k), tvm.nd.array(up_v))
            builtin("kv_state_end_forward")(cache)
            kept = np.concatenate([kept, vector[0, 0]])
            keys = np.concatenate([np.einsum("tl,hnl->thn", kept[:, :LATENT], up_k), np.repeat(kept[:, None, LATENT:], HEADS, 1)], -1)
            scores = np.einsum("hd,thd->ht", q[0, 0], keys) * SCALE
            weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
            wanted = np.einsum("ht,thv->hv", weights, np.einsum("tl,hlv->thv", kept[:, :LATENT], up_v))
            np.testing.assert_allclose(out.numpy()[:, 0], wanted, rtol=1e-4, atol=1e-4)

    def test_what_no_latent_cache_is_made_of(self):
        make = dict(attn_kind="mla", max_batch_size=4, max_total_seq_len=64, prefill_chunk_size=16, page_size=PAGE, support_sliding_window=0,
                    layer_partition=relax.ShapeExpr([0, 1]), num_hidden_layers=1, num_attention_heads=HEADS, num_key_value_heads=1, qk_head_dim=LATENT + ROPE,
                    v_head_dim=LATENT, mla_original_qk_head_dim=NOPE + ROPE, mla_original_v_head_dim=VALUE, rope_mode=kc.RopeMode.NONE)
        for changed, words in (({"rope_mode": kc.RopeMode.NORMAL}, "NONE, not NORMAL"), ({"attn_kind": ["mla", "mha"]}, "all the same"),
                               ({"mla_original_v_head_dim": 0}, "are to be said"), ({"attn_kind": "linear_attn"}, "not offered")):
            with self.subTest(words=words), self.assertRaisesRegex(ValueError, words):
                kc.TIRPagedKVCache(**{**make, **changed})


if __name__ == "__main__":
    tap.main()
