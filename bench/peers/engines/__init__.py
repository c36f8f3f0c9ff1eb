"""One file per engine, one class in each. An engine is made from (model, threads) and has

  version      as its package says
  feed(x)      takes the input, f32 NCHW, into the form the engine likes best; not timed
  run()        one run over that input; timed
  outputs()    the outputs of the last run, in order, f32; not timed
  time(runs, warmup)   only where the engine has its own clock: milliseconds of each run

model is the dictionary that models.py writes: the files that describe the network, and the names of its input and outputs.
An engine that cannot be had or cannot take a model raises; the text of the exception is the printed reason.
"""
import importlib

# name -> (module, class); columns of the table stand in this order
ENGINES = {
    "tessera": ("tessera", "Tessera"),
    "onnxruntime": ("onnxruntime", "OnnxRuntime"),
    "openvino": ("openvino", "OpenVino"),
    "ncnn": ("ncnn", "Ncnn"),
    "mnn": ("mnn", "Mnn"),
    "opencv": ("opencv", "OpenCv"),
    "torch": ("pytorch", "PyTorch"),
}


def engine_class(name):
    module, cls = ENGINES[name]
    return getattr(importlib.import_module(f"engines.{module}"), cls)
