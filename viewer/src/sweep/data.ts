/** The data of a sweep's page (docs/report-format.md, "The page of a sweep"). */
import { type BlockJson, Blocks, DamagedReport, Quantised, type QuantisedJson } from '../payload.ts';
import { type Scaled, scaleFor } from '../units.ts';

interface ColumnJson {
  name: string;
  unit: string;
  path?: string;
  parameter: boolean;
  log: boolean;
}

interface SweepJson {
  format: string;
  version: number;
  title: string;
  study: string;
  scene: string;
  program: string;
  design: string;
  planned: number;
  known: number;
  failed: number;
  command: { head: string; parameters: string[]; output: string };
  columns: ColumnJson[];
  run: BlockJson;
  values: BlockJson;
  failed_rows: number[];
  report_rows: number[];
  messages: { texts: string[]; of: [number, number][] };
  series: {
    name: string;
    axis: string;
    unit: string;
    at: BlockJson;
    columns: { name: string; unit: string; bands: BlockJson; values: QuantisedJson }[];
  }[];
}

/** A parameter or an output that is one number of each run. */
export interface Column {
  name: string;
  unit: string;
  /** Where a parameter is in the scene. */
  path: string;
  isParameter: boolean;
  isLog: boolean;
  /** By row; NaN where there is none [SI]. */
  values: Float64Array;
  /** How its numbers are shown. */
  scaled: Scaled;
}

/** Least, lower quartile, median, upper quartile and greatest of all runs at each place. */
export type Bands = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];

export interface Curves {
  name: string;
  unit: string;
  /** What the series is along: "t", "load factor", "sample". */
  axis: string;
  axisUnit: string;
  at: Float64Array;
  bands: Bands;
  /** Of a run; NaN beyond its samples. */
  value(place: number, row: number): number;
  scaled: Scaled;
}

export interface Sweep {
  title: string;
  study: string;
  scene: string;
  program: string;
  design: string;
  planned: number;
  known: number;
  failed: number;
  /** Number of the run, by row: a page may hold fewer rows than runs are known. */
  run: Uint32Array;
  columns: Column[];
  /** By row: 1 where it failed. */
  hasFailed: Uint8Array;
  curves: Curves[];
  /** Why it failed, or what is to be known of it. */
  message(row: number): string;
  /** What does this run alone, with its report. */
  command(row: number): string;
  /** Where its report lies, or will lie after the command. */
  report(row: number): string;
  hasReport(row: number): boolean;
}

/** Numbers as short as reads back to the same double, and as TOML has them. */
function exact(x: number): string {
  return String(x);
}

function largestOf(values: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < values.length; ++i) if (Number.isFinite(values[i])) most = Math.max(most, Math.abs(values[i]!));
  return most;
}

/** Reads the two data elements of a page. Throws DamagedReport. */
export function decodeSweep(text: string, data: string): Sweep {
  let json: SweepJson;
  try {
    json = JSON.parse(text) as SweepJson;
  } catch (error) {
    throw new DamagedReport(`its description is not JSON (${error instanceof Error ? error.message : ''})`);
  }
  if (json?.format !== 'flexura-sweep') throw new DamagedReport('its description is not that of a sweep');
  if (json.version !== 1) throw new DamagedReport(`it is of version ${json.version}; this page reads version 1`);
  const blocks = new Blocks(data);
  const run = blocks.u32(json.run, 'run');
  const rows = run.length;
  const values = blocks.f64(json.values, 'values');
  const width = json.columns.length;
  if (values.length !== rows * width) throw new DamagedReport(`${values.length} values in place of ${rows} x ${width}`);
  const columns = json.columns.map((c, k): Column => {
    const own = Float64Array.from({ length: rows }, (_, row) => values[row * width + k]!);
    return { name: c.name, unit: c.unit, path: c.path ?? '', isParameter: c.parameter, isLog: c.log, values: own, scaled: scaleFor(c.unit, largestOf(own)) };
  });
  const curves = json.series.flatMap((series) => {
    const at = blocks.f64(series.at, `series ${series.name}.at`);
    return series.columns.map((c): Curves => {
      const all = blocks.f64(c.bands, `series ${c.name}.bands`);
      if (all.length !== 5 * at.length) throw new DamagedReport(`series ${c.name}: ${all.length} numbers in place of 5 x ${at.length}`);
      const bands = [0, 1, 2, 3, 4].map((b) => all.subarray(b * at.length, (b + 1) * at.length)) as Bands;
      const numbers = new Quantised(c.values, blocks, at.length, rows, true, `series ${c.name}`);
      return {
        name: c.name, unit: c.unit, axis: series.axis, axisUnit: series.unit, at, bands,
        value: (place, row) => numbers.value(place, row), scaled: scaleFor(c.unit, largestOf(all)),
      };
    });
  });
  const hasFailed = new Uint8Array(rows);
  for (const row of json.failed_rows) hasFailed[row] = 1;
  const messages = new Map(json.messages.of);
  const reports = new Set(json.report_rows);
  const parameters = columns.filter((c) => c.isParameter);
  return {
    title: json.title, study: json.study, scene: json.scene, program: json.program, design: json.design,
    planned: json.planned, known: json.known, failed: json.failed, run, columns, hasFailed, curves,
    message: (row) => json.messages.texts[messages.get(row) ?? -1] ?? '',
    command: (row) =>
      [json.command.head, ...json.command.parameters.map((set, k) => set + exact(parameters[k]!.values[row]!)), json.command.output + run[row]].join(' '),
    report: (row) => `runs/${run[row]}/report.html`,
    hasReport: (row) => reports.has(row),
  };
}
