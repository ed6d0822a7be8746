"""Flexura's factorisation beside CHOLMOD's, with METIS and OpenBLAS: cubes of hexahedra of 8 nodes, as in linear_bench.

    run.sh linear [--cells 16 24] [--threads 1 2] [--rounds 3] [--bench build/release/benchmarks/linear_bench]

Both take turns, and the least time of each counts. Threads are OpenBLAS's and Flexura's. Needs libsuitesparse-dev, libopenblas-dev
and linear_bench. One thread is compared by processor time, several by wall time: those say something on an idle machine only.
"""

import argparse
import json
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def build():
    program = os.path.join(ROOT, "build", "cholmod_cube")
    source = os.path.join(HERE, "cholmod_cube.c")
    subprocess.run(["gcc", "-O2", "-o", program, source, "-lcholmod", "-lopenblas"], check=True)
    return program


def cholmod(program, cells, threads, runs):
    environment = dict(os.environ, OPENBLAS_NUM_THREADS=str(threads), OMP_NUM_THREADS=str(threads))
    out = subprocess.run([program, str(cells), str(runs)], env=environment, check=True, capture_output=True, text=True)
    read = json.loads(out.stdout)
    clock = 1 if threads == 1 else 0
    return {
        "gflop": read["gflop"],
        "analyse": read["analyse"][clock],
        "factor": read["factor"][clock],
        "solve": read["solve"][1],
    }


def flexura(program, cells, threads):
    what = (
        f"^mesh/(analyse/cube{cells}|solve/fronts/cube{cells}|factor/fronts/cube{cells}/threads:{threads}/real_time)$"
    )
    out = subprocess.run(
        [program, f"--benchmark_filter={what}", "--benchmark_format=json"], check=True, capture_output=True, text=True
    )
    rows = {row["name"].split("/")[1]: row for row in json.loads(out.stdout)["benchmarks"]}
    clock = "cpu_time" if threads == 1 else "real_time"
    factor = rows["factor"]
    return {
        "gflop": factor["GFLOP/s"] * factor["real_time"] * 1e-3,
        "analyse": rows["analyse"]["cpu_time"] * 1e-3,
        "factor": factor[clock] * 1e-3,
        "solve": rows["solve"]["cpu_time"] * 1e-3,
    }


def least(rows):
    return {key: min(row[key] for row in rows) for key in rows[0]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", type=int, nargs="+", default=[16, 24])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--bench", default=os.path.join(ROOT, "build/release/benchmarks/linear_bench"))
    args = parser.parse_args()
    program = build()
    print(f"load {os.getloadavg()[0]:.1f} at the start, {os.cpu_count()} cores")
    print(
        f"{'cells':>6}{'threads':>8}{'':>10}{'GFLOP':>8}{'analyse s':>11}{'factor s':>10}{'GFLOP/s':>9}{'solve s':>9}"
    )
    for cells in args.cells:
        for threads in args.threads:
            theirs, ours = [], []
            for _ in range(args.rounds):
                theirs.append(cholmod(program, cells, threads, 4))
                ours.append(flexura(args.bench, cells, threads))
            theirs, ours = least(theirs), least(ours)
            for name, row in (("CHOLMOD", theirs), ("Flexura", ours)):
                print(
                    f"{cells:6}{threads:8}  {name:8}{row['gflop']:8.2f}{row['analyse']:11.3f}{row['factor']:10.4f}"
                    f"{row['gflop'] / row['factor']:9.1f}{row['solve']:9.4f}",
                    flush=True,
                )
            print(
                f"{'':14}  {'ratio':8}{theirs['gflop'] / ours['gflop']:8.2f}{theirs['analyse'] / ours['analyse']:11.2f}"
                f"{theirs['factor'] / ours['factor']:10.2f}{'':9}{theirs['solve'] / ours['solve']:9.2f}"
            )


if __name__ == "__main__":
    main()
