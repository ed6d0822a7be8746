/** Measured data: which columns of a CSV file are laid over which plot. */
import { type CsvTable, guessTimeColumn, guessValueColumn, parseCsv } from '../csv.ts';
import { h, select, toast } from '../ui/dom.ts';
import { conversion, prettyUnit, trimmed } from '../units.ts';
import type { Measured } from './card.ts';
import type { Source } from './source.ts';

/** Sorted by x, without the rows in which either is missing, in the units of the plot. */
export function measuredSeries(
  table: CsvTable,
  time: number,
  value: number,
  options: { timeFactor: number; valueFactor: number; offset: number; label: string },
): Measured {
  const xs = table.columns[time]!.values;
  const ys = table.columns[value]!.values;
  const rows = [...xs.keys()].filter((i) => Number.isFinite(xs[i]!) && Number.isFinite(ys[i]!));
  rows.sort((a, b) => xs[a]! - xs[b]!);
  return {
    label: options.label,
    x: Float64Array.from(rows, (i) => xs[i]! * options.timeFactor + options.offset),
    y: Float64Array.from(rows, (i) => ys[i]! * options.valueFactor),
  };
}

/** Asks for columns, units and plot; `add` gets the series. */
export function overlayDialog(
  file: { name: string; text: string },
  sources: Source[],
  chosen: Source | null,
  add: (source: Source, series: Measured) => void,
): void {
  let table: CsvTable;
  try {
    table = parseCsv(file.text);
  } catch (error) {
    toast(`${file.name}: ${error instanceof Error ? error.message : 'cannot be read'}`);
    return;
  }
  let source = chosen ?? sources[0];
  if (!source) return;
  const columns = table.columns.map((c, i) => ({ value: String(i), text: c.unit ? `${c.name} [${c.unit}]` : c.name }));
  const note = h('p', { class: 'note', role: 'status' });
  const time = select('Column of the time', columns, () => describe());
  const value = select('Column of the value', columns, () => describe());
  const offset = h('input', { type: 'number', step: 'any', value: '0', 'aria-label': 'Shift in time', oninput: () => describe() });
  const plot = select(
    'Plot',
    sources.map((s, i) => ({ value: String(i), text: s.name })),
    (i) => {
      source = sources[Number(i)]!;
      guess();
    },
  );
  plot.value = String(sources.indexOf(source));
  const guess = () => {
    const t = guessTimeColumn(table);
    time.value = String(t);
    value.value = String(guessValueColumn(table, `${source!.name} ${source!.columns.join(' ')}`, t));
    describe();
  };
  /** Factor of a column into the unit of the plot; without a unit, or with one unknown, 1. */
  const factor = (column: number, unit: string): { factor: number; text: string } => {
    const from = table.columns[column]!.unit;
    const c = from === '' ? 1 : conversion(from, unit || '1');
    const shown = unit === '' || unit === '1' ? 'a pure number' : prettyUnit(unit);
    if (from === '') return { factor: 1, text: `${table.columns[column]!.name}: no unit in the header, read as ${shown}` };
    if (c === undefined) return { factor: 1, text: `${table.columns[column]!.name}: [${from}] does not convert to ${shown}; read as it is` };
    return { factor: c, text: c === 1 ? `${table.columns[column]!.name} in ${shown}` : `${table.columns[column]!.name}: ${from} × ${trimmed(c)} = ${shown}` };
  };
  const describe = () => {
    const t = factor(Number(time.value), source!.axis.unit);
    const v = factor(Number(value.value), source!.unit);
    note.replaceChildren(h('span', {}, t.text), h('br'), h('span', {}, v.text), h('br'), h('span', {}, `${table.rows} rows`));
  };
  const dialog = h(
    'dialog',
    { class: 'dialog', 'aria-label': 'Measured data' },
    h(
      'form',
      { method: 'dialog' },
      h('h2', {}, 'Measured data'),
      h('p', { class: 'muted' }, file.name),
      h('label', {}, h('span', {}, 'Plot'), plot),
      h('label', {}, h('span', {}, 'Time'), time),
      h('label', {}, h('span', {}, 'Value'), value),
      h('label', {}, h('span', {}, 'Shift in time'), offset),
      note,
      h(
        'div',
        { class: 'actions' },
        h('button', { type: 'submit', value: 'cancel', class: 'button' }, 'Cancel'),
        h('button', { type: 'submit', value: 'add', class: 'button primary' }, 'Show in plot'),
      ),
    ),
  );
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (dialog.returnValue !== 'add') return;
    const column = table.columns[Number(value.value)]!;
    add(
      source!,
      measuredSeries(table, Number(time.value), Number(value.value), {
        timeFactor: factor(Number(time.value), source!.axis.unit).factor,
        valueFactor: factor(Number(value.value), source!.unit).factor,
        offset: Number(offset.value) || 0,
        label: `${column.name} (${file.name})`,
      }),
    );
  });
  document.body.append(dialog);
  guess();
  dialog.showModal();
}

export function chooseCsv(then: (file: { name: string; text: string }) => void): void {
  const input = h('input', { type: 'file', accept: '.csv,.txt,.tsv,.dat,text/csv' });
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file) void file.text().then((text) => then({ name: file.name, text }));
  });
  input.click();
}
