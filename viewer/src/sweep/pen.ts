/** Canvases of the page: sharp on any screen, in the colours of its theme. */
import { cssColours } from '../scene3d/colormap.ts';
import type { Column } from './data.ts';
import { Scale } from './scale.ts';

export const colourSteps = 32;

/** The pen of a canvas that is `width` by `height` CSS pixels, cleared. */
export function penOf(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const pen = canvas.getContext('2d', { willReadFrequently: true })!;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.lineJoin = 'round';
  return pen;
}

/** A colour of style.css. */
export function themeColour(name: 'ink' | 'ink-2' | 'line' | 'grid' | 'panel' | 'accent' | 'bad' | 'cursor'): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || '#888';
}

/** From low to high; without the yellow that is hardly seen on white. */
export function lineColours(): string[] {
  return document.documentElement.dataset['theme'] === 'dark' ? cssColours('sequential-on-dark', colourSteps) : cssColours('sequential', colourSteps + 5).slice(0, colourSteps);
}

/** Which of the colours each row has; 0 where there is no number. */
export function colourOf(column: Column, isLog: boolean): Uint8Array {
  const scale = Scale.of(column.values, isLog);
  return Uint8Array.from(column.values, (x) => (Number.isFinite(x) ? Math.min(colourSteps - 1, Math.max(0, Math.floor(scale.share(x) * colourSteps))) : 0));
}
