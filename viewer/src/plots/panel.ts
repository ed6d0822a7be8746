/** All plots of a report, linked to each other and to the playback. */
import type { Run } from '../payload.ts';
import type { Theme } from '../palette.ts';
import { h, icon, popover } from '../ui/dom.ts';
import { formatNumber, unitSuffix } from '../units.ts';
import { type Measured, PlotCard, type PlotHost } from './card.ts';
import { ModeList } from './modes.ts';
import { chooseCsv, overlayDialog } from './overlay.ts';
import { type AxisGroup, groupTitles, makeSources, type Source } from './source.ts';

export interface Playback {
  /** Which axis the playback is on, and where; null: nothing is played. */
  where(): { key: string; value: number; row: number } | null;
  seek(key: string, value: number): void;
}

const searchFrom = 7;

export class PlotPanel implements PlotHost {
  readonly element: HTMLElement;
  readonly sources: Source[];
  private readonly cards_: PlotCard[];
  private readonly modes_: ModeList[];
  private readonly groups_: AxisGroup[] = [];
  private current_ = '';
  private readonly zoom_ = new Map<string, [number, number]>();
  private readonly full_ = new Map<string, [number, number]>();
  private theme_: Theme;
  private readonly unchosen_ = new Set<PlotCard>();
  private readonly largest_ = new Map<string, number>();
  private query_ = '';
  private hover_: number | null = null;
  private readonly readout_ = h('span', { class: 'plots-readout', 'aria-live': 'off' });
  private readonly reset_: HTMLButtonElement;
  private readonly tabs_: HTMLElement;
  private readonly list_: HTMLElement;
  private readonly none_ = h('p', { class: 'muted center', hidden: true }, 'No plot has this in its name.');

  constructor(
    private readonly runs_: Run[],
    private readonly playback_: Playback,
    theme: Theme,
  ) {
    this.theme_ = theme;
    this.sources = makeSources(runs_);
    this.cards_ = this.sources.map((source) => new PlotCard(source, this));
    for (const source of this.sources) {
      if (!this.groups_.some((g) => g.key === source.axis.key)) this.groups_.push(source.axis);
      const range = this.full_.get(source.axis.key) ?? [Infinity, -Infinity];
      source.tables.forEach((_, run) => {
        const x = source.x(run);
        if (!x || x.length === 0) return;
        range[0] = Math.min(range[0], x[0]!);
        range[1] = Math.max(range[1], x[x.length - 1]!);
      });
      this.full_.set(source.axis.key, range);
    }
    const swung = runs_[0]!.playback.filter((s) => s.axis === 'mode');
    this.modes_ = swung.map((s) => new ModeList(s, (key, value) => this.playback_.seek(key, value)));
    for (const { axis } of this.modes_) if (!this.groups_.some((g) => g.key === axis.key)) this.groups_.push(axis);
    this.reset_ = h('button', { type: 'button', class: 'button small', hidden: true, onclick: () => this.setRange(this.current_, null) }, 'Reset zoom');
    this.tabs_ = h('div', { class: 'segmented', role: 'group', 'aria-label': 'Axis' });
    this.list_ = h('div', { class: 'plot-list' });
    this.element = h(
      'div',
      { class: 'plots' },
      h('div', { class: 'plots-bar' }, this.groups_.length > 1 && this.tabs_, this.searchBox(), this.chooser(), this.differenceButton(), h('span', { class: 'spacer' }), this.reset_, this.readout_),
      this.none_,
      this.list_,
    );
    this.fill();
    this.showAxis(this.groups_[0]?.key ?? '');
    this.showAxis(this.playback_.where()?.key ?? '');
    this.watch();
  }

  private fill(): void {
    for (const { element } of this.modes_) this.list_.append(h('div', { class: 'plot-group' }, element));
    for (const title of new Set(this.sources.map((s) => groupTitles[s.group] ?? s.group))) {
      const cards = this.cards_.filter((c) => (groupTitles[c.source.group] ?? c.source.group) === title);
      this.list_.append(h('div', { class: 'plot-group', 'data-title': title }, h('h2', {}, title), h('div', { class: 'plot-grid' }, ...cards.map((c) => c.element))));
    }
    if (this.sources.length + this.modes_.length === 0) this.list_.append(h('p', { class: 'muted center' }, 'The run recorded no tables.'));
    if (this.groups_.length > 1) {
      this.tabs_.append(
        ...this.groups_.map((group) =>
          h('button', { type: 'button', 'data-key': group.key, onclick: () => this.showAxis(group.key) }, group.title),
        ),
      );
    }
  }

  private searchBox(): HTMLElement | null {
    if (this.sources.length < searchFrom) return null;
    const input = h('input', {
      type: 'search', placeholder: 'Find a plot', 'aria-label': 'Find a plot',
      oninput: () => {
        this.query_ = input.value.trim().toLowerCase();
        this.filter();
      },
    });
    return h('label', { class: 'search' }, icon('search'), input);
  }

  private chooser(): HTMLElement | null {
    if (this.sources.length < 2) return null;
    const boxes = new Map<PlotCard, HTMLInputElement>();
    const panel = h('div', { class: 'chooser', role: 'group', 'aria-label': 'Plots that are shown' });
    const all = (on: boolean) => {
      for (const [card, box] of boxes) {
        box.checked = on;
        this.choose(card, on);
      }
      this.filter();
    };
    panel.append(
      h('div', { class: 'actions' }, h('button', { type: 'button', class: 'button small', onclick: () => all(true) }, 'All'), h('button', { type: 'button', class: 'button small', onclick: () => all(false) }, 'None')),
    );
    let title = '';
    for (const card of this.cards_) {
      const group = groupTitles[card.source.group] ?? card.source.group;
      if (group !== title) panel.append(h('h4', {}, group));
      title = group;
      const box = h('input', {
        type: 'checkbox', checked: true,
        onchange: () => {
          this.choose(card, box.checked);
          this.filter();
        },
      });
      boxes.set(card, box);
      const where = this.groups_.length > 1 ? h('small', {}, card.source.axis.title) : null;
      panel.append(h('label', {}, box, h('span', {}, card.source.name, where && ' ', where)));
    }
    const button = h('button', { type: 'button', class: 'button small' }, icon('list'), 'Plots');
    return popover(button, panel);
  }

  private choose(card: PlotCard, on: boolean): void {
    if (on) this.unchosen_.delete(card);
    else this.unchosen_.add(card);
  }

  private differenceButton(): HTMLElement | null {
    if (this.runs_.length < 2) return null;
    const button = h(
      'button',
      {
        type: 'button', class: 'button small', 'aria-pressed': 'false', title: `Draw ${this.runs_[1]!.name} less ${this.runs_[0]!.name}`,
        onclick: () => {
          const on = button.getAttribute('aria-pressed') !== 'true';
          button.setAttribute('aria-pressed', String(on));
          for (const card of this.cards_) {
            card.difference = on;
            card.rebuild();
          }
        },
      },
      'Difference',
    );
    return button;
  }

  /** Plots are made when they come into view, and follow the width of theirs. */
  private watch(): void {
    const sizes = new ResizeObserver((entries) => {
      for (const entry of entries) {
        const card = this.cards_.find((c) => c.body === entry.target);
        if (card && entry.contentRect.width > 0) card.setWidth(entry.contentRect.width);
      }
    });
    const views = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          const card = this.cards_.find((c) => c.element === entry.target);
          if (!card) continue;
          if (entry.isIntersecting && card.bodyWidth > 0) card.setWidth(card.bodyWidth);
          card.setVisible(entry.isIntersecting);
        }
      },
      { rootMargin: '300px' },
    );
    for (const card of this.cards_) {
      sizes.observe(card.body);
      views.observe(card.element);
    }
  }

  private filter(): void {
    let any = false;
    for (const card of this.cards_) {
      const { source } = card;
      const text = `${source.name} ${source.columns.join(' ')} ${source.doc} ${groupTitles[source.group] ?? ''}`.toLowerCase();
      const hidden = source.axis.key !== this.current_ || this.unchosen_.has(card) || !text.includes(this.query_);
      card.element.hidden = hidden;
      any ||= !hidden;
    }
    for (const { element, axis } of this.modes_) {
      element.hidden = axis.key !== this.current_;
      any ||= !element.hidden;
    }
    for (const group of this.list_.querySelectorAll<HTMLElement>('.plot-group')) {
      group.hidden = ![...group.querySelectorAll<HTMLElement>('.plot, .modes')].some((c) => !c.hidden);
    }
    this.none_.hidden = any || this.sources.length === 0;
    this.none_.textContent = this.query_ !== '' ? 'No plot has this in its name.' : 'No plot is chosen.';
  }

  /** Shows the plots over one axis. */
  showAxis(key: string): void {
    if (!this.groups_.some((g) => g.key === key) || key === this.current_) return;
    this.current_ = key;
    for (const tab of this.tabs_.querySelectorAll<HTMLElement>('button')) {
      tab.setAttribute('aria-pressed', String(tab.dataset['key'] === key));
    }
    this.filter();
    this.reset_.hidden = !this.zoom_.has(key);
    this.update();
  }

  // PlotHost

  theme(): Theme {
    return this.theme_;
  }

  largestOf(unit: string): number {
    let largest = this.largest_.get(unit);
    if (largest !== undefined) return largest;
    largest = 0;
    for (const source of this.sources) {
      if (source.unit !== unit) continue;
      for (const table of source.tables) {
        for (let c = 0; table !== undefined && c < table.columns.length; ++c) {
          for (const v of table.column(c)) if (Math.abs(v) > largest && Number.isFinite(v)) largest = Math.abs(v);
        }
      }
    }
    this.largest_.set(unit, largest);
    return largest;
  }

  runNames(): string[] {
    return this.runs_.map((r) => r.name);
  }

  cursor(key: string): number {
    const where = this.playback_.where();
    if (!where || where.key !== key) return NaN;
    const source = this.sources.find((s) => s.axis.key === key);
    return source?.byRow ? where.row + 1 : where.value;
  }

  range(key: string): [number, number] {
    const range = this.zoom_.get(key) ?? this.full_.get(key) ?? [0, 1];
    if (range[1] > range[0]) return range;
    const margin = Math.max(Math.abs(range[0]) * 0.01, 1e-3);
    return [range[0] - margin, range[1] + margin];
  }

  setRange(key: string, range: [number, number] | null): void {
    const full = this.full_.get(key);
    if (range && full) {
      const low = Math.max(range[0], full[0]);
      const high = Math.min(range[1], full[1]);
      if (!(high - low > 1e-9 * (full[1] - full[0]))) return;
      if (high - low > 0.999 * (full[1] - full[0])) this.zoom_.delete(key);
      else this.zoom_.set(key, [low, high]);
    } else {
      this.zoom_.delete(key);
    }
    this.reset_.hidden = !this.zoom_.has(this.current_);
    const shown = this.range(key);
    for (const card of this.cards_) if (card.source.axis.key === key) card.setRange(shown);
  }

  seek(key: string, value: number): void {
    this.playback_.seek(key, value);
  }

  hover(card: PlotCard | null, value: number): void {
    this.hover_ = card === null ? null : value;
    this.showReadout();
  }

  overlay(card: PlotCard): void {
    chooseCsv((file) => this.openOverlay(file, card));
  }

  openOverlay(file: { name: string; text: string }, card: PlotCard | null): void {
    const shown = this.sources.filter((s) => s.axis.key === this.current_);
    overlayDialog(file, shown, card?.source ?? null, (source, series) => this.addMeasured(source, series));
  }

  addMeasured(source: Source, series: Measured): void {
    this.cards_.find((c) => c.source === source)?.addMeasured(series);
  }

  cardAt(element: Element | null): PlotCard | null {
    const plot = element?.closest('.plot');
    return this.cards_.find((c) => c.element === plot) ?? null;
  }

  setTheme(theme: Theme): void {
    this.theme_ = theme;
    for (const card of this.cards_) card.rebuild();
  }

  /** Follows the playback. */
  update(): void {
    for (const card of this.cards_) if (card.visible && card.shown) card.update();
    const where = this.playback_.where();
    for (const list of this.modes_) list.update(where?.key === list.axis.key ? Math.round(where.row) : -1);
    this.showReadout();
  }

  private showReadout(): void {
    const axis = this.groups_.find((g) => g.key === this.current_);
    const x = this.hover_ ?? this.cursor(this.current_);
    this.readout_.classList.toggle('hovering', this.hover_ !== null);
    this.readout_.textContent = axis && Number.isFinite(x) ? `${axis.unit === 's' ? 't' : axis.label} = ${formatNumber(x, 4)}${unitSuffix(axis.unit)}` : '';
  }
}
