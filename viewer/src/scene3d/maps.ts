/**
 * Sparse linear maps of slots, evaluated together.
 *
 * A vertex of a surface needs its place and two tangents, three maps that read nearly the same slots; the union of
 * their patterns is walked once, with the three weights of a slot side by side.
 */
import type { Drawable, SlotMap } from '../payload.ts';

/** Three maps over one pattern: weight[3 k + j] belongs to map j and slot[k]. */
export interface FusedMaps {
  size: number;
  start: Uint32Array;
  /** Three times the number of the slot: where it begins in a configuration. */
  place: Uint32Array;
  weight: Float32Array;
}

/** Joins maps of equal size, row by row; several groups stand one after the other. */
export function fuse(groups: readonly (readonly [SlotMap, SlotMap, SlotMap])[]): FusedMaps {
  const start: number[] = [0];
  const place: number[] = [];
  const weight: number[] = [];
  const entry = new Map<number, number>();
  for (const maps of groups) {
    for (let row = 0; row < maps[0].size; ++row) {
      entry.clear();
      maps.forEach((map, j) => {
        for (let k = map.start[row]!; k < map.start[row + 1]!; ++k) {
          const slot = map.slot[k]!;
          let at = entry.get(slot);
          if (at === undefined) {
            at = place.length;
            entry.set(slot, at);
            place.push(3 * slot);
            weight.push(0, 0, 0);
          }
          weight[3 * at + j]! += map.weight[k]!;
        }
      });
      start.push(place.length);
    }
  }
  return {
    size: start.length - 1,
    start: Uint32Array.from(start),
    place: Uint32Array.from(place),
    weight: Float32Array.from(weight),
  };
}

/**
 * Places (map 0) and unit normals (map 1 × map 2) of all rows, three numbers each. A normal that cannot be had, where
 * the tangents are parallel, stays what it was.
 */
export function placesAndNormals(maps: FusedMaps, x: Float64Array, places: Float32Array, normals: Float32Array): void {
  const { size, start, place, weight } = maps;
  let k = 0;
  for (let row = 0, o = 0; row < size; ++row, o += 3) {
    const end = start[row + 1]!;
    let px = 0;
    let py = 0;
    let pz = 0;
    let ax = 0;
    let ay = 0;
    let az = 0;
    let bx = 0;
    let by = 0;
    let bz = 0;
    for (let w = 3 * k; k < end; ++k, w += 3) {
      const s = place[k]!;
      const sx = x[s]!;
      const sy = x[s + 1]!;
      const sz = x[s + 2]!;
      const p = weight[w]!;
      const a = weight[w + 1]!;
      const b = weight[w + 2]!;
      px += p * sx;
      py += p * sy;
      pz += p * sz;
      ax += a * sx;
      ay += a * sy;
      az += a * sz;
      bx += b * sx;
      by += b * sy;
      bz += b * sz;
    }
    places[o] = px;
    places[o + 1] = py;
    places[o + 2] = pz;
    const nx = ay * bz - az * by;
    const ny = az * bx - ax * bz;
    const nz = ax * by - ay * bx;
    const square = nx * nx + ny * ny + nz * nz;
    if (square > 0) {
      const scale = 1 / Math.sqrt(square);
      normals[o] = nx * scale;
      normals[o + 1] = ny * scale;
      normals[o + 2] = nz * scale;
    }
  }
}

/** One row of a map, into out[offset .. offset + 3]. */
export function applyRow(map: SlotMap, row: number, x: Float64Array, out: Float64Array | Float32Array, offset = 0): void {
  let px = 0;
  let py = 0;
  let pz = 0;
  for (let k = map.start[row]!; k < map.start[row + 1]!; ++k) {
    const s = 3 * map.slot[k]!;
    const w = map.weight[k]!;
    px += w * x[s]!;
    py += w * x[s + 1]!;
    pz += w * x[s + 2]!;
  }
  out[offset] = px;
  out[offset + 1] = py;
  out[offset + 2] = pz;
}

/** The axes of a body's frame, one after the other; one that is not there is zero. */
export function applyAxes(body: Drawable, x: Float64Array, out: readonly [Float64Array, Float64Array, Float64Array]): void {
  [body.tangent, body.second, body.third].forEach((map, i) => {
    if (map === undefined || map.size === 0) out[i]!.fill(0);
    else applyRow(map, 0, x, out[i]!);
  });
}
