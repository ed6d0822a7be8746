/** What of a sweep is shown: brushes on the axes, which runs they leave, the run that is looked at, its colours. */
import type { Column, Sweep } from './data.ts';
import { Scale } from './scale.ts';

export type Shown = 'all' | 'finished' | 'failed';

/** A column as an upright axis. */
export class Axis {
  scale: Scale;
  /** From and to [SI]; null: all runs pass. */
  brush: [number, number] | null = null;

  constructor(readonly column: Column) {
    this.scale = Scale.of(column.values, column.isLog);
  }

  /** Whether its numbers can be told apart by their powers. */
  get canBeLog(): boolean {
    return this.column.values.every((x) => x > 0 || Number.isNaN(x));
  }

  setLog(on: boolean): void {
    this.scale = Scale.of(this.column.values, on);
  }

  passes(row: number): boolean {
    if (this.brush === null) return true;
    const x = this.column.values[row]!;
    return x >= this.brush[0] && x <= this.brush[1];
  }
}

export type Change = 'filter' | 'selection' | 'hover' | 'look';

export class State {
  readonly axes: Axis[];
  /** By row: 1 where all brushes let it pass. */
  readonly active: Uint8Array;
  activeCount = 0;
  shown: Shown = 'all';
  /** The row looked at; -1: none. */
  selected = -1;
  hovered = -1;
  /** Index of the column that colours the lines; -1: one colour. */
  colour: number;
  private readonly listeners_: ((change: Change) => void)[] = [];

  constructor(readonly sweep: Sweep) {
    this.axes = sweep.columns.map((column) => new Axis(column));
    this.active = new Uint8Array(sweep.run.length);
    const varied = (c: Column): boolean => {
      const known = c.values.filter(Number.isFinite);
      return known.some((x) => x !== known[0]);
    };
    this.colour = sweep.columns.findIndex((c) => !c.isParameter && varied(c));
    this.filter();
  }

  listen(listener: (change: Change) => void): void {
    this.listeners_.push(listener);
  }

  private tell(change: Change): void {
    for (const listener of this.listeners_) listener(change);
  }

  get isFiltered(): boolean {
    return this.shown !== 'all' || this.axes.some((axis) => axis.brush !== null);
  }

  get activeRows(): number[] {
    const rows: number[] = [];
    for (let row = 0; row < this.active.length; ++row) if (this.active[row]) rows.push(row);
    return rows;
  }

  private filter(): void {
    const { hasFailed } = this.sweep;
    const brushed = this.axes.filter((axis) => axis.brush !== null);
    this.activeCount = 0;
    for (let row = 0; row < this.active.length; ++row) {
      const isShown = this.shown === 'all' || (this.shown === 'failed') === (hasFailed[row] === 1);
      this.active[row] = isShown && brushed.every((axis) => axis.passes(row)) ? 1 : 0;
      this.activeCount += this.active[row]!;
    }
  }

  setBrush(axis: Axis, brush: [number, number] | null): void {
    axis.brush = brush;
    this.filter();
    this.tell('filter');
  }

  setShown(shown: Shown): void {
    this.shown = shown;
    this.filter();
    this.tell('filter');
  }

  clearFilter(): void {
    for (const axis of this.axes) axis.brush = null;
    this.setShown('all');
  }

  select(row: number): void {
    if (row === this.selected) return;
    this.selected = row;
    this.tell('selection');
  }

  hover(row: number): void {
    if (row === this.hovered) return;
    this.hovered = row;
    this.tell('hover');
  }

  setColour(column: number): void {
    this.colour = column;
    this.tell('look');
  }

  toggleLog(axis: Axis): void {
    if (!axis.canBeLog) return;
    axis.setLog(!axis.scale.isLog);
    this.tell('look');
  }

  /** The colours have become others. */
  restyle(): void {
    this.tell('look');
  }
}
