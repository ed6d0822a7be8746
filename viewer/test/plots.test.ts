import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisNumbers, axisRoom, linearRange, noiseFloor, quiet } from '../src/plots/axis.ts';
import { pathOf, svgOf } from '../src/plots/svg.ts';

test('an axis has room for all of its numbers, the sign too', () => {
  const widthOf = (text: string): number => 6.5 * text.length;
  const labels = axisNumbers([-29.430002, -29.430001, -29.43]);
  assert.equal(labels[0], '−29.430002');
  assert.ok(axisRoom(labels, widthOf) >= widthOf(labels[0]!) + 10);
  assert.equal(axisRoom(null, widthOf), 34);
});

test('a number that only rounding moves has one value', () => {
  const [low, high] = linearRange(-29.4300000001, -29.43);
  assert.ok(low < -30 && high > -28);
  const [a, b] = linearRange(1, 1.001);
  assert.ok(a > 0.99 && b < 1.01);
});

test('rounding beside real numbers is zero', () => {
  const floor = noiseFloor(0.49, 1.7);
  assert.equal(quiet(6.9e-17, floor), 0);
  assert.equal(quiet(-3e-9, floor), -3e-9);
  // A plot of nothing but rounding, in a run whose places are metres.
  assert.deepEqual(linearRange(-4e-15, 1e-15, noiseFloor(4e-15, 1.7)), [-1, 1]);
  // Small numbers stay where all of their unit are.
  assert.ok(noiseFloor(2e-15, 2e-15) < 1e-24);
});

test('a drawing of a plot holds its curves, its numbers and its names', () => {
  const text = svgOf({
    title: 'tip <1> & "more"', width: 400, height: 224, frame: { left: 50, top: 56, width: 330, height: 130 },
    x: { label: 'time [s]', ticks: [{ at: 50, text: '0' }, { at: 380, text: '2' }] },
    y: { label: 'm', ticks: [{ at: 186, text: '−29.43' }] },
    curves: [
      { label: 'x', color: '#123456', dash: [], isMeasured: false, places: [50, 60, 100.004, 70, NaN, NaN, 200, 90] },
      { label: 'camera', color: '#654321', dash: [], isMeasured: true, places: [60, 61, 70, 71] },
    ],
    colours: { ink: '#000', text: '#666', grid: '#ddd', ground: '#fff' },
  });
  assert.ok(text.includes('tip &lt;1&gt; &amp; &quot;more&quot;'));
  assert.ok(text.includes('d="M50 60L100 70M200 90"') && text.includes('>−29.43<') && text.includes('>time [s]<'));
  assert.equal(text.match(/<circle/g)!.length, 3);
  assert.equal(pathOf([]), '');
});
