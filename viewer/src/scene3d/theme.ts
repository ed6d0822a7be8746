/** Colours of the view. Parts: after Paul Tol's "light" scheme, told apart with any colour vision. */
import type { Drawable } from '../payload.ts';
import type { Theme as ThemeName } from '../palette.ts';
import type { MapName } from './colormap.ts';

export interface Theme {
  top: string;
  bottom: string;
  grid: string;
  gridOpacity: number;
  text: string;
  ghost: string;
  joint: string;
  ground: string;
  none: string;
  /** Colours of fields of one sign. */
  sequential: MapName;
  shadow: number;
}

export const themes: Record<ThemeName, Theme> = {
  light: {
    top: '#ffffff',
    bottom: '#e6ebf0',
    grid: '#5b6b7c',
    gridOpacity: 0.34,
    text: '#33404d',
    ghost: '#7d8b99',
    joint: '#4d5966',
    ground: '#8b96a1',
    none: '#b4bcc5',
    sequential: 'sequential',
    shadow: 0.22,
  },
  dark: {
    top: '#232a33',
    bottom: '#12161b',
    grid: '#9fb2c6',
    gridOpacity: 0.26,
    text: '#d5dde6',
    ghost: '#8d9bab',
    joint: '#c9d2dc',
    ground: '#7d8996',
    none: '#6d7782',
    sequential: 'sequential-on-dark',
    shadow: 0.45,
  },
};

const curveColours = ['#3f7fb5', '#d98a4e', '#4a9d8f', '#b57aa8', '#8c9440', '#5f74c4'];
const surfaceColours = ['#8fb3d1', '#a9c7a4', '#d6b98c', '#b9a8cf'];
const bodyColours = [
  '#6f9fcf',
  '#e59a72',
  '#58b096',
  '#e2c765',
  '#d78fa3',
  '#86c5de',
  '#a9b84e',
  '#9a8fc8',
  '#c4a484',
];

export const accents = {
  force: '#d2503c',
  moment: '#8a4fbf',
  sensor: '#0f8f86',
  trail: '#0f8f86',
  spring: '#7a8794',
  damper: '#8b95a0',
  rod: '#8d8f98',
  cord: '#a58a5d',
  mass: '#5b6673',
  compared: '#e0742f',
  axis: ['#d1495b', '#3a9a5c', '#3b78c9'],
};

/** Gives each curve, surface and body of a model its colour, in the order in which they stand. */
export class Palette {
  private readonly count_ = new Map<string, number>();

  next(drawable: Drawable): string {
    if (drawable.color !== '') return drawable.color;
    const colours =
      drawable.kind === 'curve' ? curveColours : drawable.kind === 'surface' ? surfaceColours : bodyColours;
    const i = this.count_.get(drawable.kind) ?? 0;
    this.count_.set(drawable.kind, i + 1);
    return colours[i % colours.length]!;
  }
}
