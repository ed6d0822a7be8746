import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zlibSync } from 'fflate';
import { decodeSweep } from '../src/sweep/data.ts';
import { orderOf } from '../src/sweep/run_table.ts';
import { Scale } from '../src/sweep/scale.ts';
import { State } from '../src/sweep/state.ts';

/** Four runs of one parameter and one output, the last of which failed. */
function smallSweep() {
  const parts: Uint8Array[] = [];
  let at = 0;
  const block = (type: 'u32' | 'f64', values: Uint32Array | Float64Array) => {
    const raw = new Uint8Array(values.buffer);
    const width = values.BYTES_PER_ELEMENT;
    const planes = new Uint8Array(raw.length);
    for (let i = 0; i < values.length; ++i) for (let k = 0; k < width; ++k) planes[k * values.length + i] = raw[i * width + k]!;
    const packed = zlibSync(planes);
    parts.push(packed);
    at += packed.length;
    return { at: at - packed.length, bytes: packed.length, type, count: values.length };
  };
  const json = {
    format: 'flexura-sweep', version: 1, title: 'small', study: 's.toml', scene: 'a.toml', program: '', design: '', planned: 5, known: 4, failed: 1,
    command: { head: 'flexura run a.toml', parameters: ["--set m="], output: '--output s/runs/' },
    columns: [{ name: 'm', unit: 'kg', path: 'mass.m', parameter: true, log: true }, { name: 'y', unit: 'm', parameter: false, log: false }],
    run: block('u32', Uint32Array.of(0, 1, 3, 4)),
    values: block('f64', Float64Array.of(0.1, 3, 1e-7, 1, 10, 2, 1, NaN)),
    failed_rows: [3], report_rows: [1], messages: { texts: ['</script>'], of: [[3, 0]] }, series: [],
  };
  const bytes = new Uint8Array(at);
  let to = 0;
  for (const part of parts) {
    bytes.set(part, to);
    to += part.length;
  }
  return decodeSweep(JSON.stringify(json), Buffer.from(bytes).toString('base64'));
}

test('a row says the command that repeats its run', () => {
  const sweep = smallSweep();
  assert.equal(sweep.command(1), 'flexura run a.toml --set m=1e-7 --output s/runs/1');
  assert.equal(sweep.command(2), 'flexura run a.toml --set m=10 --output s/runs/3');
  assert.equal(sweep.message(3), '</script>');
  assert.equal(sweep.message(0), '');
  assert.deepEqual([0, 1].map(sweep.hasReport), [false, true]);
});

test('brushes leave the runs between; a run without a number passes no brush', () => {
  const state = new State(smallSweep());
  state.setBrush(state.axes[1]!, [1.5, 9]);
  assert.deepEqual(state.activeRows, [0, 2]);
  state.setBrush(state.axes[0]!, [1, 20]);
  assert.deepEqual(state.activeRows, [2]);
  state.clearFilter();
  state.setShown('failed');
  assert.deepEqual(state.activeRows, [3]);
});

test('rows are sorted by any column, those without a number last', () => {
  const sweep = smallSweep();
  assert.deepEqual(orderOf(sweep, [0, 1, 2, 3], 1, false), [1, 2, 0, 3]);
  assert.deepEqual(orderOf(sweep, [0, 1, 2, 3], 1, true), [0, 2, 1, 3]);
});

test('axes are linear or by powers, with round numbers', () => {
  const linear = new Scale(0, 10, false);
  assert.deepEqual(linear.ticks(1, 6).map((t) => t.text), ['0', '2', '4', '6', '8', '10']);
  const log = new Scale(1e-3, 10, true);
  assert.equal(log.share(0.1), 0.5);
  assert.ok(Math.abs(log.at(0.25) - 1e-2) < 1e-15);
  assert.deepEqual(log.ticks(1, 6).map((t) => t.text), ['0.001', '0.01', '0.1', '1', '10']);
  assert.equal(Scale.of([NaN, -1, 5], true).isLog, false, 'there are no powers of negative numbers');
});
