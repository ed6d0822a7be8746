/** Rigid bodies: their solids, each body carried by one matrix per frame. */
import * as THREE from 'three';

import type { Drawable } from '../payload.ts';
import { Batch } from './batch.ts';
import { setFrame } from './frame.ts';
import { applyAxes, applyRow } from './maps.ts';
import { bodyGeometry, plain, type ShapeLook } from './shapes.ts';
import { fieldIndex } from './tubes.ts';

export interface BodyPart {
  drawable: Drawable;
  colour: THREE.Color;
}

export class Bodies {
  readonly batch: Batch;
  private readonly instances_: { part: BodyPart; instance: number; depth: number }[] = [];
  private readonly look_: ShapeLook;
  private readonly geometries_: THREE.BufferGeometry[] = [];
  private readonly frame_ = new THREE.Matrix4();
  private readonly origin_ = new Float64Array(3);
  private readonly axes_ = [new Float64Array(3), new Float64Array(3), new Float64Array(3)] as const;

  /** Planar bodies are stacked behind each other, so that they cover and do not cut each other; `size`: of the model [m]. */
  constructor(parts: readonly BodyPart[], isPlanar: boolean, size: number) {
    const shared = new Map<string, THREE.BufferGeometry | null>();
    const drawn: { part: BodyPart; geometry: THREE.BufferGeometry }[] = [];
    let deepest = 0;
    this.look_ = { isPlanar, detail: parts.length > 30 ? 0.5 : 1, least: 0.0018 * size };
    for (const part of parts) {
      const key = JSON.stringify(part.drawable.shapes);
      let geometry = shared.get(key);
      if (geometry === undefined) {
        geometry = bodyGeometry(part.drawable.shapes, this.look_);
        shared.set(key, geometry);
        if (geometry !== null) {
          this.geometries_.push(geometry);
          geometry.computeBoundingBox();
          const box = geometry.boundingBox!;
          deepest = Math.max(deepest, Math.abs(box.min.z), Math.abs(box.max.z));
        }
      }
      if (geometry !== null) drawn.push({ part, geometry });
    }
    this.batch = new Batch(this.geometries_, drawn.length, { vertexColors: true });
    drawn.forEach(({ part, geometry }, i) => {
      const instance = this.batch.add(geometry, part.colour, part.drawable);
      this.instances_.push({ part, instance, depth: isPlanar ? -2.02 * deepest * (1 + (i % 16)) : 0 });
    });
  }

  get isEmpty(): boolean {
    return this.instances_.length === 0;
  }

  update(x: Float64Array): void {
    for (const { part, instance, depth } of this.instances_) {
      applyRow(part.drawable.position, 0, x, this.origin_);
      this.origin_[2]! += depth;
      applyAxes(part.drawable, x, this.axes_);
      setFrame(this.frame_, this.origin_, ...this.axes_);
      this.batch.mesh.setMatrixAt(instance, this.frame_);
    }
  }

  /** Colours of a field; null: own colours. */
  paint(colourOf: ((index: number) => THREE.Color) | null): void {
    for (const { part, instance } of this.instances_) {
      this.batch.mesh.setColorAt(
        instance,
        colourOf === null ? part.colour : colourOf(fieldIndex(part.drawable, 0, Math.max(part.drawable.fieldCount, 1))),
      );
    }
  }

  /** The bodies as they stand, as one geometry with places only. */
  bake(): THREE.BufferGeometry[] {
    return this.instances_.map(({ part, instance }) => {
      const geometry = bodyGeometry(part.drawable.shapes, this.look_)!;
      return plain(geometry.applyMatrix4(this.batch.mesh.getMatrixAt(instance, new THREE.Matrix4())));
    });
  }

  dispose(): void {
    this.batch.dispose();
    for (const geometry of this.geometries_) geometry.dispose();
  }
}
