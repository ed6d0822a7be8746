import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type Drawable, type Section, type Shape, SlotMap } from '../src/payload.ts';
import { spatialViews, standOff } from '../src/scene3d/camera.ts';
import { bodyGeometry, roundSolids } from '../src/scene3d/shapes.ts';
import { colourRange, colours, cssColours, legendNumbers, lightness, mapSize } from '../src/scene3d/colormap.ts';
import { anyNormal, setFrame } from '../src/scene3d/frame.ts';
import { applyRow, fuse, placesAndNormals } from '../src/scene3d/maps.ts';
import { boundaryEdges } from '../src/scene3d/surface.ts';
import { lengthText, roundLength } from '../src/scene3d/stage.ts';
import { fieldIndex, last } from '../src/scene3d/tubes.ts';
import {
  directorFrames,
  minimisingFrames,
  Path,
  planarFrames,
  type Profile,
  profileOfSection,
  pushTriangles,
  sweep,
  unitTangents,
  vertexCount,
} from '../src/scene3d/tube.ts';
import { Matrix4, Vector3 } from 'three';

type Rows = [number, number][][];

function mapOf(rows: Rows): SlotMap {
  const start = [0];
  for (const row of rows) start.push(start[start.length - 1]! + row.length);
  return new SlotMap(
    Uint32Array.from(start),
    Uint32Array.from(rows.flat().map(([slot]) => slot)),
    Float32Array.from(rows.flat().map(([, weight]) => weight)),
  );
}

const section = (part: Partial<Section>): Section => ({
  type: 'round', radius: 0, inner: 0, width: 0, height: 0, nominal: false, ...part,
});

/** A helix with its tangents. */
function helix(samples: number): Path {
  const path = new Path(samples);
  for (let i = 0; i < samples; ++i) {
    const s = (6 * i) / (samples - 1);
    path.p.set([Math.cos(s), Math.sin(s), 0.4 * s], 3 * i);
    path.t.set([-Math.sin(s), Math.cos(s), 0.4], 3 * i);
  }
  unitTangents(path, samples);
  return path;
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>, i: number, j = i): number =>
  a[i]! * b[j]! + a[i + 1]! * b[j + 1]! + a[i + 2]! * b[j + 2]!;

const near = (a: number, b: number, tolerance: number): void =>
  assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b} within ${tolerance}`);

test('fused maps give the same places as each map, and the normals of their tangents', () => {
  const position = mapOf([[[0, 1]], [[0, 0.5], [2, 0.5]], [[2, 1], [1, 0.25]]]);
  const first = mapOf([[[1, 1]], [[1, 1]], [[1, 2]]]);
  const second = mapOf([[[3, 1]], [[3, 1], [0, 0.5]], [[3, 1]]]);
  const x = Float64Array.of(0.1, 0.2, 0.3, 1, 0, 0.5, 2, 1, 0, 0, 1, -0.5);
  const maps = fuse([[position, first, second]]);
  const places = new Float32Array(9);
  const normals = new Float32Array(9);
  placesAndNormals(maps, x, places, normals);
  const p = new Float64Array(3);
  const [a, b] = [new Float64Array(3), new Float64Array(3)];
  for (let row = 0; row < 3; ++row) {
    applyRow(position, row, x, p);
    applyRow(first, row, x, a);
    applyRow(second, row, x, b);
    const n = new Vector3().fromArray(a).cross(new Vector3().fromArray(b)).normalize();
    for (let c = 0; c < 3; ++c) {
      near(places[3 * row + c]!, p[c]!, 1e-6); // float32
      near(normals[3 * row + c]!, n.getComponent(c), 1e-6);
    }
  }
});

test('several surfaces stand one after the other in fused maps', () => {
  const one = mapOf([[[0, 1]]]);
  const maps = fuse([[one, one, one], [one, one, one]]);
  assert.equal(maps.size, 2);
  assert.deepEqual([...maps.start], [0, 1, 2]);
});

test('frames of a helix are orthonormal, right-handed, and turn as little as can be', () => {
  const n = 200;
  const path = helix(n);
  minimisingFrames(path, n);
  const { t, u, v } = path;
  for (let i = 0; i < 3 * n; i += 3) {
    near(dot(u, u, i), 1, 1e-12);
    near(dot(u, t, i), 0, 1e-12);
    near(dot(v, t, i), 0, 1e-12);
    near(dot(v, u, i), 0, 1e-12);
    const volume = new Vector3().fromArray(u, i).cross(new Vector3().fromArray(v, i)).dot(new Vector3().fromArray(t, i));
    near(volume, 1, 1e-12);
  }
  // No turn about the tangent: its part of the turn from sample to sample, ½ (u·v₋ − v·u₋), is of third order in the
  // spacing, (6.5/199)³ = 3.5e-5 times a rate below 1.
  for (let i = 3; i < 3 * n; i += 3) near((dot(u, v, i, i - 3) - dot(v, u, i, i - 3)) / 2, 0, 3.5e-5);
});

test('frames of a straight rod, of a reversal and of samples without a tangent hold', () => {
  const path = new Path(4);
  path.p.set([0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0.5]);
  unitTangents(path, 4);
  minimisingFrames(path, 4);
  for (const list of [path.t, path.u, path.v]) for (const number of list) assert.ok(Number.isFinite(number));
  for (let i = 0; i < 12; i += 3) near(dot(path.u, path.t, i), 0, 1e-12);
});

test('planar frames lie in the plane, the second axis along Z', () => {
  const path = new Path(3);
  path.t.set([1, 0, 0, 0.6, 0.8, 0, 0, -1, 0]);
  planarFrames(path, 3);
  assert.deepEqual([...path.u].map((x) => x + 0), [0, 1, 0, -0.8, 0.6, 0, 1, 0, 0].map((x) => x + 0));
  for (let i = 0; i < 9; i += 3) near(path.v[i + 2]!, 1, 1e-15);
});

test('directors are used as they are given, made unit vectors', () => {
  const path = new Path(1);
  path.t.set([1, 0, 0]);
  path.u.set([0.1, 2, 0]); // sheared
  path.v.set([0, 0, 0.5]);
  directorFrames(path, 1, true);
  near(path.u[1]! / path.u[0]!, 20, 1e-12);
  near(path.v[2]!, 1, 1e-15);
});

const profiles: Record<string, Profile> = {
  round: profileOfSection(section({ radius: 0.1 }), 0, 16),
  tube: profileOfSection(section({ type: 'tube', radius: 0.1, inner: 0.06 }), 0, 16),
  rectangle: profileOfSection(section({ type: 'rectangle', width: 0.2, height: 0.1 }), 0, 16),
};

for (const [name, profile] of Object.entries(profiles)) {
  test(`a ${name} tube is closed, and its normals point out of it`, () => {
    const n = 60;
    const path = helix(n);
    minimisingFrames(path, n);
    const count = vertexCount(profile, n);
    const places = new Float32Array(3 * count);
    const normals = new Float32Array(3 * count);
    sweep(path, n, profile, 0, places, normals);
    const triangles: number[] = [];
    pushTriangles(profile, n, 0, triangles);
    assert.equal(Math.max(...triangles), count - 1);
    // Closed: with equal places taken as one, each edge is run once in each sense.
    const key = (v: number): string => [0, 1, 2].map((c) => places[3 * v + c]!.toFixed(5)).join(' ');
    const edges = new Map<string, number>();
    const vector = (v: number): Vector3 => new Vector3().fromArray(places, 3 * v);
    for (let k = 0; k < triangles.length; k += 3) {
      const [a, b, c] = triangles.slice(k, k + 3) as [number, number, number];
      for (const [from, to] of [[a, b], [b, c], [c, a]] as const) {
        const edge = `${key(from)} > ${key(to)}`;
        edges.set(edge, (edges.get(edge) ?? 0) + 1);
      }
      const flat = vector(b).sub(vector(a)).cross(vector(c).sub(vector(a))).normalize();
      for (const v of [a, b, c]) {
        const normal = new Vector3().fromArray(normals, 3 * v);
        near(normal.length(), 1, 1e-5);
        assert.ok(flat.dot(normal) > 0.7, `triangle ${k / 3}: its normal is ${flat.dot(normal)} of the vertex's`);
      }
    }
    for (const [edge, times] of edges) {
      assert.equal(times, 1, edge);
      const [from, to] = edge.split(' > ');
      assert.ok(edges.has(`${to} > ${from}`), `the edge ${edge} is open`);
    }
  });
}

test('a section that cannot be seen is drawn with the least size', () => {
  assert.equal(Math.max(...profileOfSection(section({ radius: 1e-9 }), 0.01, 8).x), 0.01);
  assert.equal(Math.max(...profileOfSection(undefined, 0.01, 8).x), 0.01);
});

test('the rim of a grid of quads runs once around it', () => {
  const quads: number[] = [];
  for (let i = 0; i < 3; ++i) for (let j = 0; j < 2; ++j) quads.push(3 * i + j, 3 * i + 3 + j, 3 * i + 4 + j, 3 * i + 1 + j);
  const edges = boundaryEdges(Uint32Array.from(quads));
  assert.equal(edges.length, 2 * (2 * 3 + 2 * 2));
  const next = new Map<number, number>();
  for (let e = 0; e < edges.length; e += 2) next.set(edges[e]!, edges[e + 1]!);
  let at = edges[0]!;
  for (let i = 0; i < 10; ++i) at = next.get(at)!;
  assert.equal(at, edges[0]);
});

test('frames are completed from one, two or three axes', () => {
  const m = new Matrix4();
  for (const axes of [
    [[0, 2, 0], null, null],
    [[0, 0.9, 0.1], [1, 0.2, 0], null],
    [null, null, [0, 0, 3]],
    [null, [0, 1, 0], null],
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [null, null, null],
  ] as (number[] | null)[][]) {
    setFrame(m, [1, 2, 3], axes[0]!, axes[1]!, axes[2]!);
    near(m.determinant(), 1, 1e-12);
    axes.forEach((axis, i) => {
      if (axis === null || axes.filter(Boolean).length > 1) return;
      near(new Vector3().setFromMatrixColumn(m, i).dot(new Vector3(...axis).normalize()), 1, 1e-12);
    });
  }
  for (const v of [new Vector3(0, 0, 1), new Vector3(1, 0, 0), new Vector3(0.3, -0.4, 0.5)]) {
    near(anyNormal(v, new Vector3()).dot(v), 0, 1e-12);
  }
});

test('colours get lighter from low to high, and the same on both sides of zero', () => {
  const of = (bytes: Uint8Array, i: number): number => lightness([bytes[4 * i]!, bytes[4 * i + 1]!, bytes[4 * i + 2]!]);
  for (const map of ['sequential', 'sequential-on-dark'] as const) {
    const sequential = colours(map);
    for (let i = 1; i < mapSize; ++i) assert.ok(of(sequential, i) > of(sequential, i - 1) - 0.4); // of one step of 8 bits
  }
  // The ground has 18 at most.
  assert.ok(of(colours('sequential-on-dark'), 0) > 28);
  const diverging = colours('diverging');
  for (let i = 1; i < mapSize / 2; ++i) {
    assert.ok(of(diverging, i) > of(diverging, i - 1) - 0.4);
    near(of(diverging, i), of(diverging, mapSize - 1 - i), 9);
  }
  assert.equal(cssColours('diverging', 9).length, 9);
  assert.match(cssColours('sequential')[0]!, /^rgb\(68 1 84\)$/);
});

test('ends of colours: zero in the middle of signed ones, never of no width', () => {
  assert.deepEqual(colourRange(-1, 3, true), [-3, 3]);
  assert.deepEqual(colourRange(2, 5, false), [2, 5]);
  for (const [low, high] of [[4, 4], [0, 0], [NaN, NaN], [Infinity, -Infinity]] as const) {
    for (const isSigned of [false, true]) {
      const [a, b] = colourRange(low, high, isSigned);
      assert.ok(b > a && Number.isFinite(a + b), `${low} ${high}: ${a} ${b}`);
    }
  }
});

test('numbers of a legend that are only rounding beside its ends are 0', () => {
  assert.deepEqual(legendNumbers(1.3e-17, 2), [0, 1, 2]);
  assert.deepEqual(legendNumbers(-3, 3 + 1e-15), [-3, 0, 3 + 1e-15]);
  assert.deepEqual(legendNumbers(1e-17, 3e-17), [1e-17, 2e-17, 3e-17]);
});

test('lengths are round and in units that people use', () => {
  assert.equal(roundLength(0.37), 0.2);
  assert.equal(roundLength(1), 1);
  near(roundLength(0.0099), 0.005, 1e-12);
  assert.equal(lengthText(0.05), '50 mm');
  assert.equal(lengthText(2), '2 m');
  assert.equal(lengthText(2e-6), '2 µm');
});

test('a field has a number for each sample, or fewer that are shared', () => {
  const drawable = (field: number, fieldCount: number): Drawable => ({ field, fieldCount }) as Drawable;
  assert.equal(fieldIndex(drawable(10, 5), 3, 5), 13);
  assert.equal(fieldIndex(drawable(10, 2), 4, 5), 11);
  assert.equal(fieldIndex(drawable(10, 1), 4, 5), 10);
  assert.equal(fieldIndex(drawable(-1, 0), 4, 5), -1);
  assert.equal(last(Uint32Array.of(0, 4, 9), 8), 1);
});

const shape = (part: Partial<Shape>): Shape =>
  ({ type: 'sphere', center: [0, 0, 0], axes: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), size: [1, 1, 1], to: [0, 0, 0], ...part }) as Shape;

test('what is round about one line gets a mark, and nothing else', () => {
  const disc = shape({ type: 'cylinder', size: [1, 1, 0.2] });
  const rod = shape({ type: 'link', size: [0.05, 0, 0], to: [0, 0, 2] });
  const top = shape({ type: 'ellipsoid', size: [1, 1, 0.4], center: [0, 0, 1] });
  assert.equal(roundSolids([disc]).length, 1);
  assert.equal(roundSolids([shape({})]).length, 1);
  assert.equal(roundSolids([top, rod]).length, 2);
  assert.equal(roundSolids([disc, shape({ center: [0, 0.5, 0] })]).length, 0, 'a ball beside the axis shows the turning');
  assert.equal(roundSolids([disc, shape({ type: 'box' })]).length, 0);
  assert.equal(roundSolids([shape({ type: 'ellipsoid', size: [1, 2, 3] })]).length, 0);
  const look = { isPlanar: false, detail: 1, least: 0 };
  for (const body of [[disc], [shape({})], [top, rod]]) {
    const geometry = bodyGeometry(body, look)!;
    const [place, normal, colour] = ['position', 'normal', 'color'].map((name) => geometry.attributes[name]!.array);
    const dark = Array.from({ length: colour!.length / 3 }, (_, i) => i).filter((i) => colour![3 * i]! < 0.9);
    assert.ok(dark.length > 8);
    const center = new Vector3(...body[0]!.center);
    // Outside of the solid, seen from outside.
    for (const i of dark.slice(0, 6)) {
      const x = new Vector3().fromArray(place!, 3 * i).sub(center);
      assert.ok(x.dot(new Vector3().fromArray(normal!, 3 * i)) > 0);
    }
  }
});

test('the camera stands as near as it can with everything in the picture', () => {
  const points = Array.from({ length: 60 }, (_, i) => new Vector3(Math.sin(7 * i), 3 * Math.cos(5 * i), 0.4 * Math.sin(11 * i)));
  for (const [up, across, foot] of [[0.23, 0.41, 0.1], [0.23, 0.12, 0], [0.23, 0.6, 0.1]] as const) {
    for (const direction of [[0.72, -1, 0.62], [1, 0, 0], [0, -1, 0]]) {
      const d = new Vector3(...direction).normalize();
      const right = new Vector3().crossVectors(new Vector3(0, 0, 1), d).normalize();
      const above = new Vector3().crossVectors(d, right);
      const { position, target } = standOff(points, d, right, { up, across, foot });
      let [most, sides, heights] = [0, [Infinity, -Infinity], [Infinity, -Infinity]];
      for (const p of points) {
        const to = p.clone().sub(position);
        const x = to.dot(right) / -to.dot(d) / across;
        const y = to.dot(above) / -to.dot(d) / up;
        sides = [Math.min(sides[0]!, x), Math.max(sides[1]!, x)];
        heights = [Math.min(heights[0]!, y), Math.max(heights[1]!, y)];
      }
      most = Math.max(sides[1]!, -sides[0]!, heights[1]!, -heights[0]! / (1 - 2 * foot));
      near(most, 1, 1e-9);
      if (heights[1]! < 1 - 1e-9 && -heights[0]! < 1 - 2 * foot - 1e-9) near(sides[0]!, -sides[1]!, 1e-9); // in the middle
      assert.ok(position.clone().sub(target).normalize().dot(d) > 1 - 1e-12);
    }
  }
  // As on robots: x forward, y to the left.
  assert.deepEqual(spatialViews['front'], [1, 0, 0]);
  assert.deepEqual(spatialViews['left'], [0, 1, 0]);
});
