/** The time line and the buttons of the playback. */
import type { Timeline } from '../timeline.ts';
import { formatNumber, trimmed, unitSuffix } from '../units.ts';
import { h, iconButton, select, setIcon } from './dom.ts';

export interface Player {
  readonly timeline: Timeline;
  isPlaying(): boolean;
  play(): void;
  pause(): void;
  /** After the timeline was changed by hand. */
  moved(): void;
}

export class Transport {
  readonly element: HTMLElement;
  private readonly bar_: HTMLElement;
  private readonly fill_ = h('div', { class: 'bar-fill' });
  private readonly handle_ = h('div', { class: 'bar-handle' });
  private readonly play_: HTMLButtonElement;
  private readonly loop_: HTMLButtonElement;
  private readonly time_ = h('output', { class: 'time', 'aria-live': 'off' });
  private readonly note_ = h('span', { class: 'time-note' });
  private readonly speed_: HTMLSelectElement;
  private readonly mode_: HTMLSelectElement;
  private modes_ = -2;

  constructor(private readonly player_: Player) {
    const { timeline } = player_;
    this.bar_ = h(
      'div',
      {
        class: 'bar', role: 'slider', tabindex: 0, 'aria-label': 'Time line', 'aria-valuemin': 0, 'aria-valuemax': 1000,
        onpointerdown: (event: PointerEvent) => this.scrub(event),
      },
      ...timeline.segments.map((s, i) => {
        const goesOn = i > 0 && timeline.segments[i - 1]!.analysis === s.analysis && s.axis === timeline.segments[i - 1]!.axis;
        const segment = h('div', { class: goesOn ? 'bar-segment goes-on' : 'bar-segment', title: s.analysis }, h('span', {}, goesOn || timeline.segments.length < 2 ? '' : s.analysis));
        segment.style.left = `${100 * s.left}%`;
        segment.style.width = `${100 * s.width}%`;
        return segment;
      }),
      this.fill_,
      this.handle_,
    );
    this.bar_.classList.toggle('named', timeline.segments.length > 1);
    const go = (action: () => void) => () => {
      player_.pause();
      action();
      player_.moved();
    };
    this.play_ = iconButton('play', 'Play (space)', () => (player_.isPlaying() ? player_.pause() : player_.play()), { class: 'icon-button play' });
    this.loop_ = iconButton('loop', 'Repeat', () => this.toggleLoop(), { 'aria-pressed': 'false' });
    this.speed_ = select(
      'Speed: times real time',
      timeline.speeds.map((s) => ({ value: String(s), text: speedText(s) })),
      (value) => {
        timeline.speed = Number(value);
        this.update();
      },
      { class: 'speed' },
    );
    this.mode_ = select('Mode', [], (value) => {
      timeline.setFrame(timeline.stretch, Number(value));
      player_.moved();
    });
    this.element = h(
      'div',
      { class: 'transport', role: 'group', 'aria-label': 'Playback' },
      this.bar_,
      h(
        'div',
        { class: 'transport-row' },
        iconButton('start', 'To the start (Home)', go(() => timeline.toStart()), { class: 'icon-button wide-only' }),
        iconButton('back', 'One frame back (←)', go(() => timeline.step(-1))),
        this.play_,
        iconButton('forward', 'One frame on (→)', go(() => timeline.step(1))),
        iconButton('end', 'To the end (End)', go(() => timeline.toEnd()), { class: 'icon-button wide-only' }),
        this.loop_,
        this.mode_,
        h('div', { class: 'times' }, this.time_, this.note_),
        h('span', { class: 'spacer' }),
        this.speed_,
      ),
    );
    this.update();
  }

  toggleLoop(): void {
    const { timeline } = this.player_;
    timeline.loop = !timeline.loop;
    this.loop_.setAttribute('aria-pressed', String(timeline.loop));
  }

  private scrub(event: PointerEvent): void {
    if (event.button !== 0) return;
    event.preventDefault();
    this.bar_.focus({ preventScroll: true });
    this.bar_.setPointerCapture(event.pointerId);
    this.player_.pause();
    const move = (e: PointerEvent) => {
      const bounds = this.bar_.getBoundingClientRect();
      this.player_.timeline.setFraction((e.clientX - bounds.left) / bounds.width);
      this.player_.moved();
    };
    const up = () => {
      this.bar_.removeEventListener('pointermove', move);
      this.bar_.removeEventListener('pointerup', up);
      this.bar_.removeEventListener('pointercancel', up);
    };
    this.bar_.addEventListener('pointermove', move);
    this.bar_.addEventListener('pointerup', up);
    this.bar_.addEventListener('pointercancel', up);
    move(event);
  }

  /** One of the speeds, faster or slower. */
  changeSpeed(by: number): void {
    const { timeline } = this.player_;
    const { speeds } = timeline;
    const i = speeds.indexOf(timeline.speed) + by;
    timeline.speed = speeds[Math.min(Math.max(i, 0), speeds.length - 1)]!;
    this.update();
  }

  private fillModes(): void {
    const { timeline } = this.player_;
    const s = timeline.segment;
    const key = s.axis === 'mode' ? s.index : -1;
    if (key === this.modes_) return;
    this.modes_ = key;
    this.mode_.hidden = key < 0;
    this.loop_.hidden = key >= 0; // a mode swings on by itself
    if (key < 0) return;
    this.mode_.replaceChildren(
      ...Array.from(s.at, (n, i) => {
        const f = s.frequency?.[i];
        return h('option', { value: i }, f === undefined ? `Mode ${n}` : `Mode ${n}: ${formatNumber(f, 4)} Hz`);
      }),
    );
  }

  update(): void {
    const { timeline } = this.player_;
    this.fillModes();
    const s = timeline.segment;
    const percent = 100 * timeline.fraction;
    this.fill_.style.width = `${percent}%`;
    this.handle_.style.left = `${percent}%`;
    const playing = this.player_.isPlaying();
    const wanted = playing ? 'pause' : 'play';
    if (this.play_.dataset['icon'] !== wanted) {
      this.play_.dataset['icon'] = wanted;
      setIcon(this.play_, wanted, playing ? 'Pause (space)' : 'Play (space)');
    }
    const text = this.describe();
    this.time_.textContent = s.axis === 'mode' ? '' : text;
    if (this.speed_.value !== String(timeline.speed)) this.speed_.value = String(timeline.speed);
    this.bar_.setAttribute('aria-valuenow', String(Math.round(10 * percent)));
    this.bar_.setAttribute('aria-valuetext', timeline.segments.length > 1 ? `${s.analysis}, ${text}` : text);
    if (s.axis === 'mode') {
      if (this.mode_.value !== String(Math.round(timeline.frame))) this.mode_.value = String(Math.round(timeline.frame));
      const slow = timeline.modeSlowdown;
      this.note_.textContent = slow > 0 ? (slow < 1 ? `shown ${formatNumber(1 / slow, 2)} times slower` : `shown ${formatNumber(slow, 2)} times faster`) : '';
    } else if (s.axis === 't') {
      this.note_.textContent = `of ${trimmed(lastTime(timeline))} s, ${timeline.speed === 1 ? 'real time' : `${trimmed(timeline.speed)} × real time`}`;
    } else {
      this.note_.textContent = `step ${Math.round(timeline.frame) + 1} of ${s.at.length}`;
    }
  }

  describe(): string {
    const { timeline } = this.player_;
    const s = timeline.segment;
    const { value } = timeline;
    if (s.axis === 'mode') {
      const f = s.frequency?.[Math.round(timeline.frame)];
      return f === undefined ? `mode ${value}` : `mode ${value}: ${formatNumber(f, 4)} Hz`;
    }
    const span = Math.max(Math.abs(s.from), Math.abs(s.to), 1e-12);
    const decimals = s.byFrame ? 4 : Math.min(Math.max(0, 3 - Math.floor(Math.log10(span))), 9);
    const shown = value.toFixed(decimals).replace('-', '−');
    return s.axis === 't' ? `t = ${shown}${unitSuffix(s.unit)}` : `load factor ${shown}`;
  }
}

function lastTime(timeline: Timeline): number {
  return Math.max(...timeline.segments.filter((s) => s.axis === 't').map((s) => s.to));
}

function speedText(speed: number): string {
  return `${trimmed(speed)}×`;
}
