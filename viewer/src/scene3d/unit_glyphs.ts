/** Unit shapes that glyphs are put together from; their axis is Z. */
import * as THREE from 'three';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';

import { plain } from './shapes.ts';

export type Unit = 'ball' | 'rod' | 'head' | 'cube' | 'ring' | 'turn' | 'base' | 'diamond' | 'sleeve' | 'disc' | 'wall' | 'spiral';

/** An arc of 270° about Z with an arrow head, of radius 1. */
function turnArrow(): THREE.BufferGeometry {
  const sweep = 1.5 * Math.PI;
  const arc = new THREE.TorusGeometry(1, 0.07, 10, 48, sweep);
  const head = new THREE.ConeGeometry(0.21, 0.5, 24);
  head.translate(0, 0.15, 0).rotateZ(sweep).translate(Math.cos(sweep), Math.sin(sweep), 0);
  return mergeGeometries([plain(arc), plain(head)]);
}

/** A hatched base below the origin, seen along Z or from the side: a pedestal on a plate on slanted strokes. */
function base(isPlanar: boolean): THREE.BufferGeometry {
  const parts: THREE.BufferGeometry[] = [];
  if (isPlanar) {
    const triangle = new THREE.Shape([new THREE.Vector2(0, 0), new THREE.Vector2(-0.95, -1.55), new THREE.Vector2(0.95, -1.55)]);
    parts.push(new THREE.ExtrudeGeometry(triangle, { depth: 0.2, bevelEnabled: false }).translate(0, 0, -0.1));
    parts.push(new THREE.BoxGeometry(3.1, 0.16, 0.2).translate(0, -1.63, 0));
    for (let i = 0; i < 6; ++i) {
      parts.push(new THREE.BoxGeometry(0.1, 0.62, 0.1).rotateZ(-Math.PI / 4).translate(-1.45 + 0.52 * i, -1.93, 0));
    }
    return mergeGeometries(parts.map((part) => plain(part)));
  }
  parts.push(new THREE.CylinderGeometry(0.55, 1.15, 1.35, 28).rotateX(Math.PI / 2).translate(0, 0, -0.85));
  parts.push(new RoundedBoxGeometry(3, 3, 0.24, 2, 0.06).translate(0, 0, -1.64));
  return mergeGeometries(parts.map((part) => plain(part)));
}

/** What a thing is clamped to: a plate below the origin, across Z, hatched behind in the plane of X and Z. */
function wall(isPlanar: boolean): THREE.BufferGeometry {
  if (!isPlanar) return plain(new RoundedBoxGeometry(4.4, 4.4, 0.5, 2, 0.1).translate(0, 0, -0.25));
  const parts: THREE.BufferGeometry[] = [new THREE.BoxGeometry(4.4, 0.3, 0.2).translate(0, 0, -0.1)];
  for (let i = 0; i < 7; ++i) {
    parts.push(new THREE.BoxGeometry(0.12, 0.12, 0.85).rotateY(Math.PI / 4).translate(-2.05 + 0.62 * i, 0, -0.45));
  }
  return mergeGeometries(parts.map((part) => plain(part)));
}

/** A clock spring about Z, of radius 1. */
function spiral(): THREE.BufferGeometry {
  class Spiral extends THREE.Curve<THREE.Vector3> {
    constructor() {
      super();
    }

    override getPoint(t: number, out = new THREE.Vector3()): THREE.Vector3 {
      const angle = 2 * Math.PI * 2.6 * t;
      const r = 0.12 + 0.88 * t;
      return out.set(r * Math.cos(angle), r * Math.sin(angle), 0);
    }
  }
  return plain(new THREE.TubeGeometry(new Spiral(), 110, 0.07, 8));
}

export function unitGlyphs(isPlanar: boolean): Record<Unit, THREE.BufferGeometry> {
  const cylinder = (sides: number): THREE.BufferGeometry =>
    new THREE.CylinderGeometry(1, 1, 1, sides).rotateX(Math.PI / 2).translate(0, 0, 0.5);
  const sleeve = new THREE.Shape([-1, 1, 1, -1].map((x, i) => new THREE.Vector2(x, i < 2 ? -1 : 1)));
  sleeve.holes.push(new THREE.Path([-0.7, 0.7, 0.7, -0.7].map((x, i) => new THREE.Vector2(x, i < 2 ? -0.7 : 0.7))));
  const out: Record<Unit, THREE.BufferGeometry> = {
    ball: new THREE.SphereGeometry(1, 28, 18),
    rod: cylinder(20),
    head: new THREE.ConeGeometry(1, 1, 28).rotateX(Math.PI / 2).translate(0, 0, 0.5),
    cube: new RoundedBoxGeometry(2, 2, 2, 2, 0.16),
    ring: new THREE.TorusGeometry(1, 0.24, 12, 40),
    turn: turnArrow(),
    base: base(isPlanar),
    diamond: new THREE.OctahedronGeometry(1.25),
    sleeve: new THREE.ExtrudeGeometry(sleeve, { depth: 1, bevelEnabled: false }),
    wall: wall(isPlanar),
    spiral: spiral(),
    disc: new THREE.CylinderGeometry(1, 1, 1, 36).rotateX(Math.PI / 2),
  };
  for (const geometry of Object.values(out)) plain(geometry);
  return out;
}
