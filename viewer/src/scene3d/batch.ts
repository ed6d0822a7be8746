/** Many rigid shapes in one draw call, each with its own matrix, colour and visibility. */
import * as THREE from 'three';

import type { Drawable } from '../payload.ts';
import { matt } from './painted.ts';
import { plain } from './shapes.ts';

export class Batch {
  readonly mesh: THREE.BatchedMesh;
  /** Drawable of each instance. */
  readonly drawables: (Drawable | null)[] = [];
  private readonly geometries_ = new Map<THREE.BufferGeometry, number>();

  /** Room for instances of the geometries that are going to be added. */
  constructor(geometries: Iterable<THREE.BufferGeometry>, instances: number, parameters: THREE.MeshStandardMaterialParameters = {}) {
    const all = [...new Set(geometries)];
    let vertices = 0;
    let indices = 0;
    for (const geometry of all) {
      plain(geometry, parameters.vertexColors ? 'color' : '');
      vertices += geometry.attributes['position']!.count;
      indices += geometry.index!.count;
    }
    const material = new THREE.MeshStandardMaterial({ ...matt(), ...parameters });
    this.mesh = new THREE.BatchedMesh(Math.max(instances, 1), Math.max(vertices, 3), Math.max(indices, 3), material);
    this.mesh.perObjectFrustumCulled = false;
    this.mesh.sortObjects = false;
    this.mesh.frustumCulled = false;
    for (const geometry of all) this.geometries_.set(geometry, this.mesh.addGeometry(geometry));
  }

  add(geometry: THREE.BufferGeometry, colour: THREE.Color, drawable: Drawable | null): number {
    const instance = this.mesh.addInstance(this.geometries_.get(geometry)!);
    this.mesh.setColorAt(instance, colour);
    this.drawables[instance] = drawable;
    return instance;
  }

  dispose(): void {
    this.mesh.dispose();
    (this.mesh.material as THREE.Material).dispose();
  }
}
