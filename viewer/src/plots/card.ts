/** One plot: its title, its legend with the values at the cursor, and its curves. */
import uPlot from 'uplot';
import { writeCsv } from '../csv.ts';
import { lineColor, lineDash, type Theme } from '../palette.ts';
import { fractionalIndex } from '../timeline.ts';
import { download, fileName, h, iconButton } from '../ui/dom.ts';
import { formatNumber, prettyUnit, type Scaled, scaleFor } from '../units.ts';
import { axisNumbers, axisRoom, decades, linearRange, logNumbers, logRange, noiseFloor, quiet } from './axis.ts';
import type { Source } from './source.ts';
import { type SvgCurve, svgOf, type SvgTick } from './svg.ts';

/** A measured series, in the units of the plot. */
export interface Measured {
  label: string;
  x: Float64Array;
  y: Float64Array;
}

export interface PlotHost {
  theme(): Theme;
  runNames(): string[];
  /** Value of the axis at which the playback is, for plots of this axis; NaN where it is elsewhere. */
  cursor(axisKey: string): number;
  range(axisKey: string): [number, number];
  setRange(axisKey: string, range: [number, number] | null): void;
  seek(axisKey: string, value: number): void;
  hover(card: PlotCard | null, value: number): void;
  overlay(card: PlotCard): void;
  /** Largest size of the recorded numbers of a unit. */
  largestOf(unit: string): number;
}

interface Line {
  label: string;
  run: number;
  column: number;
  color: string;
  dash: number[];
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  points: boolean;
  value(x: number): number;
  /** What lies behind the line: ranges of all steps between samples. */
  band?: Band;
}

interface Band {
  from: Float64Array;
  to: Float64Array;
  least: Float64Array;
  greatest: Float64Array;
}

const height = 176;

export class PlotCard {
  readonly element: HTMLElement;
  difference = false;
  log: boolean;
  readonly measured: Measured[] = [];
  private plot_: uPlot | undefined;
  private lines_: Line[] = [];
  private readonly hidden_ = new Set<string>();
  private scale_: Scaled = { factor: 1, unit: '1' };
  private readonly body_: HTMLElement;
  private readonly legend_: HTMLElement;
  private values_: HTMLElement[] = [];
  private readonly cursor_: HTMLElement;
  private readonly unit_: HTMLElement;
  private readonly logButton_: HTMLButtonElement;
  private width_ = 0;
  private isLog_ = false;
  /** Numbers up to this size are rounding. */
  private floor_ = 0;
  private failed_ = false;
  private hoverX_ = NaN;
  /** Where the playback was before a click, for double clicks. */
  private before_ = NaN;
  visible = false;

  constructor(
    readonly source: Source,
    private readonly host_: PlotHost,
  ) {
    this.log = source.group === 'violation' || /residual/.test(source.name);
    this.body_ = h('div', { class: 'plot-body' });
    this.legend_ = h('div', { class: 'plot-legend' });
    this.cursor_ = h('div', { class: 'plot-cursor' }, h('span', { class: 'plot-cursor-grip' }));
    this.unit_ = h('span', { class: 'plot-unit' });
    this.logButton_ = h(
      'button',
      { type: 'button', class: 'text-button', title: 'Logarithmic scale', 'aria-pressed': String(this.log), onclick: () => this.setLog(!this.log) },
      'log',
    );
    this.element = h(
      'section',
      { class: 'plot card', 'aria-label': `Plot of ${source.name}` },
      h(
        'header',
        {},
        h('h3', { title: source.doc }, source.name),
        this.unit_,
        source.banded && h('span', { class: 'tag', title: 'The curve joins samples; the band behind it is the least and the greatest of all steps' }, 'samples and band'),
        source.thinned && h('span', { class: 'tag', title: 'The results file has more rows than this report' }, 'thinned'),
        h('span', { class: 'spacer' }),
        this.logButton_,
        iconButton('overlay', 'Lay measured data over this plot (CSV)', () => host_.overlay(this)),
        iconButton('download', 'Download as CSV', () => this.saveCsv()),
        iconButton('image', 'Download as picture (PNG)', () => void this.savePicture()),
        h('button', { type: 'button', class: 'text-button', title: 'Download as drawing (SVG)', 'aria-label': 'Download as drawing (SVG)', onclick: () => this.saveDrawing() }, 'SVG'),
      ),
      this.legend_,
      this.body_,
    );
  }

  get shown(): boolean {
    return !this.element.hidden;
  }

  setLog(on: boolean): void {
    this.log = on;
    this.logButton_.setAttribute('aria-pressed', String(on));
    this.rebuild();
  }

  addMeasured(series: Measured): void {
    this.measured.push(series);
    this.rebuild();
  }

  /** Makes the curves anew, if they were made already. */
  rebuild(): void {
    if (!this.plot_) return;
    this.plot_.destroy();
    this.plot_ = undefined;
    this.build();
  }

  private collect(): Line[] {
    const { source } = this;
    const theme = this.host_.theme();
    const runs = this.host_.runNames();
    const lines: Line[] = [];
    const compared = source.tables.length > 1;
    source.columns.forEach((column, c) => {
      const name = source.columns.length > 1 || column !== source.name ? column : source.name;
      if (this.difference) {
        const y = source.difference(c);
        if (!y) return;
        lines.push({
          label: `Δ ${name}`, run: 0, column: c, color: lineColor(theme, c), dash: lineDash(theme, c),
          x: source.x(0)!, y, points: false, value: (x) => source.at(1, c, x) - source.at(0, c, x),
        });
        return;
      }
      source.tables.forEach((_table, run) => {
        const x = source.x(run);
        const y = source.y(run, c);
        if (!x || !y) return;
        lines.push({
          label: compared ? `${name} · ${runs[run]}` : name, run, column: c, color: lineColor(theme, c),
          dash: run === 0 ? lineDash(theme, c) : [5, 4], x, y, points: false, value: (at) => source.at(run, c, at), band: this.bandOf(run, c),
        });
      });
    });
    if (!this.difference) {
      this.measured.forEach((m, i) => {
        lines.push({
          label: m.label, run: -1, column: -1, color: lineColor(theme, source.columns.length + i), dash: [],
          x: m.x, y: m.y, points: true, value: (at) => nearestValue(m, at),
        });
      });
    }
    return lines;
  }

  private bandOf(run: number, column: number): Band | undefined {
    const found = this.source.band(run, column);
    if (!found) return undefined;
    const { ranges, column: c } = found;
    return { from: ranges.from(), to: ranges.to(), least: ranges.least(c), greatest: ranges.greatest(c) };
  }

  /** Bands of the lines that are shown, behind them. */
  private drawBands(u: uPlot): void {
    const { ctx } = u;
    const { left, top, width, height } = u.bbox;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.globalAlpha = 0.2;
    for (const line of this.lines_) {
      if (!line.band || this.hidden_.has(line.label)) continue;
      const { from, to, least, greatest } = line.band;
      ctx.fillStyle = line.color;
      ctx.beginPath();
      for (let i = 0; i < from.length; ++i) {
        const x0 = u.valToPos(from[i]!, 'x', true);
        const x1 = u.valToPos(to[i]!, 'x', true);
        if (x1 < left || x0 > left + width || (this.isLog_ && !(least[i]! > 0))) continue;
        const y0 = u.valToPos(greatest[i]! * this.scale_.factor, 'y', true);
        const y1 = u.valToPos(least[i]! * this.scale_.factor, 'y', true);
        ctx.rect(x0, y0, Math.max(x1 - x0, 0.5), Math.max(y1 - y0, 0.5));
      }
      ctx.fill();
    }
    ctx.restore();
  }

  /** The range of the curves in sight, widened by their bands. */
  private withBands(u: uPlot, low: number | null, high: number | null): [number | null, number | null] {
    const { min, max } = u.scales.x!;
    let [least, greatest] = [low ?? Infinity, high ?? -Infinity];
    for (const line of this.lines_) {
      if (!line.band || this.hidden_.has(line.label)) continue;
      const { from, to } = line.band;
      for (let i = 0; i < from.length; ++i) {
        if (to[i]! < (min ?? -Infinity) || from[i]! > (max ?? Infinity)) continue;
        const bottom = line.band.least[i]! * this.scale_.factor;
        if (!this.isLog_ || bottom > 0) least = Math.min(least, bottom);
        greatest = Math.max(greatest, line.band.greatest[i]! * this.scale_.factor);
      }
    }
    return least <= greatest ? [least, greatest] : [low, high];
  }

  build(): void {
    if (this.plot_ || this.failed_ || this.width_ < 40) return;
    try {
      this.make();
    } catch (error) {
      this.failed_ = true;
      this.body_.replaceChildren(h('p', { class: 'muted center' }, `This plot cannot be shown: ${error instanceof Error ? error.message : 'damaged data'}.`));
    }
  }

  private make(): void {
    const { source, host_: host } = this;
    this.lines_ = this.collect();
    const text = getComputedStyle(document.documentElement);
    const ink = text.getPropertyValue('--ink-2').trim() || '#666';
    const grid = text.getPropertyValue('--grid').trim() || '#ddd';
    let largest = 0;
    for (const line of this.lines_) {
      for (const numbers of [line.y, line.band?.least ?? [], line.band?.greatest ?? []]) {
        for (let i = 0; i < numbers.length; ++i) {
          const v = Math.abs(numbers[i]!);
          if (v > largest && v < Infinity) largest = v;
        }
      }
    }
    // Nothing above zero: a logarithmic scale would be empty.
    const log = (this.isLog_ = this.log && this.lines_.some((line) => Array.prototype.some.call(line.y, (v: number) => v > 0)));
    this.floor_ = log ? 0 : noiseFloor(largest, host.largestOf(source.unit));
    if (largest <= this.floor_) largest = 0;
    this.scale_ = log ? { factor: 1, unit: source.unit || '1' } : scaleFor(source.unit, largest);
    this.unit_.textContent = this.scale_.unit === '1' ? '' : `[${prettyUnit(this.scale_.unit)}]`;
    const font = `11px ${text.getPropertyValue('--font').trim() || 'system-ui, sans-serif'}`;
    const yLabel = this.scale_.unit === '1' ? (source.unit === '' || source.unit === '1' ? '' : source.unit) : prettyUnit(this.scale_.unit);
    const xUnit = source.axis.unit === '' || source.axis.unit === '1' ? '' : ` [${prettyUnit(source.axis.unit)}]`;
    const axis = { stroke: ink, font, labelFont: font, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1, size: 4 } };
    const key = source.axis.key;
    const options: uPlot.Options = {
      width: this.width_,
      height,
      legend: { show: false },
      padding: [8, 20, 0, 0],
      scales: {
        x: { time: false, auto: false, range: (_u, low, high) => [low, high] },
        y: log
          ? { distr: 3, range: (u, low, high) => logRange(...this.withBands(u, low, high)) }
          : { range: (u, low, high) => linearRange(...this.withBands(u, low, high), this.floor_ * this.scale_.factor) },
      },
      axes: [
        { ...axis, label: source.axis.label + xUnit, labelSize: 16, labelGap: 0, size: 26, space: 64, values: (_u, splits) => axisNumbers(splits) },
        {
          ...axis, label: yLabel || ' ', labelSize: 16, labelGap: 2, space: log ? 1 : 24,
          size: (u, values) => axisRoom(values, (number) => textWidth(u.ctx, font, number)),
          values: (u, splits) => (log ? logNumbers(splits, ...ends(u)) : axisNumbers(splits)),
          ...(log && { grid: { ...axis.grid, filter: powers }, ticks: { ...axis.ticks, filter: powers } }),
        },
      ],
      series: [
        {},
        ...this.lines_.map((line): uPlot.Series => ({
          label: line.label,
          stroke: line.color,
          width: line.run === 1 ? 1.75 : 1.6,
          dash: line.dash,
          spanGaps: false,
          pxAlign: 0,
          show: !this.hidden_.has(line.label),
          points: line.points ? { show: true, size: 5, fill: line.color, width: 0 } : { show: line.x.length < 2 },
          paths: line.points ? () => null : undefined,
        })),
      ],
      cursor: {
        y: false,
        points: { size: 6 },
        drag: { x: true, y: false, setScale: false },
        sync: { key, setSeries: false, scales: ['x', null], filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' } },
        bind: {
          mousedown: (u, _target, handler) => (event) => (this.startDrag(u, event) ? null : handler(event)),
          dblclick: () => () => {
            host.setRange(key, null);
            if (Number.isFinite(this.before_)) host.seek(key, this.before_);
            return null;
          },
        },
      },
      hooks: {
        setSelect: [
          (u) => {
            if (u.select.width > 6) {
              host.setRange(key, [u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x')]);
            }
            u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
          },
        ],
        setCursor: [(u) => this.onHover(u)],
        drawAxes: [(u) => this.drawBands(u)],
        setScale: [(_u, scale) => scale === 'x' && this.placeCursor()],
        setSize: [() => this.placeCursor()],
      },
    };
    this.plot_ = new uPlot(options, this.data(), this.body_);
    this.plot_.over.append(this.cursor_);
    this.plot_.over.style.touchAction = 'pan-y';
    this.listen(this.plot_);
    this.setRange(host.range(key));
    this.fillLegend();
    this.update();
  }

  private data(): uPlot.AlignedData {
    const shown = (line: Line): (number | null)[] | Float64Array => {
      const f = this.scale_.factor;
      const plain = !this.isLog_ && Array.prototype.every.call(line.y, Number.isFinite);
      if (plain) return Float64Array.from(line.y, (v) => quiet(v, this.floor_) * f);
      return Array.from(line.y, (v) => (Number.isFinite(v) && (!this.isLog_ || v > 0) ? v * f : null));
    };
    const first = this.lines_[0];
    if (!first) return [[]];
    if (this.lines_.every((line) => line.x === first.x)) {
      return [first.x as Float64Array, ...this.lines_.map(shown)] as uPlot.AlignedData;
    }
    return uPlot.join(this.lines_.map((line) => [line.x as Float64Array, shown(line)] as uPlot.AlignedData));
  }

  /** Clicks and drags of the cursor set the time; other drags zoom. Returns whether it took the event. */
  private startDrag(u: uPlot, event: MouseEvent): boolean {
    if (event.button !== 0) return true;
    const bounds = u.over.getBoundingClientRect();
    const seek = (e: MouseEvent) => this.host_.seek(this.source.axis.key, u.posToVal(e.clientX - bounds.left, 'x'));
    const at = u.valToPos(this.host_.cursor(this.source.axis.key), 'x');
    const grips = Math.abs(event.clientX - bounds.left - at) < 7;
    const x0 = event.clientX;
    if (event.detail < 2) this.before_ = this.host_.cursor(this.source.axis.key);
    const move = (e: MouseEvent) => grips && seek(e);
    const up = (e: MouseEvent) => {
      window.removeEventListener('mousemove', move);
      window.removeEventListener('mouseup', up);
      if (!grips && Math.abs(e.clientX - x0) < 4 && e.detail < 2) seek(e);
    };
    window.addEventListener('mousemove', move);
    window.addEventListener('mouseup', up);
    return grips;
  }

  private listen(u: uPlot): void {
    const key = this.source.axis.key;
    const zoom = (center: number, factor: number) => {
      const [low, high] = this.host_.range(key);
      this.host_.setRange(key, [center + (low - center) * factor, center + (high - center) * factor]);
    };
    u.over.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        zoom(u.posToVal(event.offsetX, 'x'), Math.exp(event.deltaY * 0.004));
      },
      { passive: false },
    );
    const fingers = new Map<number, number>();
    u.over.addEventListener('pointerdown', (event) => {
      if (event.pointerType !== 'mouse') fingers.set(event.pointerId, event.offsetX);
    });
    u.over.addEventListener('pointermove', (event) => {
      if (!fingers.has(event.pointerId)) return;
      const before = [...fingers.values()];
      fingers.set(event.pointerId, event.offsetX);
      const now = [...fingers.values()];
      if (now.length === 1) {
        this.host_.seek(key, u.posToVal(now[0]!, 'x'));
      } else if (now.length === 2) {
        const spread = Math.abs(before[0]! - before[1]!) / Math.max(Math.abs(now[0]! - now[1]!), 1);
        zoom(u.posToVal((now[0]! + now[1]!) / 2, 'x'), spread);
      }
    });
    for (const type of ['pointerup', 'pointercancel', 'pointerleave'] as const) {
      u.over.addEventListener(type, (event) => fingers.delete(event.pointerId));
    }
  }

  private onHover(u: uPlot): void {
    const left = u.cursor.left ?? -1;
    this.hoverX_ = left >= 0 ? u.posToVal(left, 'x') : NaN;
    // Only the plot beneath the pointer speaks; the others hear of it as they are synchronised.
    if (u.cursor.event || left < 0) this.host_.hover(left >= 0 ? this : null, this.hoverX_);
    this.showValues();
  }

  setRange(range: [number, number]): void {
    this.plot_?.setScale('x', { min: range[0], max: range[1] });
  }

  setWidth(width: number): void {
    this.width_ = Math.floor(width);
    if (this.plot_) this.plot_.setSize({ width: this.width_, height });
    else if (this.visible) this.build();
  }

  setVisible(visible: boolean): void {
    this.visible = visible;
    if (!visible) return;
    this.build();
    this.update();
  }

  get bodyWidth(): number {
    return this.body_.clientWidth;
  }

  get body(): HTMLElement {
    return this.body_;
  }

  /** Puts the cursor and the values where the playback is. */
  update(): void {
    if (!this.plot_ || !this.visible) return;
    this.placeCursor();
    this.showValues();
  }

  private placeCursor(): void {
    const u = this.plot_;
    if (!u) return;
    const x = this.host_.cursor(this.source.axis.key);
    const position = Number.isFinite(x) ? u.valToPos(x, 'x') : -1;
    const inside = position >= -0.5 && position <= u.over.clientWidth + 0.5;
    this.cursor_.style.display = inside ? '' : 'none';
    if (inside) this.cursor_.style.transform = `translateX(${position.toFixed(2)}px)`;
  }

  private showValues(): void {
    const hovering = Number.isFinite(this.hoverX_);
    const x = hovering ? this.hoverX_ : this.host_.cursor(this.source.axis.key);
    this.legend_.classList.toggle('hovering', hovering);
    this.lines_.forEach((line, i) => {
      const cell = this.values_[i];
      if (cell) cell.textContent = Number.isFinite(x) ? formatNumber(quiet(line.value(x), this.floor_) * this.scale_.factor) : '';
    });
  }

  private fillLegend(): void {
    this.values_ = [];
    this.legend_.replaceChildren(
      ...this.lines_.map((line, i) => {
        const value = h('span', { class: 'value' });
        this.values_.push(value);
        const off = this.hidden_.has(line.label);
        const key = h('span', { class: line.points ? 'key points' : line.dash.length ? 'key dashed' : 'key' });
        key.style.setProperty('--color', line.color);
        const button: HTMLButtonElement = h(
          'button',
          { type: 'button', class: 'legend-item', 'aria-pressed': String(!off), title: 'Show or hide this curve', onclick: () => this.toggle(line, i, button) },
          key,
          h('span', { class: 'name' }, line.label),
          value,
        );
        return button;
      }),
    );
  }

  private toggle(line: Line, i: number, button: HTMLButtonElement): void {
    const show = this.hidden_.has(line.label);
    if (show) this.hidden_.delete(line.label);
    else this.hidden_.add(line.label);
    button.setAttribute('aria-pressed', String(show));
    this.plot_?.setSeries(i + 1, { show });
  }

  private saveCsv(): void {
    const { source } = this;
    const runs = this.host_.runNames();
    source.tables.forEach((table, run) => {
      if (!table) return;
      const axis = { name: table.axis, unit: table.axisUnit, values: table.at() };
      const columns = table.columns.map((name, c) => ({ name, unit: table.unit, values: table.column(c) }));
      const parts = source.tables.length > 1 ? [runs[run] ?? String(run), source.name] : [source.name];
      download(`${fileName(...parts)}.csv`, new Blob([writeCsv([axis, ...columns])], { type: 'text/csv' }));
    });
  }

  private async savePicture(): Promise<void> {
    const blob = await this.picture();
    if (blob) download(`${fileName(this.source.name)}.png`, blob);
  }

  private saveDrawing(): void {
    const text = this.drawing();
    if (text !== null) download(`${fileName(this.source.name)}.svg`, new Blob([text], { type: 'image/svg+xml' }));
  }

  /** The plot with its title and legend as SVG, at the range that is shown. */
  drawing(): string | null {
    this.visible = true;
    this.build();
    const u = this.plot_;
    if (!u) return null;
    const header = 48;
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string, other: string): string => style.getPropertyValue(name).trim() || other;
    const [left, top] = [u.over.offsetLeft, u.over.offsetTop + header];
    const xs = u.data[0];
    const { min, max } = u.scales['x']!;
    const inside = Array.from(xs, (_, i) => (xs[i + 1] ?? xs[i]!) >= (min ?? -Infinity) && (xs[i - 1] ?? xs[i]!) <= (max ?? Infinity));
    const curves = this.lines_.flatMap((line, k): SvgCurve[] => {
      if (this.hidden_.has(line.label)) return [];
      const places: number[] = [];
      (u.data[k + 1] ?? []).forEach((y, i) => {
        if (y === undefined || !inside[i]) return; // of another line
        places.push(left + u.valToPos(xs[i]!, 'x'), y === null ? NaN : top + u.valToPos(y, 'y'));
      });
      return [{ label: line.label, color: line.color, dash: line.dash, isMeasured: line.points, places }];
    });
    const ticks = (i: number, scale: string, from: number): SvgTick[] => {
      const shown = u.axes[i] as { _splits?: number[] | null; _values?: (string | null)[] | null };
      return (shown._splits ?? []).flatMap((split, k) => {
        const number = shown._values?.[k] ?? '';
        return number === '' ? [] : [{ at: from + u.valToPos(split, scale), text: number }];
      });
    };
    const label = (i: number): string => String(u.axes[i]!.label ?? '').trim();
    return svgOf({
      title: this.source.name, width: u.width, height: u.height + header, curves,
      frame: { left, top, width: u.over.clientWidth, height: u.over.clientHeight },
      x: { label: label(0), ticks: ticks(0, 'x', left) },
      y: { label: label(1), ticks: ticks(1, 'y', top) },
      colours: { ink: colour('--ink', '#000'), text: colour('--ink-2', '#666'), grid: colour('--grid', '#ddd'), ground: colour('--panel', '#fff') },
    });
  }

  /** The plot with its title and legend, as it is on the screen. */
  async picture(): Promise<Blob | null> {
    this.visible = true;
    this.build();
    const u = this.plot_;
    if (!u) return null;
    const ratio = u.ctx.canvas.width / u.width;
    const style = getComputedStyle(document.documentElement);
    const canvas = h('canvas', { width: u.ctx.canvas.width, height: u.ctx.canvas.height + 48 * ratio });
    const ctx = canvas.getContext('2d')!;
    ctx.fillStyle = style.getPropertyValue('--panel').trim() || '#fff';
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    ctx.scale(ratio, ratio);
    ctx.fillStyle = style.getPropertyValue('--ink').trim() || '#000';
    ctx.font = '600 13px system-ui, sans-serif';
    ctx.fillText(this.source.name, 10, 18);
    ctx.font = '11px system-ui, sans-serif';
    let x = 10;
    this.lines_.forEach((line) => {
      if (this.hidden_.has(line.label)) return;
      ctx.strokeStyle = ctx.fillStyle = line.color;
      ctx.lineWidth = 2;
      ctx.setLineDash(line.dash);
      ctx.beginPath();
      if (line.points) {
        ctx.arc(x + 9, 34, 2.5, 0, 7);
        ctx.fill();
      } else {
        ctx.moveTo(x, 34);
        ctx.lineTo(x + 18, 34);
        ctx.stroke();
      }
      ctx.fillStyle = style.getPropertyValue('--ink').trim() || '#000';
      ctx.fillText(line.label, x + 23, 38);
      x += 38 + ctx.measureText(line.label).width;
    });
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.drawImage(u.ctx.canvas, 0, 48 * ratio);
    return new Promise((done) => canvas.toBlob(done, 'image/png'));
  }
}

/** The point of a measured series at or nearest to x. */
function nearestValue(m: Measured, x: number): number {
  const n = m.x.length;
  if (n === 0 || x < m.x[0]! || x > m.x[n - 1]!) return NaN;
  return m.y[Math.round(fractionalIndex(m.x, x))]!;
}

function ends(u: uPlot): [number, number] {
  const { min, max } = u.scales['y']!;
  return [min ?? 1, max ?? 1];
}

function powers(u: uPlot, splits: number[]): (number | null)[] {
  return decades(splits, ...ends(u));
}

function textWidth(pen: CanvasRenderingContext2D, font: string, text: string): number {
  pen.save();
  pen.font = font;
  const { width } = pen.measureText(text);
  pen.restore();
  return width;
}
