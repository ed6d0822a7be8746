/** Geometry of the solids of a body, in the frame of the body. */
import * as THREE from 'three';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import { mergeGeometries, mergeVertices, toCreasedNormals } from 'three/examples/jsm/utils/BufferGeometryUtils.js';

import type { Shape } from '../payload.ts';

/** Edges of a mesh sharper than this stay sharp [rad]. */
const crease = (35 * Math.PI) / 180;

export interface ShapeLook {
  isPlanar: boolean;
  /** 1: fine, 0.5: half as fine. */
  detail: number;
  /** Radius of a rod that can still be seen [m]. */
  least: number;
}

/** All shapes of a body as one indexed geometry with places and normals. */
export function bodyGeometry(shapes: readonly Shape[], look: ShapeLook): THREE.BufferGeometry | null {
  const parts = shapes.flatMap((shape) => {
    const geometry = shapeGeometry(shape, look);
    return geometry === null ? [] : [plain(geometry)];
  });
  if (parts.length === 0) return null;
  return parts.length === 1 ? parts[0]! : mergeGeometries(parts);
}

/** Places and normals only, indexed. */
export function plain(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  for (const name of Object.keys(geometry.attributes)) {
    if (name !== 'position' && name !== 'normal') geometry.deleteAttribute(name);
  }
  geometry.clearGroups();
  if (geometry.index === null) {
    const count = geometry.attributes['position']!.count;
    geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from({ length: count }, (_, i) => i), 1));
  } else if (!(geometry.index.array instanceof Uint32Array)) {
    geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(geometry.index.array), 1));
  }
  return geometry;
}

/** A box with softened edges; never thinner than a hundredth of its longest edge. */
export function boxGeometry(x: number, y: number, z: number): THREE.BufferGeometry {
  const least = 0.01 * Math.max(x, y, z, 1e-12);
  const [a, b, c] = [Math.max(x, least), Math.max(y, least), Math.max(z, least)];
  return new RoundedBoxGeometry(a, b, c, 2, 0.06 * Math.min(a, b, c));
}

/** A rod with round ends from `from` to `to`. */
function linkGeometry(from: THREE.Vector3, to: THREE.Vector3, radius: number, detail: number): THREE.BufferGeometry {
  const along = to.clone().sub(from);
  const length = along.length();
  const geometry = new THREE.CapsuleGeometry(radius, length, Math.round(8 * detail), Math.round(24 * detail));
  geometry.applyQuaternion(
    new THREE.Quaternion().setFromUnitVectors(
      new THREE.Vector3(0, 1, 0),
      length > 0 ? along.divideScalar(length) : new THREE.Vector3(0, 1, 0),
    ),
  );
  return geometry.translate((from.x + to.x) / 2, (from.y + to.y) / 2, (from.z + to.z) / 2);
}

function meshGeometry(shape: Shape): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(shape.vertices, 3));
  geometry.setIndex(new THREE.BufferAttribute(shape.triangles, 1));
  const creased = toCreasedNormals(mergeVertices(geometry), crease);
  return mergeVertices(creased);
}

function shapeGeometry(shape: Shape, { isPlanar, detail, least }: ShapeLook): THREE.BufferGeometry | null {
  const [a, b, c] = shape.size;
  if (shape.type === 'link') {
    return linkGeometry(new THREE.Vector3(...shape.center), new THREE.Vector3(...shape.to), Math.max(a, least), detail);
  }
  let geometry: THREE.BufferGeometry;
  switch (shape.type) {
    case 'box':
      geometry = boxGeometry(a, b, c > 0 || !isPlanar ? c : 0.3 * Math.min(a, b));
      break;
    case 'sphere':
      geometry = new THREE.SphereGeometry(a, Math.round(40 * detail), Math.round(24 * detail));
      break;
    case 'ellipsoid':
      geometry = new THREE.SphereGeometry(1, Math.round(40 * detail), Math.round(24 * detail)).scale(a, b, c > 0 ? c : Math.min(a, b));
      break;
    case 'cylinder':
    case 'cone':
      // The third axis is the axis; three's is Y.
      geometry = new THREE.CylinderGeometry(b, a, c, 48).rotateX(Math.PI / 2);
      break;
    case 'mesh':
      if (shape.triangles.length === 0) return null;
      geometry = meshGeometry(shape);
      break;
  }
  const axis = (i: number): THREE.Vector3 => new THREE.Vector3().fromArray(shape.axes, 3 * i);
  const place = new THREE.Matrix4().makeBasis(axis(0), axis(1), axis(2)).setPosition(...shape.center);
  return geometry.applyMatrix4(place);
}
