/** Numbers along the axes of plots: ranges, ticks, and what is only rounding. */
import { formatNumber, superscript } from '../units.ts';

/** Below this share of the largest number of its plot a number is rounding. */
const quietInPlot = 1e-10;
/** The same of the largest number of its unit in the whole run: reactions that are zero, places in a plane. */
const quietInRun = 1e-13;

/** Size below which numbers of a plot are rounding, from the largest of the plot and of its unit in the run. */
export function noiseFloor(inPlot: number, inRun: number): number {
  return Math.max(quietInPlot * inPlot, quietInRun * inRun);
}

/** Zero where a number is rounding. */
export function quiet(x: number, floor: number): number {
  return Math.abs(x) <= floor ? 0 : x;
}

/** Range of a linear axis; numbers within a ten-millionth of each other are one number. */
export function linearRange(low: number | null, high: number | null, floor = 0): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (size <= floor) return [-1, 1];
  if (high - low <= 1e-7 * size) {
    const middle = (low + high) / 2;
    const margin = 0.1 * size;
    return [middle - margin, middle + margin];
  }
  const margin = 0.07 * (high - low);
  return [low === 0 ? 0 : low - margin, high === 0 ? 0 : high + margin];
}

export function logRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !(low > 0) || !Number.isFinite(high)) return [1e-12, 1];
  const bottom = 10 ** Math.floor(Math.log10(low));
  const top = 10 ** Math.ceil(Math.log10(high));
  return bottom < top ? [bottom, top] : [bottom / 10, top * 10];
}

/** Ticks with as many decimals as their distance needs. */
export function axisNumbers(splits: readonly number[]): string[] {
  const step = splits.length > 1 ? Math.abs(splits[1]! - splits[0]!) : 1;
  const largest = Math.max(...splits.map(Math.abs));
  let decimals = 0;
  while (decimals < 12 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6 * step * 10 ** decimals) ++decimals;
  if (largest >= 1e6 || (largest > 0 && largest < 1e-4)) {
    return splits.map((v) => (v === 0 ? '0' : formatNumber(v, 4)));
  }
  return splits.map((v) => (Math.abs(v) < step * 1e-6 ? '0' : v.toFixed(decimals).replace('-', '−')));
}

/** Powers of ten, at most about five of them; null for the rest. */
export function decades(splits: readonly number[], min: number, max: number): (number | null)[] {
  const every = Math.max(1, Math.ceil(Math.log10(max / min) / 5));
  return splits.map((v) => {
    const exponent = Math.round(Math.log10(v));
    return Math.abs(v / 10 ** exponent - 1) < 1e-6 && exponent % every === 0 ? v : null;
  });
}

export function logNumbers(splits: readonly number[], min: number, max: number): string[] {
  return decades(splits, min, max).map((v) => (v === null ? '' : `10${superscript(Math.round(Math.log10(v)))}`));
}

/** Room for the numbers of an upright axis, and for its ticks and its gap [px]. */
export function axisRoom(values: readonly (string | null)[] | null, widthOf: (text: string) => number): number {
  const widest = Math.max(0, ...(values ?? []).map((text) => widthOf(text ?? '')));
  return Math.max(34, Math.ceil(widest) + 14);
}
