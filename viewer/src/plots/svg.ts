/** A plot as a drawing whose lines stay lines: title, legend, axes and curves, in pixels of the screen. */

export interface SvgTick {
  at: number;
  text: string;
}

export interface SvgCurve {
  label: string;
  color: string;
  dash: readonly number[];
  /** Points in place of a line. */
  isMeasured: boolean;
  /** x and y, one after the other; NaN: a gap. */
  places: readonly number[];
}

export interface SvgPlot {
  title: string;
  width: number;
  height: number;
  /** Of the curves. */
  frame: { left: number; top: number; width: number; height: number };
  x: { label: string; ticks: readonly SvgTick[] };
  y: { label: string; ticks: readonly SvgTick[] };
  curves: readonly SvgCurve[];
  colours: { ink: string; text: string; grid: string; ground: string };
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (c) => escapes[c]!);
}

function short(x: number): string {
  return String(Math.round(100 * x) / 100);
}

/** Pixels per letter of the legend, about. */
const letter = 6;
const legendTop = 34;
const fonts = 'system-ui, Helvetica, Arial, sans-serif';

/** Lines of one curve: a new one begins behind each gap. */
export function pathOf(places: readonly number[]): string {
  let out = '';
  let isDown = false;
  for (let i = 0; i + 1 < places.length; i += 2) {
    const [x, y] = [places[i]!, places[i + 1]!];
    const isGap = !Number.isFinite(x + y);
    if (!isGap) out += `${isDown ? 'L' : 'M'}${short(x)} ${short(y)}`;
    isDown = !isGap;
  }
  return out;
}

export function svgOf(plot: SvgPlot): string {
  const { frame, colours } = plot;
  const right = frame.left + frame.width;
  const bottom = frame.top + frame.height;
  const out: string[] = [];
  const text = (x: number, y: number, content: string, more: string, colour = colours.text): void => {
    out.push(`<text x="${short(x)}" y="${short(y)}" fill="${colour}" ${more}>${escaped(content)}</text>`);
  };
  const line = (x1: number, y1: number, x2: number, y2: number, colour: string, more = ''): void => {
    out.push(`<path d="M${short(x1)} ${short(y1)}L${short(x2)} ${short(y2)}" stroke="${colour}" fill="none"${more}/>`);
  };
  text(10, 18, plot.title, 'font-size="13" font-weight="600"', colours.ink);
  let x = 10;
  for (const { label, color, dash, isMeasured } of plot.curves) {
    if (isMeasured) out.push(`<circle cx="${short(x + 9)}" cy="${legendTop}" r="2.5" fill="${color}"/>`);
    else line(x, legendTop, x + 18, legendTop, color, ` stroke-width="2"${dashed(dash)}`);
    text(x + 23, legendTop + 4, label, 'font-size="11"', colours.ink);
    x += 38 + letter * label.length;
  }
  for (const tick of plot.x.ticks) {
    line(tick.at, frame.top, tick.at, bottom + 4, colours.grid);
    text(tick.at, bottom + 15, tick.text, 'font-size="11" text-anchor="middle"');
  }
  for (const tick of plot.y.ticks) {
    line(frame.left - 4, tick.at, right, tick.at, colours.grid);
    text(frame.left - 7, tick.at + 4, tick.text, 'font-size="11" text-anchor="end"');
  }
  text((frame.left + right) / 2, bottom + 31, plot.x.label, 'font-size="11" text-anchor="middle"');
  const middle = (frame.top + bottom) / 2;
  text(11, middle, plot.y.label, `font-size="11" text-anchor="middle" transform="rotate(-90 11 ${short(middle)})"`);
  out.push('<g clip-path="url(#frame)">');
  for (const { color, dash, isMeasured, places } of plot.curves) {
    if (isMeasured) {
      for (let i = 0; i + 1 < places.length; i += 2) {
        if (Number.isFinite(places[i]! + places[i + 1]!)) {
          out.push(`<circle cx="${short(places[i]!)}" cy="${short(places[i + 1]!)}" r="2.5" fill="${color}"/>`);
        }
      }
    } else {
      out.push(`<path d="${pathOf(places)}" stroke="${color}" stroke-width="1.6" stroke-linejoin="round" fill="none"${dashed(dash)}/>`);
    }
  }
  out.push('</g>');
  const { width, height } = plot;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${fonts}">
<clipPath id="frame"><rect x="${short(frame.left)}" y="${short(frame.top)}" width="${short(frame.width)}" height="${short(frame.height)}"/></clipPath>
<rect width="${width}" height="${height}" fill="${colours.ground}"/>
${out.join('\n')}
</svg>
`;
}

function dashed(dash: readonly number[]): string {
  return dash.length > 0 ? ` stroke-dasharray="${dash.join(' ')}"` : '';
}
