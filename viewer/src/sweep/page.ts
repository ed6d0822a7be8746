/** The page of a sweep: joins axes, series, table and the run that is looked at. */
import { h, icon, select } from '../ui/dom.ts';
import { ThemeSwitch } from '../ui/theme.ts';
import { formatNumber, unitSuffix } from '../units.ts';
import { BandPlot } from './band_plot.ts';
import type { Sweep } from './data.ts';
import { ParallelPlot } from './parallel.ts';
import { lineColours } from './pen.ts';
import { RunCard } from './run_card.ts';
import { RunTable } from './run_table.ts';
import { type Shown, State } from './state.ts';

/** What tests ask. */
export interface SweepPage {
  active(): number[];
  select(run: number): void;
  selected(): number;
  brush(column: string, from: number, to: number): void;
}

export function showSweep(sweep: Sweep, root: HTMLElement): SweepPage {
  const state = new State(sweep);
  const theme = new ThemeSwitch(undefined, () => state.restyle());
  const interrupted = sweep.known < sweep.planned;
  root.classList.add('sweep-page');
  const header = h(
    'header',
    { class: 'page-header' },
    h('h1', { title: sweep.study }, sweep.title),
    h('span', { class: `badge ${interrupted ? 'interrupted' : 'finished'}` }, interrupted ? `${sweep.known} of ${sweep.planned} runs` : `${sweep.known} ${sweep.known === 1 ? 'run' : 'runs'}`),
    sweep.failed > 0 && h('span', { class: 'badge failed' }, `${sweep.failed} failed`),
    h('span', { class: 'spacer' }),
    h('span', { class: 'program wide-only' }, `${sweep.design} · ${sweep.program}`),
    theme.button,
  );
  const notes = [
    interrupted && `The sweep has been stopped; flexura sweep --resume goes on with it.`,
    sweep.run.length < sweep.known && `${sweep.run.length} of ${sweep.known} runs stand in this page, evenly chosen; bands of series are of all, and table.csv holds each.`,
  ].filter((note): note is string => note !== false);
  const banners = notes.length > 0 && h('div', { class: 'banners' }, ...notes.map((note) => h('div', { class: 'banner warn' }, icon('warning'), h('div', {}, note))));
  const card = new RunCard(state);
  const parallel = new ParallelPlot(state);
  const body = h(
    'main',
    { class: 'sweep' },
    h(
      'div',
      { class: 'sweep-left' },
      h('section', { class: 'card parallel-card' }, tools(state), parallel.element, h('p', { class: 'muted hint' }, hint)),
      sweep.curves.length > 0 && h('div', { class: 'bands' }, ...sweep.curves.map((curves) => new BandPlot(curves, state).element)),
      new RunTable(state).element,
    ),
    h('div', { class: 'sweep-right' }, card.element),
  );
  root.replaceChildren(header, ...(banners ? [banners] : []), body);
  // Before the first frame: whoever finds the page finds its axes where they stay.
  parallel.resize();
  if (sweep.run.length === 1) state.select(0);
  return {
    active: () => state.activeRows.map((row) => sweep.run[row]!),
    select: (run) => state.select(sweep.run.indexOf(run)),
    selected: () => (state.selected < 0 ? -1 : sweep.run[state.selected]!),
    brush: (name, from, to) => {
      const axis = state.axes.find((a) => a.column.name === name);
      if (!axis) throw new Error(`there is no column "${name}"`);
      state.setBrush(axis, [from, to]);
    },
  };
}

const hint =
  'Drag along an axis to keep the runs between; drag the brush or its ends to change it, click beside it to lift it. On an axis the keys ↑ ↓ move its brush, with Shift its upper end; Esc lifts it, L is for logarithms, C for colours by this axis, ← → go to the next.';

/** Which runs are shown, and by what they are coloured. */
function tools(state: State): HTMLElement {
  const { sweep } = state;
  const count = h('span', { class: 'muted', role: 'status' });
  const clear = h('button', { type: 'button', class: 'button small', onclick: () => state.clearFilter() }, 'Show all');
  const shown: [Shown, string][] = [['all', 'All'], ['finished', 'Finished'], ['failed', 'Failed']];
  const buttons = shown.map(([value, text]) => h('button', { type: 'button', onclick: () => state.setShown(value) }, text));
  const low = h('span');
  const high = h('span');
  const bar = h('span', { class: 'colour-bar', 'aria-hidden': true });
  const legend = h('span', { class: 'colour-legend' }, low, bar, high);
  const chooser = select('Colour by', [{ value: '-1', text: 'one colour' }, ...sweep.columns.map((c, k) => ({ value: String(k), text: c.name }))], (value) => state.setColour(Number(value)));
  const update = (): void => {
    count.textContent = state.isFiltered ? `${state.activeCount} of ${sweep.run.length} runs` : '';
    clear.hidden = !state.isFiltered;
    buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(shown[i]![0] === state.shown)));
    chooser.value = String(state.colour);
    const axis = state.axes[state.colour];
    legend.hidden = axis === undefined;
    if (!axis) return;
    const { scale, column } = axis;
    low.textContent = formatNumber(scale.low * column.scaled.factor, 3);
    high.textContent = formatNumber(scale.high * column.scaled.factor, 3) + unitSuffix(column.scaled.unit);
    bar.style.background = `linear-gradient(to right, ${lineColours().join(', ')})`;
  };
  state.listen((change) => (change === 'filter' || change === 'look') && update());
  update();
  return h(
    'header',
    { class: 'sweep-tools' },
    h('label', {}, h('span', { class: 'muted' }, 'Colour by '), chooser),
    legend,
    h('span', { class: 'spacer' }),
    count,
    clear,
    sweep.failed > 0 && h('div', { class: 'segmented', role: 'group', 'aria-label': 'Runs that are shown' }, ...buttons),
  );
}
