/** Tables of numbers as text: RFC 4180, and what instruments make of it (semicolons, tabs, decimal commas). */

export interface CsvColumn {
  name: string;
  unit: string;
  values: Float64Array;
}

export interface CsvTable {
  columns: CsvColumn[];
  rows: number;
}

/** "position.x [mm]" is a name and a unit; also "(mm)" and "/mm". */
export function splitHeader(header: string): { name: string; unit: string } {
  const text = header.trim();
  const bracket = /^(.*?)\s*[[(]([^\])]*)[\])]\s*$/.exec(text);
  if (bracket) return { name: bracket[1]!.trim(), unit: bracket[2]!.trim() };
  const slash = /^(\S.*?)\s+\/\s*(\S+)$/.exec(text);
  if (slash) return { name: slash[1]!, unit: slash[2]! };
  return { name: text, unit: '' };
}

function splitRows(text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < text.length; ++i) {
    const c = text[i]!;
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') (cell += '"'), ++i;
      else quoted = false;
    } else if (c === '"' && cell.trim() === '') {
      quoted = true;
      cell = '';
    } else if (c === separator) {
      row.push(cell);
      cell = '';
    } else if (c === '\n') {
      row.push(cell);
      rows.push(row);
      row = [];
      cell = '';
    } else if (c !== '\r') {
      cell += c;
    }
  }
  if (cell !== '' || row.length > 0) {
    row.push(cell);
    rows.push(row);
  }
  return rows.filter((r) => r.some((x) => x.trim() !== ''));
}

function toNumber(cell: string | undefined, decimalComma: boolean): number {
  const text = (cell ?? '').trim();
  if (text === '') return NaN;
  return Number(decimalComma ? text.replace(',', '.') : text);
}

/** Throws an Error with a message for people. */
export function parseCsv(text: string): CsvTable {
  const lines = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (lines.length < 2) throw new Error('The file holds no rows of numbers.');
  const probe = lines.slice(0, 20).join('\n');
  const outside = probe.replace(/"[^"]*"/g, '');
  const separator = outside.includes(';') ? ';' : outside.includes('\t') ? '\t' : outside.includes(',') ? ',' : ' ';
  const rows = splitRows(
    separator === ' ' ? lines.map((line) => line.trim().replace(/ +/g, ' ')).join('\n') : lines.join('\n'),
    separator,
  );
  const decimalComma = separator !== ',' && rows.slice(1, 20).some((r) => r.some((c) => /^\s*[-+]?\d*,\d+/.test(c)));
  const first = rows[0]!;
  const hasHeader = first.some((c) => Number.isNaN(toNumber(c, decimalComma)) && c.trim() !== '');
  const body = hasHeader ? rows.slice(1) : rows;
  const width = Math.max(...rows.slice(0, 50).map((r) => r.length));
  const columns: CsvColumn[] = [];
  for (let c = 0; c < width; ++c) {
    const { name, unit } = hasHeader ? splitHeader(first[c] ?? '') : { name: '', unit: '' };
    const values = Float64Array.from(body, (r) => toNumber(r[c], decimalComma));
    if (values.some((v) => !Number.isNaN(v))) columns.push({ name: name || `column ${c + 1}`, unit, values });
  }
  if (columns.length < 2) throw new Error('Two columns of numbers are needed: the time and a value.');
  return { columns, rows: body.length };
}

function quote(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Each number has the fewest digits that read back as the same double. */
export function writeCsv(columns: { name: string; unit: string; values: ArrayLike<number> }[]): string {
  const lines = [columns.map((c) => quote(c.unit && c.unit !== '1' ? `${c.name} [${c.unit}]` : c.name)).join(',')];
  const n = Math.max(0, ...columns.map((c) => c.values.length));
  for (let i = 0; i < n; ++i) {
    lines.push(columns.map((c) => (i < c.values.length && !Number.isNaN(c.values[i]!) ? String(c.values[i]) : '')).join(','));
  }
  return lines.join('\n') + '\n';
}

/** The column that most likely is the time. */
export function guessTimeColumn(table: CsvTable): number {
  const named = table.columns.findIndex((c) => /^(t|time|zeit|temps|seconds?|load.?factor)\b/i.test(c.name));
  return named >= 0 ? named : 0;
}

/** The column that most likely is `name`; never `except`. */
export function guessValueColumn(table: CsvTable, name: string, except: number): number {
  const wanted = words(name);
  let best = table.columns.findIndex((_, i) => i !== except);
  let most = 0;
  table.columns.forEach((column, i) => {
    if (i === except) return;
    const own = words(column.name);
    const score = own.filter((w) => wanted.includes(w)).length / Math.max(1, own.length);
    if (score > most) [best, most] = [i, score];
  });
  return best;
}

function words(name: string): string[] {
  return name.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);
}
