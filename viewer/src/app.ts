/** The page: joins the playback, the view, the plots and the texts, and answers to window.flexura. */
import { parseHash, type PageState } from './hash.ts';
import type { Report } from './payload.ts';
import { PlotPanel } from './plots/panel.ts';
import { axisKey } from './plots/source.ts';
import { Timeline } from './timeline.ts';
import { download, fileName, h, icon, iconButton, toast } from './ui/dom.ts';
import { Pane } from './ui/pane.ts';
import { aboutPanel, banners, helpDialog, reportFile, scenePanel, summaryPanel } from './ui/panels.ts';
import { splitter } from './ui/splitter.ts';
import { ThemeSwitch } from './ui/theme.ts';
import { type Player, Transport } from './ui/transport.ts';
import { Recording, videoType } from './ui/video.ts';

export class App implements Player {
  readonly timeline: Timeline;
  readonly pane: Pane;
  readonly plots: PlotPanel;
  private readonly transport_: Transport | null;
  private playing_ = false;
  private dirty_ = true;
  private last_ = 0;
  private readonly theme_: ThemeSwitch;
  private readonly tabs_ = new Map<string, { tab: HTMLButtonElement; panel: HTMLElement }>();
  private axis_ = '';
  private recording_: Recording | null = null;

  constructor(
    readonly report: Report,
    root: HTMLElement,
  ) {
    const state = parseHash(location.hash);
    this.theme_ = new ThemeSwitch(state.theme, (theme) => {
      this.pane.setTheme(theme);
      this.plots.setTheme(theme);
      this.moved();
    });
    const first = report.runs[0]!;
    this.timeline = new Timeline(first.playback.map((s) => ({ analysis: s.analysis, type: s.type, axis: s.axis, unit: s.unit, at: s.at, frequency: s.frequency })));
    this.pane = new Pane(report.runs, this.theme_.theme, reportFile(report));
    this.pane.onVideo = () => void this.record();
    this.plots = new PlotPanel(report.runs, { where: () => this.where(), seek: (key, value) => this.seek(key, value) }, this.theme_.theme);
    this.transport_ = this.timeline.isEmpty ? null : new Transport(this);
    this.build(root);
    this.apply(state, true);
    this.listen();
    requestAnimationFrame((now) => this.tick(now));
  }

  private build(root: HTMLElement): void {
    const { report } = this;
    const first = report.runs[0]!;
    const names: Record<string, string> = { finished: 'Finished', interrupted: 'Interrupted', failed: 'Failed', unfinished: 'Unfinished' };
    const compared = report.runs.length > 1;
    const badges = compared
      ? [h('span', { class: 'badge neutral' }, `${report.runs.map((r) => r.name).join(' and ')}`)]
      : [h('span', { class: `badge ${first.status}`, title: first.message || undefined }, names[first.status] ?? first.status)];
    const warnings = report.runs.reduce((n, r) => n + r.warnings.length, 0);
    const header = h(
      'header',
      { class: 'page-header' },
      h('h1', { title: first.title }, compared ? 'Comparison' : first.title || first.name),
      ...badges,
      warnings > 0 && h('span', { class: 'badge warn' }, warnings === 1 ? '1 warning' : `${warnings} warnings`),
      h('span', { class: 'spacer' }),
      h('span', { class: 'program wide-only' }, first.program),
      this.theme_.button,
      iconButton('help', 'Keyboard and mouse (?)', () => helpDialog()),
    );
    const tabList = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Report' });
    const right = h('div', { class: 'right' }, tabList);
    const makers: [string, string, () => HTMLElement][] = [
      ['plots', 'Plots', () => this.plots.element],
      ['summary', compared ? 'Comparison' : 'Summary', () => summaryPanel(report)],
      ['scene', 'Scene', () => scenePanel(report)],
      ['about', 'About', () => aboutPanel(report)],
    ];
    for (const [id, title, make] of makers) {
      const panel = h('div', { class: 'tab-panel', id: `panel-${id}`, role: 'tabpanel', 'aria-labelledby': `tab-${id}`, hidden: true });
      const tab = h('button', { type: 'button', class: 'tab', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}`, onclick: () => this.showTab(id) }, title);
      let made = false;
      tab.addEventListener('flexura-show', () => {
        if (!made) panel.append(make());
        made = true;
      });
      this.tabs_.set(id, { tab, panel });
      tabList.append(tab);
      right.append(panel);
    }
    tabList.addEventListener('keydown', (event) => {
      const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (by === 0) return;
      event.stopPropagation();
      event.preventDefault();
      const ids = [...this.tabs_.keys()];
      const now = ids.findIndex((id) => this.tabs_.get(id)!.tab === document.activeElement);
      const next = ids[(now + by + ids.length) % ids.length]!;
      this.showTab(next);
      this.tabs_.get(next)!.tab.focus();
    });
    const left = h('div', { class: 'left' }, this.pane.element, this.transport_?.element);
    const main = h('main', {}, left, right);
    main.insertBefore(splitter(main), right);
    root.replaceChildren(header);
    const notes = banners(report);
    if (notes) root.append(notes);
    root.append(main);
    this.showTab('plots');
  }

  showTab(id: string): void {
    for (const [name, { tab, panel }] of this.tabs_) {
      const on = name === id;
      tab.setAttribute('aria-selected', String(on));
      tab.tabIndex = on ? 0 : -1;
      if (on) tab.dispatchEvent(new Event('flexura-show'));
      panel.hidden = !on;
    }
  }

  private apply(state: PageState, atStart: boolean): void {
    document.documentElement.classList.toggle('bare', state.ui === 'none');
    if (state.theme !== undefined && !atStart) this.theme_.set(state.theme);
    if (state.legend !== undefined) this.pane.showLegend = state.legend;
    if (!this.timeline.isEmpty) {
      if (state.stretch !== undefined || state.time !== undefined) {
        const stretch = state.stretch ?? this.stretchAt('t', state.time!) ?? 0;
        this.timeline.set(stretch, state.time ?? this.timeline.segments[stretch]?.at[0] ?? 0);
      }
      this.showFrame();
    }
    if (state.follow !== undefined) this.pane.follow(state.follow);
    if (state.view !== undefined) this.pane.setView(state.view);
    if (state.field !== undefined) this.pane.setField(state.field === 'none' ? null : state.field);
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const asked = state.play ?? (atStart && state.time === undefined && state.ui !== 'none' && !calm);
    if (asked) this.play();
    else this.pause();
  }

  // Playback

  isPlaying(): boolean {
    return this.playing_;
  }

  play(): void {
    if (this.timeline.isEmpty) return;
    if (this.timeline.isAtEnd) this.timeline.toStart();
    this.playing_ = true;
    this.last_ = 0;
    this.dirty_ = true;
  }

  pause(): void {
    this.playing_ = false;
    this.dirty_ = true;
    this.transport_?.update();
  }

  moved(): void {
    this.dirty_ = true;
  }

  private tick(now: number): void {
    requestAnimationFrame((next) => this.tick(next));
    if (this.playing_) {
      const seconds = this.last_ > 0 ? Math.min((now - this.last_) / 1000, 0.25) : 0;
      this.last_ = now;
      if (!this.timeline.advance(seconds)) this.pause();
      this.dirty_ = true;
    }
    if (!this.dirty_) return;
    this.dirty_ = false;
    this.showFrame();
  }

  /** Draws where the timeline is, at once. */
  showFrame(): void {
    if (this.timeline.isEmpty) return;
    const { timeline } = this;
    this.pane.setFrame(timeline.stretch, timeline.frame, timeline.phase);
    this.transport_?.update();
    const key = this.where()!.key;
    if (key !== this.axis_) this.plots.showAxis(key);
    this.axis_ = key;
    this.plots.update();
    this.recording_?.frame();
  }

  where(): { key: string; value: number; row: number } | null {
    if (this.timeline.isEmpty) return null;
    const s = this.timeline.segment;
    return { key: axisKey(s.axis, s.analysis), value: this.timeline.value, row: this.timeline.frame };
  }

  /** The stretch that holds a value of an axis, the present one first. */
  private stretchAt(key: string, value: number): number | undefined {
    const fits = this.timeline.segments.filter((s) => axisKey(s.axis, s.analysis) === key);
    if (fits.length === 0) return undefined;
    const inside = fits.filter((s) => s.byFrame || (value >= s.from && value <= s.to));
    const present = inside.find((s) => s.index === this.timeline.stretch);
    const before = [...fits].reverse().find((s) => value >= s.from);
    return (present ?? inside[0] ?? before ?? fits[0]!).index;
  }

  private seek(key: string, value: number): void {
    const stretch = this.stretchAt(key, value);
    if (stretch === undefined) return;
    this.pause();
    const s = this.timeline.segments[stretch]!;
    if (s.byFrame && s.axis !== 'mode') this.timeline.setFrame(stretch, value - 1);
    else this.timeline.set(stretch, value);
    this.moved();
  }

  setTime(stretch: number, value: number, phase?: number): void {
    if (this.timeline.isEmpty) return;
    this.pause();
    this.timeline.set(stretch, value);
    if (phase !== undefined) this.timeline.phase = phase;
    this.showFrame();
  }

  private async record(): Promise<void> {
    const type = videoType();
    if (this.recording_) return this.endRecording();
    if (type === null || !this.pane.view) return toast('This browser cannot record video; flexura render makes one.');
    const note = h('button', { type: 'button', class: 'recording', onclick: () => this.endRecording() }, h('span', { class: 'dot' }), 'Recording: press to stop');
    this.pane.element.append(note);
    const { timeline } = this;
    if (timeline.segment.axis !== 'mode') timeline.setFrame(timeline.stretch, 0);
    this.showFrame();
    const text = () => this.transport_?.describe() ?? '';
    const recording = new Recording(this.pane.view.canvas, (ctx, w, height) => this.pane.decorate(ctx, w, height, { text: text() }), type);
    this.recording_ = recording;
    const loop = timeline.loop;
    timeline.loop = false;
    this.play();
    const from = timeline.stretch;
    const start = performance.now();
    // To the end of this stretch; modes: eight seconds.
    await new Promise<void>((done) => {
      const wait = () => {
        const over = this.recording_ !== recording || !this.playing_ || timeline.stretch !== from || (timeline.segment.axis === 'mode' && performance.now() - start > 8000);
        if (over) done();
        else requestAnimationFrame(wait);
      };
      requestAnimationFrame(wait);
    });
    this.recording_ = null;
    timeline.loop = loop;
    note.remove();
    this.pause();
    const video = await recording.finish();
    if (video.size === 0) return toast('The browser recorded nothing; flexura render makes a video too.');
    download(`${fileName(reportFile(this.report), timeline.segments[from]!.analysis)}.${recording.extension}`, video);
  }

  private endRecording(): void {
    this.recording_ = null;
  }

  // Keyboard, files

  private listen(): void {
    window.addEventListener('hashchange', () => this.apply(parseHash(location.hash), false));
    document.addEventListener('keydown', (event) => this.key(event));
    let inside = 0;
    const veil = h('div', { class: 'veil', hidden: true }, h('div', {}, icon('overlay'), 'Drop a CSV file to lay it over a plot'));
    document.body.append(veil);
    const hasFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    document.addEventListener('dragenter', (event) => {
      if (hasFile(event)) veil.hidden = ++inside === 0;
    });
    document.addEventListener('dragleave', (event) => {
      if (hasFile(event)) veil.hidden = --inside <= 0;
    });
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      inside = 0;
      veil.hidden = true;
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      const card = this.plots.cardAt(document.elementFromPoint(event.clientX, event.clientY));
      void file.text().then((text) => this.plots.openOverlay({ name: file.name, text }, card));
    });
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (target.closest('input:not([type=checkbox]), select, textarea')) return;
    if (event.key === ' ' && target.closest('button, summary, input')) return;
    const onText = target.closest('.code') !== null;
    const { timeline } = this;
    const by = event.shiftKey ? 10 : 1;
    const move = (action: () => void) => {
      if (timeline.isEmpty) return;
      this.pause();
      action();
      this.moved();
    };
    const views = this.pane.view?.views() ?? [];
    if (event.key === '?') helpDialog();
    else if (event.key === ' ') this.playing_ ? this.pause() : this.play();
    else if (event.key === 'ArrowRight' && !onText) move(() => timeline.step(by));
    else if (event.key === 'ArrowLeft' && !onText) move(() => timeline.step(-by));
    else if (event.key === 'Home') move(() => timeline.toStart());
    else if (event.key === 'End') move(() => timeline.toEnd());
    else if (event.key === '+' || event.key === '=') this.transport_?.changeSpeed(1);
    else if (event.key === '-') this.transport_?.changeSpeed(-1);
    else if (/^[1-9]$/.test(event.key) && views[Number(event.key) - 1] !== undefined) this.pane.setView(views[Number(event.key) - 1]!);
    else if (event.key.toLowerCase() === 'c') this.pane.nextField();
    else if (event.key.toLowerCase() === 'r') this.transport_?.toggleLoop();
    else if (!this.pane.toggle(event.key.toLowerCase())) return;
    event.preventDefault();
  }

  /** What tests and `flexura render` use. */
  api(): FlexuraPage {
    const { report, timeline, pane, plots } = this;
    const find = (name: string) => plots.sources.find((s) => s.id === name) ?? fail(`there is no table "${name}"`);
    return {
      ready: Promise.resolve(),
      report,
      stretches: () =>
        timeline.segments.map((s) => ({
          analysis: s.analysis, type: s.type, axis: s.axis, unit: s.unit, start: s.at[0] ?? 0, end: s.at[s.at.length - 1] ?? 0, at: Array.from(s.at),
        })),
      views: () => pane.view?.views() ?? [],
      fields: (stretch) => pane.view?.fields(stretch) ?? [],
      setTime: (stretch, value, phase) => this.setTime(stretch, value, phase),
      time: () => (timeline.isEmpty ? { stretch: -1, value: NaN, frame: NaN } : { stretch: timeline.stretch, value: timeline.value, frame: timeline.frame }),
      play: () => this.play(),
      pause: () => this.pause(),
      isPlaying: () => this.playing_,
      setView: (name) => pane.setView(name),
      setField: (name) => pane.setField(name),
      setTheme: (theme) => this.theme_.set(theme),
      layers: () => pane.layers(),
      show: (layer, on) => pane.show(layer as never, on),
      followable: (stretch) => pane.view?.followable(stretch) ?? [],
      follow: (name) => pane.follow(name),
      tables: () => plots.sources.map((s) => s.id),
      series: (table, column, run = 0) => {
        const source = find(table);
        const c = source.columns.indexOf(column);
        if (c < 0) fail(`table "${table}" has no column "${column}"; it has ${source.columns.join(', ')}`);
        const t = source.tables[run] ?? fail(`run ${run} has no table "${table}"`);
        return { x: Array.from(t.at()), y: Array.from(source.y(run, c) ?? []) };
      },
      cursorValues: () => {
        const out: Record<string, Record<string, number>> = {};
        const where = this.where();
        for (const source of plots.sources) {
          if (where?.key !== source.axis.key) continue;
          const x = source.byRow ? where.row + 1 : where.value;
          const values: Record<string, number> = (out[source.id] = {});
          source.columns.forEach((column, c) => (values[column] = source.at(0, c, x)));
        }
        return out;
      },
      frame: async (width, height, options = {}) => {
        const blob = await pane.picture(width, height, { legend: options.legend, transparent: options.transparent, text: options.label ? (this.transport_?.describe() ?? '') : undefined });
        return new Promise((done, failed) => {
          const reader = new FileReader();
          reader.addEventListener('load', () => done(String(reader.result)));
          reader.addEventListener('error', () => failed(new Error('the picture cannot be read')));
          reader.readAsDataURL(blob);
        });
      },
      stats: () => ({ ...(pane.view?.stats() ?? { drawCalls: 0, triangles: 0, scriptMs: 0 }), webgl: pane.view !== null, message: pane.message }),
    };
  }
}

export interface FlexuraPage {
  ready: Promise<void>;
  report: Report;
  stretches(): { analysis: string; type: string; axis: string; unit: string; start: number; end: number; at: number[] }[];
  views(): string[];
  fields(stretch: number): { name: string; unit: string }[];
  /** `phase` of a mode's swing [rad]. */
  setTime(stretch: number, value: number, phase?: number): void;
  time(): { stretch: number; value: number; frame: number };
  play(): void;
  pause(): void;
  isPlaying(): boolean;
  setView(name: string): void;
  setField(name: string | null): void;
  setTheme(theme: string): void;
  layers(): string[];
  show(layer: string, on: boolean): void;
  followable(stretch: number): string[];
  /** The camera goes along with a part; an empty name: it stands still. */
  follow(name: string): void;
  tables(): string[];
  series(table: string, column: string, run?: number): { x: number[]; y: number[] };
  /** Of the first run, where the playback is. */
  cursorValues(): Record<string, Record<string, number>>;
  /** PNG as a data URL. */
  frame(width: number, height: number, options?: { legend?: boolean; label?: boolean; transparent?: boolean }): Promise<string>;
  stats(): { drawCalls: number; triangles: number; scriptMs: number; webgl: boolean; message: string };
}

function fail(message: string): never {
  throw new Error(message);
}
