/** Where numbers lie on an axis of parallel coordinates or of a plot, and the numbers that stand beside it. */
import { axisNumbers, linearRange } from '../plots/axis.ts';
import { superscript, trimmed } from '../units.ts';

export interface Tick {
  /** 0 at the low end, 1 at the high one. */
  share: number;
  text: string;
}

export class Scale {
  constructor(
    readonly low: number,
    readonly high: number,
    readonly isLog: boolean,
  ) {}

  /** Of an axis that holds these numbers; those that are not finite do not count. */
  static of(values: ArrayLike<number>, isLog: boolean): Scale {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < values.length; ++i) {
      const x = values[i]!;
      if (!Number.isFinite(x)) continue;
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
    if (!isLog || !(low > 0) || low > high) {
      const [from, to] = low <= high ? linearRange(low, high) : [0, 1];
      return new Scale(from, to, false);
    }
    const margin = high > low ? (high / low) ** 0.05 : 2;
    return new Scale(low / margin, high * margin, true);
  }

  share(x: number): number {
    return this.isLog ? Math.log(x / this.low) / Math.log(this.high / this.low) : (x - this.low) / (this.high - this.low);
  }

  at(share: number): number {
    return this.isLog ? this.low * (this.high / this.low) ** share : this.low + share * (this.high - this.low);
  }

  /** Round numbers, `most` or fewer; `factor`: shown = number · factor. */
  ticks(factor: number, most: number): Tick[] {
    const low = this.low * factor;
    const high = this.high * factor;
    const numbers = this.isLog ? roundPowers(low, high, most) : roundNumbers(low, high, most);
    const texts = this.isLog ? numbers.map(powerText) : axisNumbers(numbers);
    return numbers.map((x, i) => ({ share: this.share(x / factor), text: texts[i]! }));
  }
}

/** Multiples of 1, 2 or 5 times a power of ten between two numbers. */
function roundNumbers(low: number, high: number, most: number): number[] {
  const least = (high - low) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5, 10].find((m) => m * power >= least * (1 - 1e-9)) ?? 10);
  const out: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-12) + 1e-9 * step; ++i) out.push(i * step);
  return out.length > most && most > 1 ? out.filter((_, i) => i % 2 === 0) : out;
}

/** The finest of these that are not too many: 1 to 9, 1, 2 and 5, or 1 times powers of ten, or some of these. */
function roundPowers(low: number, high: number, most: number): number[] {
  const from = Math.floor(Math.log10(low));
  const to = Math.ceil(Math.log10(high));
  const within = (factors: number[], every = 1): number[] => {
    const out: number[] = [];
    for (let e = from; e <= to; e += every) for (const f of factors) out.push(f * 10 ** e);
    return out.filter((x) => x >= low * (1 - 1e-9) && x <= high * (1 + 1e-9));
  };
  for (const factors of [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 5], [1]]) {
    const found = within(factors);
    if (found.length <= most) return found;
  }
  return within([1], Math.ceil((to - from) / most));
}

function powerText(x: number): string {
  const exponent = Math.round(Math.log10(x));
  const isPower = Math.abs(x / 10 ** exponent - 1) < 1e-6;
  return isPower && Math.abs(exponent) > 3 ? `10${superscript(exponent)}` : trimmed(x, 3);
}
