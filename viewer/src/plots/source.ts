/** What one plot shows: a table of one run or of two, with its axis. */
import type { Envelope, Run, Table, TableGroup } from '../payload.ts';
import { fractionalIndex, isAscending, valueAt } from '../timeline.ts';

export const groupTitles: Record<TableGroup, string> = {
  sensor: 'Sensors',
  energy: 'Energies',
  violation: 'Violations',
  solver: 'Solver',
  joint: 'Joints',
};
const groupOrder: TableGroup[] = ['sensor', 'joint', 'energy', 'violation', 'solver'];

/** Plots whose horizontal axes belong together: all of time, or those of one static analysis or of modes. */
export interface AxisGroup {
  key: string;
  label: string;
  unit: string;
  /** In short, for switching. */
  title: string;
}

export function axisKey(axis: string, analysis: string): string {
  return axis === 't' ? 't' : `${axis}:${analysis}`;
}

export function axisGroup(axis: string, analysis: string, unit: string): AxisGroup {
  const names: Record<string, string> = { t: 'time', load_factor: 'load factor', mode: 'mode' };
  const label = names[axis] ?? axis;
  return { key: axisKey(axis, analysis), label, unit, title: axis === 't' ? 'Time' : analysis };
}

export class Source {
  readonly key: string;
  /** Unique: the name, behind its analysis where another axis has a plot of that name. */
  id: string;
  readonly name: string;
  readonly group: TableGroup;
  readonly unit: string;
  readonly doc: string;
  readonly axis: AxisGroup;
  readonly columns: string[];
  /** Values of the axis turn back (arc length): drawn by row. */
  readonly byRow: boolean;
  private readonly x_: (Float64Array | undefined)[];

  /** `tables`: of each run; undefined where a run has none of that name. */
  constructor(readonly tables: (Table | undefined)[]) {
    const first = tables.find((t) => t !== undefined)!;
    this.key = sourceKey(first);
    this.name = first.name;
    this.id = first.name;
    this.group = first.group;
    this.unit = first.unit;
    this.doc = first.doc;
    this.columns = first.columns;
    const axis = axisGroup(first.axis, first.analysis, first.axisUnit);
    this.byRow = tables.some((t) => t !== undefined && !isAscending(t.at()));
    this.axis = this.byRow ? { ...axis, label: 'load step', unit: '1' } : axis;
    this.x_ = tables.map((t) => t && (this.byRow ? Float64Array.from({ length: t.rows }, (_, i) => i + 1) : t.at()));
  }

  get thinned(): boolean {
    return this.tables.some((t) => t?.thinned);
  }

  x(run: number): Float64Array | undefined {
    return this.x_[run];
  }

  /** Column by its name in the first table that has it. */
  y(run: number, column: number): Float64Array | undefined {
    const table = this.tables[run];
    if (table === undefined) return undefined;
    const i = table.columns.indexOf(this.columns[column]!);
    return i < 0 ? undefined : table.column(i);
  }

  /** Ranges between the samples of a column, and its number there. */
  band(run: number, column: number): { ranges: Envelope; column: number } | undefined {
    const table = this.tables[run];
    const i = table?.columns.indexOf(this.columns[column]!) ?? -1;
    return table?.envelope && i >= 0 && !this.byRow ? { ranges: table.envelope, column: i } : undefined;
  }

  get banded(): boolean {
    return this.tables.some((t) => t?.envelope !== undefined);
  }

  /** Value of a column where the axis is `x`, between rows linearly; NaN outside. */
  at(run: number, column: number, x: number): number {
    const xs = this.x(run);
    const ys = this.y(run, column);
    if (!xs || !ys || xs.length === 0) return NaN;
    const slack = 1e-9 * Math.max(Math.abs(xs[0]!), Math.abs(xs[xs.length - 1]!));
    if (x < xs[0]! - slack || x > xs[xs.length - 1]! + slack) return NaN;
    return valueAt(ys, fractionalIndex(xs, x));
  }

  /** Second run less the first, on the rows of the first. */
  difference(column: number): Float64Array | undefined {
    const x = this.x(0);
    const y = this.y(0, column);
    if (!x || !y || !this.y(1, column)) return undefined;
    return y.map((v, i) => this.at(1, column, x[i]!) - v);
  }
}

function sourceKey(table: Table): string {
  return `${axisKey(table.axis, table.analysis)}|${table.group}|${table.name}`;
}

/** One for each table of the first run, then those that only the second has; in the order in which they are shown. */
export function makeSources(runs: Run[]): Source[] {
  const found = new Map<string, (Table | undefined)[]>();
  runs.forEach((run, r) => {
    for (const table of run.tables) {
      if (table.rows === 0 || table.columns.length === 0) continue;
      const key = sourceKey(table);
      const tables = found.get(key) ?? runs.map(() => undefined);
      tables[r] = table;
      found.set(key, tables);
    }
  });
  const sources = [...found.values()].map((tables) => new Source(tables));
  for (const source of sources) {
    const analysis = source.tables.find((t) => t !== undefined)!.analysis;
    const shared = sources.some((s) => s !== source && s.name === source.name);
    if (shared && source.axis.key !== 't') source.id = `${analysis}/${source.name}`;
  }
  return sources.sort((a, b) => order(a.group) - order(b.group));
}

function order(group: TableGroup): number {
  const i = groupOrder.indexOf(group);
  return i < 0 ? groupOrder.length : i;
}
