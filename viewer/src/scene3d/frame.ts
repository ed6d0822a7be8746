/** Orthonormal frames from axes that interpolation, or a slender rod, left incomplete. */
import * as THREE from 'three';

const a = new THREE.Vector3();
const b = new THREE.Vector3();
const c = new THREE.Vector3();

/**
 * Sets a matrix from an origin and up to three axes: the longest given one keeps its direction, the others follow. Axes
 * without length are made up.
 */
export function setFrame(
  out: THREE.Matrix4,
  origin: ArrayLike<number>,
  first: ArrayLike<number> | null,
  second: ArrayLike<number> | null,
  third: ArrayLike<number> | null,
  scale = 1,
): THREE.Matrix4 {
  read(a, first);
  read(b, second);
  read(c, third);
  if (a.lengthSq() < 1e-12) {
    if (b.lengthSq() > 1e-12 && c.lengthSq() > 1e-12) a.crossVectors(b, c);
    else if (c.lengthSq() > 1e-12) return fromThird(out, origin, scale);
    else if (b.lengthSq() > 1e-12) anyNormal(b, a);
    else a.set(1, 0, 0);
  }
  a.normalize();
  b.addScaledVector(a, -a.dot(b));
  if (b.lengthSq() < 1e-12) {
    c.addScaledVector(a, -a.dot(c));
    if (c.lengthSq() < 1e-12) anyNormal(a, c);
    b.crossVectors(c, a);
  }
  b.normalize();
  c.crossVectors(a, b);
  return finish(out, origin, scale);
}

/** Only the third axis is known. */
function fromThird(out: THREE.Matrix4, origin: ArrayLike<number>, scale: number): THREE.Matrix4 {
  c.normalize();
  if (b.lengthSq() < 1e-12) anyNormal(c, b);
  b.addScaledVector(c, -c.dot(b)).normalize();
  a.crossVectors(b, c);
  return finish(out, origin, scale);
}

function finish(out: THREE.Matrix4, origin: ArrayLike<number>, scale: number): THREE.Matrix4 {
  a.multiplyScalar(scale);
  b.multiplyScalar(scale);
  c.multiplyScalar(scale);
  return out.makeBasis(a, b, c).setPosition(origin[0]!, origin[1]!, origin[2]!);
}

function read(out: THREE.Vector3, from: ArrayLike<number> | null): void {
  if (from === null) out.set(0, 0, 0);
  else out.set(from[0]!, from[1]!, from[2]!);
}

/** Some unit vector at right angles to `to`. */
export function anyNormal(to: THREE.Vector3, out: THREE.Vector3): THREE.Vector3 {
  const x = Math.abs(to.x);
  const y = Math.abs(to.y);
  const z = Math.abs(to.z);
  if (z <= x && z <= y) out.set(to.y, -to.x, 0);
  else if (y <= x) out.set(-to.z, 0, to.x);
  else out.set(0, to.z, -to.y);
  return out.normalize();
}

const direction = new THREE.Vector3();
const middle = new THREE.Vector3();

/** Carries the unit cylinder (radius 1, along Z from 0 to 1) between two points. */
export function setBetween(out: THREE.Matrix4, from: THREE.Vector3, to: THREE.Vector3, radius: number): THREE.Matrix4 {
  direction.subVectors(to, from);
  const length = direction.length();
  if (length > 0) direction.divideScalar(length);
  else direction.set(0, 0, 1);
  return setAlong(out, from, direction, radius, length);
}

/** Carries unit glyphs (along Z) to a point, their axis to a direction. */
export function setAlong(
  out: THREE.Matrix4,
  from: THREE.Vector3,
  along: THREE.Vector3,
  radius: number,
  length: number,
): THREE.Matrix4 {
  anyNormal(along, a);
  b.crossVectors(along, a);
  middle.copy(along).multiplyScalar(length);
  return out.makeBasis(a.multiplyScalar(radius), b.multiplyScalar(radius), middle).setPosition(from);
}
