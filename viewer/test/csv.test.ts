import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessTimeColumn, guessValueColumn, parseCsv, splitHeader, writeCsv } from '../src/csv.ts';
import { measuredSeries } from '../src/plots/overlay.ts';

test('a table that was written reads back with the same doubles', () => {
  const t = Float64Array.from([0, 0.1, 1 / 3]);
  const y = Float64Array.from([1e-300, -2.5, Math.PI]);
  const table = parseCsv(writeCsv([{ name: 't', unit: 's', values: t }, { name: 'position.x', unit: 'mm', values: y }]));
  assert.deepEqual(table.columns.map((c) => [c.name, c.unit]), [['t', 's'], ['position.x', 'mm']]);
  assert.deepEqual([...table.columns[1]!.values], [...y]);
});

test('semicolons with decimal commas, tabs and blanks are understood', () => {
  const wanted = [[0, 0.5], [1.5, -2]];
  for (const text of ['t;x\n0;1,5\n0,5;-2\n', 't\tx\n0\t1.5\n0.5\t-2\n', '# rig 3\nt x\n0   1.5\n0.5 -2\n', '0,1.5\r\n0.5,-2\r\n']) {
    const { columns } = parseCsv(text);
    assert.deepEqual(columns.map((c) => [...c.values]), wanted, text);
  }
});

test('quoted cells may hold separators, quotes and line ends', () => {
  const { columns } = parseCsv('"time, measured","say ""x"""\n1,2\n3,4\n');
  assert.deepEqual(columns.map((c) => c.name), ['time, measured', 'say "x"']);
});

test('headers give names and units', () => {
  assert.deepEqual(splitHeader('tip.x [mm]'), { name: 'tip.x', unit: 'mm' });
  assert.deepEqual(splitHeader('p (kPa)'), { name: 'p', unit: 'kPa' });
  assert.deepEqual(splitHeader('Force / N'), { name: 'Force', unit: 'N' });
  assert.deepEqual(splitHeader('x'), { name: 'x', unit: '' });
});

test('columns are guessed by their names', () => {
  const table = parseCsv('marker,tip.y [mm],time [ms],tip.x [mm]\n1,2,3,4\n5,6,7,8\n');
  assert.equal(guessTimeColumn(table), 2);
  assert.equal(guessValueColumn(table, 'tip x', 2), 3);
});

test('files without numbers are refused in words', () => {
  assert.throws(() => parseCsv('hello'), /no rows/);
  assert.throws(() => parseCsv('a,b\nx,y\n'), /Two columns/);
});

test('a measured series is sorted, converted and without gaps', () => {
  const table = parseCsv('t,x\n2,20\n1,10\n3,\n');
  const m = measuredSeries(table, 0, 1, { timeFactor: 1e-3, valueFactor: 0.1, offset: 1, label: 'x' });
  assert.deepEqual([[...m.x], [...m.y]], [[1.001, 1.002], [1, 2]]);
});
