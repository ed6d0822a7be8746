/** Where the playback is: stretches one after the other, each by time, by load factor or by mode. */

export interface StretchInfo {
  analysis: string;
  type: string;
  axis: 't' | 'load_factor' | 'mode';
  unit: string;
  at: Float64Array;
  frequency?: Float64Array;
}

export interface Segment extends StretchInfo {
  index: number;
  /** Position is the number of the frame (modes, and load factors that turn back) in place of the axis' value. */
  byFrame: boolean;
  from: number;
  to: number;
  /** Seconds that it takes at the base speed. */
  wall: number;
  /** Place on the time line, fractions of its width. */
  left: number;
  width: number;
}

/** Seconds at the base speed. */
const staticSeconds = 2.5;
const modeSeconds = 4;
const modeCycle = 1.5;
/** Least share of the time line. */
const leastShare = 0.06;

/** The factor 1, 2, 5 · 10ⁿ at which `duration` lasts 5 to 15 s, nearest to 9 s; 1 where that does. */
export function comfortableSpeed(duration: number): number {
  if (!(duration > 0) || (duration >= 5 && duration <= 15)) return 1;
  let best = 1;
  let error = Infinity;
  const decade = Math.floor(Math.log10(duration / 9));
  for (let n = decade - 1; n <= decade + 1; ++n) {
    for (const digit of [1, 2, 5]) {
      const speed = digit * 10 ** n;
      const e = Math.abs(Math.log(duration / speed / 9));
      if (e < error) [best, error] = [speed, e];
    }
  }
  return Number(best.toPrecision(1));
}

export function isAscending(at: ArrayLike<number>): boolean {
  for (let i = 1; i < at.length; ++i) if (!(at[i]! >= at[i - 1]!)) return false;
  return true;
}

/** Fractional index of a value in an ascending list; of equal entries the last one. */
export function fractionalIndex(at: ArrayLike<number>, value: number): number {
  const n = at.length;
  if (n < 2 || !(value > at[0]!)) return 0;
  if (value >= at[n - 1]!) return n - 1;
  let low = 0;
  let high = n - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (at[middle]! <= value) low = middle;
    else high = middle;
  }
  const span = at[high]! - at[low]!;
  return span > 0 ? low + (value - at[low]!) / span : low;
}

/** A list at a fractional index, between entries linearly. */
export function valueAt(list: ArrayLike<number>, index: number): number {
  if (list.length === 0) return NaN;
  const i = Math.min(Math.max(Math.floor(index), 0), list.length - 1);
  const w = index - i;
  const a = list[i]!;
  return w > 0 && i + 1 < list.length ? a + w * (list[i + 1]! - a) : a;
}

export class Timeline {
  readonly segments: Segment[];
  /** Real-time factor at which the whole lasts a few seconds. */
  readonly baseSpeed: number;
  /** Real-time factor. */
  speed: number;
  loop = false;
  private stretch_ = 0;
  private position_ = 0;
  private phase_ = Math.PI / 2;

  constructor(stretches: StretchInfo[]) {
    const duration = stretches
      .filter((s) => s.axis === 't' && s.at.length > 1)
      .reduce((sum, s) => sum + s.at[s.at.length - 1]! - s.at[0]!, 0);
    this.baseSpeed = comfortableSpeed(duration);
    this.speed = this.baseSpeed;
    this.segments = stretches.map((s, index) => {
      const byFrame = s.axis === 'mode' || !isAscending(s.at);
      const last = Math.max(0, s.at.length - 1);
      const from = byFrame ? 0 : (s.at[0] ?? 0);
      const to = byFrame ? last : (s.at[last] ?? 0);
      const wall = s.axis === 't' ? (to - from) / this.baseSpeed : s.axis === 'mode' ? modeSeconds : staticSeconds;
      return { ...s, index, byFrame, from, to, wall: to > from || s.axis === 'mode' ? wall : 0.5, left: 0, width: 0 };
    });
    this.layOut();
    this.position_ = this.segments[0]?.from ?? 0;
  }

  private layOut(): void {
    const total = this.segments.reduce((sum, s) => sum + s.wall, 0);
    const shares = this.segments.map((s) => Math.max(s.wall / (total || 1), leastShare));
    const sum = shares.reduce((a, b) => a + b, 0);
    let left = 0;
    this.segments.forEach((s, i) => {
      s.left = left;
      s.width = shares[i]! / sum;
      left += s.width;
    });
  }

  get isEmpty(): boolean {
    return this.segments.length === 0;
  }

  get segment(): Segment {
    return this.segments[this.stretch_]!;
  }

  get stretch(): number {
    return this.stretch_;
  }

  /** Fractional frame in the stretch; modes: the mode's index. */
  get frame(): number {
    const s = this.segment;
    return s.byFrame ? this.position_ : fractionalIndex(s.at, this.position_);
  }

  /** Of the axis: time, load factor, number of the mode. */
  get value(): number {
    const s = this.segment;
    return s.byFrame ? valueAt(s.at, this.position_) : this.position_;
  }

  /** Of a mode's swing [rad]. */
  get phase(): number {
    return this.phase_;
  }

  set phase(value: number) {
    this.phase_ = value;
  }

  /** Goes to a value of the axis of a stretch. */
  set(stretch: number, value: number): void {
    this.stretch_ = Math.min(Math.max(Math.trunc(stretch) || 0, 0), this.segments.length - 1);
    const s = this.segment;
    if (!s.byFrame) {
      this.position_ = clamp(value, s.from, s.to);
      return;
    }
    let nearest = 0;
    for (let i = 1; i < s.at.length; ++i) {
      if (Math.abs(s.at[i]! - value) < Math.abs(s.at[nearest]! - value)) nearest = i;
    }
    this.position_ = nearest;
  }

  /** Goes to a fractional frame of a stretch. */
  setFrame(stretch: number, frame: number): void {
    this.stretch_ = Math.min(Math.max(stretch, 0), this.segments.length - 1);
    const s = this.segment;
    const f = clamp(frame, 0, Math.max(0, s.at.length - 1));
    this.position_ = s.axis === 'mode' ? Math.round(f) : s.byFrame ? f : valueAt(s.at, f);
  }

  /** Of the whole time line, 0 to 1. */
  get fraction(): number {
    const s = this.segment;
    return s.left + s.width * this.local(s, this.position_);
  }

  private local(s: Segment, position: number): number {
    if (s.axis === 'mode') return (position + 0.5) / Math.max(1, s.at.length);
    return s.to > s.from ? (position - s.from) / (s.to - s.from) : 0;
  }

  setFraction(fraction: number): void {
    const f = clamp(fraction, 0, 1);
    const s = this.segments.find((x) => f < x.left + x.width) ?? this.segments[this.segments.length - 1]!;
    this.stretch_ = s.index;
    const local = clamp((f - s.left) / s.width, 0, 1);
    this.position_ =
      s.axis === 'mode' ? Math.min(Math.floor(local * s.at.length), s.at.length - 1) : s.from + local * (s.to - s.from);
  }

  /** Whole frames forwards or backwards, into the neighbouring stretch at the ends. */
  step(frames: number): void {
    const s = this.segment;
    const now = this.frame;
    const next = frames > 0 ? Math.floor(now + 1e-6) + frames : Math.ceil(now - 1e-6) + frames;
    const last = s.at.length - 1;
    if (next > last && this.stretch_ + 1 < this.segments.length) this.setFrame(this.stretch_ + 1, 0);
    else if (next < 0 && this.stretch_ > 0) this.setFrame(this.stretch_ - 1, Infinity);
    else this.setFrame(this.stretch_, next);
  }

  toStart(): void {
    this.setFrame(0, 0);
  }

  toEnd(): void {
    this.setFrame(this.segments.length - 1, Infinity);
  }

  get isAtEnd(): boolean {
    const s = this.segment;
    return s.axis !== 'mode' && this.stretch_ === this.segments.length - 1 && this.position_ >= s.to;
  }

  /** Seconds of the clock on the wall, at the speed that is set. Returns false when the end was reached. */
  advance(seconds: number): boolean {
    const scale = this.speed / this.baseSpeed;
    let left = seconds;
    for (let hops = 0; hops <= this.segments.length + 1; ++hops) {
      const s = this.segment;
      if (s.axis === 'mode') {
        this.phase_ = (this.phase_ + (2 * Math.PI * left * scale) / modeCycle) % (2 * Math.PI);
        return true;
      }
      const rate = s.axis === 't' ? this.speed : (Math.max(s.to - s.from, 0) / s.wall) * scale;
      const room = rate > 0 ? (s.to - this.position_) / rate : 0;
      if (left < room) {
        this.position_ += rate * left;
        return true;
      }
      left -= room;
      if (this.stretch_ + 1 < this.segments.length) {
        this.setFrame(this.stretch_ + 1, 0);
      } else if (this.loop) {
        this.toStart();
      } else {
        this.position_ = s.to;
        return false;
      }
    }
    return true;
  }

  /** Times per second of the model that one second on the screen shows of the present mode; 0 elsewhere. */
  get modeSlowdown(): number {
    const f = this.segment.frequency?.[Math.round(this.frame)];
    if (this.segment.axis !== 'mode' || f === undefined || !(f > 0)) return 0;
    return this.speed / this.baseSpeed / modeCycle / f;
  }

  /** Speeds to choose from: 0.1 to 10 times the base speed, and real time. */
  get speeds(): number[] {
    const list = [0.1, 0.2, 0.5, 1, 2, 5, 10].map((x) => Number((x * this.baseSpeed).toPrecision(3)));
    if (!list.includes(1)) list.push(1);
    return list.sort((a, b) => a - b);
  }
}

function clamp(x: number, low: number, high: number): number {
  return Math.min(Math.max(Number.isNaN(x) ? low : x, low), high);
}
