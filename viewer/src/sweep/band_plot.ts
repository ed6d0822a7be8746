/** A series of all runs: between which bounds all are, where half of them are, and single runs as lines. */
import { fractionalIndex } from '../timeline.ts';
import { h } from '../ui/dom.ts';
import { formatNumber, prettyUnit, unitSuffix } from '../units.ts';
import type { Curves } from './data.ts';
import { penOf, themeColour } from './pen.ts';
import { Scale } from './scale.ts';
import type { State } from './state.ts';

const height = 220;
const margin = { left: 54, right: 14, top: 10, bottom: 34 };
/** Lines that one still tells apart. */
const mostLines = 200;

export class BandPlot {
  readonly element: HTMLElement;
  private readonly canvas_ = h('canvas', { 'aria-hidden': 'true' });
  private readonly readout_ = h('div', { class: 'band-readout' });
  private readonly note_ = h('span', { class: 'tag', hidden: true });
  private readonly x_: Scale;
  private readonly y_: Scale;
  private width_ = 0;
  private lines_: number[] = [];
  private place_ = -1;
  private awaited_ = false;

  constructor(
    private readonly curves_: Curves,
    private readonly state_: State,
  ) {
    const { at, bands, scaled, name } = curves_;
    this.x_ = at.length > 1 ? new Scale(at[0]!, at[at.length - 1]!, false) : Scale.of(at, false);
    this.y_ = Scale.of([...bands[0], ...bands[4]], false);
    const body = h('div', { class: 'band-body' }, this.canvas_);
    body.style.height = `${height}px`;
    this.element = h(
      'section',
      { class: 'card band', 'aria-label': `Series ${name}` },
      h('header', {}, h('h3', {}, name), h('span', { class: 'plot-unit' }, scaled.unit === '1' ? '' : prettyUnit(scaled.unit)), this.note_),
      body,
      this.readout_,
    );
    body.addEventListener('pointermove', (event) => this.point(event));
    body.addEventListener('pointerleave', () => {
      this.place_ = -1;
      state_.hover(-1);
      this.later();
    });
    body.addEventListener('click', (event) => state_.select(this.nearest(event, 16)));
    new ResizeObserver(() => {
      this.width_ = body.clientWidth;
      this.draw();
    }).observe(body);
    this.chooseLines();
    state_.listen((change) => {
      if (change === 'filter') this.chooseLines();
      this.later();
    });
  }

  private later(): void {
    if (this.awaited_) return;
    this.awaited_ = true;
    requestAnimationFrame(() => {
      this.awaited_ = false;
      this.draw();
    });
  }

  /** The runs that are drawn: those that the brushes leave, evenly chosen where they are too many; few runs without a brush too. */
  private chooseLines(): void {
    const rows = this.state_.isFiltered || this.state_.sweep.run.length <= 40 ? this.state_.activeRows.filter((row) => !this.state_.sweep.hasFailed[row]) : [];
    this.lines_ = rows.length <= mostLines ? rows : Array.from({ length: mostLines }, (_, i) => rows[Math.floor((i * rows.length) / mostLines)]!);
    this.note_.hidden = rows.length <= mostLines;
    this.note_.textContent = `${mostLines} of ${rows.length} lines`;
  }

  private left(x: number): number {
    return margin.left + this.x_.share(x) * (this.width_ - margin.left - margin.right);
  }

  private upper(y: number): number {
    return height - margin.bottom - this.y_.share(y) * (height - margin.top - margin.bottom);
  }

  /** Draws a line of numbers by place; gaps where there is none. */
  private trace(pen: CanvasRenderingContext2D, value: (place: number) => number): void {
    const { at } = this.curves_;
    let isOn = false;
    for (let i = 0; i < at.length; ++i) {
      const y = value(i);
      if (!Number.isFinite(y)) {
        isOn = false;
        continue;
      }
      if (isOn) pen.lineTo(this.left(at[i]!), this.upper(y));
      else pen.moveTo(this.left(at[i]!), this.upper(y));
      if (at.length === 1) pen.lineTo(this.left(at[i]!) + 4, this.upper(y));
      isOn = true;
    }
  }

  private fill(pen: CanvasRenderingContext2D, low: Float64Array, high: Float64Array): void {
    const { at } = this.curves_;
    const known = [...at.keys()].filter((i) => Number.isFinite(low[i]));
    if (known.length === 0) return;
    pen.beginPath();
    for (const i of known) pen.lineTo(this.left(at[i]!), this.upper(high[i]!));
    for (const i of known.reverse()) pen.lineTo(this.left(at[i]!), this.upper(low[i]!));
    pen.fill();
  }

  private draw(): void {
    if (this.width_ === 0) return;
    const { curves_, state_ } = this;
    const { bands } = curves_;
    Object.assign(this.canvas_.style, { width: `${this.width_}px`, height: `${height}px` });
    const pen = penOf(this.canvas_, this.width_, height);
    this.drawAxes(pen);
    const accent = themeColour('accent');
    pen.fillStyle = accent;
    pen.globalAlpha = 0.14;
    this.fill(pen, bands[0], bands[4]);
    pen.globalAlpha = 0.24;
    this.fill(pen, bands[1], bands[3]);
    const stroke = (value: (place: number) => number, width: number, colour: string, alpha = 1): void => {
      pen.beginPath();
      this.trace(pen, value);
      pen.globalAlpha = alpha;
      pen.lineWidth = width;
      pen.strokeStyle = colour;
      pen.stroke();
    };
    const alpha = Math.min(0.8, 5 / Math.sqrt(this.lines_.length + 1));
    for (const row of this.lines_) stroke((i) => curves_.value(i, row), 1, themeColour('ink-2'), alpha);
    stroke((i) => bands[2][i]!, 2, accent);
    for (const row of [state_.hovered, state_.selected]) {
      if (row < 0) continue;
      stroke((i) => curves_.value(i, row), 5, themeColour('panel'));
      stroke((i) => curves_.value(i, row), 2.2, row === state_.selected ? themeColour('cursor') : themeColour('ink'));
    }
    if (this.place_ >= 0) {
      pen.globalAlpha = 0.5;
      pen.lineWidth = 1;
      pen.strokeStyle = themeColour('ink-2');
      pen.strokeRect(this.left(curves_.at[this.place_]!), margin.top, 0, height - margin.top - margin.bottom);
    }
    this.read();
  }

  private drawAxes(pen: CanvasRenderingContext2D): void {
    const { axis, axisUnit, scaled } = this.curves_;
    const [muted, grid] = [themeColour('ink-2'), themeColour('grid')];
    pen.font = `11px ${getComputedStyle(document.body).fontFamily}`;
    pen.fillStyle = muted;
    pen.strokeStyle = grid;
    pen.lineWidth = 1;
    const bottom = height - margin.bottom;
    pen.textAlign = 'center';
    for (const tick of this.x_.ticks(1, Math.max(2, Math.floor(this.width_ / 80)))) {
      const x = margin.left + tick.share * (this.width_ - margin.left - margin.right);
      pen.strokeRect(x, margin.top, 0, bottom - margin.top);
      pen.fillText(tick.text, x, bottom + 14);
    }
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    for (const tick of this.y_.ticks(scaled.factor, 6)) {
      const y = bottom - tick.share * (bottom - margin.top);
      pen.strokeRect(margin.left, y, this.width_ - margin.left - margin.right, 0);
      pen.fillText(tick.text, margin.left - 6, y);
    }
    pen.textAlign = 'center';
    pen.textBaseline = 'alphabetic';
    pen.fillText(`${axis}${axisUnit === '1' ? '' : ` [${axisUnit}]`}`, (margin.left + this.width_ - margin.right) / 2, height - 4);
  }

  private placeAt(event: MouseEvent): number {
    const box = this.canvas_.getBoundingClientRect();
    const { at } = this.curves_;
    if (at.length === 0) return -1;
    const x = this.x_.at((event.clientX - box.left - margin.left) / (this.width_ - margin.left - margin.right));
    return Math.min(at.length - 1, Math.max(0, Math.round(fractionalIndex(at, x))));
  }

  private nearest(event: MouseEvent, within: number): number {
    const place = this.placeAt(event);
    if (place < 0) return -1;
    const y = event.clientY - this.canvas_.getBoundingClientRect().top;
    let best = -1;
    let least = within;
    for (const row of this.state_.activeRows) {
      const distance = Math.abs(this.upper(this.curves_.value(place, row)) - y);
      if (distance < least) [least, best] = [distance, row];
    }
    return best;
  }

  private point(event: PointerEvent): void {
    this.place_ = this.placeAt(event);
    if (event.pointerType === 'mouse') this.state_.hover(this.nearest(event, 9));
    this.later();
  }

  /** Numbers where the pointer is; without one what the picture shows. */
  private read(): void {
    const { curves_, state_ } = this;
    const { at, bands, scaled, axis, axisUnit } = curves_;
    const i = this.place_;
    const row = state_.hovered >= 0 ? state_.hovered : state_.selected;
    if (i < 0) {
      if (this.readout_.firstElementChild === null) this.readout_.replaceChildren(...bandKeys());
      return;
    }
    const number = (x: number): string => formatNumber(x * scaled.factor, 4);
    const own = row < 0 ? '' : `; run ${state_.sweep.run[row]}: ${number(curves_.value(i, row))}`;
    this.readout_.textContent = `${axis} = ${formatNumber(at[i]!, 4)}${unitSuffix(axisUnit)}: median ${number(bands[2][i]!)}, half in ${number(bands[1][i]!)} … ${number(bands[3][i]!)}, all in ${number(bands[0][i]!)} … ${number(bands[4][i]!)}${own}`;
  }
}

/** What the colours of the picture mean. */
function bandKeys(): HTMLElement[] {
  const key = (share: number, text: string, className = ''): HTMLElement => {
    const swatch = h('i', { class: className });
    swatch.style.setProperty('--share', `${share}%`);
    return h('span', { class: 'band-key' }, swatch, text);
  };
  return [key(100, 'median', 'line'), key(36, 'half of the runs'), key(14, 'all runs')];
}
