import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configure, DamagedReport, decodeReport, makeConfiguration } from '../src/payload.ts';
// @ts-expect-error: plain JavaScript
import { makeReport, Packer } from './fixture.mjs';

const decode = (options: object = {}) => {
  const { json, data } = makeReport(options) as { json: string; data: string };
  return decodeReport(json, data);
};

test('tables come back as the same doubles', () => {
  const [run] = decode().runs;
  const energies = run!.tables.find((t) => t.name === 'energies')!;
  assert.equal(energies.rows, 101);
  assert.equal(energies.at()[7], 0.14);
  assert.equal(energies.column(0)[7], Math.sin(0.14) ** 2);
  assert.equal(energies.column(2)[100], 2e-9);
});

test('states come back within half a step of their quantisation', () => {
  const [run] = decode().runs;
  const [model] = run!.models;
  const swing = run!.playback[1]!;
  const out = makeConfiguration(model!);
  configure(model!, swing, 25, out);
  // Node 8 at t = 0.5 s: the cable's angle is -0.7 cos(...) at every node; sums of 0.1 sin(angle).
  let x = 0;
  for (let i = 0; i < 8; ++i) x += 0.1 * Math.sin(-0.7 * (0.3 + (0.7 * i) / 8));
  // Range of the coordinate over 65535 steps, halved.
  assert.ok(Math.abs(out[24]! - x) <= 0.66 / 65535 / 2 + 1e-12);
  assert.equal(out[26], 0, 'a planar model has no z');
});

test('fixed slots stand behind the moving ones', () => {
  const model = decode().runs[0]!.models[0]!;
  assert.equal(model.slots, 12);
  assert.deepEqual([...makeConfiguration(model).slice(36)], [0, 0.1, 0]);
});

test('between frames the motion is linear', () => {
  const run = decode({ spatial: true }).runs[0]!;
  const model = run.models[0]!;
  const frame = (f: number) => {
    const out = makeConfiguration(model);
    configure(model, run.playback[1]!, f, out);
    return out;
  };
  const [a, b, c] = [frame(10), frame(10.25), frame(11)];
  a.forEach((v, i) => assert.ok(Math.abs(b[i]! - (0.75 * v + 0.25 * c[i]!)) < 1e-12));
});

test('a mode swings about its base', () => {
  const run = decode().runs[0]!;
  const model = run.models[0]!;
  const modes = run.playback[2]!;
  const at = (phase: number) => {
    const out = makeConfiguration(model);
    configure(model, modes, 1, out, phase, 2);
    return out;
  };
  const [rest, up, down] = [at(0), at(Math.PI / 2), at(-Math.PI / 2)];
  assert.ok(up.some((v, i) => Math.abs(v - rest[i]!) > 0.05));
  rest.forEach((v, i) => assert.ok(Math.abs(up[i]! + down[i]! - 2 * v) < 1e-12));
  assert.deepEqual([...modes.frequency!], [1.25, 4.5, 11]);
});

test('65535 in a field is no value', () => {
  const field = decode().runs[0]!.playback[1]!.fields[0]!;
  assert.ok(Number.isNaN(field.values.value(3, 0)));
  assert.ok(Number.isFinite(field.values.value(3, 1)));
  const row = new Float32Array(41);
  field.values.row(3.5, row);
  assert.ok(Number.isNaN(row[0]!) && Number.isFinite(row[40]!));
});

test('colours of a field end with the bulk of its numbers, where the report says so', () => {
  const { json, data } = makeReport() as { json: string; data: string };
  const ends = (text: string): number[] => {
    const { low, high, from, to } = decodeReport(text, data).runs[0]!.playback[1]!.fields[0]!;
    return [low, high, from, to];
  };
  const [low, high] = ends(json);
  assert.deepEqual(ends(json), [low, high, low, high]);
  const report = JSON.parse(json);
  report.runs[0].playback[1].fields[0].bulk = [-0.1, 0.2];
  assert.deepEqual(ends(JSON.stringify(report)), [low, high, -0.1, 0.2]);
});

test('a map is the sum of weighted slots', () => {
  const model = decode().runs[0]!.models[0]!;
  const rope = model.drawables[0]!;
  const out = new Float64Array(3 * rope.position.size);
  rope.position.apply(model.reference, out);
  // Sample 20 of 41 lies on node 4 of 9, sample 2 lies 0.4 of the way from node 0 to node 1.
  assert.equal(out[3 * 20], model.reference[3 * 4]);
  assert.ok(Math.abs(out[3 * 2 + 1]! - 0.4 * model.reference[4]!) < 1e-8);
});

test('blocks need not begin at a multiple of three bytes', () => {
  const packer = new Packer();
  const lists = [[1], [2, 3], [4, 5, 6], [7, 8, 9, 10]];
  const tables = lists.map((values, i) => ({ name: `t${i}`, group: 'sensor', axis: 't', at: values, columns: ['v'], values: packer.block('f64', values) }));
  const json = JSON.stringify({ format: 'flexura-report', version: 1, runs: [{ name: 'r', space: 'planar', tables }] });
  const { runs } = decodeReport(json, packer.text);
  assert.deepEqual(runs[0]!.tables.map((t) => [...t.column(0)]), lists);
});

test('ranges between samples come by column', () => {
  const packer = new Packer();
  const table = {
    name: 'tip', group: 'sensor', axis: 't', at: packer.block('f64', [0, 1]), columns: ['x', 'y'], values: packer.block('f64', [0, 1, 2, 3]),
    envelope: {
      from: packer.block('f64', [0]), to: packer.block('f64', [1]), least: packer.block('f64', [-5, -6]), greatest: packer.block('f64', [7, 8]),
    },
  };
  const json = JSON.stringify({ format: 'flexura-report', version: 1, runs: [{ name: 'r', space: 'planar', tables: [table] }] });
  const ranges = decodeReport(json, packer.text).runs[0]!.tables[0]!.envelope!;
  assert.deepEqual([[...ranges.from()], [...ranges.to()]], [[0], [1]]);
  assert.deepEqual([[...ranges.least(0)], [...ranges.greatest(1)]], [[-5], [8]]);
});

test('what is damaged is named', () => {
  const { json, data } = makeReport() as { json: string; data: string };
  assert.throws(() => decodeReport('{', data), /not JSON/);
  assert.throws(() => decodeReport('{"format":"other"}', data), /not that of a report/);
  assert.throws(() => decodeReport(json.replace('"version":1', '"version":9'), data), /version 9/);
  const cut = decodeReport(json, data.slice(0, 200)).runs[0]!;
  assert.throws(() => cut.tables[0]!.at(), (e: Error) => e instanceof DamagedReport && /table tip.at: the data end too early/.test(e.message));
  const flipped = decodeReport(json, 'AAAA'.repeat(data.length / 4)).runs[0]!;
  assert.throws(() => flipped.tables[0]!.at(), /cannot be unpacked/);
});
