/** Colours of lines: Okabe and Ito's set (jfly.uni-koeln.de/color), which people with colour blindness can tell apart. */
export type Theme = 'light' | 'dark';

const lines: Record<Theme, string[]> = {
  light: ['#0072b2', '#d55e00', '#009e73', '#b8579a', '#c98600', '#2f9bd8', '#4a4a4a'],
  dark: ['#56b4e9', '#ff8a3d', '#2fc79a', '#e39ac6', '#f0c23c', '#9db8ff', '#d0d0d0'],
};

/** Colour of line i; from the eighth on they repeat, with dashes. */
export function lineColor(theme: Theme, i: number): string {
  return lines[theme][i % lines[theme].length]!;
}

export function lineDash(theme: Theme, i: number): number[] {
  const round = Math.floor(i / lines[theme].length);
  return round === 0 ? [] : round === 1 ? [8, 4] : [2, 3];
}
