/** The 3D view with its tools and its legend. */
import type { Run } from '../payload.ts';
import type { Theme } from '../palette.ts';
import { type Layer, type Legend, View3d } from '../scene3d/view3d.ts';
import { formatNumber, prettyUnit, scaleFor } from '../units.ts';
import { download, fileName, h, icon, iconButton, popover, select, toast } from './dom.ts';

export type { Layer };

const layers: { name: Layer; label: string; key: string; on: boolean }[] = [
  { name: 'reference', label: 'Reference shape', key: 'g', on: false },
  { name: 'trails', label: 'Trails of sensors', key: 't', on: true },
  { name: 'loads', label: 'Loads', key: 'l', on: true },
  { name: 'joints', label: 'Joints', key: 'j', on: true },
  { name: 'frames', label: 'Frames', key: 'f', on: false },
  { name: 'sensors', label: 'Sensors', key: 's', on: true },
  { name: 'grid', label: 'Grid', key: 'x', on: true },
  { name: 'axes', label: 'Axes and scale', key: 'a', on: true },
];

/** A first colouring: how hard something is loaded, or how much it is bent. */
const telling = ['stress', 'von Mises stress', 'curvature'];

export class Pane {
  readonly element: HTMLElement;
  readonly view: View3d | null;
  readonly message: string;
  private readonly stage_ = h('div', { class: 'stage' });
  private readonly legend_ = h('div', { class: 'legend', hidden: true });
  private readonly pick_ = h('div', { class: 'pick', role: 'status', hidden: true });
  private readonly field_: HTMLSelectElement;
  private readonly boxes_ = new Map<Layer, HTMLInputElement>();
  private readonly views_: HTMLElement[] = [];
  private readonly follow_: HTMLSelectElement;
  private stretch_ = -1;
  /** Colouring that was asked for, kept where a stretch has none of that name; undefined: the page's choice. */
  private wanted_: string | null | undefined;
  /** Whether the legend is shown where a field is. */
  showLegend = true;
  onVideo?: () => void;

  constructor(
    runs: Run[],
    theme: Theme,
    readonly title: string,
  ) {
    let view: View3d | null = null;
    let message = '';
    const first = runs[0]!;
    if (first.playback.length === 0) {
      message = 'The run recorded no states to show.';
    } else {
      try {
        view = new View3d(this.stage_, runs, { theme, planar: first.space === 'planar' });
      } catch (error) {
        const damaged = error instanceof Error && error.name === 'DamagedReport';
        message = damaged
          ? `The states cannot be shown: ${error.message}.`
          : 'This browser cannot draw in 3D (WebGL is missing or turned off). Plots and texts work all the same.';
        console.warn(error);
      }
    }
    this.view = view;
    this.message = message;
    this.field_ = select('Colour by', [], (value) => this.setField(value === '' ? null : value), { class: 'field' });
    this.follow_ = select('Camera goes along with', [], (name) => this.follow(name));
    if (view) {
      view.onPick = (info) => this.showPick(info);
      view.canvas.setAttribute('role', 'img');
      view.canvas.setAttribute('aria-label', 'The machine in motion. Drag turns it, the wheel zooms.');
      // A planar model is seen from the front only; both names are for `flexura render`.
      this.views_.push(...this.cameras(first.space === 'planar' ? ['fit'] : view.views()));
      for (const layer of layers) view.show(layer.name, layer.on);
    } else {
      this.stage_.append(h('p', { class: 'stage-message' }, message));
    }
    this.stage_.append(this.legend_, this.pick_);
    this.element = h('section', { class: 'pane', 'aria-label': '3D view' }, view && this.toolbar(), this.stage_);
  }

  private toolbar(): HTMLElement {
    const list = h('div', { class: 'chooser', role: 'group', 'aria-label': 'What is shown' });
    for (const layer of layers) {
      const box = h('input', { type: 'checkbox', checked: layer.on, onchange: () => this.show(layer.name, box.checked) });
      this.boxes_.set(layer.name, box);
      list.append(h('label', {}, box, h('span', {}, layer.label), h('kbd', {}, layer.key.toUpperCase())));
    }
    list.append(h('h4', {}, 'Camera goes along with'), this.follow_);
    const button = h('button', { type: 'button', class: 'button small', title: 'What is shown' }, icon('layers'), h('span', { class: 'wide-only' }, 'Show'));
    return h(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': '3D view' },
      this.field_,
      ...this.views_,
      h('span', { class: 'spacer' }),
      popover(button, list),
      iconButton('camera', 'Picture of the view (PNG)', () => void this.savePicture()),
      iconButton('video', 'Video of the playback', () => this.onVideo?.()),
      iconButton('full', 'Full screen', () => this.toggleFullScreen()),
    );
  }

  /** Buttons; where there are many, on phones a list in their place. */
  private cameras(names: string[]): HTMLElement[] {
    const buttons = names.map((name, i) => h('button', { type: 'button', title: `View ${name} (${i + 1})`, onclick: () => this.setView(name) }, titled(name)));
    const group = h('div', { class: 'segmented', role: 'group', 'aria-label': 'Camera' }, ...buttons);
    if (names.length < 3) return [group];
    group.classList.add('wide-only');
    const options = [{ value: '', text: 'Camera' }, ...names.map((name) => ({ value: name, text: titled(name) }))];
    const list = select(
      'Camera',
      options,
      (name) => {
        if (name !== '') this.setView(name);
        list.value = '';
      },
      { class: 'narrow-only' },
    );
    return [group, list];
  }

  private toggleFullScreen(): void {
    if (document.fullscreenElement) void document.exitFullscreen();
    else this.element.parentElement?.requestFullscreen().catch(() => toast('The browser did not allow full screen.'));
  }

  private showPick(info: { name: string; label: string; value?: string } | null): void {
    this.pick_.hidden = info === null;
    if (!info) return;
    this.pick_.replaceChildren(h('strong', {}, info.name), ...(info.label ? [h('span', {}, info.label)] : []), ...(info.value ? [h('span', { class: 'value' }, info.value)] : []));
  }

  setView(name: string): void {
    this.view?.setView(name);
    this.view?.render();
  }

  setField(name: string | null): void {
    this.wanted_ = name;
    const known = name === null || [...this.field_.options].some((o) => o.value === name);
    const chosen = known ? name : null;
    this.view?.setField(chosen);
    this.field_.value = chosen ?? '';
    this.view?.render();
    this.drawLegend();
  }

  /** The camera goes along with a part; an empty name: it stands still. */
  follow(name: string): void {
    this.view?.follow(name);
    this.view?.render();
    this.follow_.value = name;
  }

  layers(): Layer[] {
    return layers.map((layer) => layer.name);
  }

  show(layer: Layer, on: boolean): void {
    const box = this.boxes_.get(layer);
    if (box) box.checked = on;
    this.view?.show(layer, on);
    this.view?.render();
  }

  /** By its key; returns whether there is such a layer. */
  toggle(key: string): boolean {
    const layer = layers.find((l) => l.key === key);
    if (!layer) return false;
    this.show(layer.name, !this.boxes_.get(layer.name)?.checked);
    return true;
  }

  setFrame(stretch: number, frame: number, phase: number): void {
    if (!this.view) return;
    this.view.setFrame(stretch, frame, phase);
    if (stretch !== this.stretch_) {
      this.stretch_ = stretch;
      this.fillFields();
      this.fillFollow();
    }
    this.view.render();
  }

  private fillFields(): void {
    if (!this.view) return;
    const fields = this.view.fields(this.stretch_);
    const wanted = this.wanted_ === undefined ? telling.find((n) => fields.some((f) => f.name === n)) : this.wanted_;
    this.field_.replaceChildren(
      h('option', { value: '' }, fields.length ? 'Colour: none' : 'No fields'),
      ...fields.map((f) => h('option', { value: f.name, title: f.doc }, `Colour: ${f.name}${f.doc ? ` (${f.doc})` : ''}`)),
    );
    this.field_.disabled = fields.length === 0;
    const kept = fields.some((f) => f.name === wanted) ? wanted! : null;
    this.view.setField(kept);
    this.field_.value = kept ?? '';
    this.drawLegend();
  }

  private fillFollow(): void {
    const names = this.view?.followable(this.stretch_) ?? [];
    const kept = names.includes(this.follow_.value) ? this.follow_.value : '';
    this.follow_.replaceChildren(h('option', { value: '' }, 'nothing'), ...names.map((name) => h('option', { value: name }, name)));
    this.follow_.value = kept;
  }

  setTheme(theme: Theme): void {
    this.view?.setTheme(theme);
    this.view?.render();
    this.drawLegend();
  }

  /** The next colouring of the list. */
  nextField(): void {
    const names = [...this.field_.options].map((o) => o.value);
    const next = names[(names.indexOf(this.field_.value) + 1) % names.length];
    this.setField(next ? next : null);
  }

  private drawLegend(): void {
    const legend = this.view?.legend() ?? null;
    this.legend_.hidden = legend === null || !this.showLegend;
    if (!legend) return;
    const { title, note, marks } = legendTexts(legend);
    const bar = h('div', { class: 'legend-bar' });
    bar.style.background = `linear-gradient(to right, ${legend.colors.join(', ')})`;
    this.legend_.replaceChildren(...[
      h('div', { class: 'legend-title' }, title),
      note !== '' && h('div', { class: 'legend-note' }, note),
      bar,
      h('div', { class: 'legend-marks' }, ...marks.map((mark) => h('span', {}, mark))),
    ].filter((e) => e !== false));
  }

  /** The view with its legend, and a line of text beneath. */
  async picture(width: number, height: number, options: { legend?: boolean; text?: string; transparent?: boolean } = {}): Promise<Blob> {
    if (!this.view) throw new Error(this.message);
    this.view.isTransparent = options.transparent === true;
    const drawn = this.view.picture(width, height);
    this.view.isTransparent = false;
    this.view.render();
    const image = await createImageBitmap(await drawn);
    const canvas = h('canvas', { width, height });
    const ctx = canvas.getContext('2d')!;
    ctx.drawImage(image, 0, 0, width, height);
    this.decorate(ctx, width, height, options);
    return new Promise((done, fail) => canvas.toBlob((b) => (b ? done(b) : fail(new Error('no picture'))), 'image/png'));
  }

  /** Legend and text, drawn over a picture. */
  decorate(ctx: CanvasRenderingContext2D, width: number, height: number, options: { legend?: boolean; text?: string }): void {
    const legend = options.legend === false ? null : (this.view?.legend() ?? null);
    const style = getComputedStyle(document.documentElement);
    const size = Math.max(11, Math.round(Math.min(height / 48, width / 60)));
    ctx.fillStyle = style.getPropertyValue('--ink').trim() || '#222';
    ctx.textBaseline = 'alphabetic';
    ctx.textAlign = 'left';
    ctx.font = `${size}px system-ui, sans-serif`;
    if (options.text) ctx.fillText(options.text, size, 2 * size);
    if (!legend) return;
    const { title, note, marks } = legendTexts(legend);
    const w = Math.min(width * 0.3, 20 * size);
    const left = width - w - size;
    const top = height - 2.9 * size;
    const gradient = ctx.createLinearGradient(left, 0, left + w, 0);
    legend.colors.forEach((c, i) => gradient.addColorStop(i / Math.max(1, legend.colors.length - 1), c));
    ctx.fillText(title, left, top - (note === '' ? 0.5 : 1.7) * size);
    if (note !== '') {
      ctx.font = `${0.85 * size}px system-ui, sans-serif`;
      ctx.fillText(note, left, top - 0.5 * size, w);
      ctx.font = `${size}px system-ui, sans-serif`;
    }
    const ink = ctx.fillStyle;
    ctx.fillStyle = gradient;
    ctx.fillRect(left, top, w, 0.8 * size);
    ctx.fillStyle = ink;
    marks.forEach((mark, i) => {
      ctx.textAlign = i === 0 ? 'left' : i === 1 ? 'center' : 'right';
      ctx.fillText(mark, left + (w * i) / 2, top + 2 * size);
    });
  }

  private async savePicture(): Promise<void> {
    try {
      const { canvas } = this.view!;
      const scale = Math.max(1, 1920 / Math.max(canvas.clientWidth, 1));
      const blob = await this.picture(Math.round(canvas.clientWidth * scale), Math.round(canvas.clientHeight * scale));
      download(`${fileName(this.title)}.png`, blob);
    } catch (error) {
      toast(`No picture: ${error instanceof Error ? error.message : 'failed'}`);
    }
  }
}

/** Name with its unit, what it is, and the numbers at both ends and in the middle. */
function legendTexts({ name, doc, unit: own, low, high, isLower, isHigher }: Legend): { title: string; note: string; marks: string[] } {
  const size = Math.max(Math.abs(low), Math.abs(high));
  const { factor, unit } = scaleFor(own, size);
  const middle = (low + high) / 2;
  // Zero where a number misses it by rounding: the middle of symmetric limits, a stress where there is none.
  const marks = [low, middle, high].map((mark) => (Math.abs(mark) < 1e-9 * size ? 0 : mark));
  const signs = [isLower ? '≤ ' : '', '', isHigher ? '≥ ' : ''];
  return {
    title: unit === '1' ? name : `${name} [${prettyUnit(unit)}]`,
    note: doc,
    marks: marks.map((m, i) => signs[i]! + formatNumber(m * factor, 3)),
  };
}

function titled(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
