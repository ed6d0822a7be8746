import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHash } from '../src/hash.ts';
import { conversion, formatNumber, prettyUnit, scaleFor, trimmed } from '../src/units.ts';

const near = (a: number | undefined, b: number) => assert.ok(a !== undefined && Math.abs(a / b - 1) < 1e-12, `${a} is not ${b}`);

test('units convert where they measure the same', () => {
  near(conversion('mm', 'm'), 1e-3);
  near(conversion('ms', 's'), 1e-3);
  near(conversion('kPa', 'Pa'), 1e3);
  near(conversion('N/mm^2', 'Pa'), 1e6);
  near(conversion('deg', 'rad'), Math.PI / 180);
  near(conversion('rpm', 'rad/s'), Math.PI / 30);
  near(conversion('N mm', 'N m'), 1e-3);
  near(conversion('cm/s²', 'm/s^2'), 1e-2);
  near(conversion('g', 'kg'), 1e-3);
  near(conversion('%', '1'), 1e-2);
  near(conversion('1/mm', '1/m'), 1e3);
  assert.equal(conversion('mm', 's'), undefined);
  assert.equal(conversion('furlong', 'm'), undefined);
});

test('axes take a prefix that makes their numbers short', () => {
  assert.deepEqual(scaleFor('m', 0.004), { factor: 1000, unit: 'mm' });
  assert.deepEqual(scaleFor('Pa', 25e3), { factor: 1e-3, unit: 'kPa' });
  assert.deepEqual(scaleFor('m', 0.4), { factor: 1, unit: 'm' });
  assert.deepEqual(scaleFor('s', 0.0003), { factor: 1e6, unit: 'µs' });
  assert.equal(scaleFor('1/m', 4e-7).unit, '10⁻⁹ 1/m');
  assert.equal(scaleFor('kg', 2e-5).unit, '10⁻⁶ kg');
});

test('numbers have five digits and a true minus sign', () => {
  assert.equal(formatNumber(-0.0426981), '−0.042698');
  assert.equal(formatNumber(1.5e-7), '1.5·10⁻⁷');
  assert.equal(formatNumber(NaN), '–');
  assert.equal(trimmed(2.19), '2.19');
  assert.equal(trimmed(100), '100');
  assert.equal(prettyUnit('m/s^2'), 'm/s²');
});

test('the address says where the page begins', () => {
  assert.deepEqual(parseHash('#t=1.2&stretch=1&view=iso&field=axial%20strain&play=0&ui=none'), {
    time: 1.2, stretch: 1, view: 'iso', field: 'axial strain', play: false, ui: 'none',
  });
  assert.deepEqual(parseHash('#t=soon'), {});
});
