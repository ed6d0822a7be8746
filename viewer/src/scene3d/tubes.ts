/** All tubes of a model in one mesh: curves, and the coils of springs. */
import * as THREE from 'three';

import type { Drawable } from '../payload.ts';
import { type PaintUniforms, paintedMaterial } from './painted.ts';
import {
  directorFrames,
  minimisingFrames,
  Path,
  planarFrames,
  type Profile,
  pushTriangles,
  sweep,
  unitTangents,
  vertexCount,
} from './tube.ts';

/** One tube: where its path runs and what is swept along it. */
export interface Strand {
  drawable: Drawable;
  colour: THREE.Color;
  samples: number;
  profile: Profile;
  /** Where the section changes along the path: see scaleOf. */
  scale?: Float32Array;
  /** Sets places and unit frames of the path. */
  place(x: Float64Array, path: Path): void;
}

/** A curve of the model. */
export function curveStrand(
  drawable: Drawable,
  profile: Profile,
  colour: THREE.Color,
  isPlanar: boolean,
  scale?: Float32Array,
): Strand {
  const samples = drawable.position.size;
  const { position, tangent, second, third } = drawable;
  const hasSecond = third !== undefined && third.size === samples;
  const hasFirst = second !== undefined && second.size === samples;
  return {
    drawable,
    colour,
    samples,
    profile,
    scale,
    place(x, path) {
      position.apply(x, path.p);
      if (tangent !== undefined && tangent.size === samples) tangent.apply(x, path.t);
      else path.t.fill(0);
      unitTangents(path, samples);
      if (hasFirst) {
        second.apply(x, path.u);
        if (hasSecond) third.apply(x, path.v);
        directorFrames(path, samples, hasSecond);
        if (hasSecond) turnRight(path, samples);
      } else if (isPlanar) planarFrames(path, samples);
      else minimisingFrames(path, samples);
    },
  };
}

/** Turns left-handed frames (u × v against t) over, so that the outside stays in front. */
function turnRight(path: Path, n: number): void {
  const { t, u, v } = path;
  for (let o = 0; o < 3 * n; o += 3) {
    const volume =
      (u[o + 1]! * v[o + 2]! - u[o + 2]! * v[o + 1]!) * t[o]! +
      (u[o + 2]! * v[o]! - u[o]! * v[o + 2]!) * t[o + 1]! +
      (u[o]! * v[o + 1]! - u[o + 1]! * v[o]!) * t[o + 2]!;
    if (volume < 0) for (let c = 0; c < 3; ++c) v[o + c] = -v[o + c]!;
  }
}

export class TubeMesh {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  private readonly first_: Uint32Array;
  private readonly paths_: Path;
  private readonly places_: Float32Array;
  private readonly normals_: Float32Array;
  private readonly values_: Float32Array;

  constructor(
    readonly strands: readonly Strand[],
    uniforms: PaintUniforms,
  ) {
    this.first_ = new Uint32Array(strands.length + 1);
    let longest = 0;
    strands.forEach((strand, i) => {
      this.first_[i + 1] = this.first_[i]! + vertexCount(strand.profile, strand.samples);
      longest = Math.max(longest, strand.samples);
    });
    this.paths_ = new Path(longest);
    const count = this.first_[strands.length]!;
    this.places_ = new Float32Array(3 * count);
    this.normals_ = new Float32Array(3 * count);
    this.values_ = new Float32Array(count).fill(-1);
    const colours = new Float32Array(3 * count);
    const triangles: number[] = [];
    strands.forEach((strand, i) => {
      pushTriangles(strand.profile, strand.samples, this.first_[i]!, triangles);
      for (let k = this.first_[i]!; k < this.first_[i + 1]!; ++k) strand.colour.toArray(colours, 3 * k);
    });
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', moving(this.places_, 3));
    geometry.setAttribute('normal', moving(this.normals_, 3));
    geometry.setAttribute('value', moving(this.values_, 1));
    geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
    geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(triangles), 1));
    this.mesh = new THREE.Mesh(geometry, paintedMaterial(uniforms, false));
    this.mesh.frustumCulled = false;
  }

  update(x: Float64Array): void {
    this.strands.forEach((strand, i) => {
      strand.place(x, this.paths_);
      sweep(this.paths_, strand.samples, strand.profile, this.first_[i]!, this.places_, this.normals_, strand.scale);
    });
    this.mesh.geometry.attributes['position']!.needsUpdate = true;
    this.mesh.geometry.attributes['normal']!.needsUpdate = true;
  }

  /** `values`: of all field points, between 0 and 1; NaN: none. */
  paint(values: Float64Array): void {
    const out = this.values_;
    this.strands.forEach((strand, i) => {
      const { profile, samples } = strand;
      const m = profile.x.length;
      let k = this.first_[i]!;
      for (let s = 0; s < samples; ++s) {
        const value = valueAt(values, strand.drawable, s, samples);
        for (const end = k + m; k < end; ++k) out[k] = value;
      }
      for (let c = 0; c < 2; ++c) {
        const value = valueAt(values, strand.drawable, c === 0 ? 0 : samples - 1, samples);
        for (const end = k + profile.capX.length; k < end; ++k) out[k] = value;
      }
    });
    this.mesh.geometry.attributes['value']!.needsUpdate = true;
  }

  /** The drawable and the share of its length at a triangle. */
  find(triangle: number): { drawable: Drawable; sample: number; samples: number } | null {
    const vertex = this.mesh.geometry.index!.getX(3 * triangle);
    const i = last(this.first_, vertex);
    const strand = this.strands[i];
    if (strand === undefined) return null;
    const inTube = Math.floor((vertex - this.first_[i]!) / strand.profile.x.length);
    return { drawable: strand.drawable, sample: Math.min(inTube, strand.samples - 1), samples: strand.samples };
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

/** Index of the last number of an ascending list that is not above `value`. */
export function last(ascending: Uint32Array, value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (ascending[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function moving(array: Float32Array, width: number): THREE.BufferAttribute {
  const attribute = new THREE.BufferAttribute(array, width);
  attribute.setUsage(THREE.DynamicDrawUsage);
  return attribute;
}

/** Which of the numbers of a field belongs to a sample of a drawable; -1: none. */
export function fieldIndex(drawable: Drawable, sample: number, samples: number): number {
  const { field, fieldCount } = drawable;
  if (field < 0 || fieldCount <= 0) return -1;
  if (fieldCount === samples) return field + sample;
  return field + Math.min(Math.floor((sample * fieldCount) / samples), fieldCount - 1);
}

/** A value between 0 and 1; -1: none. Where there are fewer numbers than samples, between them linearly. */
export function valueAt(values: Float64Array, drawable: Drawable, sample: number, samples: number): number {
  const { field, fieldCount } = drawable;
  if (field < 0 || fieldCount <= 0) return -1;
  let value: number;
  if (fieldCount === samples) value = values[field + sample]!;
  else {
    const at = samples > 1 ? (sample * (fieldCount - 1)) / (samples - 1) : 0;
    const i = Math.min(Math.floor(at), Math.max(fieldCount - 2, 0));
    const low = values[field + i]!;
    value = at > i ? low + (at - i) * (values[field + i + 1]! - low) : low;
  }
  return value === value ? Math.min(Math.max(value, 0), 1) : -1;
}
