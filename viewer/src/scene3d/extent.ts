/** How large a model is, over all that it does. */
import * as THREE from 'three';

import { configure, type Drawable, makeConfiguration, type Model, type Shape, type Stretch } from '../payload.ts';
import { setFrame } from './frame.ts';
import { applyAxes, applyRow } from './maps.ts';

/** Frames of a stretch that are looked at. */
const mostFrames = 24;

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

/** Grows a box by a model in a configuration. */
class Grower {
  private readonly outlines_: (THREE.Vector3[] | null)[];
  private readonly vectors_ = [new Float64Array(3), new Float64Array(3), new Float64Array(3), new Float64Array(3)] as const;
  private readonly frame_ = new THREE.Matrix4();
  private readonly point_ = new THREE.Vector3();
  private room_ = new Float64Array(0);

  constructor(private readonly drawables_: readonly Drawable[]) {
    this.outlines_ = drawables_.map((d) => (d.kind === 'body' ? outline(d.shapes) : null));
  }

  grow(box: THREE.Box3, x: Float64Array): void {
    const [origin, a, b, c] = this.vectors_;
    this.drawables_.forEach((d, i) => {
      const corners = this.outlines_[i];
      if (corners) {
        applyRow(d.position, 0, x, origin);
        applyAxes(d, x, [a, b, c]);
        setFrame(this.frame_, origin, a, b, c);
        for (const corner of corners) box.expandByPoint(this.point_.copy(corner).applyMatrix4(this.frame_));
        if (corners.length === 0) box.expandByPoint(this.point_.fromArray(origin));
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
        box.expandByPoint(this.point_.set(px - r, py - r, pz - r));
        box.expandByPoint(this.point_.set(px + r, py + r, pz + r));
      }
    });
  }
}

/** Box around a model over all frames of the stretches that play in it; modes: around what they swing about. */
export function extentOf(model: Model, stretches: readonly Stretch[]): THREE.Box3 {
  const box = new THREE.Box3();
  const grower = new Grower(model.drawables);
  const x = makeConfiguration(model);
  if (stretches.length === 0) grower.grow(box, x);
  for (const stretch of stretches) {
    const isModes = stretch.axis === 'mode';
    const count = isModes ? 1 : Math.min(stretch.frames, mostFrames);
    for (let i = 0; i < count; ++i) {
      configure(model, stretch, count > 1 ? (i * (stretch.frames - 1)) / (count - 1) : 0, x, 0, 0);
      grower.grow(box, x);
    }
  }
  if (box.isEmpty()) box.set(new THREE.Vector3(-0.5, -0.5, -0.5), new THREE.Vector3(0.5, 0.5, 0.5));
  return box;
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
