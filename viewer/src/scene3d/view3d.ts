/** The 3D view of a report. It draws when something has changed, and only then. */
import * as THREE from 'three';

import type { Field, Run } from '../payload.ts';
import type { Theme as ThemeName } from '../palette.ts';
import { noiseFloor, quiet } from '../plots/axis.ts';
import { fractionalIndex, valueAt } from '../timeline.ts';
import { prettyUnit, scaleFor, trimmed } from '../units.ts';
import { Camera } from './camera.ts';
import { colourRange, cssColours } from './colormap.ts';
import { Hud } from './hud.ts';
import { type Layer, RunView } from './run_view.ts';
import { Stage } from './stage.ts';
import { themes } from './theme.ts';

export type { Layer } from './run_view.ts';

/** Below this the axes and the scale bar are drawn smaller [px]. */
const smallScreen = 420;

export interface FieldInfo {
  name: string;
  unit: string;
  doc: string;
}

export interface Legend {
  name: string;
  doc: string;
  unit: string;
  low: number;
  high: number;
  /** Some numbers lie beyond the ends of the colours. */
  isLower: boolean;
  isHigher: boolean;
  colors: string[];
}

interface FoundField {
  field: Field;
  low: number;
  high: number;
  isLower: boolean;
  isHigher: boolean;
  all: (Field | null)[];
}

export interface PickInfo {
  name: string;
  label: string;
  /** Value of the shown field with its unit. */
  value?: string;
}

export interface ViewStats {
  drawCalls: number;
  triangles: number;
  /** Script of a frame, median of the last 31: moving everything, and handing it to WebGL [ms]. */
  scriptMs: number;
}

export class View3d {
  readonly canvas: HTMLCanvasElement;
  onPick?: (info: PickInfo | null) => void;
  private readonly renderer_: THREE.WebGLRenderer;
  private readonly scene_ = new THREE.Scene();
  private readonly camera_: Camera;
  private readonly stage_: Stage;
  private readonly hud_: Hud;
  private readonly runs_: RunView[];
  private readonly ray_ = new THREE.Raycaster();
  private readonly pointer_ = { x: 0, y: 0, isOver: false, isDown: false, isNew: false };
  private readonly observer_: ResizeObserver | null;
  private readonly stop_ = new AbortController();
  private theme_: ThemeName;
  private stretch_ = -1;
  private areAxesShown_ = true;
  /** Name of what the camera goes along with, and where that was when it last did. */
  private followed_ = '';
  private readonly followedAt_ = new THREE.Vector3();
  private frame_ = 0;
  private phase_: number | undefined;
  private field_: string | null = null;
  private fieldOf_ = -2;
  private isStale_ = true;
  private request_ = 0;
  private isDirty_ = false;
  private readonly spent_ = new Float64Array(31);
  private painted_ = 0;
  private drawn_ = { calls: 0, triangles: 0 };
  private picked_ = '';

  constructor(
    private readonly container_: HTMLElement,
    runs: Run[],
    options: { theme: ThemeName; planar: boolean },
  ) {
    try {
      this.renderer_ = new THREE.WebGLRenderer({ antialias: true, alpha: true, powerPreference: 'high-performance' });
    } catch {
      throw new Error('The 3D view needs WebGL 2, which this browser does not offer or has turned off.');
    }
    const { planar } = options;
    this.theme_ = options.theme;
    const theme = themes[options.theme];
    this.renderer_.info.autoReset = false;
    this.renderer_.autoClear = false;
    this.renderer_.shadowMap.enabled = !planar;
    this.renderer_.shadowMap.type = THREE.PCFShadowMap;
    this.canvas = this.renderer_.domElement;
    this.canvas.style.cssText = 'display: block; width: 100%; height: 100%; touch-action: none; outline: none;';
    container_.append(this.canvas);
    this.stage_ = new Stage(planar);
    this.hud_ = new Hud(planar);
    this.stage_.setTheme(theme);
    this.hud_.setTheme(theme);
    this.runs_ = runs.map((run, i) => new RunView(run, planar, theme, i > 0));
    this.scene_.add(this.stage_.group, ...this.runs_.map((run) => run.group));
    this.camera_ = new Camera(planar, this.canvas, () => this.schedule());
    this.listen();
    this.observer_ = typeof ResizeObserver === 'function' ? new ResizeObserver(() => this.resize()) : null;
    this.observer_?.observe(container_);
    this.resize();
    if (runs[0] !== undefined && runs[0].playback.length > 0) this.setFrame(0, 0);
  }

  /** `frame`: fractional index; `phase`: of a mode's swing, base + amplitude · sin(phase) · shape. */
  setFrame(stretch: number, frame: number, phase?: number): void {
    const isOther = stretch !== this.stretch_;
    this.stretch_ = stretch;
    this.frame_ = frame;
    this.phase_ = phase;
    if (isOther) {
      if (this.followed_ !== '') this.move();
      this.fit();
      this.chooseField();
    }
    this.isStale_ = true;
    this.schedule();
  }

  fields(stretch: number): FieldInfo[] {
    return (this.runs_[0]?.run.playback[stretch]?.fields ?? []).map(({ name, unit, doc }) => ({ name, unit, doc }));
  }

  setField(name: string | null): void {
    this.field_ = name;
    this.fieldOf_ = -2;
    this.chooseField();
    this.isStale_ = true;
    this.schedule();
  }

  legend(): Legend | null {
    const found = this.findFields();
    if (found === null) return null;
    const { field, low, high, isLower, isHigher } = found;
    return { name: field.name, doc: field.doc, unit: field.unit, low, high, isLower, isHigher, colors: cssColours(field.signed ? 'diverging' : themes[this.theme_].sequential) };
  }

  views(): string[] {
    return this.camera_.views();
  }

  setView(name: string): void {
    this.camera_.setView(name);
    this.schedule();
  }

  show(layer: Layer, on: boolean): void {
    if (layer === 'grid') this.stage_.isGridShown = on;
    if (layer === 'axes') this.areAxesShown_ = on;
    for (const run of this.runs_) run.show(layer, on);
    this.isStale_ = true;
    this.schedule();
  }

  /** Nothing behind the model, for pictures to lay over something. */
  set isTransparent(on: boolean) {
    this.stage_.isBackgroundShown = !on;
    this.schedule();
  }

  /** What the camera can go along with, by the name of its part. */
  followable(stretch: number): string[] {
    const run = this.runs_[0]?.run;
    const model = run?.models[run.playback[stretch]?.model ?? -1];
    const kinds = ['body', 'curve', 'surface', 'point', 'sensor'];
    const moving = model?.drawables.filter((d) => kinds.includes(d.kind) && d.position.size > 0) ?? [];
    return [...new Set(moving.map((d) => d.name))].slice(0, 300);
  }

  /** Keeps a part where it is in the picture; an empty name: stands still. */
  follow(name: string): void {
    this.followed_ = '';
    this.move();
    this.followed_ = name;
    this.fit();
    this.schedule();
  }

  setTheme(name: ThemeName): void {
    this.theme_ = name;
    const theme = themes[name];
    this.stage_.setTheme(theme);
    this.hud_.setTheme(theme);
    for (const run of this.runs_) run.setTheme(theme);
    this.isStale_ = true;
    this.schedule();
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.container_;
    if (width === 0 || height === 0) return;
    this.renderer_.setPixelRatio(Math.min(globalThis.devicePixelRatio || 1, 2));
    this.renderer_.setSize(width, height, false);
    this.camera_.setSize(width, height);
    this.render();
  }

  /** Draws now. Nothing needs to call this: changes are drawn with the next frame of the screen. */
  render(): void {
    if (this.stop_.signal.aborted) return; // disposed
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.isDirty_ = false;
    const isMoving = this.camera_.update();
    this.paint(Math.max(width, 1), Math.max(height, 1), Math.min(width, height) < smallScreen ? 0.8 : 1);
    if (isMoving) this.schedule();
  }

  stats(): ViewStats {
    const spent = this.spent_.slice(0, Math.min(this.painted_, this.spent_.length)).sort();
    const { calls: drawCalls, triangles } = this.drawn_;
    return { drawCalls, triangles, scriptMs: spent[spent.length >> 1] ?? 0 };
  }

  /** A picture of the present frame, as PNG. */
  picture(width: number, height: number): Promise<Blob> {
    this.camera_.settle();
    const ratio = this.renderer_.getPixelRatio();
    const size = this.renderer_.getSize(new THREE.Vector2());
    this.renderer_.setPixelRatio(1);
    this.renderer_.setSize(width, height, false);
    this.camera_.setSize(width, height);
    this.paint(width, height, Math.max(1, Math.min(width / 900, height / 560)));
    const blob = new Promise<Blob>((resolve, reject) => {
      this.canvas.toBlob((made) => (made ? resolve(made) : reject(new Error('The picture is too large.'))), 'image/png');
    });
    this.renderer_.setPixelRatio(ratio);
    this.renderer_.setSize(size.x, size.y, false);
    this.camera_.setSize(size.x, size.y);
    this.render();
    return blob;
  }

  dispose(): void {
    cancelAnimationFrame(this.request_);
    this.stop_.abort();
    this.observer_?.disconnect();
    this.camera_.dispose();
    for (const run of this.runs_) run.dispose();
    this.stage_.dispose();
    this.hud_.dispose();
    this.renderer_.dispose();
    this.canvas.remove();
  }

  // Drawing -----------------------------------------------------------------------------------------------------------

  private schedule(): void {
    this.isDirty_ = true;
    this.wake();
  }

  private wake(): void {
    if (this.request_ !== 0) return;
    this.request_ = requestAnimationFrame(() => {
      this.request_ = 0;
      if (this.isDirty_) this.render();
      this.pickIfNew();
    });
  }

  /** `scale`: of what has its size in pixels. */
  private paint(width: number, height: number, scale: number): void {
    const start = performance.now();
    if (this.isStale_) this.move();
    const renderer = this.renderer_;
    const perPixel = this.camera_.perPixel(height);
    this.stage_.setMagnification(perPixel * scale);
    renderer.info.reset();
    renderer.clear();
    renderer.render(this.scene_, this.camera_.camera);
    if (this.areAxesShown_) {
      this.hud_.update(this.camera_.camera, width / scale, height / scale, perPixel * scale);
      renderer.clearDepth();
      renderer.render(this.hud_.scene, this.hud_.camera);
    }
    const { calls, triangles } = renderer.info.render;
    this.drawn_ = { calls, triangles };
    const spent = performance.now() - start;
    this.spent_[this.painted_++ % this.spent_.length] = spent;
  }

  /** Brings all runs to the present frame: others to the same time as the first. */
  private move(): void {
    this.isStale_ = false;
    const [first, ...others] = this.runs_;
    if (first === undefined || this.stretch_ < 0) return;
    const phase = this.phase_ ?? Math.PI / 2;
    first.setFrame(this.stretch_, this.frame_, phase);
    const stretch = first.run.playback[this.stretch_];
    for (const other of others) {
      const index = this.partner(other.run);
      const theirs = other.run.playback[index];
      if (stretch === undefined || theirs === undefined) continue;
      other.setFrame(index, fractionalIndex(theirs.at, valueAt(stretch.at, this.frame_)), phase);
    }
    const place = this.followed_ === '' ? null : first.placeOf(this.stretch_, this.followed_);
    if (place === null) return;
    this.camera_.shift(place.clone().sub(this.followedAt_));
    this.followedAt_.copy(place);
  }

  /** The stretch of another run that is compared with the present one. */
  private partner(run: Run): number {
    const analysis = this.runs_[0]?.run.playback[this.stretch_]?.analysis;
    if (run.playback[this.stretch_]?.analysis === analysis) return this.stretch_;
    return run.playback.findIndex((s) => s.analysis === analysis);
  }

  private fit(): void {
    const box = new THREE.Box3();
    const points: THREE.Vector3[] = [];
    for (const run of this.runs_) {
      const index = run === this.runs_[0] ? this.stretch_ : this.partner(run.run);
      const extent = run.extent(index);
      if (!extent) continue;
      box.union(extent.box);
      points.push(...extent.points);
    }
    if (box.isEmpty()) return;
    this.stage_.fit(box);
    const about = this.followed_ === '' ? null : this.runs_[0]!.extentAbout(this.stretch_, this.followed_);
    if (about === null) return this.camera_.setBox(box, points);
    const at = this.runs_[0]!.placeOf(this.stretch_, this.followed_)!;
    this.followedAt_.copy(at);
    this.camera_.setBox(about.box.clone().translate(at), about.points.map((p) => p.clone().add(at)));
  }

  // Fields ------------------------------------------------------------------------------------------------------------

  /** The chosen field of each run, and the ends of its colours over all of them. */
  private findFields(): FoundField | null {
    if (this.field_ === null) return null;
    const all = this.runs_.map((run, i) => {
      const index = i === 0 ? this.stretch_ : this.partner(run.run);
      return run.run.playback[index]?.fields.find(({ name }) => name === this.field_) ?? null;
    });
    const field = all[0];
    if (!field) return null;
    const known = all.filter((f) => f !== null);
    const [low, high] = colourRange(
      Math.min(...known.map((f) => f.from)),
      Math.max(...known.map((f) => f.to)),
      field.signed,
    );
    const isLower = known.some((f) => f.low < low), isHigher = known.some((f) => f.high > high);
    return { field, low, high, isLower, isHigher, all };
  }

  private chooseField(): void {
    if (this.fieldOf_ === this.stretch_) return;
    this.fieldOf_ = this.stretch_;
    const found = this.findFields();
    this.runs_.forEach((run, i) => run.setField(found?.all[i] ?? null, found?.low ?? 0, found?.high ?? 1));
  }

  // Pointer -----------------------------------------------------------------------------------------------------------

  private listen(): void {
    const { signal } = this.stop_;
    const pointer = this.pointer_;
    const at = (event: PointerEvent): void => {
      const box = this.canvas.getBoundingClientRect();
      pointer.x = ((event.clientX - box.left) / box.width) * 2 - 1;
      pointer.y = 1 - ((event.clientY - box.top) / box.height) * 2;
      pointer.isOver = true;
      pointer.isNew = true;
      if (this.onPick) this.wake();
    };
    this.canvas.addEventListener('pointermove', at, { signal });
    this.canvas.addEventListener('pointerdown', () => (pointer.isDown = true), { signal });
    const release = (event: PointerEvent): void => {
      if (pointer.isDown && event.target === this.canvas) at(event); // a tap picks
      pointer.isDown = false;
    };
    globalThis.addEventListener('pointerup', release, { signal });
    globalThis.addEventListener('pointercancel', release, { signal });
    this.canvas.addEventListener(
      'pointerleave',
      () => {
        pointer.isOver = false;
        this.tell(null);
      },
      { signal },
    );
    this.canvas.addEventListener('webglcontextlost', (event) => event.preventDefault(), { signal });
    this.canvas.addEventListener('webglcontextrestored', () => this.schedule(), { signal });
  }

  private pickIfNew(): void {
    const pointer = this.pointer_;
    if (!pointer.isNew || !this.onPick) return;
    pointer.isNew = false;
    if (!pointer.isOver || pointer.isDown) return;
    this.ray_.setFromCamera(new THREE.Vector2(pointer.x, pointer.y), this.camera_.camera);
    for (const run of this.runs_) {
      const hit = run.pick(this.ray_);
      if (hit === null) continue;
      const value = run.valueAt(hit);
      const text = value === undefined ? undefined : this.textOf(value);
      this.tell({
        name: hit.drawable.name,
        label: hit.drawable.label,
        ...(text === undefined ? {} : { value: text }),
      });
      return;
    }
    this.tell(null);
  }

  /** A value of the shown field, in the unit that suits its range. */
  private textOf(value: number): string {
    const found = this.findFields();
    if (found === null) return trimmed(value, 4);
    const size = Math.max(Math.abs(found.low), Math.abs(found.high));
    const { factor, unit } = scaleFor(found.field.unit, size);
    const name = unit === '1' ? '' : prettyUnit(unit);
    return `${trimmed(quiet(value, noiseFloor(size, 0)) * factor, 4)}${name.startsWith('10') ? '·' : ' '}${name}`.trim();
  }

  private tell(info: PickInfo | null): void {
    const key = info === null ? '' : `${info.name} ${info.value ?? ''}`;
    if (key === this.picked_) return;
    this.picked_ = key;
    this.onPick?.(info);
  }
}
