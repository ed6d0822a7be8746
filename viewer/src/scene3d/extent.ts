/** How large a model is, over all that it does. */
import * as THREE from 'three';

import { configure, type Drawable, makeConfiguration, type Model, type Shape, type Stretch } from '../payload.ts';
import { setFrame } from './frame.ts';
import { applyAxes, applyRow } from './maps.ts';

/** Frames of a stretch that are looked at. */
const mostFrames = 24;

/** A box and, within it, the outermost points in many directions. */
export class Extent {
  readonly box = new THREE.Box3();
  private readonly most_ = new Float64Array(directions.length).fill(-Infinity);
  private readonly outermost_ = directions.map(() => new THREE.Vector3());

  add(point: THREE.Vector3): void {
    this.box.expandByPoint(point);
    directions.forEach((d, i) => {
      const reach = d.dot(point);
      if (!(reach > this.most_[i]!)) return;
      this.most_[i] = reach;
      this.outermost_[i]!.copy(point);
    });
  }

  get points(): THREE.Vector3[] {
    return this.box.isEmpty() ? [] : this.outermost_;
  }
}

/** Evenly over the sphere, by the golden angle. */
const directions = Array.from({ length: 96 }, (_, i) => {
  const z = 1 - (2 * i + 1) / 96;
  const r = Math.sqrt(1 - z * z);
  const angle = i * Math.PI * (3 - Math.sqrt(5));
  return new THREE.Vector3(r * Math.cos(angle), r * Math.sin(angle), z);
});

/** Corners of boxes around the solids of a body, in its frame. */
export function outline(shapes: readonly Shape[]): THREE.Vector3[] {
  const out: THREE.Vector3[] = [];
  const box = new THREE.Box3();
  for (const shape of shapes) {
    const center = new THREE.Vector3(...shape.center);
    const [a, b, c] = shape.size;
    if (shape.type === 'link') {
      box.setFromPoints([center, new THREE.Vector3(...shape.to)]).expandByScalar(a);
    } else if (shape.type === 'mesh') {
      box.setFromArray(Array.from(shape.vertices));
    } else {
      const half =
        shape.type === 'box'
          ? [a / 2, b / 2, c / 2]
          : shape.type === 'sphere'
            ? [a, a, a]
            : shape.type === 'ellipsoid'
              ? [a, b, c]
              : [Math.max(a, b), Math.max(a, b), c / 2];
      box.makeEmpty();
      for (let corner = 0; corner < 8; ++corner) {
        const x = center.clone();
        for (let k = 0; k < 3; ++k) {
          const axis = new THREE.Vector3().fromArray(shape.axes, 3 * k);
          x.addScaledVector(axis, (corner >> k) & 1 ? half[k]! : -half[k]!);
        }
        box.expandByPoint(x);
      }
    }
    for (let corner = 0; corner < 8; ++corner) {
      const pick = (k: number): THREE.Vector3 => ((corner >> k) & 1 ? box.max : box.min);
      out.push(new THREE.Vector3(pick(0).x, pick(1).y, pick(2).z));
    }
  }
  return out;
}

/** Most rows of a map whose mean is the middle of a thing. */
const mostRows = 64;

/** The middle of what a drawable consists of. */
export function middleOf({ position }: Drawable, x: Float64Array, out: THREE.Vector3): THREE.Vector3 {
  const place = new Float64Array(3);
  const step = Math.max(1, Math.floor(position.size / mostRows));
  let count = 0;
  out.set(0, 0, 0);
  for (let row = 0; row < position.size; row += step, ++count) {
    applyRow(position, row, x, place);
    out.add(new THREE.Vector3().fromArray(place));
  }
  return out.divideScalar(Math.max(count, 1));
}

/** Grows an extent by a model in a configuration. */
class Grower {
  private readonly outlines_: (THREE.Vector3[] | null)[];
  private readonly vectors_ = [new Float64Array(3), new Float64Array(3), new Float64Array(3), new Float64Array(3)] as const;
  private readonly frame_ = new THREE.Matrix4();
  private readonly point_ = new THREE.Vector3();
  private readonly middle_ = new THREE.Vector3();
  private room_ = new Float64Array(0);

  /** `followed`: places are those as seen from its middle. */
  constructor(
    private readonly drawables_: readonly Drawable[],
    private readonly followed_: Drawable | null,
  ) {
    this.outlines_ = drawables_.map((d) => (d.kind === 'body' ? outline(d.shapes) : null));
  }

  grow(extent: Extent, x: Float64Array): void {
    const middle = this.followed_ === null ? this.middle_.set(0, 0, 0) : middleOf(this.followed_, x, this.middle_);
    const add = (point: THREE.Vector3): void => extent.add(point.sub(middle));
    const [origin, a, b, c] = this.vectors_;
    this.drawables_.forEach((d, i) => {
      const corners = this.outlines_[i];
      if (corners) {
        applyRow(d.position, 0, x, origin);
        applyAxes(d, x, [a, b, c]);
        setFrame(this.frame_, origin, a, b, c);
        for (const corner of corners) add(this.point_.copy(corner).applyMatrix4(this.frame_));
        if (corners.length === 0) add(this.point_.fromArray(origin));
        return;
      }
      const n = 3 * d.position.size;
      if (this.room_.length < n) this.room_ = new Float64Array(n);
      d.position.apply(x, this.room_);
      const s = d.section;
      const r = s === undefined ? d.radius : s.type === 'rectangle' ? Math.max(s.width, s.height) / 2 : s.radius;
      for (let k = 0; k < n; k += 3) {
        const [px, py, pz] = [this.room_[k]!, this.room_[k + 1]!, this.room_[k + 2]!];
        if (!Number.isFinite(px + py + pz)) continue;
        add(this.point_.set(px - r, py - r, pz - r));
        add(this.point_.set(px + r, py + r, pz + r));
      }
    });
  }
}

/**
 * Extent of a model over all frames of the stretches that play in it; modes: of what they swing about. `followed`: a
 * drawable from whose middle it is seen.
 */
export function extentOf(model: Model, stretches: readonly Stretch[], followed: Drawable | null = null): Extent {
  const extent = new Extent();
  const grower = new Grower(model.drawables, followed);
  const x = makeConfiguration(model);
  if (stretches.length === 0) grower.grow(extent, x);
  for (const stretch of stretches) {
    const isModes = stretch.axis === 'mode';
    const count = isModes ? 1 : Math.min(stretch.frames, mostFrames);
    for (let i = 0; i < count; ++i) {
      configure(model, stretch, count > 1 ? (i * (stretch.frames - 1)) / (count - 1) : 0, x, 0, 0);
      grower.grow(extent, x);
    }
  }
  if (extent.box.isEmpty()) for (const side of [-0.5, 0.5]) extent.add(new THREE.Vector3(side, side, side));
  return extent;
}

/** Factor of a mode's shape with which nothing moves further than `reach` [m]. */
export function modeAmplitude(model: Model, stretch: Stretch, frame: number, reach: number): number {
  const base = makeConfiguration(model);
  const moved = makeConfiguration(model);
  configure(model, stretch, frame, base, 0, 0);
  configure(model, stretch, frame, moved, Math.PI / 2, 1);
  let most = 0;
  const a = new Float64Array(3);
  const b = new Float64Array(3);
  for (const { position } of model.drawables) {
    for (let row = 0; row < position.size; ++row) {
      applyRow(position, row, base, a);
      applyRow(position, row, moved, b);
      most = Math.max(most, Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!));
    }
  }
  return most > 0 ? reach / most : 0;
}
