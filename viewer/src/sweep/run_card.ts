/** The run that is looked at: its values, why it failed, what repeats it. */
import { copy, h, icon, iconButton } from '../ui/dom.ts';
import { formatNumber, unitSuffix } from '../units.ts';
import type { Column } from './data.ts';
import type { State } from './state.ts';

export class RunCard {
  readonly element = h('section', { class: 'card run-card', 'aria-label': 'Run', 'aria-live': 'polite' });

  constructor(private readonly state_: State) {
    state_.listen((change) => change === 'selection' && this.show());
    this.show();
  }

  private values(title: string, columns: Column[]): HTMLElement | null {
    if (columns.length === 0) return null;
    const row = this.state_.selected;
    return h(
      'div',
      {},
      h('h4', {}, title),
      h('dl', {}, ...columns.map((c) => h('div', {}, h('dt', {}, c.name), h('dd', { title: `${c.values[row]}${unitSuffix(c.unit)}` }, Number.isFinite(c.values[row]) ? formatNumber(c.values[row]! * c.scaled.factor, 6) + unitSuffix(c.scaled.unit) : '–')))),
    );
  }

  private show(): void {
    const { sweep, selected: row } = this.state_;
    if (row < 0) {
      this.element.replaceChildren(h('h3', {}, 'No run chosen'), h('p', { class: 'muted' }, 'A click on a line or on a row of the table shows a run: its values, its series, why it failed, and the command that repeats it.'));
      return;
    }
    const failed = sweep.hasFailed[row] === 1;
    const message = sweep.message(row);
    const command = sweep.command(row);
    const report = h('a', { href: sweep.report(row) }, sweep.report(row));
    this.element.replaceChildren(
      h(
        'header',
        {},
        h('h3', {}, `Run ${sweep.run[row]}`),
        h('span', { class: `badge ${failed ? 'failed' : 'finished'}` }, failed ? 'Failed' : 'Finished'),
        h('span', { class: 'spacer' }),
        iconButton('close', 'Choose no run', () => this.state_.select(-1)),
      ),
      ...[
        message === '' ? null : h('p', { class: failed ? 'run-message bad' : 'run-message' }, message),
        this.values('Parameters', sweep.columns.filter((c) => c.isParameter)),
        this.values('Outputs', sweep.columns.filter((c) => !c.isParameter)),
        h('header', {}, h('h4', {}, 'This run alone'), h('span', { class: 'spacer' }), h('button', { type: 'button', class: 'button small', onclick: () => void copy(command) }, icon('copy'), 'Copy')),
        h('pre', { class: 'code command', tabindex: 0 }, ...command.split(/ (?=--)/).flatMap((part, i) => [i > 0 && ' ', h('span', {}, part)])),
        h('p', { class: 'muted' }, ...(sweep.hasReport(row) ? ['Its report: ', report] : ['In the folder where the sweep was started. Its report is then ', report, '.'])),
      ].filter((part) => part !== null),
    );
  }
}
