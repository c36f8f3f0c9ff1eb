"""The one table of a comparison, as text, as Markdown and as JSON. The text grows row by row; the files are whole after each."""
import json
import statistics
import sys

_NOTES = """ms: median of the rounds' medians [fastest run]. f32, batch 1, outputs equal to ONNX Runtime's within 1e-3 of the largest.
GFLOP/s: Tessera's, two operations per multiply-accumulate of the direct sum, so that Winograd can pass the peak.
of peak: of the multiply-add rate measured around the row. best: the fastest peer's time / Tessera's.
round trip: of a cache line between the two cores, ns, before and after the row: compare two-thread rows of one state."""


def cell(row, engine):
    medians = row["medians_ms"].get(engine)
    if not medians:
        return "-"
    median, least = statistics.median(medians), row["min_ms"][engine]
    digits = 3 if median < 1 else 2 if median < 10 else 1
    return f"{median:.{digits}f} [{least:.{digits}f}]"


def cells(row, engines):
    machine, ours = row["machine"], row["tessera_ms"]
    trip = machine["roundtrip_ns"] if row["threads"] > 1 else []
    return [row["model"], str(row["threads"]), *(cell(row, e) for e in engines),
            f"{row['tessera_gflops']:.1f}" if ours else "-",
            f"{100 * row['of_peak']:.0f} %" if row["of_peak"] else "-",
            f"{row['ratio_best_peer']:.2f} {row['best_peer']}" if row["ratio_best_peer"] else "-",
            " ".join(f"{t:.0f}" for t in trip if t) or "-"]


def header(engines):
    return ["model", "t", *engines, "GFLOP/s", "of peak", "best", "round trip"]


def top(report):
    machine = report["machine"]
    peaks = ", ".join(f"{g:.0f} GFLOP/s at {t}" for t, g in machine["f32_gflops"].items())
    trip = f", round trip {machine['roundtrip_ns']:.0f} ns" if machine["roundtrip_ns"] else ""
    lines = [f"{machine['processor']}, {machine['processors']} processors, {machine['isa']}, f32 multiply-add {peaks}{trip}; "
             f"{machine['date']}"]
    if report["versions"]:
        lines.append("versions: " + ", ".join(f"{e} {v}" for e, v in report["versions"].items()))
    calls = ", ".join(f"{e} {us:.1f}" for e, us in report["call_us"].items())
    return lines + [f"cost of a call (a network of one multiplication, 1 thread), microseconds: {calls}"]


def markdown(report, engines):
    titles = header(engines)
    lines = ["  \n".join(top(report)), "", "| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    lines += ["| " + " | ".join(cells(row, engines)) + " |" for row in report["rows"]]
    lines += ["", *_NOTES.splitlines()]
    lines += [f"Not compared: {name} ({why})." for name, why in report["absent"].items()]
    return "\n".join(lines) + "\n"


class Output:
    def __init__(self, args, report):
        self.args, self.report = args, report
        self.show_text = "-" not in (args.json, args.markdown)
        titles = header(args.engines)
        self.widths = [24, 2] + [19] * len(args.engines) + [9, 8, 18, 11]
        self.text("\n".join(top(report)) + "\n\n" + self.line(titles))

    def line(self, texts):
        return "  ".join(text.ljust(w) if i == 0 or i == len(texts) - 2 else text.rjust(w)
                         for i, (text, w) in enumerate(zip(texts, self.widths)))

    def text(self, text):
        if self.show_text:
            print(text, flush=True)

    def row(self, row):
        self.text(self.line(cells(row, self.args.engines)))
        self.write_files(last=False)

    def end(self):
        self.text("\n" + _NOTES + "\nversions: " + ", ".join(f"{e} {v}" for e, v in self.report["versions"].items()))
        self.write_files(last=True)

    def write_files(self, last):
        for path, make in ((self.args.json, lambda: json.dumps(self.report, indent=1) + "\n"),
                           (self.args.markdown, lambda: markdown(self.report, self.args.engines))):
            if path == "-" and last:
                sys.stdout.write(make())
            elif path and path != "-":
                with open(path, "w") as file:
                    file.write(make())
