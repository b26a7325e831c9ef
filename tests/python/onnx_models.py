"""Three models by two roads: torch's own exporter of ONNX, and torch.fx.  Both give what torch gives."""
import io
import math
import os
import subprocess
import tempfile
import unittest
import warnings

import numpy as np

import tap
import tvm
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx
from tvm.relax.frontend.torch import from_fx

try:
    import torch
    from torch import fx, nn
except ImportError:
    torch = None


def mlp():
    return nn.Sequential(nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, 32), nn.Tanh(), nn.Linear(32, 10), nn.LogSoftmax(-1)), (3, 64)


def resnet18():
    class Block(nn.Module):
        def __init__(self, n, m, stride):
            super().__init__()
            self.conv1, self.bn1 = nn.Conv2d(n, m, 3, stride, 1, bias=False), nn.BatchNorm2d(m)
            self.conv2, self.bn2 = nn.Conv2d(m, m, 3, 1, 1, bias=False), nn.BatchNorm2d(m)
            self.relu = nn.ReLU()
            self.downsample = nn.Sequential(nn.Conv2d(n, m, 1, stride, bias=False), nn.BatchNorm2d(m)) if stride != 1 or n != m else None

        def forward(self, x):
            y = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
            return self.relu(y + (x if self.downsample is None else self.downsample(x)))

    class ResNet(nn.Module):
        def __init__(self, widths=(16, 32, 64, 128)):
            super().__init__()
            self.conv1, self.bn1, self.relu, self.maxpool = nn.Conv2d(3, widths[0], 7, 2, 3, bias=False), nn.BatchNorm2d(widths[0]), nn.ReLU(), nn.MaxPool2d(3, 2, 1)
            layers = [nn.Sequential(Block(widths[max(i - 1, 0)], m, 1 if i == 0 else 2), Block(m, m, 1)) for i, m in enumerate(widths)]
            self.layer1, self.layer2, self.layer3, self.layer4 = layers
            self.avgpool, self.fc = nn.AdaptiveAvgPool2d((1, 1)), nn.Linear(widths[-1], 10)

        def forward(self, x):
            x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
            x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
            return self.fc(torch.flatten(self.avgpool(x), 1))

    model = ResNet()
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.running_mean.uniform_(-0.1, 0.1)
            module.running_var.uniform_(0.5, 1.5)
    return model, (1, 3, 64, 64)


def encoder():
    width, heads, length = 64, 4, 10

    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(width, width) for _ in range(4))

        def split(self, x):
            return x.reshape(1, length, heads, width // heads).permute(0, 2, 1, 3)

        def forward(self, x):
            q, k, v = self.split(self.q_proj(x)), self.split(self.k_proj(x)), self.split(self.v_proj(x))
            scores = torch.matmul(q, k.permute(0, 1, 3, 2)) / math.sqrt(width // heads)
            y = torch.matmul(torch.softmax(scores, -1), v).permute(0, 2, 1, 3).reshape(1, length, width)
            return self.out_proj(y)

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention, self.norm1, self.norm2 = Attention(), nn.LayerNorm(width), nn.LayerNorm(width)
            self.fc1, self.fc2, self.gelu = nn.Linear(width, 4 * width), nn.Linear(4 * width, width), nn.GELU()

        def forward(self, x):
            x = x + self.attention(self.norm1(x))
            return x + self.fc2(self.gelu(self.fc1(self.norm2(x))))

    class Encoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.Sequential(*[Layer() for _ in range(12)])
            self.norm = nn.LayerNorm(width)

        def forward(self, x):
            return self.norm(self.layers(x))

    model = Encoder()
    for name, weight in model.named_parameters():
        if "norm" in name:                      # else the exporter makes one of those that are alike
            nn.init.uniform_(weight, 0.5, 1.5)
    return model, (1, length, width)


def run(mod, x):
    result = relax.VirtualMachine(relax.build(mod, "llvm"), tvm.cpu())["main"](tvm.nd.array(x))
    return (result if hasattr(result, "numpy") else result[0]).numpy()


@unittest.skipIf(torch is None, "torch is not installed")
class Models(unittest.TestCase):
    def both_roads(self, build, dynamic=False, opset=13):
        torch.manual_seed(3)
        model, shape = build()
        model.eval()
        x = torch.randn(*shape)
        file = io.BytesIO()
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = model(x).numpy()
            torch.onnx.export(model, x, file, opset_version=opset, input_names=["x"], dynamic_axes={"x": {0: "batch"}} if dynamic else None)
        for name, mod in (("ONNX", from_onnx(file.getvalue())), ("torch.fx", from_fx(fx.symbolic_trace(model), [(shape, "float32")]))):
            if name == "torch.fx":              # TVM's nn.batch_norm is that of training until it is decomposed
                mod = relax.transform.DecomposeOpsForInference()(mod)
            with self.subTest(name):
                np.testing.assert_allclose(run(mod, x.numpy()), wanted, 1e-3, 2e-4)
        return file.getvalue()

    def test_mlp(self):
        self.both_roads(mlp)

    def test_mlp_of_any_batch(self):
        data = self.both_roads(mlp, True)
        self.assertIn("batch", str(from_onnx(data)["main"].params[0].struct_info))

    def test_every_opset_of_the_exporter(self):
        for opset in range(14, 18):             # 13 is that of the others
            with self.subTest(opset):
                self.both_roads(mlp, opset=opset)

    def test_resnet18(self):
        self.both_roads(resnet18)

    def test_encoder(self):
        data = self.both_roads(encoder)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "encoder.onnx")
            with open(path, "wb") as file:
                file.write(data)
            text = subprocess.run([os.path.join(os.environ["LS_BUILD_ROOT"], "app", "cli", "loopscope-cli"), "graph", path, "--search", "softmax"], capture_output=True, text=True,
                                  check=True).stdout
        self.assertIn("12 matches of softmax", text)
        for i in range(12):
            self.assertIn(f"transformer layer · layers_{i} ", text)


if __name__ == "__main__":
    tap.main()
