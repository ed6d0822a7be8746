/** All runs as a table: of thousands, the rows in sight are there. */
import { h } from '../ui/dom.ts';
import { formatNumber, prettyUnit } from '../units.ts';
import type { Sweep } from './data.ts';
import type { State } from './state.ts';

const rowHeight = 28;
/** Rows above and below those in sight. */
const spare = 8;

/** Columns to sort by: the run, whether it failed, then those of the sweep. */
const [byRun, byStatus] = [-2, -1];

export class RunTable {
  readonly element: HTMLElement;
  private readonly scroll_: HTMLElement;
  private readonly body_ = h('tbody');
  private readonly heads_ = new Map<number, HTMLTableCellElement>();
  private readonly count_ = h('span', { class: 'muted', role: 'status' });
  private order_: number[] = [];
  private sortedBy_ = byRun;
  private descends_ = false;
  private first_ = -1;

  constructor(private readonly state_: State) {
    const { columns } = state_.sweep;
    const head = (id: number, name: string, unit: string, className: string): HTMLTableCellElement => {
      const label = h('button', { type: 'button', class: 'sort', onclick: () => this.sort(id) }, h('span', {}, name), unit === '1' ? null : h('small', {}, ` ${prettyUnit(unit)}`));
      const cell = h('th', { scope: 'col', class: className, title: `Sort by ${name}` }, label);
      this.heads_.set(id, cell);
      return cell;
    };
    const table = h(
      'table',
      { class: 'runs', 'aria-label': 'Runs' },
      h('thead', {}, h('tr', {}, head(byRun, 'run', '1', 'number'), ...columns.map((c, k) => head(k, c.name, c.scaled.unit, 'number')), head(byStatus, 'status', '1', ''))),
      this.body_,
    );
    this.scroll_ = h('div', { class: 'runs-scroll', tabindex: 0, 'aria-label': 'Runs; up and down choose one' }, table);
    this.element = h('section', { class: 'card runs-card' }, h('header', {}, h('h3', {}, 'Runs'), this.count_), this.scroll_);
    this.scroll_.addEventListener('scroll', () => this.fill());
    this.scroll_.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.fill(true)).observe(this.scroll_);
    this.body_.addEventListener('click', (event) => {
      const row = (event.target as HTMLElement).closest<HTMLElement>('tr[data-row]');
      if (row) state_.select(Number(row.dataset['row']));
    });
    state_.listen((change) => {
      if (change === 'filter') this.arrange();
      else if (change === 'selection') this.mark();
    });
    this.arrange();
  }

  private sort(id: number): void {
    this.descends_ = this.sortedBy_ === id && !this.descends_;
    this.sortedBy_ = id;
    this.arrange();
  }

  private arrange(): void {
    const { sweep, activeCount } = this.state_;
    this.order_ = orderOf(sweep, this.state_.activeRows, this.sortedBy_, this.descends_);
    for (const [id, cell] of this.heads_) cell.setAttribute('aria-sort', id !== this.sortedBy_ ? 'none' : this.descends_ ? 'descending' : 'ascending');
    this.count_.textContent = activeCount === sweep.run.length ? `${activeCount}` : `${activeCount} of ${sweep.run.length}`;
    this.fill(true);
  }

  /** Makes the rows in sight, with room for the others above and below. */
  private fill(anew = false): void {
    const inSight = Math.ceil(this.scroll_.clientHeight / rowHeight) + 2 * spare;
    const wanted = Math.floor(this.scroll_.scrollTop / rowHeight) - spare;
    const first = Math.max(0, Math.min(wanted - (wanted % 2), this.order_.length - inSight));
    if (!anew && first === this.first_) return;
    this.first_ = first;
    const last = Math.min(this.order_.length, first + inSight);
    const room = (rows: number): HTMLElement => {
      const cell = h('tr', { class: 'room', 'aria-hidden': true }, h('td', { colspan: this.heads_.size }));
      cell.style.height = `${rows * rowHeight}px`;
      return cell;
    };
    this.body_.replaceChildren(
      ...(first > 0 ? [room(first)] : []),
      ...this.order_.slice(first, last).map((row) => this.row(row)),
      ...(last < this.order_.length ? [room(this.order_.length - last)] : []),
    );
    this.mark();
  }

  private row(row: number): HTMLElement {
    const { sweep } = this.state_;
    const failed = sweep.hasFailed[row] === 1;
    const message = sweep.message(row);
    return h(
      'tr',
      { 'data-row': row, class: failed ? 'failed' : undefined },
      h('th', { scope: 'row', class: 'number' }, sweep.run[row]),
      ...sweep.columns.map((c) => h('td', { class: 'number' }, formatNumber(c.values[row]! * c.scaled.factor))),
      h('td', { class: 'status', title: message || undefined }, failed ? `failed: ${message.split('\n')[0]}` : message === '' ? 'finished' : message.split('\n')[0]),
    );
  }

  private mark(): void {
    for (const row of this.body_.querySelectorAll<HTMLElement>('tr[data-row]')) {
      if (Number(row.dataset['row']) === this.state_.selected) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
  }

  private key(event: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (by === undefined || event.target !== this.scroll_ || this.order_.length === 0) return;
    event.preventDefault();
    const now = this.order_.indexOf(this.state_.selected);
    const next = now < 0 ? 0 : Math.min(this.order_.length - 1, Math.max(0, now + by));
    this.state_.select(this.order_[next]!);
    const top = next * rowHeight;
    const { scrollTop, clientHeight } = this.scroll_;
    if (top < scrollTop) this.scroll_.scrollTop = top;
    else if (top + 3 * rowHeight > scrollTop + clientHeight) this.scroll_.scrollTop = top + 3 * rowHeight - clientHeight;
  }
}

/** Rows in the order of a column; those without a number last. */
export function orderOf(sweep: Sweep, rows: number[], by: number, descends: boolean): number[] {
  const key = (row: number): number => (by === byRun ? sweep.run[row]! : by === byStatus ? sweep.hasFailed[row]! : sweep.columns[by]!.values[row]!);
  const sign = descends ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
    return sign * (x - y) || a - b;
  });
}
