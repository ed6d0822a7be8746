/** The texts of a report: summary, comparison, scene, how exact it is, licences, keys. */
import type { Comparison, Report, Run, SummaryItem } from '../payload.ts';
import { formatNumber, prettyUnit, trimmed, unitSuffix } from '../units.ts';
import { copy, download, fileName, h, icon } from './dom.ts';

declare const LICENCES: { name: string; licence: string; text: string }[];

function valueText(item: SummaryItem): string {
  const value = typeof item.value === 'number' ? (Number.isInteger(item.value) && Math.abs(item.value) < 1e9 ? groupDigits(item.value) : trimmed(item.value)) : item.value;
  return `${value}${unitSuffix(item.unit ?? '')}`;
}

function groupDigits(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f').replace('-', '−');
}

function summaryOf(run: Run): HTMLElement {
  const groups = [...new Set(run.summary.map((s) => s.group))];
  return h(
    'div',
    { class: 'summary-grid' },
    ...groups.map((group) =>
      h(
        'section',
        { class: 'card' },
        h('h3', {}, group),
        h('dl', {}, ...run.summary.filter((s) => s.group === group).map((s) => h('div', {}, h('dt', {}, s.label), h('dd', {}, valueText(s))))),
      ),
    ),
  );
}

function comparisonTable(list: Comparison[], runs: Run[]): HTMLElement {
  const several = (c: Comparison) => list.some((d) => d.sensor === c.sensor && d.analysis === c.analysis && d.column !== c.column);
  return h(
    'section',
    { class: 'card' },
    h('h3', {}, 'Comparison'),
    h('p', { class: 'muted' }, `${runs[1]?.name ?? 'second'} less ${runs[0]!.name}: largest difference of each sensor, when, and root of the mean square.`),
    h(
      'div',
      { class: 'scroll-x' },
      h(
        'table',
        {},
        h('thead', {}, h('tr', {}, ...['Sensor', 'Largest', 'Of range', 'At', 'RMS'].map((t) => h('th', { scope: 'col' }, t)))),
        h(
          'tbody',
          {},
          ...list.map((c) =>
            h('tr', {}, h('th', { scope: 'row' }, `${c.analysis ? `${c.analysis}: ` : ''}${c.sensor}${several(c) ? `.${c.column}` : ''}`, c.unit === '1' || c.unit === '' ? null : h('span', { class: 'muted' }, ` [${prettyUnit(c.unit)}]`)), number(c.max_difference), h('td', { class: 'number' }, c.range ? `${formatNumber((100 * c.max_difference) / c.range, 3)} %` : ''), number(c.at, c.axis_unit), number(c.rms)),
          ),
        ),
      ),
    ),
  );
}

function number(x: number, unit = ''): HTMLElement {
  return h('td', { class: 'number' }, formatNumber(x, 4) + unitSuffix(unit));
}

export function summaryPanel(report: Report): HTMLElement {
  const parts: HTMLElement[] = [];
  if (report.comparison.length > 0) parts.push(comparisonTable(report.comparison, report.runs));
  for (const run of report.runs) {
    if (report.runs.length > 1) parts.push(h('h2', {}, run.name));
    parts.push(summaryOf(run));
  }
  return h('div', { class: 'panel-body' }, ...parts);
}

/** Comments, headings of tables and texts of a TOML file in colours of their own. */
function highlighted(text: string): HTMLElement {
  const pre = h('pre', { class: 'code', tabindex: 0 });
  for (const line of text.split('\n')) {
    let rest = line;
    if (/^\s*\[/.test(line) && !/=/.test(line)) {
      const end = line.indexOf('#', line.lastIndexOf(']'));
      pre.append(h('span', { class: 'c-head' }, end < 0 ? line : line.slice(0, end)));
      rest = end < 0 ? '' : line.slice(end);
    }
    const tokens = /("(?:[^"\\]|\\.)*"|'[^']*')|(#.*$)|([^"'#]+|.)/g;
    for (const [, string, comment, plain] of rest.matchAll(tokens)) {
      if (string !== undefined) pre.append(h('span', { class: 'c-text' }, string));
      else if (comment !== undefined) pre.append(h('span', { class: 'c-comment' }, comment));
      else pre.append(plain ?? '');
    }
    pre.append('\n');
  }
  return pre;
}

function codeBlock(title: string, text: string, name?: string): HTMLElement {
  return h(
    'section',
    { class: 'card' },
    h(
      'header',
      {},
      h('h3', {}, title),
      h('span', { class: 'spacer' }),
      name !== undefined && h('button', { type: 'button', class: 'button small', onclick: () => download(name, new Blob([text])) }, icon('download'), 'Save'),
      h('button', { type: 'button', class: 'button small', onclick: () => void copy(text) }, icon('copy'), 'Copy'),
    ),
    highlighted(text),
  );
}

export function scenePanel(report: Report): HTMLElement {
  const parts: HTMLElement[] = [];
  for (const run of report.runs) {
    const { scene } = run;
    if (report.runs.length > 1) parts.push(h('h2', {}, run.name));
    const name = scene.file.split('/').pop() || 'scene.toml';
    if (scene.command) parts.push(codeBlock('To repeat the run', scene.command));
    if (scene.text) parts.push(codeBlock(`Scene: ${name}`, scene.text, name));
    if (scene.effective) {
      parts.push(
        h('details', { class: 'card fold' }, h('summary', {}, h('h3', {}, 'Scene as it was run'), h('span', { class: 'muted' }, 'parameters, settings and defaults applied')), codeBlock('Effective scene', scene.effective, `effective-${name}`)),
      );
    }
    if (scene.files.length > 0) {
      parts.push(h('section', { class: 'card' }, h('h3', {}, 'Files that the scene used'), h('p', { class: 'muted' }, 'Their contents are in the results file, under /scene/files.'), h('ul', {}, ...scene.files.map((f) => h('li', {}, h('code', {}, f))))));
    }
    if (run.program) parts.push(h('section', { class: 'card' }, h('h3', {}, 'Versions'), h('p', {}, run.program)));
  }
  return h('div', { class: 'panel-body' }, ...parts);
}

export function aboutPanel(report: Report): HTMLElement {
  const exact = report.runs.map((run) => {
    const { accuracy } = run;
    const lines = accuracy.text ? [accuracy.text] : [
      accuracy.position > 0 ? `Drawn positions are within ${formatNumber(accuracy.position, 2)} m of the results file.` : '',
      accuracy.thinned.of > 0 ? `${groupDigits(accuracy.thinned.kept)} of ${groupDigits(accuracy.thinned.of)} recorded states are in this file.` : '',
    ].filter(Boolean);
    return h('section', { class: 'card' }, h('h3', {}, report.runs.length > 1 ? `How exact: ${run.name}` : 'How exact this is'), ...lines.map((t) => h('p', {}, t)), h('p', { class: 'muted' }, 'Between states the motion is drawn along straight lines. Plots hold the recorded numbers, in double precision; values at the cursor lie on straight lines between them.'));
  });
  return h(
    'div',
    { class: 'panel-body' },
    ...exact,
    h(
      'section',
      { class: 'card' },
      h('h3', {}, 'This page'),
      h('p', {}, 'One file, made by Flexura (Apache-2.0). It opens no connections. Inside it are:'),
      ...LICENCES.map((l) => h('details', { class: 'licence' }, h('summary', {}, `${l.name} (${l.licence})`), h('pre', {}, l.text))),
    ),
  );
}

const keys: [string, string][] = [
  ['Space', 'play or pause'],
  ['← →', 'one frame back, on (with Shift: ten)'],
  ['Home, End', 'to the start, to the end'],
  ['+ −', 'faster, slower'],
  ['1 … 6', 'camera'],
  ['C', 'next colouring'],
  ['G', 'reference shape'],
  ['T', 'trails of sensors'],
  ['F', 'frames'],
  ['L, J, S, X, A', 'loads, joints, sensors, grid, axes'],
  ['R', 'repeat'],
  ['?', 'this help'],
];
const mouse: [string, string][] = [
  ['Drag in the view', 'turn; right button or two fingers: move; wheel: zoom'],
  ['Click in a plot', 'go to that time; drag the line to move it'],
  ['Drag in a plot', 'zoom; double click: all'],
  ['Ctrl + wheel, pinch', 'zoom in a plot'],
  ['Drop a CSV file', 'lay measured data over a plot'],
];

export function helpDialog(): void {
  const open = document.querySelector<HTMLDialogElement>('dialog.help');
  if (open) return open.close();
  const list = (rows: [string, string][]) => h('dl', { class: 'keys' }, ...rows.flatMap(([k, t]) => [h('dt', {}, ...k.split(', ').flatMap((x, i) => [i > 0 ? ' ' : null, h('kbd', {}, x)])), h('dd', {}, t)]));
  const dialog = h(
    'dialog',
    { class: 'dialog help', 'aria-label': 'Keyboard and mouse' },
    h('form', { method: 'dialog' }, h('h2', {}, 'Keyboard'), list(keys), h('h2', {}, 'Mouse and touch'), list(mouse), h('div', { class: 'actions' }, h('button', { class: 'button primary' }, 'Close'))),
  );
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

export function banners(report: Report): HTMLElement | null {
  const parts: HTMLElement[] = [];
  for (const run of report.runs) {
    const prefix = report.runs.length > 1 ? `${run.name}: ` : '';
    if (run.status === 'failed') parts.push(h('div', { class: 'banner bad', role: 'alert' }, icon('warning'), h('div', {}, h('strong', {}, `${prefix}The run failed. `), run.message)));
    else if (run.status !== 'finished') parts.push(h('div', { class: 'banner warn' }, icon('warning'), h('div', {}, h('strong', {}, `${prefix}The run is ${run.status}. `), run.message)));
    if (run.warnings.length > 0) {
      const n = run.warnings.length;
      parts.push(
        h(
          'details',
          { class: 'banner warn', open: n <= 2 && report.runs.length === 1 },
          h('summary', {}, icon('warning'), h('strong', {}, `${prefix}${n === 1 ? '1 warning' : `${n} warnings`}`), h('span', { class: 'first' }, run.warnings[0]!)),
          h('ul', {}, ...run.warnings.map((w) => h('li', {}, w))),
        ),
      );
    }
  }
  return parts.length > 0 ? h('div', { class: 'banners' }, ...parts) : null;
}

/** Name for what is saved from this report. */
export function reportFile(report: Report): string {
  return fileName(report.runs[0]!.title || report.runs[0]!.name || 'report');
}
