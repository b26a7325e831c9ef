"""What the kernel tells of two arrays that a case compared: the first element that differs, how many do, a part of both; and nothing of anything else."""
import os
import sys
import unittest

import numpy as np
import tap
import tvm

sys.path.insert(0, os.path.join(os.environ["LS_SOURCE_ROOT"], "app", "kernel"))
from loopscope_kernel import questions  # noqa: E402

A = np.arange(24, dtype="float32").reshape(2, 3, 4)


def told(case, **names):
    """Of a failed case; {} where nothing is told of arrays."""
    answer = questions.run_cases("pass", case, "cell", {"np": np, "tvm": tvm, "a": A, **names})
    row = answer["cases"][0]
    assert not row["passed"], row
    return row.get("arrays", {})


class Compared(unittest.TestCase):
    other = A.copy()
    other[1, 2, 0] = 7

    def test_functions(self):
        for case in ("np.testing.assert_allclose(b, a)", "np.testing.assert_array_equal(b, a)", "np.testing.assert_array_almost_equal(b, a)",
                     "np.testing.assert_equal(b, a)", "tvm.testing.assert_allclose(tvm.nd.array(b), a)", "tvm.testing.assert_allclose(b, tvm.nd.array(a))",
                     "assert np.allclose(b, a)", "assert np.allclose(n.numpy(), a, rtol=1e-3), 'they differ'", "assert (b == a).all()",
                     "assert np.array_equal(b, a)", "assert np.all(b == a)"):
            with self.subTest(case):
                found = told(case, b=self.other, n=tvm.nd.array(self.other))
                self.assertEqual((found["first"], found["differ"], found["of"]), ([1, 2, 0], 1, 24))
                self.assertEqual((found["slice"], found["yours"]["rows"], found["yours"]["columns"]), ([1], 3, 4))
                at = 2 * 4
                self.assertEqual((found["yours"]["values"].split()[at], found["wanted"]["values"].split()[at]), ("7.0", "20.0"))
                self.assertEqual(found["same"], "1" * at + "0" + "111")

    def test_tolerance(self):
        near = A + np.float32(1e-4)
        near[0, 0, 1] = 5
        self.assertEqual(told("np.testing.assert_allclose(b, a, rtol=0, atol=1e-3)", b=near)["differ"], 1)
        self.assertGreater(told("np.testing.assert_allclose(b, a, rtol=0, atol=1e-5)", b=near)["differ"], 10)

    def test_not_finite(self):
        odd = A.copy()
        odd[0, 1, 1], odd[0, 1, 2] = np.nan, np.inf
        found = told("np.testing.assert_allclose(b, a)", b=odd)
        self.assertEqual((found["first"], found["differ"], found["yours"]["values"].split()[5:7]), ([0, 1, 1], 2, ["nan", "inf"]))

    def test_shapes(self):
        found = told("np.testing.assert_allclose(b, a)", b=A[:, :2])
        self.assertEqual((found["shape"], found["wanted_shape"]), ([2, 2, 4], [2, 3, 4]))
        self.assertNotIn("first", found)
        self.assertEqual((found["yours"]["rows"], found["wanted"]["rows"]), (2, 3))

    def test_one_dimension_and_none(self):
        found = told("np.testing.assert_allclose(b, c)", b=np.array([1, 2, 3]), c=np.array([1, 2, 4]))
        self.assertEqual((found["first"], found["slice"], found["yours"]["rows"], found["same"]), ([2], [], 1, "110"))
        self.assertEqual(found["yours"]["values"], "1 2 3")
        found = told("np.testing.assert_allclose(b, c)", b=np.float32(1.5), c=np.float32(2))
        self.assertEqual((found["first"], found["of"], found["yours"]["values"]), ([], 1, "1.5"))

    def test_large(self):
        large = np.zeros((3000, 2000), "float32")
        other = large.copy()
        other[2500, 1500] = 1
        found = told("np.testing.assert_allclose(b, c)", b=other, c=large)
        self.assertEqual(found["first"], [2500, 1500])
        self.assertEqual((found["yours"]["rows"], found["yours"]["columns"]), (128, 128))
        self.assertEqual(found["same"].index("0"), (2500 - found["row"]) * 128 + 1500 - found["column"])

    def test_nothing_to_tell(self):
        for case in ("assert 1 == 2", "assert a is None", "raise ValueError('no')", "np.testing.assert_equal('x', 'y')", "assert np.allclose(f(), a)",
                     "np.testing.assert_allclose(a, object())"):
            with self.subTest(case):
                self.assertEqual(told(case, f=lambda: self.other), {})


if __name__ == "__main__":
    tap.main()
