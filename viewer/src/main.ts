import 'uplot/dist/uPlot.min.css';
import './style.css';
import { App, type FlexuraPage } from './app.ts';
import { decodeReport } from './payload.ts';
import { h, icon } from './ui/dom.ts';

declare global {
  interface Window {
    flexura?: FlexuraPage;
  }
}

function element(id: string): string {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element "${id}"`);
  return found.textContent ?? '';
}

const root = document.getElementById('flexura-app') ?? document.body;
try {
  const app = new App(decodeReport(element('flexura-report'), element('flexura-data')), root);
  window.flexura = app.api();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  root.replaceChildren(
    h(
      'main',
      { class: 'broken', role: 'alert' },
      icon('warning'),
      h('h1', {}, 'This report cannot be read'),
      h('p', {}, `The file is damaged or incomplete: ${message}.`),
      h('p', { class: 'muted' }, 'The results file holds everything; ', h('code', {}, 'flexura view results.h5'), ' makes the report anew.'),
    ),
  );
  console.warn(error);
}
