/** Geometry of the solids of a body, in the frame of the body. */
import * as THREE from 'three';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import { mergeGeometries, mergeVertices, toCreasedNormals } from 'three/examples/jsm/utils/BufferGeometryUtils.js';

import type { Shape } from '../payload.ts';
import { anyNormal } from './frame.ts';

/** Edges of a mesh sharper than this stay sharp [rad]. */
const crease = (35 * Math.PI) / 180;

export interface ShapeLook {
  isPlanar: boolean;
  /** 1: fine, 0.5: half as fine. */
  detail: number;
  /** Radius of a rod that can still be seen [m]. */
  least: number;
}

/** Shade of marks against the colour of their body. */
const markShade = 0.42;

/** A solid that is round about its third axis: radii at both ends, and half its length. */
export interface Round {
  kind: 'ball' | 'rod';
  center: THREE.Vector3;
  axes: readonly [THREE.Vector3, THREE.Vector3, THREE.Vector3];
  /** Round about every line through its centre. */
  isBall: boolean;
  low: number;
  high: number;
  half: number;
}

function roundOf(shape: Shape): Round | null {
  const axes = [0, 1, 2].map((i) => new THREE.Vector3().fromArray(shape.axes, 3 * i));
  const center = new THREE.Vector3(...shape.center);
  const [a, b, c] = shape.size;
  const about = (k: number): [THREE.Vector3, THREE.Vector3, THREE.Vector3] => [axes[(k + 1) % 3]!, axes[(k + 2) % 3]!, axes[k]!];
  const alike = (x: number, y: number): boolean => Math.abs(x - y) <= 1e-6 * Math.max(x, y);
  switch (shape.type) {
    case 'sphere':
      return { kind: 'ball', center, axes: about(2), isBall: true, low: a, high: a, half: a };
    case 'cylinder':
    case 'cone':
      return { kind: 'rod', center, axes: about(2), isBall: false, low: a, high: b, half: c / 2 };
    case 'ellipsoid': {
      const size = [a, b, c > 0 ? c : Math.min(a, b)];
      const k = [2, 0, 1].find((i) => alike(size[(i + 1) % 3]!, size[(i + 2) % 3]!));
      if (k === undefined) return null;
      const wide = size[(k + 1) % 3]!;
      return { kind: 'ball', center, axes: about(k), isBall: alike(wide, size[k]!), low: wide, high: wide, half: size[k]! };
    }
    case 'link': {
      const to = new THREE.Vector3(...shape.to);
      const along = to.clone().sub(center);
      const length = along.length();
      if (!(length > 0)) return null;
      const third = along.divideScalar(length);
      const first = anyNormal(third, new THREE.Vector3());
      const second = new THREE.Vector3().crossVectors(third, first);
      return { kind: 'rod', center: to.add(center).multiplyScalar(0.5), axes: [first, second, third], isBall: false, low: a, high: a, half: length / 2 };
    }
    default:
      return null;
  }
}

/** The solids of a body that is round about one line, so that it looks the same however it is turned about that; else none. */
export function roundSolids(shapes: readonly Shape[]): Round[] {
  const round = shapes.map(roundOf).filter((r) => r !== null);
  const first = round[0];
  if (first === undefined || round.length < shapes.length) return [];
  const aside = round.map((r) => r.center.clone().sub(first.center)).find((d) => d.length() > 1e-9 * first.half);
  const axis = round.find((r) => !r.isBall)?.axes[2] ?? aside?.clone().normalize();
  if (axis === undefined) return round.slice(0, 1); // balls around each other
  const isOne = round.every((r) => {
    const d = r.center.clone().sub(first.center);
    const off = d.clone().cross(axis).length();
    return off <= 1e-6 * Math.max(r.low, r.high, d.length()) && (r.isBall || Math.abs(r.axes[2].dot(axis)) > 1 - 1e-6);
  });
  return isOne ? round : [];
}

/** A stripe on a round solid from which its turning is seen, a little off its surface; in the frame of the body. */
function markOf({ kind, center, axes, low, high, half }: Round): THREE.BufferGeometry {
  const places: number[] = [];
  const index: number[] = [];
  /** A strip across the first axis, along a path in the plane of the first and third. */
  const strip = (path: readonly (readonly [number, number])[], wide: (x: number) => number): void => {
    for (const [x, z] of path) places.push(x, -wide(x), z, x, wide(x), z);
    for (let k = 0; k + 2 < 2 * path.length; k += 2) index.push(k, k + 3, k + 1, k, k + 2, k + 3);
  };
  const widest = Math.max(low, high);
  const off = 0.006 * Math.max(widest, half);
  if (kind === 'ball') {
    const angles = Array.from({ length: 33 }, (_, i) => (Math.PI * i) / 32);
    strip(
      angles.map((t) => [(widest + off) * Math.sin(t), (half + off) * Math.cos(t)] as const),
      () => 0.07 * widest,
    );
  } else {
    const [top, bottom] = [half + off, -half - off];
    strip([[0, top], [high + off, top], [low + off, bottom], [0, bottom]], (x) => Math.min(0.09 * widest, 0.6 * x + 0.02 * widest));
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(places, 3));
  geometry.setIndex(index);
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return flat.applyMatrix4(new THREE.Matrix4().makeBasis(...axes).setPosition(center));
}

function shaded(geometry: THREE.BufferGeometry, shade: number): THREE.BufferGeometry {
  const colours = new Float32Array(3 * geometry.attributes['position']!.count).fill(shade);
  return geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
}

/** All shapes of a body as one indexed geometry with places, normals and shades. */
export function bodyGeometry(shapes: readonly Shape[], look: ShapeLook): THREE.BufferGeometry | null {
  const parts = shapes.flatMap((shape) => {
    const geometry = shapeGeometry(shape, look);
    return geometry === null ? [] : [shaded(plain(geometry), 1)];
  });
  for (const solid of roundSolids(shapes)) parts.push(shaded(plain(markOf(solid)), markShade));
  if (parts.length === 0) return null;
  return parts.length === 1 ? parts[0]! : mergeGeometries(parts);
}

/** Places, normals and, where they are `kept`, colours only, indexed. */
export function plain(geometry: THREE.BufferGeometry, kept = ''): THREE.BufferGeometry {
  for (const name of Object.keys(geometry.attributes)) {
    if (name !== 'position' && name !== 'normal' && name !== kept) geometry.deleteAttribute(name);
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
