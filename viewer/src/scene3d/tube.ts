/**
 * Tubes: a section swept along a path, many of them in one mesh.
 *
 * The section turns with the directors of the path where it has them. Else its frames are rotation-minimising, by
 * double reflection (Wang, Jüttler, Zheng, Liu: "Computation of rotation minimizing frames", ACM TOG 27, 2008); in a
 * planar model its second axis is Z.
 */
import type { Section } from '../payload.ts';

/** Outline of a section: points with normals, joined by edges, and the triangles of its end. */
export interface Profile {
  x: Float64Array;
  y: Float64Array;
  nx: Float64Array;
  ny: Float64Array;
  /** Pairs of points, anticlockwise around the material. */
  edges: number[];
  capX: Float64Array;
  capY: Float64Array;
  /** Triples of points of the cap, anticlockwise seen against the tangent's end. */
  capTriangles: number[];
}

function ring(radius: number, sides: number, outward: 1 | -1, profile: number[][], edges: number[]): void {
  const first = profile.length;
  for (let i = 0; i < sides; ++i) {
    const angle = (2 * Math.PI * i) / sides;
    const c = Math.cos(angle);
    const s = Math.sin(angle);
    profile.push([radius * c, radius * s, outward * c, outward * s]);
    const a = first + i;
    const b = first + ((i + 1) % sides);
    if (outward > 0) edges.push(a, b);
    else edges.push(b, a);
  }
}

export function roundProfile(radius: number, sides: number, inner = 0): Profile {
  const points: number[][] = [];
  const edges: number[] = [];
  const triangles: number[] = [];
  ring(radius, sides, 1, points, edges);
  if (inner > 0) {
    ring(inner, sides, -1, points, edges);
    for (let i = 0; i < sides; ++i) {
      const j = (i + 1) % sides;
      triangles.push(i, j, sides + j, i, sides + j, sides + i);
    }
  } else {
    for (let i = 1; i + 1 < sides; ++i) triangles.push(0, i, i + 1);
  }
  return profileOf(points, edges, points.map((p) => [p[0]!, p[1]!]), triangles);
}

export function rectangleProfile(width: number, height: number): Profile {
  const a = width / 2;
  const b = height / 2;
  const corners = [
    [a, -b],
    [a, b],
    [-a, b],
    [-a, -b],
  ];
  const normals = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ];
  const points: number[][] = [];
  const edges: number[] = [];
  for (let i = 0; i < 4; ++i) {
    points.push([...corners[i]!, ...normals[i]!], [...corners[(i + 1) % 4]!, ...normals[i]!]);
    edges.push(2 * i, 2 * i + 1);
  }
  return profileOf(points, edges, corners, [0, 1, 2, 0, 2, 3]);
}

function profileOf(points: number[][], edges: number[], cap: number[][], capTriangles: number[]): Profile {
  const column = (rows: number[][], c: number): Float64Array => Float64Array.from(rows, (row) => row[c]!);
  return {
    x: column(points, 0),
    y: column(points, 1),
    nx: column(points, 2),
    ny: column(points, 3),
    edges,
    capX: column(cap, 0),
    capY: column(cap, 1),
    capTriangles,
  };
}

/** `least`: radius or half width that can still be seen [m]. */
export function profileOfSection(section: Section | undefined, least: number, sides: number): Profile {
  if (section?.type === 'rectangle') {
    return rectangleProfile(Math.max(section.width, least), Math.max(section.height, least));
  }
  const radius = Math.max(section?.radius ?? 0, least);
  const inner = section?.type === 'tube' && section.inner < 0.98 * radius ? section.inner : 0;
  return roundProfile(radius, sides, inner);
}

/** Samples of a curve with their frames, three numbers each. */
export class Path {
  readonly p: Float64Array;
  readonly t: Float64Array;
  readonly u: Float64Array;
  readonly v: Float64Array;

  constructor(samples: number) {
    this.p = new Float64Array(3 * samples);
    this.t = new Float64Array(3 * samples);
    this.u = new Float64Array(3 * samples);
    this.v = new Float64Array(3 * samples);
  }
}

/** Makes the tangents of the path unit vectors; where there is none, by differences of the samples. */
export function unitTangents(path: Path, n: number): void {
  const { p, t } = path;
  for (let i = 0; i < n; ++i) {
    const o = 3 * i;
    let length = Math.hypot(t[o]!, t[o + 1]!, t[o + 2]!);
    if (!(length > 1e-9)) {
      const a = 3 * Math.max(i - 1, 0);
      const b = 3 * Math.min(i + 1, n - 1);
      for (let c = 0; c < 3; ++c) t[o + c] = p[b + c]! - p[a + c]!;
      length = Math.hypot(t[o]!, t[o + 1]!, t[o + 2]!);
      if (!(length > 0)) {
        const from = i > 0 ? o - 3 : -1;
        t[o] = from < 0 ? 1 : t[from]!;
        t[o + 1] = from < 0 ? 0 : t[from + 1]!;
        t[o + 2] = from < 0 ? 0 : t[from + 2]!;
        length = 1;
      }
    }
    t[o]! /= length;
    t[o + 1]! /= length;
    t[o + 2]! /= length;
  }
}

/** v = t × u everywhere. */
function completeFrames(path: Path, n: number): void {
  const { t, u, v } = path;
  for (let o = 0; o < 3 * n; o += 3) {
    v[o] = t[o + 1]! * u[o + 2]! - t[o + 2]! * u[o + 1]!;
    v[o + 1] = t[o + 2]! * u[o]! - t[o]! * u[o + 2]!;
    v[o + 2] = t[o]! * u[o + 1]! - t[o + 1]! * u[o]!;
  }
}

export function planarFrames(path: Path, n: number): void {
  const { t, u } = path;
  for (let o = 0; o < 3 * n; o += 3) {
    u[o] = -t[o + 1]!;
    u[o + 1] = t[o]!;
    u[o + 2] = 0;
  }
  completeFrames(path, n);
}

/** Rotation-minimising frames from unit tangents. */
export function minimisingFrames(path: Path, n: number): void {
  const { p, t, u } = path;
  firstNormal(t, u);
  for (let i = 1; i < n; ++i) {
    const a = 3 * (i - 1);
    const b = 3 * i;
    // Reflection of the frame in the plane between the two samples, then in the one that turns the tangent into place.
    let rx = p[b]! - p[a]!;
    let ry = p[b + 1]! - p[a + 1]!;
    let rz = p[b + 2]! - p[a + 2]!;
    let square = rx * rx + ry * ry + rz * rz;
    let ux = u[a]!;
    let uy = u[a + 1]!;
    let uz = u[a + 2]!;
    let tx = t[a]!;
    let ty = t[a + 1]!;
    let tz = t[a + 2]!;
    if (square > 0) {
      let f = (2 * (rx * ux + ry * uy + rz * uz)) / square;
      ux -= f * rx;
      uy -= f * ry;
      uz -= f * rz;
      f = (2 * (rx * tx + ry * ty + rz * tz)) / square;
      tx -= f * rx;
      ty -= f * ry;
      tz -= f * rz;
    }
    rx = t[b]! - tx;
    ry = t[b + 1]! - ty;
    rz = t[b + 2]! - tz;
    square = rx * rx + ry * ry + rz * rz;
    if (square > 1e-24) {
      const f = (2 * (rx * ux + ry * uy + rz * uz)) / square;
      ux -= f * rx;
      uy -= f * ry;
      uz -= f * rz;
    }
    putNormal(t, u, b, ux, uy, uz);
  }
  completeFrames(path, n);
}

/** The given directors made unit vectors; they need not stand on the tangent, as shear turns them away from it. */
export function directorFrames(path: Path, n: number, hasSecond: boolean): void {
  const { t, u, v } = path;
  for (let o = 0; o < 3 * n; o += 3) {
    if (!hasSecond) putNormal(t, u, o, u[o]!, u[o + 1]!, u[o + 2]!);
    else {
      const a = 1 / (Math.hypot(u[o]!, u[o + 1]!, u[o + 2]!) || 1);
      const b = 1 / (Math.hypot(v[o]!, v[o + 1]!, v[o + 2]!) || 1);
      for (let c = 0; c < 3; ++c) {
        u[o + c]! *= a;
        v[o + c]! *= b;
      }
    }
  }
  if (!hasSecond) completeFrames(path, n);
}

function firstNormal(t: Float64Array, u: Float64Array): void {
  const x = Math.abs(t[0]!);
  const y = Math.abs(t[1]!);
  const z = Math.abs(t[2]!);
  if (z <= x && z <= y) putNormal(t, u, 0, 0, 0, 1);
  else if (y <= x) putNormal(t, u, 0, 0, 1, 0);
  else putNormal(t, u, 0, 1, 0, 0);
}

/** The part of (x, y, z) at right angles to the unit tangent at o, as a unit vector. */
function putNormal(t: Float64Array, u: Float64Array, o: number, x: number, y: number, z: number): void {
  const along = t[o]! * x + t[o + 1]! * y + t[o + 2]! * z;
  let nx = x - along * t[o]!;
  let ny = y - along * t[o + 1]!;
  let nz = z - along * t[o + 2]!;
  let length = Math.hypot(nx, ny, nz);
  if (!(length > 1e-9)) {
    const isX = Math.abs(t[o]!) < 0.6;
    const d = isX ? t[o]! : t[o + 1]!;
    nx = (isX ? 1 : 0) - d * t[o]!;
    ny = (isX ? 0 : 1) - d * t[o + 1]!;
    nz = -d * t[o + 2]!;
    length = Math.hypot(nx, ny, nz);
  }
  u[o] = nx / length;
  u[o + 1] = ny / length;
  u[o + 2] = nz / length;
}

export function vertexCount(profile: Profile, samples: number): number {
  return samples * profile.x.length + 2 * profile.capX.length;
}

/** Triangles of a tube whose vertices begin at `first`, outside in front. */
export function pushTriangles(profile: Profile, samples: number, first: number, out: number[]): void {
  const m = profile.x.length;
  for (let i = 0; i + 1 < samples; ++i) {
    const a = first + i * m;
    for (let e = 0; e < profile.edges.length; e += 2) {
      const j = profile.edges[e]!;
      const k = profile.edges[e + 1]!;
      out.push(a + j, a + k, a + m + k, a + j, a + m + k, a + m + j);
    }
  }
  const begin = first + samples * m;
  const end = begin + profile.capX.length;
  for (let i = 0; i < profile.capTriangles.length; i += 3) {
    const [a, b, c] = profile.capTriangles.slice(i, i + 3) as [number, number, number];
    out.push(begin + a, begin + c, begin + b, end + a, end + b, end + c);
  }
}

/** Of a curve that tapers: factors on the two directions of its profile at each sample. */
export function scaleOf(sizes: Float32Array | undefined, section: Section | undefined, least: number): Float32Array | undefined {
  if (sizes === undefined || section === undefined) return undefined;
  const flat = section.type === 'rectangle';
  const whole = flat ? [section.width, section.height] : [section.radius, section.radius];
  return sizes.map((_, k) => Math.max(sizes[flat ? k : k - (k % 2)]!, least) / Math.max(whole[k % 2]!, least));
}

/** Writes places and normals of a tube's vertices from vertex `first` on. */
export function sweep(
  path: Path,
  samples: number,
  profile: Profile,
  first: number,
  places: Float32Array,
  normals: Float32Array,
  scale?: Float32Array,
): void {
  const { p, u, v } = path;
  const { x, y, nx, ny, capX, capY } = profile;
  const m = x.length;
  let o = 3 * first;
  for (let i = 0; i < 3 * samples; i += 3) {
    const px = p[i]!;
    const py = p[i + 1]!;
    const pz = p[i + 2]!;
    const ux = u[i]!;
    const uy = u[i + 1]!;
    const uz = u[i + 2]!;
    const vx = v[i]!;
    const vy = v[i + 1]!;
    const vz = v[i + 2]!;
    const along = scale?.[(2 * i) / 3] ?? 1;
    const across = scale?.[(2 * i) / 3 + 1] ?? 1;
    for (let j = 0; j < m; ++j, o += 3) {
      const a = along * x[j]!;
      const b = across * y[j]!;
      const c = nx[j]!;
      const d = ny[j]!;
      places[o] = px + a * ux + b * vx;
      places[o + 1] = py + a * uy + b * vy;
      places[o + 2] = pz + a * uz + b * vz;
      normals[o] = c * ux + d * vx;
      normals[o + 1] = c * uy + d * vy;
      normals[o + 2] = c * uz + d * vz;
    }
  }
  for (let end = 0; end < 2; ++end) {
    const i = end === 0 ? 0 : 3 * (samples - 1);
    const sign = end === 0 ? -1 : 1;
    const ax = sign * (u[i + 1]! * v[i + 2]! - u[i + 2]! * v[i + 1]!);
    const ay = sign * (u[i + 2]! * v[i]! - u[i]! * v[i + 2]!);
    const az = sign * (u[i]! * v[i + 1]! - u[i + 1]! * v[i]!);
    const along = scale?.[(2 * i) / 3] ?? 1;
    const across = scale?.[(2 * i) / 3 + 1] ?? 1;
    for (let j = 0; j < capX.length; ++j, o += 3) {
      const a = along * capX[j]!;
      const b = across * capY[j]!;
      for (let c = 0; c < 3; ++c) places[o + c] = p[i + c]! + a * u[i + c]! + b * v[i + c]!;
      normals[o] = ax;
      normals[o + 1] = ay;
      normals[o + 2] = az;
    }
  }
}
