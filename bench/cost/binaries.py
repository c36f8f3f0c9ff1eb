"""Sizes of what is shipped, without symbols: Tessera's program and library, and beside them the peers' libraries."""
import glob
import importlib.util
import os
import subprocess
import tempfile


def _stripped(path, *words):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "stripped")
        subprocess.run(["strip", *words, "-o", out, path], check=True)
        return os.path.getsize(out)


def _of_package(name):
    """All shared libraries of an installed package, as they were shipped; None where it is not."""
    spec = importlib.util.find_spec(name)
    if not spec or not spec.origin:
        return None
    files = glob.glob(os.path.join(os.path.dirname(spec.origin), "**", "*.so*"), recursive=True)
    return sum(os.path.getsize(f) for f in files)


def sizes(build):
    """Bytes by name."""
    found = {"program tessera": _stripped(os.path.join(build, "tessera")),
             "libtessera.a": _stripped(os.path.join(build, "libtessera.a"), "--strip-unneeded"),
             "onnxruntime's libraries": _of_package("onnxruntime"), "ncnn's libraries": _of_package("ncnn")}
    return {name: size for name, size in found.items() if size}
