/** What bench.mjs runs: a wavy plate of 28 x 28 elements with 4 nodes of three slots, 25 or 26 quads each. */
import { Color } from 'three';

import { type Drawable, SlotMap } from '../src/payload.ts';
import { makePaintUniforms } from '../src/scene3d/painted.ts';
import { SurfaceMesh } from '../src/scene3d/surface.ts';

const elements = 28;
const quadsPerSide = 142; // 142² = 20 164
const vertices = quadsPerSide + 1;
const nodes = elements + 1;
const slots = 3 * nodes * nodes;
const length = 1 / elements;
const frames = 60;

const shape = (s: number): number[] => [1 - 3 * s * s + 2 * s ** 3, length * (s - 2 * s * s + s ** 3), 3 * s * s - 2 * s ** 3, length * (s ** 3 - s * s)];
const slope = (s: number): number[] => [(6 * s * s - 6 * s) / length, 1 - 4 * s + 3 * s * s, (6 * s - 6 * s * s) / length, 3 * s * s - 2 * s];

/** Rows of 12 slots: the products of the shape functions along both sides, without the mixed slopes. */
function mapOf(along: (s: number) => number[], across: (s: number) => number[]): SlotMap {
  const start = new Uint32Array(vertices * vertices + 1);
  const slot = new Uint32Array(12 * vertices * vertices);
  const weight = new Float32Array(12 * vertices * vertices);
  let k = 0;
  for (let i = 0; i < vertices; ++i) {
    for (let j = 0; j < vertices; ++j) {
      const at = [i, j].map((v) => (v * elements) / quadsPerSide);
      const [ei, ej] = at.map((v) => Math.min(Math.floor(v), elements - 1)) as [number, number];
      const a = along(at[0]! - ei);
      const b = across(at[1]! - ej);
      for (const p of [0, 1]) {
        for (const q of [0, 1]) {
          const node = 3 * ((ei + p) * nodes + ej + q);
          [a[2 * p]! * b[2 * q]!, a[2 * p + 1]! * b[2 * q]!, a[2 * p]! * b[2 * q + 1]!].forEach((w, c) => {
            slot[k] = node + c;
            weight[k++] = w;
          });
        }
      }
      start[i * vertices + j + 1] = k;
    }
  }
  return new SlotMap(start, slot, weight);
}

function configurationAt(t: number): Float64Array {
  const x = new Float64Array(3 * slots);
  for (let i = 0; i < nodes; ++i) {
    for (let j = 0; j < nodes; ++j) {
      const [u, v, a] = [5 * i * length, 4 * j * length, 0.1 * Math.sin(t)];
      x.set([i * length, j * length, a * Math.sin(u) * Math.cos(v), 1, 0, 5 * a * Math.cos(u) * Math.cos(v), 0, 1, -4 * a * Math.sin(u) * Math.sin(v)], 9 * (i * nodes + j));
    }
  }
  return x;
}

const quads: number[] = [];
for (let i = 0; i < quadsPerSide; ++i) {
  for (let j = 0; j < quadsPerSide; ++j) {
    const v = i * vertices + j;
    quads.push(v, v + vertices, v + vertices + 1, v + 1);
  }
}
const drawable: Drawable = {
  kind: 'surface', name: 'plate', label: 'plate', color: '', shapes: [], radius: 0, quantity: -1, moment: false,
  position: mapOf(shape, shape), tangent: mapOf(slope, shape), second: mapOf(shape, slope),
  quads: Uint32Array.from(quads), thickness: new Float32Array(vertices * vertices).fill(0.01),
  field: 0, fieldCount: vertices * vertices,
};

const mesh = new SurfaceMesh([{ drawable, colour: new Color('#888') }], makePaintUniforms(), 1e-3, configurationAt(0));
const states = Array.from({ length: frames }, (_, f) => configurationAt((2 * Math.PI * f) / frames));
const values = new Float64Array(vertices * vertices).map((_, i) => (i % 97) / 97);
const move: number[] = [];
const paint: number[] = [];
for (let k = 0; k < 5 * frames; ++k) {
  let start = performance.now();
  mesh.update(states[k % frames]!);
  move.push(performance.now() - start);
  start = performance.now();
  mesh.paint(values);
  paint.push(performance.now() - start);
}
const of = (times: number[], share: number): string => times.slice(frames).sort((a, b) => a - b)[Math.floor(share * (times.length - frames - 1))]!.toFixed(2);
console.log(`${quads.length / 4} quads, ${vertices * vertices} vertices of 12 slots`);
console.log(`move:   median ${of(move, 0.5)} ms, 95 % below ${of(move, 0.95)} ms`);
console.log(`colour: median ${of(paint, 0.5)} ms, 95 % below ${of(paint, 0.95)} ms`);
