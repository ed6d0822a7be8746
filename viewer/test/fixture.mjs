// Writes a small report for tests: a swinging cable and a body on a spring, computed here in closed form.
//
//     node test/fixture.mjs OUT.html [--compare] [--spatial] [--damaged] [--failed]
import { readFileSync, writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), process.env.VIEWER_ROOT ?? '..');

export class Packer {
  parts = [];
  at = 0;

  /** Planes of bytes, deflated. */
  block(type, numbers, shape, delta = false) {
    const Kind = { u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array }[type];
    const values = Kind.from(numbers);
    if (delta) {
      const width = shape[1];
      for (let i = values.length - 1; i >= width; --i) values[i] = values[i] - values[i - width];
    }
    const bytes = new Uint8Array(values.buffer);
    const size = Kind.BYTES_PER_ELEMENT;
    const planes = new Uint8Array(bytes.length);
    for (let i = 0; i < values.length; ++i) for (let b = 0; b < size; ++b) planes[b * values.length + i] = bytes[i * size + b];
    const stream = deflateSync(planes);
    const block = { at: this.at, bytes: stream.length, type, count: values.length, ...(shape && { shape }), ...(delta && { delta }) };
    this.parts.push(stream);
    this.at += stream.length;
    return block;
  }

  /** rows: list of lists; null is "no value". */
  quantised(rows, gaps = false) {
    const width = rows[0].length;
    const low = [];
    const step = [];
    const top = gaps ? 65534 : 65535;
    for (let c = 0; c < width; ++c) {
      const column = rows.map((r) => r[c]).filter((v) => v !== null);
      const min = Math.min(...column);
      low.push(min);
      step.push((Math.max(...column) - min) / top || 1);
    }
    const values = rows.flatMap((r) => r.map((v, c) => (v === null ? 65535 : Math.round((v - low[c]) / step[c]))));
    return { low, step, values: this.block('u16', values, [rows.length, width], true) };
  }

  get text() {
    return Buffer.concat(this.parts).toString('base64');
  }
}

const nodes = 9;
const samples = 41;
const ends = 2;

/** Nodes of a cable that hangs from the origin and swings, then a body beneath; positions and vectors as slots. */
function configuration(t, dim, amplitude) {
  const out = [];
  const put = (x, y, z) => out.push(...(dim === 2 ? [x, y] : [x, y, z]));
  const angle = (s) => amplitude * Math.cos(2 * Math.PI * t) * (0.3 + 0.7 * s);
  let x = 0;
  let y = 0;
  for (let i = 0; i < nodes; ++i) {
    put(x, y, 0.1 * x);
    const a = angle(i / (nodes - 1));
    x += 0.1 * Math.sin(a);
    y -= 0.1 * Math.cos(a);
  }
  const drop = 0.05 * Math.sin(9 * t);
  put(0.5, -0.4 + drop, 0);
  put(Math.cos(t), Math.sin(t), 0);
  put(-Math.sin(t), Math.cos(t), 0);
  return out;
}

function rowsMap(rows) {
  const map = { start: [0], slot: [], weight: [] };
  for (const row of rows) {
    for (const [slot, weight] of row) {
      map.slot.push(slot);
      map.weight.push(weight);
    }
    map.start.push(map.slot.length);
  }
  return map;
}

export function makeRun(packer, { name = 'fixture', spatial = false, amplitude = 0.7, failed = false } = {}) {
  const dim = spatial ? 3 : 2;
  const slots = nodes + 3;
  const at = Array.from({ length: 101 }, (_, i) => i / 50);
  const frames = at.map((t) => configuration(t, dim, amplitude));
  const along = Array.from({ length: samples }, (_, i) => {
    const s = (i / (samples - 1)) * (nodes - 1);
    const k = Math.min(Math.floor(s), nodes - 2);
    return [k, s - k];
  });
  const quantity = at.map((t) => [2 * Math.sin(3 * t), 1, 0]);
  const still = configuration(0.25, 3, amplitude);
  const model = {
    slots,
    fixed: [[0, 0.1, 0]],
    reference: packer.block('f64', still, [slots, 3]),
    field_points: samples,
    quantities: [{ name: 'load.push', unit: 'N' }],
    drawables: [
      {
        kind: 'curve', name: 'cable.rope', label: 'cable', section: { type: 'round', radius: 0.01, nominal: true }, field: 0, field_count: samples,
        position: rowsMap(along.map(([k, w]) => [[k, 1 - w], [k + 1, w]])), tangent: rowsMap(along.map(([k]) => [[k, -10], [k + 1, 10]])),
      },
      {
        kind: 'body', name: 'body.block', label: 'body', position: rowsMap([[[nodes, 1]]]), tangent: rowsMap([[[nodes + 1, 1]]]), second: rowsMap([[[nodes + 2, 1]]]),
        shapes: [{ type: 'box', center: [0, 0, 0], axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], size: [0.2, 0.1, 0.1] }],
      },
      { kind: 'line', name: 'spring.s', label: 'spring linear', position: rowsMap([[[slots, 1]], [[nodes, 1]]]) },
      { kind: 'joint', name: 'joint.pin', label: 'pin', position: rowsMap([[[0, 1]]]) },
      { kind: 'sensor', name: 'sensor.tip', label: 'position', position: rowsMap([[[nodes - 1, 1]]]) },
      { kind: 'arrow', name: 'load.push', label: 'force', position: rowsMap([[[nodes - 1, 1]]]), quantity: 0 },
    ],
  };
  const curvature = at.map((t) => along.map((_, i) => (i === 0 ? null : amplitude * Math.cos(2 * Math.PI * t) * (i / samples))));
  const field = { name: 'curvature', unit: '1/m', doc: 'of the line', signed: true, low: -amplitude, high: amplitude };
  const tip = frames.map((f) => f.slice(dim * (nodes - 1), dim * nodes));
  const loads = [0, 0.25, 0.5, 1];
  const modeRows = [1, 2, 3].map((m) => configuration(0, dim, 0.1).map((_, i) => (i < dim * nodes && i % dim === 0 ? 0.1 * Math.sin((m * Math.PI * i) / dim / (nodes - 1)) : 0)));
  const playback = [
    { analysis: 'hang', type: 'static', model: 0, axis: 'load_factor', unit: '1', at: loads, q: packer.quantised(loads.map((l) => configuration(0.25 - 0.25 * l, dim, amplitude))), fields: [], quantities: packer.quantised(loads.map((l) => [l, 0, 0])) },
    { analysis: 'swing', type: 'dynamic', model: 0, axis: 't', unit: 's', at: packer.block('f64', at), q: packer.quantised(frames), fields: [{ ...field, values: packer.quantised(curvature, true) }], quantities: packer.quantised(quantity) },
    { analysis: 'modes', type: 'modes', model: 0, axis: 'mode', unit: '1', at: [1, 2, 3], frequency: [1.25, 4.5, 11], base: packer.block('f64', configuration(0.25, dim, amplitude)), q: packer.quantised(modeRows), fields: [] },
  ];
  const table = (name, group, unit, columns, value, more = {}) => ({
    name, group, unit, doc: `${name} of the fixture`, axis: 't', axis_unit: 's', at: packer.block('f64', at), columns, values: packer.block('f64', at.flatMap(value), [at.length, columns.length]), ...more,
  });
  const tables = [
    table('tip', 'sensor', 'm', spatial ? ['x', 'y', 'z'] : ['x', 'y'], (_t, i) => tip[i]),
    { name: 'tip', group: 'sensor', unit: 'm', axis: 'load_factor', axis_unit: '1', analysis: 'hang', at: loads, columns: ['x', 'y'], values: packer.block('f64', loads.flatMap((l) => [l, -l * l])) },
    table('pressure', 'sensor', 'Pa', ['pressure'], (t) => [25e3 * (1 + Math.sin(4 * t))]),
    table('energies', 'energy', 'J', ['kinetic', 'potential', 'balance'], (t) => [Math.sin(t) ** 2, Math.cos(t) ** 2, 1e-9 * t]),
    table('violations', 'violation', '1', ['constraint'], (t) => [1e-12 * (1 + t)]),
    table('solver.iterations', 'solver', '1', ['iterations'], (_t, i) => [2 + (i % 3)]),
  ];
  return {
    name, title: 'A swinging cable and a block on a spring', program: 'flexura 0.0.0', status: failed ? 'failed' : 'finished',
    message: failed ? 'Newton did not converge at t = 2 s: residual 3.1e+02 after 20 iterations; smallest step 1e-9 s.' : '',
    space: spatial ? 'spatial' : 'planar', gravity: [0, -9.81], warnings: failed ? ['sensor.tip: reads a point that is fixed.', 'load.push: its signal ends at 1.5 s, before the run does.', 'Sections without a density have no mass.'] : ['load.push: its signal ends at 1.5 s, before the run does.'],
    summary: [
      { group: 'Model', label: 'Elements', value: 8 }, { group: 'Model', label: 'Coordinates', value: 24000 }, { group: 'Solver', label: "Analysis 'swing'", value: 'dynamic, 0 s to 2 s, step 0.02 s' },
      { group: 'Energy', label: 'Kinetic, at the end', value: 0.826821810431806, unit: 'J' }, { group: 'Run', label: 'Computing time', value: 0.0123, unit: 's' },
    ],
    scene: { file: 'fixture.toml', text: '# A scene\ntitle = "swing"\n\n[cable.rope]   # hangs\nelements = 8\n', effective: 'title = "swing"\n', files: ['push.csv'], command: 'flexura run fixture.toml' },
    accuracy: { position: 1e-6, thinned: { kept: 101, of: 101 }, text: 'Drawn positions are rounded by at most 1e-06 m.' },
    models: [model], playback, tables,
  };
}

export function makeReport(options = {}) {
  const packer = new Packer();
  const runs = [makeRun(packer, { ...options, name: options.compare ? 'coarse' : 'fixture' })];
  const report = { format: 'flexura-report', version: 1, runs };
  if (options.compare) {
    runs.push(makeRun(packer, { ...options, name: 'fine', amplitude: 0.6 }));
    report.comparison = [{ sensor: 'tip', column: 'x', unit: 'm', max_difference: 0.0531, at: 0.5, rms: 0.021 }];
  }
  return { json: JSON.stringify(report).replaceAll('<', '\\u003c'), data: packer.text, title: runs[0].title };
}

export function makePage(options = {}) {
  const { json, data, title } = makeReport(options);
  const elements = `<script id="flexura-report" type="application/json">${json}</script>\n<script id="flexura-data" type="text/plain">${options.damaged ? data.slice(0, 900) : data}</script>`;
  return readFileSync(join(root, 'dist/viewer.html'), 'utf8').replace('<!--flexura-title-->', () => title).replace('<!--flexura-data-->', () => elements);
}

if (process.argv[1]?.endsWith('fixture.mjs')) {
  const [, , out, ...flags] = process.argv;
  if (!out) throw new Error('usage: node test/fixture.mjs OUT.html [--compare] [--spatial] [--damaged] [--failed]');
  writeFileSync(out, makePage(Object.fromEntries(flags.map((f) => [f.replace(/^--/, ''), true]))));
}
