/** Parallel coordinates: an upright axis for each column, a line for each run, brushes on the axes. */
import { h } from '../ui/dom.ts';
import { formatNumber, prettyUnit, unitSuffix } from '../units.ts';
import { colourOf, lineColours, penOf, themeColour } from './pen.ts';
import type { Axis, State } from './state.ts';

const top = 50;
const height = 380;
const leastSpacing = 92;
/** Between the low ends of the axes and where lines of runs without a number go. */
const gap = 22;
/** Lines that are stroked together: paths of thousands of lines take longer than many short ones. */
const together = 40;
/** Pale lines behind a selection: enough to see where all are. */
const mostPale = 1500;

export class ParallelPlot {
  readonly element: HTMLElement;
  private readonly field_: HTMLElement;
  private readonly base_ = h('canvas', { 'aria-hidden': 'true' });
  private readonly over_ = h('canvas', { 'aria-hidden': 'true' });
  private readonly handles_: AxisHandle[];
  private readonly lacks_: boolean;
  private width_ = 0;
  private xs_: number[] = [];
  /** [row × axis] */
  private ys_ = new Float32Array(0);
  /** All lines, pale, behind those that the brushes leave. */
  private pale_: HTMLCanvasElement | null = null;
  private awaited_ = false;
  /** What is still to be drawn: thousands of lines come over several frames, so that nothing waits for them. */
  private queue_: number[] = [];
  private perFrame_ = 600;
  private drawing_ = 0;

  constructor(private readonly state_: State) {
    this.lacks_ = state_.axes.some((axis) => axis.column.values.some(Number.isNaN));
    this.handles_ = state_.axes.map((axis, k) => new AxisHandle(axis, k, state_, this.bottom - top, (by) => this.handles_[k + by]?.element.focus()));
    this.field_ = h('div', { class: 'parallel' }, this.base_, this.over_, ...this.handles_.map((handle) => handle.element));
    this.element = h('div', { class: 'parallel-scroll' }, this.field_);
    this.field_.style.height = `${height}px`;
    this.field_.addEventListener('pointermove', (event) => event.pointerType === 'mouse' && event.buttons === 0 && state_.hover(this.nearest(event)));
    this.field_.addEventListener('pointerleave', () => state_.hover(-1));
    this.field_.addEventListener('click', (event) => {
      if ((event.target as HTMLElement).closest('.axis') === null) state_.select(this.nearest(event, 14));
    });
    new ResizeObserver(() => this.resize()).observe(this.element);
    state_.listen((change) => {
      if (change === 'look') this.place();
      if (change === 'filter') for (const handle of this.handles_) handle.showBrush();
      if (change === 'look' || change === 'filter') this.later();
      else this.drawOver();
    });
  }

  private get bottom(): number {
    return height - (this.lacks_ ? gap + 14 : 14);
  }

  /** Lays out axes and lines by the element's width. */
  resize(): void {
    const { axes } = this.state_;
    const width = Math.max(this.element.clientWidth, leastSpacing * axes.length);
    if (width === this.width_ || this.element.clientWidth === 0) return;
    this.width_ = width;
    this.field_.style.width = `${width}px`;
    const margin = Math.min(60, width / (2 * axes.length));
    const spacing = axes.length > 1 ? (width - 2 * margin) / (axes.length - 1) : 0;
    this.xs_ = axes.map((_, k) => (axes.length > 1 ? margin + k * spacing : width / 2));
    this.handles_.forEach((handle, k) => handle.place(this.xs_[k]!, Math.min(axes.length > 1 ? spacing : width, 2 * margin + spacing) - 8));
    for (const canvas of [this.base_, this.over_]) Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
    this.place();
    this.draw();
  }

  /** Where each row meets each axis. */
  private place(): void {
    const { axes, sweep } = this.state_;
    const rows = sweep.run.length;
    this.ys_ = new Float32Array(rows * axes.length);
    axes.forEach((axis, k) => {
      for (let row = 0; row < rows; ++row) {
        const x = axis.column.values[row]!;
        this.ys_[row * axes.length + k] = Number.isFinite(x) ? this.bottom - axis.scale.share(x) * (this.bottom - top) : this.bottom + gap;
      }
    });
    this.pale_ = null;
    for (const handle of this.handles_) handle.showBrush();
  }

  private later(): void {
    if (this.awaited_) return;
    this.awaited_ = true;
    requestAnimationFrame(() => {
      this.awaited_ = false;
      this.draw();
    });
  }

  private trace(pen: CanvasRenderingContext2D, row: number): void {
    const n = this.xs_.length;
    const at = row * n;
    if (n === 1) {
      pen.moveTo(this.xs_[0]! - 14, this.ys_[at]!);
      pen.lineTo(this.xs_[0]! + 14, this.ys_[at]!);
      return;
    }
    pen.moveTo(this.xs_[0]!, this.ys_[at]!);
    for (let k = 1; k < n; ++k) pen.lineTo(this.xs_[k]!, this.ys_[at + k]!);
  }

  private strokeAll(pen: CanvasRenderingContext2D, rows: ArrayLike<number>): void {
    for (let from = 0; from < rows.length; from += together) {
      pen.beginPath();
      for (let i = from; i < Math.min(rows.length, from + together); ++i) this.trace(pen, rows[i]!);
      pen.stroke();
    }
  }

  /** Lines of the runs that the brushes leave, in their colours; those that failed above them. */
  private draw(): void {
    if (this.width_ === 0) return;
    const { state_ } = this;
    const { hasFailed } = state_.sweep;
    const pen = penOf(this.base_, this.width_, height);
    if (state_.isFiltered) pen.drawImage(this.pale(), 0, 0, this.width_, height);
    const column = state_.sweep.columns[state_.colour];
    const colours = column ? lineColours() : [themeColour('accent')];
    const of = column && colourOf(column, state_.axes[state_.colour]!.scale.isLog);
    const alpha = Math.min(0.9, Math.max(0.12, 9 / Math.sqrt(state_.activeCount + 1)));
    const active = state_.activeRows;
    this.queue_ = [...stirred(active.filter((row) => !hasFailed[row])), ...active.filter((row) => hasFailed[row])];
    const token = ++this.drawing_;
    let before = performance.now();
    const some = (): void => {
      if (token !== this.drawing_) return;
      const groups: number[][] = colours.map(() => []);
      const failed: number[] = [];
      for (const row of this.queue_.splice(0, this.perFrame_)) (hasFailed[row] ? failed : groups[of ? of[row]! : 0]!).push(row);
      pen.lineWidth = 1.2;
      pen.globalAlpha = alpha;
      pen.setLineDash([]);
      groups.forEach((rows, i) => {
        pen.strokeStyle = colours[i]!;
        this.strokeAll(pen, rows);
      });
      pen.globalAlpha = Math.max(0.4, alpha);
      pen.strokeStyle = themeColour('bad');
      pen.setLineDash([5, 3]);
      this.strokeAll(pen, failed);
      if (this.queue_.length === 0) return;
      requestAnimationFrame((now) => {
        this.perFrame_ = Math.min(4000, Math.max(100, Math.round(this.perFrame_ * (now - before > 45 ? 0.6 : 1.3))));
        before = now;
        some();
      });
    };
    some();
    this.drawOver();
  }

  private pale(): HTMLCanvasElement {
    if (this.pale_ !== null) return this.pale_;
    this.pale_ = h('canvas');
    const pen = penOf(this.pale_, this.width_, height);
    const count = this.state_.sweep.run.length;
    const rows = Uint32Array.from({ length: Math.min(count, mostPale) }, (_, i) => Math.floor((i * count) / Math.min(count, mostPale)));
    pen.strokeStyle = themeColour('line');
    pen.globalAlpha = rows.length > 1000 ? 0.3 : 0.7;
    this.strokeAll(pen, rows);
    return this.pale_;
  }

  /** Axes with their numbers, and the run that is looked at. */
  private drawOver(): void {
    if (this.width_ === 0) return;
    const { state_ } = this;
    const pen = penOf(this.over_, this.width_, height);
    const [ink, ground] = [themeColour('ink'), themeColour('panel')];
    const stroke = (row: number, width: number, colour: string): void => {
      pen.beginPath();
      this.trace(pen, row);
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.stroke();
    };
    if (this.lacks_) {
      pen.fillStyle = themeColour('ink-2');
      pen.font = `11px ${getComputedStyle(document.body).fontFamily}`;
      pen.fillText('no number', 4, this.bottom + gap - 4);
      pen.strokeStyle = themeColour('line');
      pen.strokeRect(0, this.bottom + gap, this.width_, 0.5);
    }
    for (const row of [state_.hovered, state_.selected]) {
      if (row < 0) continue;
      stroke(row, 5.5, ground);
      stroke(row, row === state_.selected ? 2.6 : 2, row === state_.selected ? themeColour('cursor') : ink);
    }
    pen.font = `11px ${getComputedStyle(document.body).fontFamily}`;
    pen.textBaseline = 'middle';
    state_.axes.forEach((axis, k) => {
      const x = this.xs_[k]!;
      const length = this.bottom - top;
      pen.strokeStyle = ink;
      pen.lineWidth = 1;
      pen.strokeRect(Math.round(x) + 0.5, top, 0, length);
      for (const tick of axis.scale.ticks(axis.column.scaled.factor, 7)) {
        const y = this.bottom - tick.share * length;
        pen.strokeStyle = ink;
        pen.lineWidth = 1;
        pen.strokeRect(Math.round(x) + 0.5, Math.round(y) + 0.5, k + 1 === this.xs_.length && k > 0 ? -5 : 5, 0);
        pen.textAlign = k + 1 === this.xs_.length && k > 0 ? 'right' : 'left';
        const at = pen.textAlign === 'right' ? x - 8 : x + 8;
        pen.strokeStyle = ground;
        pen.lineWidth = 3.5;
        pen.strokeText(tick.text, at, y);
        pen.fillStyle = ink;
        pen.fillText(tick.text, at, y);
      }
    });
  }

  /** The row whose line is nearest to the pointer, within so many pixels; -1: none. */
  private nearest(event: MouseEvent, within = 9): number {
    const box = this.field_.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    const n = this.xs_.length;
    if (n === 0) return -1;
    let k = 0;
    while (k + 2 < n && this.xs_[k + 1]! < x) ++k;
    const span = n > 1 ? this.xs_[k + 1]! - this.xs_[k]! : 1;
    const share = n > 1 ? Math.min(1, Math.max(0, (x - this.xs_[k]!) / span)) : 0;
    let best = -1;
    let least = within;
    for (let row = 0; row < this.state_.active.length; ++row) {
      if (!this.state_.active[row]) continue;
      const a = this.ys_[row * n + k]!;
      const rise = n > 1 ? this.ys_[row * n + k + 1]! - a : 0;
      const distance = (Math.abs(a + share * rise - y) * span) / Math.hypot(span, rise);
      if (distance < least) [least, best] = [distance, row];
    }
    return best;
  }
}

/** In an order that goes through all of them again and again, so that the first are like the rest. */
function stirred(rows: number[]): number[] {
  const step = Math.max(1, Math.round(Math.sqrt(rows.length)));
  const out: number[] = [];
  for (let from = 0; from < step; ++from) for (let i = from; i < rows.length; i += step) out.push(rows[i]!);
  return out;
}

/** What of an axis is pressed, dragged and spoken. */
class AxisHandle {
  readonly element: HTMLElement;
  private readonly name_: HTMLElement;
  private readonly brush_ = h('div', { class: 'axis-brush', hidden: true });

  constructor(
    private readonly axis_: Axis,
    private readonly index_: number,
    private readonly state_: State,
    private readonly length_: number,
    private readonly move_: (by: number) => void,
  ) {
    const { column } = axis_;
    this.name_ = h('div', { class: 'axis-name', title: column.path === '' ? column.name : `${column.name}: ${column.path}` }, h('span', {}, column.name), h('small', {}, column.scaled.unit === '1' ? ' ' : prettyUnit(column.scaled.unit)));
    this.element = h('div', { class: column.isParameter ? 'axis parameter' : 'axis', role: 'group', tabindex: 0 }, this.name_, this.brush_);
    this.element.style.top = `${top}px`;
    this.element.style.height = `${length_}px`;
    this.name_.style.height = `${top - 10}px`;
    this.element.addEventListener('pointerdown', (event) => this.drag(event));
    this.element.addEventListener('keydown', (event) => this.key(event));
    this.showBrush();
  }

  place(x: number, width: number): void {
    this.element.style.left = `${x}px`;
    this.name_.style.width = `${width}px`;
  }

  /** Low and high end of the brush, in shares of the axis. */
  private get shares(): [number, number] | null {
    const { brush, scale } = this.axis_;
    return brush && [Math.max(0, scale.share(brush[0])), Math.min(1, scale.share(brush[1]))];
  }

  private setShares(low: number, high: number): void {
    const at = (share: number): number => this.axis_.scale.at(Math.min(1, Math.max(0, share)));
    this.state_.setBrush(this.axis_, [at(Math.min(low, high)), at(Math.max(low, high))]);
  }

  showBrush(): void {
    const { shares } = this;
    const { column, brush } = this.axis_;
    this.brush_.hidden = shares === null;
    if (shares) Object.assign(this.brush_.style, { bottom: `${100 * shares[0]}%`, height: `${100 * (shares[1] - shares[0])}%` });
    const { factor, unit } = column.scaled;
    const range = brush ? `${formatNumber(brush[0] * factor, 4)} to ${formatNumber(brush[1] * factor, 4)}${unitSuffix(unit)}` : 'all';
    this.element.setAttribute('aria-label', `${column.name}: ${range}`);
    this.brush_.title = range;
  }

  private drag(event: PointerEvent): void {
    if (event.button !== 0 || (event.target as HTMLElement).closest('.axis-name')) return;
    const box = this.element.getBoundingClientRect();
    const shareAt = (e: PointerEvent): number => 1 - (e.clientY - box.top) / this.length_;
    const start = shareAt(event);
    const before = this.shares;
    const near = 7 / this.length_;
    // A drag takes an end of the brush, moves it whole, or makes another.
    const edge = before === null ? -1 : Math.abs(start - before[0]) < near ? 0 : Math.abs(start - before[1]) < near ? 1 : -1;
    const isInside = before !== null && edge < 0 && start > before[0] && start < before[1];
    let moved = false;
    const move = (e: PointerEvent): void => {
      const now = shareAt(e);
      moved = moved || Math.abs(now - start) * this.length_ > 3;
      if (!moved) return;
      if (edge >= 0) this.setShares(before![1 - edge]!, now);
      else if (isInside) this.shift(before!, now - start);
      else this.setShares(start, now);
    };
    const end = (e: PointerEvent): void => {
      this.element.removeEventListener('pointermove', move);
      if (e.type === 'pointerup') move(e);
      if (!moved) this.state_.setBrush(this.axis_, null);
    };
    event.preventDefault();
    this.element.focus({ preventScroll: true });
    this.element.setPointerCapture(event.pointerId);
    this.element.addEventListener('pointermove', move);
    this.element.addEventListener('pointerup', end, { once: true });
    this.element.addEventListener('pointercancel', end, { once: true });
  }

  private shift([low, high]: [number, number], by: number): void {
    const bounded = Math.min(1 - high, Math.max(-low, by));
    this.setShares(low + bounded, high + bounded);
  }

  private key(event: KeyboardEvent): void {
    const shares = this.shares;
    const by = event.key === 'ArrowUp' ? 0.05 : event.key === 'ArrowDown' ? -0.05 : 0;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (by !== 0) {
      if (shares === null) this.setShares(by > 0 ? 0.5 : 0, by > 0 ? 1 : 0.5);
      else if (event.shiftKey) this.setShares(shares[0], Math.max(shares[0] + 0.01, shares[1] + by));
      else this.shift(shares, by);
    } else if (event.key === 'ArrowLeft') this.move_(-1);
    else if (event.key === 'ArrowRight') this.move_(1);
    else if (event.key === 'Escape' || event.key === 'Delete' || event.key === 'Backspace') this.state_.setBrush(this.axis_, null);
    else if (event.key.toLowerCase() === 'l') this.state_.toggleLog(this.axis_);
    else if (event.key.toLowerCase() === 'c') this.state_.setColour(this.index_);
    else return;
    event.preventDefault();
  }
}
