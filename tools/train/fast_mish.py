"""nn.Mish with the bf16 loops of mish.cpp, compiled on first use; nn.Mish itself where there is no compiler."""
import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path

import torch
import torch.nn as nn


def _build():
    source, compiler = Path(__file__).with_name("mish.cpp"), shutil.which("g++")
    if not compiler:
        print("no g++: training with PyTorch's own, slower Mish")
        return None
    out = Path(tempfile.mkdtemp(prefix="mish-")) / "mish.so"
    flags = ["-O3", "-march=native", "-mprefer-vector-width=512", "-ffast-math", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, str(source), "-o", str(out)], check=True)
    library = ctypes.CDLL(str(out))
    for function, pointers in ((library.mish_bf16, 2), (library.mish_backward_bf16, 3)):
        function.argtypes, function.restype = [ctypes.c_void_p] * pointers + [ctypes.c_size_t], None
    return library


LIBRARY = None


class _Mish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        y = torch.empty_like(x)
        LIBRARY.mish_bf16(x.data_ptr(), y.data_ptr(), x.numel())
        return y

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        if grad.stride() != x.stride():
            grad = torch.empty_like(x).copy_(grad)
        out = torch.empty_like(x)
        LIBRARY.mish_backward_bf16(x.data_ptr(), grad.data_ptr(), out.data_ptr(), x.numel())
        return out


class FastMish(nn.Module):
    """One thread; any dense memory layout."""

    def forward(self, x):
        if LIBRARY and x.dtype == torch.bfloat16 and self.training:
            return _Mish.apply(x)
        return nn.functional.mish(x)


def install(network):
    """Replaces the network's Mish activations. Call in the process that trains."""
    global LIBRARY
    LIBRARY = LIBRARY or _build()
    for layer in network.layers:
        if isinstance(getattr(layer, "act", None), nn.Mish):
            layer.act = FastMish()
