/**
 * Colours of fields: viridis for numbers of one sign, blue over white to red for signed ones. Both can be read with
 * any colour vision and, in order of lightness, in grey.
 *
 * Sequential: control points of viridis (van der Walt, Smith: "A Better Default Colormap for Matplotlib", CC0).
 * Diverging: after Moreland, "Diverging Color Maps for Scientific
 * Visualization" (2009), interpolated in CIELAB with even lightness on both sides.
 */

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

const ends: readonly [Rgb, Rgb, Rgb] = [
  [33, 82, 173],
  [240, 240, 238],
  [183, 34, 46],
];

export const mapSize = 256;

function toLinear(c: number): number {
  const s = c / 255;
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
}

function fromLinear(c: number): number {
  const s = Math.min(Math.max(c, 0), 1);
  return 255 * (s <= 0.0031308 ? 12.92 * s : 1.055 * s ** (1 / 2.4) - 0.055);
}

type Triple = [number, number, number];

const forward = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
const backward = (t: number): number => (t > 0.206897 ? t ** 3 : (t - 16 / 116) / 7.787);

/** CIELAB of an sRGB colour (0 to 255), white D65. */
export function labOf(rgb: Rgb): Triple {
  const [r, g, b] = rgb.map(toLinear) as Triple;
  const x = forward((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = forward(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = forward((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function rgbOf(lab: Triple): Triple {
  const fy = (lab[0] + 16) / 116;
  const x = 0.9505 * backward(fy + lab[1] / 500);
  const y = backward(fy);
  const z = 1.089 * backward(fy - lab[2] / 200);
  return [
    fromLinear(3.2406 * x - 1.5372 * y - 0.4986 * z),
    fromLinear(-0.9689 * x + 1.8758 * y + 0.0415 * z),
    fromLinear(0.0557 * x - 0.204 * y + 1.057 * z),
  ];
}

function mix(a: readonly number[], b: readonly number[], t: number): Triple {
  return [a[0]! + t * (b[0]! - a[0]!), a[1]! + t * (b[1]! - a[1]!), a[2]! + t * (b[2]! - a[2]!)];
}

function sequential(t: number): Triple {
  const at = t * (viridis.length - 1);
  const i = Math.min(Math.floor(at), viridis.length - 2);
  return mix(viridis[i]!, viridis[i + 1]!, at - i);
}

function diverging(t: number): Triple {
  const far = labOf(t < 0.5 ? ends[0] : ends[2]);
  return rgbOf(mix(labOf(ends[1]), far, Math.abs(2 * t - 1)));
}

function table(colour: (t: number) => Triple): Uint8Array {
  const out = new Uint8Array(4 * mapSize);
  for (let i = 0; i < mapSize; ++i) {
    const rgb = colour(i / (mapSize - 1));
    for (let c = 0; c < 3; ++c) out[4 * i + c] = Math.round(rgb[c]!);
    out[4 * i + 3] = 255;
  }
  return out;
}

const tables: { sequential?: Uint8Array; diverging?: Uint8Array } = {};

/** sRGB colours, four bytes each, from low to high. */
export function colours(isSigned: boolean): Uint8Array {
  return isSigned ? (tables.diverging ??= table(diverging)) : (tables.sequential ??= table(sequential));
}

/** `count` colours from low to high, as CSS. */
export function cssColours(isSigned: boolean, count = 32): string[] {
  const bytes = colours(isSigned);
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
