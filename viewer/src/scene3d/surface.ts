/**
 * All surfaces of a model: two faces at ± half the thickness, moved apart when they are drawn, and the closed rim.
 */
import * as THREE from 'three';

import type { Drawable, SlotMap } from '../payload.ts';
import { fuse, type FusedMaps, placesAndNormals } from './maps.ts';
import { type PaintUniforms, paintedMaterial } from './painted.ts';
import { fieldIndex, last, moving, valueAt } from './tubes.ts';

export interface SurfacePart {
  drawable: Drawable;
  colour: THREE.Color;
}

/** Edges that belong to one quad only, as pairs of vertices in the sense of their quad. */
export function boundaryEdges(quads: Uint32Array): number[] {
  const edges = new Map<string, [number, number] | null>();
  for (let q = 0; q < quads.length; q += 4) {
    for (let i = 0; i < 4; ++i) {
      const a = quads[q + i]!;
      const b = quads[q + ((i + 1) % 4)]!;
      if (a === b) continue;
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      edges.set(key, edges.has(key) ? null : [a, b]);
    }
  }
  return [...edges.values()].flatMap((edge) => edge ?? []);
}

/** Is a part drawn as a surface: does it have what that needs? */
export function isSurface(drawable: Drawable): boolean {
  const n = drawable.position.size;
  return n > 0 && drawable.tangent?.size === n && drawable.second?.size === n && drawable.quads !== undefined;
}

export class SurfaceMesh {
  readonly group = new THREE.Group();
  readonly faces: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.MeshStandardMaterial>;
  private readonly rim_: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  private readonly maps_: FusedMaps;
  private readonly first_: Uint32Array;
  private readonly places_: Float32Array;
  private readonly normals_: Float32Array;
  private readonly values_: Float32Array;
  private readonly half_: Float32Array;
  private readonly edges_: Uint32Array;
  private readonly rimPlaces_: Float32Array;
  private readonly rimNormals_: Float32Array;
  private readonly rimValues_: Float32Array;

  /** `least`: thickness that can still be seen [m]. */
  constructor(
    readonly parts: readonly SurfacePart[],
    uniforms: PaintUniforms,
    least: number,
    reference: Float64Array,
  ) {
    this.maps_ = fuse(
      parts.map(({ drawable: d }): [SlotMap, SlotMap, SlotMap] => [d.position, d.tangent!, d.second!]),
    );
    const count = this.maps_.size;
    this.first_ = new Uint32Array(parts.length + 1);
    this.places_ = new Float32Array(3 * count);
    this.normals_ = new Float32Array(3 * count);
    this.values_ = new Float32Array(count).fill(-1);
    this.half_ = new Float32Array(count);
    const colours = new Float32Array(3 * count);
    placesAndNormals(this.maps_, reference, this.places_, this.normals_);
    const triangles: number[] = [];
    const edges: number[] = [];
    parts.forEach(({ drawable, colour }, i) => {
      const first = this.first_[i]!;
      const size = drawable.position.size;
      this.first_[i + 1] = first + size;
      const quads = this.rightHanded(drawable.quads!, first);
      for (let q = 0; q < quads.length; q += 4) {
        const [a, b, c, d] = [0, 1, 2, 3].map((k) => first + quads[q + k]!) as [number, number, number, number];
        triangles.push(a, b, c, a, c, d);
      }
      edges.push(...boundaryEdges(quads).map((v) => first + v));
      for (let v = 0; v < size; ++v) {
        const thickness = drawable.thickness?.[v] ?? drawable.thickness?.[0] ?? 0;
        this.half_[first + v] = Math.max(thickness, least) / 2;
        colour.toArray(colours, 3 * (first + v));
      }
    });
    this.edges_ = Uint32Array.from(edges);

    const faces = new THREE.InstancedBufferGeometry();
    faces.instanceCount = 2;
    faces.setAttribute('position', moving(this.places_, 3));
    faces.setAttribute('normal', moving(this.normals_, 3));
    faces.setAttribute('value', moving(this.values_, 1));
    faces.setAttribute('half_thickness', new THREE.BufferAttribute(this.half_, 1));
    faces.setAttribute('color', new THREE.BufferAttribute(colours, 3));
    faces.setAttribute('side', new THREE.InstancedBufferAttribute(Float32Array.of(1, -1), 1));
    faces.setIndex(new THREE.BufferAttribute(Uint32Array.from(triangles), 1));
    this.faces = new THREE.Mesh(faces, paintedMaterial(uniforms, true));

    const rimCount = 2 * edges.length;
    this.rimPlaces_ = new Float32Array(3 * rimCount);
    this.rimNormals_ = new Float32Array(3 * rimCount);
    this.rimValues_ = new Float32Array(rimCount).fill(-1);
    const rimColours = new Float32Array(3 * rimCount);
    const rimTriangles = new Uint32Array(3 * edges.length);
    this.edges_.forEach((vertex, k) => {
      for (let c = 0; c < 6; ++c) rimColours[6 * k + c] = colours[3 * vertex + (c % 3)]!;
    });
    for (let e = 0; 2 * e < edges.length; ++e) rimTriangles.set([0, 1, 3, 0, 3, 2].map((v) => 4 * e + v), 6 * e);
    const rim = new THREE.BufferGeometry();
    rim.setAttribute('position', moving(this.rimPlaces_, 3));
    rim.setAttribute('normal', moving(this.rimNormals_, 3));
    rim.setAttribute('value', moving(this.rimValues_, 1));
    rim.setAttribute('color', new THREE.BufferAttribute(rimColours, 3));
    rim.setIndex(new THREE.BufferAttribute(rimTriangles, 1));
    this.rim_ = new THREE.Mesh(rim, paintedMaterial(uniforms, false));
    for (const mesh of [this.faces, this.rim_]) {
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
  }

  /** The quads, all turned over if the first ones run clockwise about the normals. */
  private rightHanded(quads: Uint32Array, first: number): Uint32Array {
    const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    const normal = new THREE.Vector3();
    let sense = 0;
    for (let q = 0; q < Math.min(quads.length, 400); q += 4) {
      const corner = (k: number, out: THREE.Vector3) => out.fromArray(this.places_, 3 * (first + quads[q + k]!));
      corner(0, a);
      corner(2, b).sub(a);
      corner(3, c).sub(corner(1, a));
      sense += b.cross(c).dot(normal.fromArray(this.normals_, 3 * (first + quads[q]!)));
    }
    if (sense >= 0) return quads;
    const turned = new Uint32Array(quads.length);
    for (let q = 0; q < quads.length; q += 4) for (let k = 0; k < 4; ++k) turned[q + k] = quads[q + 3 - k]!;
    return turned;
  }

  update(x: Float64Array): void {
    placesAndNormals(this.maps_, x, this.places_, this.normals_);
    this.updateRim();
    for (const mesh of [this.faces, this.rim_]) {
      mesh.geometry.attributes['position']!.needsUpdate = true;
      mesh.geometry.attributes['normal']!.needsUpdate = true;
    }
  }

  /** Four vertices per edge: both ends below, both ends above, with the normal out of the surface. */
  private updateRim(): void {
    const p = this.places_;
    const n = this.normals_;
    const out = this.rimPlaces_;
    const normals = this.rimNormals_;
    for (let e = 0, o = 0; e < this.edges_.length; e += 2) {
      const a = 3 * this.edges_[e]!;
      const b = 3 * this.edges_[e + 1]!;
      const ex = p[b]! - p[a]!;
      const ey = p[b + 1]! - p[a + 1]!;
      const ez = p[b + 2]! - p[a + 2]!;
      const nx = ey * n[a + 2]! - ez * n[a + 1]!;
      const ny = ez * n[a]! - ex * n[a + 2]!;
      const nz = ex * n[a + 1]! - ey * n[a]!;
      const scale = 1 / (Math.sqrt(nx * nx + ny * ny + nz * nz) || 1);
      for (let corner = 0; corner < 4; ++corner, o += 3) {
        const v = corner % 2 === 0 ? a : b;
        const h = this.half_[v / 3]! * (corner < 2 ? -1 : 1);
        for (let c = 0; c < 3; ++c) out[o + c] = p[v + c]! + h * n[v + c]!;
        normals[o] = nx * scale;
        normals[o + 1] = ny * scale;
        normals[o + 2] = nz * scale;
      }
    }
  }

  paint(values: Float64Array): void {
    const out = this.values_;
    this.parts.forEach(({ drawable }, i) => {
      const first = this.first_[i]!;
      const size = this.first_[i + 1]! - first;
      for (let v = 0; v < size; ++v) out[first + v] = valueAt(values, drawable, v, size);
    });
    this.edges_.forEach((vertex, k) => {
      // Edge e has vertices a, b, a, b: k = 2 e + end.
      const at = 2 * k - (k % 2);
      this.rimValues_[at] = this.rimValues_[at + 2] = out[vertex]!;
    });
    this.faces.geometry.attributes['value']!.needsUpdate = true;
    this.rim_.geometry.attributes['value']!.needsUpdate = true;
  }

  /** The part at a vertex of the faces, and which of the numbers of a field colours it. */
  find(vertex: number): { drawable: Drawable; index: number } | null {
    const i = last(this.first_, vertex);
    const part = this.parts[i];
    if (part === undefined) return null;
    const first = this.first_[i]!;
    return { drawable: part.drawable, index: fieldIndex(part.drawable, vertex - first, this.first_[i + 1]! - first) };
  }

  dispose(): void {
    for (const mesh of [this.faces, this.rim_]) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
  }
}
