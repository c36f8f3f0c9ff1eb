"""A report as Markdown, a text per part of the page that shows it."""
import statistics

import growth

_MIB = 1 << 20


def _row(cells):
    return "| " + " | ".join(cells) + " |"


def _table(titles, rows):
    return "\n".join([_row(titles), "|" + "---|" * len(titles), *map(_row, rows)]) + "\n"


def _machine(report):
    machine = report["machine"]
    return f"{report['date']}, {machine['processor']}, {machine['processors']} processors, {machine['isa']}"


def _median_and_least(figures, key):
    values = [f[key] for f in figures]
    return f"{statistics.median(values):.0f} [{min(values):.0f}]"


def load(report):
    loaded = report["load"]
    weights = loaded["weights_bytes"] / _MIB
    rows = []
    for name, figures in loaded["figures"].items():
        taken = statistics.median(f["peak_mib"] - f["before_mib"] for f in figures)
        rows.append([f"{name} {figures[0].get('version', '')}".strip(), _median_and_least(figures, "ready_ms"),
                     _median_and_least(figures, "first_ms"), f"{taken:.0f}", f"{taken / weights:.2f}"])
    arena = loaded["figures"]["tessera"][0]["arena_bytes"] / _MIB
    text = (f"{loaded['model']}, {weights:.0f} MiB of weights, 1 thread, median of {report['rounds']} processes [fastest]; "
            f"{_machine(report)}\n\n")
    text += _table(["engine", "ready to run, ms", "first run, ms", "peak memory, MiB", "of the weights"], rows)
    return text + f"\nThe bound set for Tessera: 1.3 x weights + arena of {arena:.0f} MiB = {1.3 * weights + arena:.0f} MiB.\n"


def size(report):
    return _table(["without symbols", "MiB"], [[n, f"{b / _MIB:.1f}"] for n, b in report["binaries"].items()])


def _law(rows, key, figure):
    found = growth.law(rows, key, figure)
    return "-" if found is None else f"{found[0]:.2f} ({100 * found[1]:.0f} %)"


def _ms(value):
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _by_side(rows):
    sides = sorted({r["side"] for m in growth.models(rows) for r in growth.by_side(rows, m)})
    table = []
    for model in growth.models(rows):
        mine = {r["side"]: r for r in growth.by_side(rows, model)}
        series = list(mine.values())
        table.append([growth.SHORT[model], *(_ms(mine[s]["min_ms"]) if s in mine else "-" for s in sides),
                      _law(series, "side", "min_ms"), _law(series, "side", "macs"), _law(series, "side", "arena_bytes")])
    return _table(["ms at side", *map(str, sides), "exponent", "of the operations", "of the arena"], table)


def _by_batch(rows):
    batches = sorted({r["batch"] for r in rows})
    table = []
    for model in growth.BY_BATCH:
        mine = {r["batch"]: r for r in growth.by_batch(rows, model)}
        if mine:
            table.append([f"{growth.SHORT[model]} at {growth.BY_BATCH[model]}",
                          *(_ms(mine[b]["min_ms"] / b) if b in mine else "-" for b in batches),
                          _law(list(mine.values()), "batch", "min_ms")])
    return _table(["ms per image at batch", *map(str, batches), "exponent"], table)


def _by_threads(rows):
    threads = sorted({r["threads"] for r in rows})
    table = []
    for model in growth.models(rows):
        mine = {r["threads"]: r["min_ms"] for r in growth.by_threads(rows, model)}
        if 1 in mine:
            table.append([growth.SHORT[model], *(f"{_ms(mine[t])} ({mine[1] / mine[t]:.2f} x)" if t in mine else "-" for t in threads)])
    return _table(["ms at 416, threads", *map(str, threads)], table)


def grown(report):
    rows = report["growth"]
    return "\n".join([f"Fastest run of {report['rounds']} rounds; {_machine(report)}\n", _by_side(rows), _by_batch(rows),
                      _by_threads(rows)])


def markdown(report):
    """{part: text} of the parts that were measured."""
    makers = {"load": ("load", load), "size": ("binaries", size), "growth": ("growth", grown)}
    return {part: make(report) for part, (key, make) in makers.items() if key in report}
