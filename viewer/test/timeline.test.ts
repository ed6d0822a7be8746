import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comfortableSpeed, fractionalIndex, type StretchInfo, Timeline, valueAt } from '../src/timeline.ts';

const stretch = (axis: StretchInfo['axis'], at: number[], more: Partial<StretchInfo> = {}): StretchInfo => ({
  analysis: axis, type: 'x', axis, unit: axis === 't' ? 's' : '1', at: Float64Array.from(at), ...more,
});
const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

test('every duration plays for 5 to 15 s', () => {
  for (let d = 1e-5; d < 1e5; d *= 1.13) {
    const seconds = d / comfortableSpeed(d);
    assert.ok(seconds >= 5 && seconds <= 15, `${d} s lasts ${seconds} s`);
  }
  assert.equal(comfortableSpeed(10), 1);
  assert.equal(comfortableSpeed(0.03), 0.005);
});

test('times between frames are found by interpolation', () => {
  const at = [0, 1, 1, 4];
  near(fractionalIndex(at, 0.5), 0.5);
  near(fractionalIndex(at, 1), 2);
  near(fractionalIndex(at, 2.5), 2.5);
  near(fractionalIndex(at, -1), 0);
  near(fractionalIndex(at, 9), 3);
  near(valueAt(at, 2.5), 2.5);
});

test('playing passes through all stretches and stops at the end', () => {
  const timeline = new Timeline([stretch('load_factor', [0, 1]), stretch('t', [0, 3, 6]), stretch('t', [6, 10])]);
  assert.equal(timeline.speed, 1);
  assert.ok(timeline.advance(1));
  near(timeline.value, 0.4);
  assert.ok(timeline.advance(2.5));
  assert.equal(timeline.stretch, 1);
  near(timeline.value, 1);
  assert.ok(timeline.advance(7));
  assert.equal(timeline.stretch, 2);
  near(timeline.value, 8);
  assert.equal(timeline.advance(5), false);
  assert.ok(timeline.isAtEnd);
  near(timeline.value, 10);
});

test('repeating begins again at the start', () => {
  const timeline = new Timeline([stretch('t', [0, 10])]);
  timeline.loop = true;
  timeline.set(0, 9);
  assert.ok(timeline.advance(2));
  near(timeline.value, 1);
});

test('a time line of one state neither plays for ever nor divides by zero', () => {
  const timeline = new Timeline([stretch('t', [2])]);
  timeline.loop = true;
  assert.ok(timeline.advance(1));
  near(timeline.value, 2);
  assert.ok(Number.isFinite(timeline.fraction));
});

test('load factors that turn back are played by step', () => {
  const timeline = new Timeline([stretch('load_factor', [0, 1, 0.5, 2])]);
  assert.ok(timeline.segment.byFrame);
  timeline.setFrame(0, 1.5);
  near(timeline.value, 0.75);
  near(timeline.frame, 1.5);
});

test('modes are chosen by whole numbers and swing without end', () => {
  const timeline = new Timeline([stretch('mode', [1, 2, 3], { frequency: Float64Array.from([2, 8, 20]) })]);
  timeline.setFraction(0.5);
  assert.equal(timeline.value, 2);
  const before = timeline.phase;
  assert.ok(timeline.advance(0.3));
  assert.notEqual(timeline.phase, before);
  assert.equal(timeline.isAtEnd, false);
  near(timeline.modeSlowdown, 1 / 1.5 / 8);
  timeline.set(0, 3);
  near(timeline.frame, 2);
});

test('places on the line and positions belong together', () => {
  const timeline = new Timeline([stretch('load_factor', [0, 1]), stretch('t', [0, 10]), stretch('t', [10, 10.001])]);
  near(timeline.segments.reduce((sum, s) => sum + s.width, 0), 1);
  assert.ok(timeline.segments.every((s) => s.width > 0.04));
  for (const f of [0, 0.1, 0.33, 0.7, 0.95, 1]) {
    timeline.setFraction(f);
    near(timeline.fraction, f);
  }
});

test('steps go from frame to frame and over into the next stretch', () => {
  const timeline = new Timeline([stretch('t', [0, 1, 2]), stretch('t', [2, 3])]);
  timeline.set(0, 0.4);
  timeline.step(1);
  near(timeline.value, 1);
  timeline.step(-1);
  near(timeline.value, 0);
  timeline.set(0, 2);
  timeline.step(1);
  assert.equal(timeline.stretch, 1);
  timeline.step(-1);
  assert.equal(timeline.stretch, 0);
  near(timeline.value, 2);
});

test('speeds reach from a tenth to ten times the base, with real time among them', () => {
  const { speeds } = new Timeline([stretch('t', [0, 0.03])]);
  assert.deepEqual(speeds, [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 1]);
});
