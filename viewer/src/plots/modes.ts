/** The modes of an analysis as a list: a click shows one. */
import type { Stretch } from '../payload.ts';
import { h } from '../ui/dom.ts';
import { formatNumber, trimmed } from '../units.ts';
import { type AxisGroup, axisGroup } from './source.ts';

export class ModeList {
  readonly element: HTMLElement;
  readonly axis: AxisGroup;
  private readonly rows_: HTMLElement[];

  constructor(stretch: Stretch, seek: (key: string, value: number) => void) {
    this.axis = axisGroup(stretch.axis, stretch.analysis, stretch.unit);
    const { key } = this.axis;
    this.rows_ = Array.from(stretch.at, (mode, i) => {
      const f = stretch.frequency?.[i];
      const name = h('button', { type: 'button', class: 'mode-name', onclick: () => seek(key, mode) }, `Mode ${mode}`);
      const numbers = f === undefined ? ['', ''] : [formatNumber(f, 5), f > 0 ? trimmed(1 / f, 4) : '–'];
      const row = h('tr', {}, h('th', { scope: 'row' }, name), ...numbers.map((text) => h('td', { class: 'number' }, text)));
      row.addEventListener('click', () => seek(key, mode));
      return row;
    });
    const head = ['Mode', 'Frequency [Hz]', 'Period [s]'].map((text) => h('th', { scope: 'col' }, text));
    this.element = h(
      'section',
      { class: 'card modes', 'aria-label': `Modes of ${stretch.analysis}` },
      h('h3', {}, `Modes: ${stretch.analysis}`),
      h('div', { class: 'scroll-x' }, h('table', {}, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...this.rows_))),
    );
  }

  /** `row`: of the mode that is shown; -1: none. */
  update(row: number): void {
    this.rows_.forEach((element, i) => {
      if (i === row) element.setAttribute('aria-current', 'true');
      else element.removeAttribute('aria-current');
    });
  }
}
