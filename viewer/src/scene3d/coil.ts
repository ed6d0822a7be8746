/** Springs between two points: a coil that stretches, with straight ends. */
import type * as THREE from 'three';

import type { Drawable } from '../payload.ts';
import { applyRow } from './maps.ts';
import { roundProfile } from './tube.ts';
import type { Strand } from './tubes.ts';

const turns = 9;
const perTurn = 14;
/** Share of the length that is straight at each end, and in which the coil opens. */
const straight = 0.1;
const opening = 0.04;

function smooth(t: number): number {
  const x = Math.min(Math.max(t, 0), 1);
  return x * x * (3 - 2 * x);
}

/** `radius`: of the coil [m]. */
export function coilStrand(drawable: Drawable, radius: number, colour: THREE.Color): Strand {
  const samples = turns * perTurn + 5;
  const ends = new Float64Array(6);
  // Along the axis (0 to 1), across it in two directions: the same for every length.
  const shape = new Float64Array(3 * samples);
  for (let i = 0; i < samples; ++i) {
    const at =
      i < 2 ? (i === 0 ? 0 : 0.6 * straight) : i >= samples - 2 ? (i === samples - 1 ? 1 : 1 - 0.6 * straight) : -1;
    if (at >= 0) {
      shape[3 * i] = at;
      continue;
    }
    const s = (i - 2) / (samples - 5);
    const t = straight + s * (1 - 2 * straight);
    const r = smooth((t - straight) / opening) * smooth((1 - straight - t) / opening);
    const angle = 2 * Math.PI * turns * s;
    shape.set([t, r * Math.cos(angle), r * Math.sin(angle)], 3 * i);
  }
  return {
    drawable,
    colour,
    samples,
    profile: roundProfile(0.17 * radius, 8),
    place(x, path) {
      applyRow(drawable.position, 0, x, ends, 0);
      applyRow(drawable.position, 1, x, ends, 3);
      const { p, t, u, v } = path;
      let ax = ends[3]! - ends[0]!;
      let ay = ends[4]! - ends[1]!;
      let az = ends[5]! - ends[2]!;
      const length = Math.sqrt(ax * ax + ay * ay + az * az) || 1e-9;
      ax /= length;
      ay /= length;
      az /= length;
      // Across: as far from Z as can be, so that planar coils are seen from the side.
      let bx = ay;
      let by = -ax;
      let bz = 0;
      const across = Math.hypot(bx, by);
      if (across > 1e-3) {
        bx /= across;
        by /= across;
      } else {
        bx = 1;
        by = 0;
        bz = 0;
      }
      const cx = ay * bz - az * by;
      const cy = az * bx - ax * bz;
      const cz = ax * by - ay * bx;
      for (let i = 0, o = 0; i < samples; ++i, o += 3) {
        const s = shape[o]! * length;
        const f = shape[o + 1]! * radius;
        const g = shape[o + 2]! * radius;
        p[o] = ends[0]! + s * ax + f * bx + g * cx;
        p[o + 1] = ends[1]! + s * ay + f * by + g * cy;
        p[o + 2] = ends[2]! + s * az + f * bz + g * cz;
      }
      for (let i = 0, o = 0; i < samples; ++i, o += 3) {
        const before = 3 * Math.max(i - 1, 0);
        const after = 3 * Math.min(i + 1, samples - 1);
        let tx = p[after]! - p[before]!;
        let ty = p[after + 1]! - p[before + 1]!;
        let tz = p[after + 2]! - p[before + 2]!;
        const scale = 1 / (Math.sqrt(tx * tx + ty * ty + tz * tz) || 1);
        tx *= scale;
        ty *= scale;
        tz *= scale;
        t[o] = tx;
        t[o + 1] = ty;
        t[o + 2] = tz;
        // First axis of the wire: the coil's axis made perpendicular, which never lies along a turn for long.
        const d = ax * tx + ay * ty + az * tz;
        let ux = ax - d * tx;
        let uy = ay - d * ty;
        let uz = az - d * tz;
        let square = ux * ux + uy * uy + uz * uz;
        if (square < 1e-6) {
          ux = bx;
          uy = by;
          uz = bz;
          square = 1;
        }
        const unit = 1 / Math.sqrt(square);
        u[o] = ux *= unit;
        u[o + 1] = uy *= unit;
        u[o + 2] = uz *= unit;
        v[o] = ty * uz - tz * uy;
        v[o + 1] = tz * ux - tx * uz;
        v[o + 2] = tx * uy - ty * ux;
      }
    },
  };
}
