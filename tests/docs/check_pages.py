"""check_pages.py --pages DIR --sources DIR NAME=PROGRAM...

A page shows a program as ```cpp, the file NAME.cc of the sources word for word, and after it as ```text what the
program prints. Every program stands on exactly one page, every page has one.
"""
import argparse
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```(cpp|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def check_page(page, sources, programs, failures):
    """Names of the programs on the page."""
    shown = []
    for kind, body in BLOCK.findall(page.read_text()):
        if kind == "cpp":
            name = next((n for n, source in sources.items() if source == body), None)
            if name is None:
                failures.append(f"{page.name}: a cpp block is no file of examples/boxdecode as it is now")
            shown.append(name)
        elif shown and shown[-1] is not None:
            printed = subprocess.run([programs[shown[-1]]], capture_output=True, text=True, check=True).stdout
            if printed != body:
                failures.append(f"{page.name}: {shown[-1]} prints\n{printed}not\n{body}")
    if not shown:
        failures.append(f"{page.name}: shows no program")
    return [name for name in shown if name]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=pathlib.Path, required=True)
    parser.add_argument("--sources", type=pathlib.Path, required=True)
    parser.add_argument("programs", nargs="+")
    args = parser.parse_args()
    programs = dict(program.split("=", 1) for program in args.programs)
    sources = {name: (args.sources / f"{name}.cc").read_text() for name in programs}
    failures, shown = [], []
    for page in sorted(args.pages.glob("*.md")):
        shown += check_page(page, sources, programs, failures)
    if sorted(shown) != sorted(programs):
        failures.append(f"the pages show {sorted(shown)}, the programs are {sorted(programs)}")
    print("\n".join(failures) or f"{len(shown)} programs print what their pages say")
    return 1 if failures else 0


sys.exit(main())
