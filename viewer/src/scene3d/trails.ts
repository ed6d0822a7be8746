/** Trails of sensors: their ways through a stretch, faint as a whole and strong up to the present frame. */
import * as THREE from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';

import { configure, type Drawable, makeConfiguration, type Model, type Stretch } from '../payload.ts';
import { applyRow } from './maps.ts';

/** Segments of all sensors together; more are thinned. */
const mostSegments = 24000;

export class Trails {
  readonly group = new THREE.Group();
  private readonly past_: LineSegments2;
  private readonly all_: LineSegments2;
  private readonly step_: number;
  private readonly sensors_: number;
  /** Start and end of each segment, sensor after sensor, frame after frame. */
  private readonly places_: Float32Array;
  private readonly segments_: number;
  /** First of the segments that are cut short; -1: none. */
  private cut_ = -1;

  constructor(model: Model, stretch: Stretch, sensors: readonly Drawable[], lift: number, colour: THREE.Color) {
    const frames = stretch.frames;
    this.sensors_ = sensors.length;
    this.step_ = Math.max(1, Math.ceil((frames * sensors.length) / mostSegments));
    const times: number[] = [];
    for (let f = 0; f < frames; f += this.step_) times.push(f);
    if (times[times.length - 1] !== frames - 1) times.push(frames - 1);
    const x = makeConfiguration(model);
    const now = new Float32Array(3 * sensors.length);
    const before = new Float32Array(3 * sensors.length);
    const places = new Float32Array(6 * Math.max(0, times.length - 1) * sensors.length);
    let o = 0;
    times.forEach((frame, i) => {
      configure(model, stretch, frame, x);
      before.set(now);
      sensors.forEach((sensor, s) => {
        applyRow(sensor.position, 0, x, now, 3 * s);
        now[3 * s + 2]! += lift;
        if (i === 0) return;
        for (let c = 0; c < 3; ++c) {
          places[o + c] = before[3 * s + c]!;
          places[o + 3 + c] = now[3 * s + c]!;
        }
        o += 6;
      });
    });
    this.places_ = places;
    this.segments_ = places.length / 6;
    const line = (width: number, opacity: number): LineSegments2 => {
      const geometry = new LineSegmentsGeometry().setPositions(Float32Array.from(places));
      const material = new LineMaterial({ linewidth: width, transparent: true, opacity, depthWrite: false });
      material.color.copy(colour);
      const out = new LineSegments2(geometry, material);
      out.frustumCulled = false;
      out.raycast = () => {};
      this.group.add(out);
      return out;
    };
    this.all_ = line(1.4, 0.26);
    this.past_ = line(2.8, 0.95);
  }

  /** `frame`: fractional; the segments that are under way end at its share of them. */
  setFrame(frame: number): void {
    const geometry = this.past_.geometry as LineSegmentsGeometry;
    const index = Math.max(frame, 0) / this.step_;
    const whole = Math.min(Math.floor(index + 1e-9), this.segments_ / Math.max(this.sensors_, 1));
    const share = index - whole;
    const { data } = geometry.attributes['instanceStart'] as THREE.InterleavedBufferAttribute;
    data.clearUpdateRanges();
    this.restore(data);
    const first = this.sensors_ * whole;
    let count = first;
    if (share > 1e-6 && first < this.segments_) {
      for (let s = first; s < first + this.sensors_; ++s) {
        for (let c = 6 * s; c < 6 * s + 3; ++c) {
          data.array[c + 3] = this.places_[c]! + share * (this.places_[c + 3]! - this.places_[c]!);
        }
      }
      this.cut_ = first;
      data.addUpdateRange(6 * first, 6 * this.sensors_);
      count += this.sensors_;
    }
    data.needsUpdate = true;
    geometry.instanceCount = count;
    this.past_.visible = count > 0;
  }

  /** Segments that were cut short have their whole length again. */
  private restore(data: THREE.InterleavedBuffer): void {
    if (this.cut_ < 0) return;
    const from = 6 * this.cut_;
    const count = 6 * this.sensors_;
    for (let k = from; k < from + count; ++k) data.array[k] = this.places_[k]!;
    data.addUpdateRange(from, count);
    this.cut_ = -1;
  }

  dispose(): void {
    for (const line of [this.past_, this.all_]) {
      line.geometry.dispose();
      line.material.dispose();
    }
  }
}
