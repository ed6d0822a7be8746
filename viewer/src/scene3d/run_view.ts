/** A run, drawn: its models, each made when a stretch first plays in it, and what is shown of them. */
import * as THREE from 'three';

import { configure, type Field, type Model, type Run, type Stretch } from '../payload.ts';
import { Extent, extentOf, middleOf, modeAmplitude } from './extent.ts';
import type { GlyphLayer } from './glyphs.ts';
import { type Hit, ModelView } from './model_view.ts';
import { accents, type Theme } from './theme.ts';
import { Trails } from './trails.ts';

/** Largest displacement of a mode, as a share of the model's size. */
const modeReach = 0.1;

export type Layer = 'reference' | 'trails' | 'loads' | 'joints' | 'frames' | 'sensors' | 'grid' | 'axes';

interface DrawnModel {
  view: ModelView;
  /** Around all frames of what moves, and around what modes swing about. */
  extent: { motion: Extent; modes: Extent };
  /** Diagonal of the latter's box [m]. */
  modesSize: number;
}

function diagonal(box: THREE.Box3): number {
  return Math.max(box.getSize(new THREE.Vector3()).length(), 1e-9);
}

/** Largest of each quantity over a stretch, shared by all of one unit and kind: arrows compare. */
function longestOf(model: Model, stretch: Stretch): number[] {
  const n = model.quantities.length;
  const most = new Map<string, number>();
  const { quantities } = stretch;
  if (quantities === undefined) return [];
  const row = new Float64Array(3 * n);
  for (let f = 0; f < stretch.frames; ++f) {
    quantities.row(f, row);
    model.quantities.forEach(({ unit }, i) => {
      const length = Math.hypot(row[3 * i]!, row[3 * i + 1]!, row[3 * i + 2]!);
      if (length > (most.get(unit) ?? 0)) most.set(unit, length);
    });
  }
  return model.quantities.map(({ unit }) => most.get(unit) ?? 0);
}

export class RunView {
  readonly group = new THREE.Group();
  private readonly models_: (DrawnModel | undefined)[] = [];
  private readonly trails_ = new Map<number, Trails | null>();
  private readonly amplitudes_ = new Map<string, number>();
  private readonly longest_ = new Map<number, number[]>();
  private readonly shown_: Record<Layer, boolean> = {
    reference: false,
    trails: true,
    loads: true,
    joints: true,
    frames: false,
    sensors: true,
    grid: true,
    axes: true,
  };
  private stretch_ = -1;
  private field_: { field: Field; low: number; high: number } | null = null;
  private quantities_ = new Float64Array(0);
  private values_ = new Float64Array(0);

  constructor(
    readonly run: Run,
    private readonly isPlanar_: boolean,
    private theme_: Theme,
    private readonly isCompared_: boolean,
  ) {}

  /** Makes a stretch the one that plays. */
  private enter(index: number): DrawnModel | undefined {
    const stretch = this.run.playback[index];
    if (stretch === undefined) return undefined;
    const drawn = this.modelOf(stretch.model);
    if (index !== this.stretch_) {
      this.stretch_ = index;
      this.models_.forEach((other) => {
        if (other) other.view.group.visible = other === drawn;
      });
      this.showTrails();
    }
    return drawn;
  }

  private modelOf(index: number): DrawnModel {
    const made = this.models_[index];
    if (made !== undefined) return made;
    const model = this.run.models[index]!;
    const played = this.run.playback.filter((s) => s.model === index);
    const modes = extentOf(model, played.filter((s) => s.axis === 'mode'));
    const moving = played.filter((s) => s.axis !== 'mode');
    const motion = moving.length > 0 ? extentOf(model, moving) : modes;
    const view = new ModelView(model, this.isPlanar_, diagonal(motion.box), this.theme_, this.isCompared_);
    for (const layer of ['loads', 'joints', 'frames', 'sensors'] as const) view.show(layer, this.shown_[layer]);
    view.group.visible = false;
    if (this.shown_.reference) view.showGhost(true, model.reference);
    this.group.add(view.group);
    return (this.models_[index] = { view, extent: { motion, modes }, modesSize: diagonal(modes.box) });
  }

  /** Of all frames of the model that a stretch plays in; of modes, with their swings. */
  extent(stretch: number): Extent | null {
    const played = this.run.playback[stretch];
    if (played === undefined || this.run.models[played.model] === undefined) return null;
    const { extent, modesSize } = this.modelOf(played.model);
    if (played.axis !== 'mode') return extent.motion;
    const reach = modeReach * modesSize;
    const around = new Extent();
    const swing = new THREE.Vector3(reach, reach, this.isPlanar_ ? 0 : reach);
    for (const point of extent.modes.points) {
      around.add(point.clone().add(swing));
      around.add(point.clone().sub(swing));
    }
    return around;
  }

  /** The same as seen from the middle of a drawable; null where the stretch has none of that name. */
  extentAbout(stretch: number, name: string): Extent | null {
    const played = this.run.playback[stretch];
    const model = played && this.run.models[played.model];
    const followed = model?.drawables.find((d) => d.name === name && d.position.size > 0);
    return played && model && followed ? extentOf(model, [played], followed) : null;
  }

  /** Middle of a drawable in the present frame of a stretch. */
  placeOf(stretch: number, name: string): THREE.Vector3 | null {
    const played = this.run.playback[stretch];
    if (played === undefined) return null;
    const { view } = this.modelOf(played.model);
    const followed = view.model.drawables.find((d) => d.name === name && d.position.size > 0);
    return followed ? middleOf(followed, view.configuration, new THREE.Vector3()) : null;
  }

  setFrame(index: number, frame: number, phase: number): void {
    const drawn = this.enter(index);
    const stretch = this.run.playback[index];
    if (drawn === undefined || stretch === undefined) return;
    const { view } = drawn;
    const { model, configuration } = view;
    const isModes = stretch.axis === 'mode';
    const at = Math.min(Math.max(isModes ? Math.round(frame) : frame, 0), stretch.frames - 1);
    configure(model, stretch, at, configuration, phase, isModes ? this.amplitude(index, at, drawn) : 1);
    let longest: readonly number[] = [];
    if (stretch.quantities !== undefined && model.quantities.length > 0) {
      if (this.quantities_.length !== 3 * model.quantities.length) {
        this.quantities_ = new Float64Array(3 * model.quantities.length);
      }
      stretch.quantities.row(at, this.quantities_);
      let known = this.longest_.get(index);
      if (known === undefined) this.longest_.set(index, (known = longestOf(model, stretch)));
      longest = known;
    }
    view.update(longest.length > 0 ? this.quantities_ : null, longest);
    this.paint(view, at);
    this.trails_.get(index)?.setFrame(at);
  }

  private paint(view: ModelView, frame: number): void {
    if (this.field_ === null) {
      view.paint(null, 0, 1, false);
      return;
    }
    const { field, low, high } = this.field_;
    const n = field.values.columns;
    if (this.values_.length !== n) this.values_ = new Float64Array(n);
    field.values.row(frame, this.values_);
    view.paint(this.values_, low, high, field.signed);
  }

  private amplitude(index: number, frame: number, drawn: DrawnModel): number {
    const key = `${index} ${frame}`;
    let amplitude = this.amplitudes_.get(key);
    if (amplitude === undefined) {
      amplitude = modeAmplitude(drawn.view.model, this.run.playback[index]!, frame, modeReach * drawn.modesSize);
      this.amplitudes_.set(key, amplitude);
    }
    return amplitude;
  }

  /** The field that colours from the next frame on, with the ends of its colours. */
  setField(field: Field | null, low: number, high: number): void {
    this.field_ = field === null ? null : { field, low, high };
  }

  show(layer: Layer, on: boolean): void {
    this.shown_[layer] = on;
    if (layer === 'trails') this.showTrails();
    else if (layer === 'reference') {
      for (const drawn of this.models_) drawn?.view.showGhost(on && !this.isCompared_, drawn.view.model.reference);
    } else if (layer !== 'grid' && layer !== 'axes') {
      for (const drawn of this.models_) drawn?.view.show(layer as GlyphLayer, on);
    }
  }

  private showTrails(): void {
    const stretch = this.run.playback[this.stretch_];
    const isOn = this.shown_.trails && stretch !== undefined && stretch.axis !== 'mode' && stretch.frames > 1;
    if (isOn && !this.trails_.has(this.stretch_)) {
      const { view } = this.modelOf(stretch.model);
      const sensors = view.model.drawables.filter((d) => d.kind === 'sensor' && d.position.size > 0);
      const colour = new THREE.Color(this.isCompared_ ? accents.compared : accents.trail);
      const trails = sensors.length > 0 ? new Trails(view.model, stretch, sensors, view.lift, colour) : null;
      if (trails) this.group.add(trails.group);
      this.trails_.set(this.stretch_, trails);
    }
    for (const [index, trails] of this.trails_) if (trails) trails.group.visible = isOn && index === this.stretch_;
  }

  setTheme(theme: Theme): void {
    this.theme_ = theme;
    for (const drawn of this.models_) drawn?.view.setTheme(theme);
  }

  pick(ray: THREE.Raycaster): Hit | null {
    const stretch = this.run.playback[this.stretch_];
    return stretch === undefined ? null : (this.models_[stretch.model]?.view.pick(ray) ?? null);
  }

  /** Value of the shown field where something was hit. */
  valueAt(hit: Hit): number | undefined {
    if (this.field_ === null || hit.index < 0) return undefined;
    const value = this.values_[hit.index];
    return value !== undefined && Number.isFinite(value) ? value : undefined;
  }

  dispose(): void {
    for (const drawn of this.models_) drawn?.view.dispose();
    for (const trails of this.trails_.values()) trails?.dispose();
  }
}
