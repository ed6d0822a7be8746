/**
 * Colours of fields: viridis for numbers of one sign, blue over white to red for signed ones. Both can be read with
 * any colour vision and, in order of lightness, in grey.
 *
 * Sequential: control points of viridis (van der Walt, Smith: "A Better Default Colormap for Matplotlib", CC0).
 * Diverging: RdBu of ColorBrewer (Brewer, Harrower; Apache-2.0), turned round, without its darkest ends, and
 * light grey in the middle, which shows on white paper too.
 */
import { noiseFloor, quiet } from '../plots/axis.ts';

export type Rgb = readonly [number, number, number];

const viridis: readonly Rgb[] = [
  [68, 1, 84],
  [72, 26, 108],
  [71, 47, 125],
  [65, 68, 135],
  [57, 86, 140],
  [49, 104, 142],
  [42, 120, 142],
  [35, 136, 142],
  [31, 152, 139],
  [34, 168, 132],
  [53, 183, 121],
  [84, 197, 104],
  [122, 209, 81],
  [165, 219, 54],
  [210, 226, 27],
  [253, 231, 37],
];

const redBlue: readonly Rgb[] = [
  [33, 102, 172],
  [67, 147, 195],
  [146, 197, 222],
  [196, 219, 232],
  [224, 224, 224],
  [240, 209, 190],
  [244, 165, 130],
  [214, 96, 77],
  [178, 24, 43],
];

export const mapSize = 256;

function toLinear(c: number): number {
  const s = c / 255;
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
}

type Triple = [number, number, number];

/** Lightness L* of an sRGB colour (0 to 255), CIE 1976. */
export function lightness(rgb: Rgb): number {
  const [r, g, b] = rgb.map(toLinear) as Triple;
  const y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return 116 * (y > 0.008856 ? Math.cbrt(y) : 7.787 * y + 16 / 116) - 16;
}

function mix(a: readonly number[], b: readonly number[], t: number): Triple {
  return [a[0]! + t * (b[0]! - a[0]!), a[1]! + t * (b[1]! - a[1]!), a[2]! + t * (b[2]! - a[2]!)];
}

function between(stops: readonly Rgb[], t: number): Triple {
  const at = t * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2);
  return mix(stops[i]!, stops[i + 1]!, at - i);
}

function table(stops: readonly Rgb[]): Uint8Array {
  const out = new Uint8Array(4 * mapSize);
  for (let i = 0; i < mapSize; ++i) {
    const rgb = between(stops, i / (mapSize - 1));
    for (let c = 0; c < 3; ++c) out[4 * i + c] = Math.round(rgb[c]!);
    out[4 * i + 3] = 255;
  }
  return out;
}

/** Colours of numbers of one sign, on light and on dark ground, and of signed ones. */
export type MapName = 'sequential' | 'sequential-on-dark' | 'diverging';

const stopsOf: Record<MapName, readonly Rgb[]> = {
  sequential: viridis,
  // Its darkest fifth cannot be told from the ground.
  'sequential-on-dark': viridis.slice(3),
  diverging: redBlue,
};

const tables = new Map<MapName, Uint8Array>();

/** sRGB colours, four bytes each, from low to high. */
export function colours(map: MapName): Uint8Array {
  let found = tables.get(map);
  if (found === undefined) tables.set(map, (found = table(stopsOf[map])));
  return found;
}

/** `count` colours from low to high, as CSS. */
export function cssColours(map: MapName, count = 32): string[] {
  const bytes = colours(map);
  return Array.from({ length: count }, (_, i) => {
    const at = 4 * Math.round((i * (mapSize - 1)) / (count - 1));
    return `rgb(${bytes[at]} ${bytes[at + 1]} ${bytes[at + 2]})`;
  });
}

/** The ends of the colours: of signed numbers with zero in the middle, and never of no width. */
export function colourRange(low: number, high: number, isSigned: boolean): [number, number] {
  if (!(low <= high)) return isSigned ? [-1, 1] : [0, 1];
  if (isSigned) {
    const most = Math.max(Math.abs(low), Math.abs(high));
    return most > 0 ? [-most, most] : [-1, 1];
  }
  if (high > low) return [low, high];
  const room = Math.abs(low) > 0 ? 1e-3 * Math.abs(low) : 1;
  return [low - room, high + room];
}

/** Numbers at both ends of the colours and in their middle; zero where one is only rounding beside the ends. */
export function legendNumbers(low: number, high: number): [number, number, number] {
  const floor = noiseFloor(Math.max(Math.abs(low), Math.abs(high)), 0);
  return [quiet(low, floor), quiet((low + high) / 2, floor), quiet(high, floor)];
}
