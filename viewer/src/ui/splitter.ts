/** The line between view and plots, which can be moved by pointer and by keys. */
import { h } from './dom.ts';

export function splitter(main: HTMLElement): HTMLElement {
  let share = 58;
  const apply = (percent: number) => {
    share = Math.min(Math.max(percent, 25), 80);
    main.style.setProperty('--share', `${share}%`);
    line.setAttribute('aria-valuenow', String(Math.round(share)));
  };
  const line = h('div', {
    class: 'splitter', role: 'separator', tabindex: 0, 'aria-orientation': 'vertical', 'aria-label': 'Width of the view',
    'aria-valuemin': 25, 'aria-valuemax': 80, 'aria-valuenow': share,
    onkeydown: (event: KeyboardEvent) => {
      const by = event.key === 'ArrowLeft' ? -2 : event.key === 'ArrowRight' ? 2 : 0;
      if (by === 0) return;
      event.preventDefault();
      event.stopPropagation();
      apply(share + by);
    },
    onpointerdown: (event: PointerEvent) => {
      event.preventDefault();
      line.setPointerCapture(event.pointerId);
      const move = (e: PointerEvent) => {
        const bounds = main.getBoundingClientRect();
        apply((100 * (e.clientX - bounds.left)) / bounds.width);
      };
      line.addEventListener('pointermove', move);
      line.addEventListener('pointerup', () => line.removeEventListener('pointermove', move), { once: true });
    },
  });
  return line;
}
