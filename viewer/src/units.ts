/** Units as they stand in headers: conversion to SI, and prefixes that make numbers on axes short. */

const prefixes: Record<string, number> = {
  n: 1e-9, u: 1e-6, µ: 1e-6, μ: 1e-6, m: 1e-3, c: 1e-2, d: 1e-1, '': 1, k: 1e3, M: 1e6, G: 1e9,
};

/** Factor to SI and the SI unit. */
const bases: Record<string, [number, string]> = {
  m: [1, 'm'], g: [1e-3, 'kg'], s: [1, 's'], N: [1, 'N'], Pa: [1, 'Pa'], J: [1, 'J'], W: [1, 'W'], Hz: [1, 'Hz'],
  rad: [1, 'rad'], V: [1, 'V'], A: [1, 'A'], K: [1, 'K'],
};

const whole: Record<string, [number, string]> = {
  '': [1, '1'], '1': [1, '1'], '-': [1, '1'], '%': [1e-2, '1'],
  deg: [Math.PI / 180, 'rad'], '°': [Math.PI / 180, 'rad'], rev: [2 * Math.PI, 'rad'], rpm: [Math.PI / 30, 'rad/s'],
  min: [60, 's'], h: [3600, 's'], bar: [1e5, 'Pa'], mbar: [100, 'Pa'], psi: [6894.757293168361, 'Pa'],
  in: [0.0254, 'm'], ft: [0.3048, 'm'], lbf: [4.4482216152605, 'N'], t: [1000, 'kg'], l: [1e-3, 'm^3'], L: [1e-3, 'm^3'],
};

interface Atom {
  factor: number;
  dims: Map<string, number>;
}

function atom(text: string): Atom | undefined {
  const match = /^([^\d^²³⁻-]+|%|1)(?:\^?([-+]?\d+)|([²³]))?$/.exec(text);
  if (!match) return text === '' || text === '1' ? { factor: 1, dims: new Map() } : undefined;
  const symbol = match[1]!;
  const power = match[2] !== undefined ? Number(match[2]) : match[3] === '²' ? 2 : match[3] === '³' ? 3 : 1;
  let known = whole[symbol] ?? bases[symbol];
  if (known === undefined) {
    const prefix = prefixes[symbol[0]!];
    const base = bases[symbol.slice(1)];
    if (prefix === undefined || base === undefined) return undefined;
    known = [prefix * base[0], base[1]];
  }
  const dims = new Map<string, number>();
  for (const part of known[1].split('/').entries()) {
    const [i, name] = part;
    const [base, exponent] = name.split('^');
    if (base !== '1') dims.set(base!, (i === 0 ? 1 : -1) * power * Number(exponent ?? 1));
  }
  return { factor: known[0] ** power, dims };
}

function parse(unit: string): Atom | undefined {
  const total: Atom = { factor: 1, dims: new Map() };
  const parts = unit.trim().split('/');
  for (const [i, part] of parts.entries()) {
    for (const word of part.replace(/[()]/g, ' ').split(/[\s*·]+/).filter(Boolean)) {
      const a = atom(word);
      if (a === undefined) return undefined;
      const sign = i === 0 ? 1 : -1;
      total.factor *= a.factor ** sign;
      for (const [d, p] of a.dims) total.dims.set(d, (total.dims.get(d) ?? 0) + sign * p);
    }
  }
  return total;
}

/** Compound units in terms of m, kg, s. */
const derived: Record<string, Record<string, number>> = {
  N: { kg: 1, m: 1, s: -2 }, Pa: { kg: 1, m: -1, s: -2 }, J: { kg: 1, m: 2, s: -2 }, W: { kg: 1, m: 2, s: -3 },
  Hz: { s: -1 }, rad: {},
};

function expand(dims: Map<string, number>): Map<string, number> {
  const out = new Map<string, number>();
  for (const [d, p] of dims) {
    for (const [base, q] of Object.entries(derived[d] ?? { [d]: 1 })) out.set(base, (out.get(base) ?? 0) + p * q);
  }
  for (const [d, p] of out) if (p === 0) out.delete(d);
  return out;
}

/** What numbers in `from` are multiplied by to be in `to`; undefined where they measure different things. */
export function conversion(from: string, to: string): number | undefined {
  if (from.trim() === to.trim()) return 1;
  const a = parse(from);
  const b = parse(to);
  if (a === undefined || b === undefined) return undefined;
  const da = expand(a.dims);
  const db = expand(b.dims);
  if (da.size !== db.size) return undefined;
  for (const [d, p] of da) if (db.get(d) !== p) return undefined;
  return a.factor / b.factor;
}

export interface Scaled {
  /** Shown = stored · factor. */
  factor: number;
  unit: string;
}

const canTakePrefix = /^(m|s|N|Pa|J|W|rad|Hz|V|A)($|[ /·](?!.*\^-))/;
const steps: [number, string][] = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']];

/** A prefix, or a power of ten, with which numbers up to `largest` are between 1 and 1000. */
export function scaleFor(unit: string, largest: number): Scaled {
  const plain = { factor: 1, unit: unit === '' ? '1' : unit };
  if (!(largest > 0) || !Number.isFinite(largest)) return plain;
  if (largest >= 0.1 && largest < 1e4) return plain;
  const usable = steps.filter(([, p]) => !(unit.startsWith('s') && p !== '' && p !== 'm' && p !== 'µ' && p !== 'n'));
  if (canTakePrefix.test(unit)) {
    const [size, prefix] = usable.find(([f]) => largest >= f * 0.9999) ?? usable[usable.length - 1]!;
    if (largest / size >= 0.1 && largest / size < 1e5) return { factor: 1 / size, unit: prefix + unit };
  }
  const exponent = 3 * Math.floor(Math.log10(largest) / 3);
  const name = unit === '' || unit === '1' ? '' : ` ${unit}`;
  return { factor: 10 ** -exponent, unit: `10${superscript(exponent)}${name}` };
}

export function superscript(n: number): string {
  return [...String(n)].map((c) => (c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)]!)).join('');
}

/** m/s^2 as m/s². */
export function prettyUnit(unit: string): string {
  return unit.replace(/\^(-?\d+)/g, (_, n: string) => superscript(Number(n)));
}

/** " m", or nothing for a pure number. */
export function unitSuffix(unit: string): string {
  return unit === '' || unit === '1' ? '' : ` ${prettyUnit(unit)}`;
}

/** Like formatNumber, without zeros at the end. */
export function trimmed(x: number, digits = 5): string {
  const text = formatNumber(x, digits);
  return /[.]/.test(text) && !text.includes('·') ? text.replace(/\.?0+$/, '') : text;
}

/** Five significant digits, or as many as asked for; a true minus sign. */
export function formatNumber(x: number, digits = 5): string {
  if (!Number.isFinite(x)) return '–';
  if (x === 0) return '0';
  const size = Math.abs(x);
  let text: string;
  if (size >= 10 ** Math.max(digits, 6) || size < 1e-4) {
    const [mantissa, exponent] = x.toExponential(Math.max(0, digits - 2)).split('e');
    text = `${mantissa!.replace(/\.?0+$/, '')}·10${superscript(Number(exponent))}`;
  } else {
    text = x.toPrecision(digits);
    if (text.includes('e')) text = String(Math.round(x));
  }
  return text.replace('-', '−');
}
