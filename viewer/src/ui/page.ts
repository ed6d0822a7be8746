/** What pages begin with: their data, or what is said where those are damaged. */
import { type Child, h, icon } from './dom.ts';

function dataOf(id: string): string {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element "${id}"`);
  return found.textContent ?? '';
}

/** Calls `show` with the page's description, its blocks and the element to fill; `what` and `remedy` are for pages that cannot be read. */
export function startPage(show: (json: string, blocks: string, root: HTMLElement) => void, what: string, ...remedy: Child[]): void {
  const root = document.getElementById('flexura-app') ?? document.body;
  try {
    show(dataOf('flexura-report'), dataOf('flexura-data'), root);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    root.replaceChildren(
      h(
        'main',
        { class: 'broken', role: 'alert' },
        icon('warning'),
        h('h1', {}, `This ${what} cannot be read`),
        h('p', {}, `The file is damaged or incomplete: ${message}.`),
        h('p', { class: 'muted' }, ...remedy),
      ),
    );
    console.warn(error);
  }
}
