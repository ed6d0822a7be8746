import 'uplot/dist/uPlot.min.css';
import './style.css';
import { App, type FlexuraPage } from './app.ts';
import { decodeReport } from './payload.ts';
import { h } from './ui/dom.ts';
import { startPage } from './ui/page.ts';

declare global {
  interface Window {
    flexura?: FlexuraPage;
  }
}

startPage(
  (json, blocks, root) => {
    window.flexura = new App(decodeReport(json, blocks), root).api();
  },
  'report',
  'The results file holds everything; ', h('code', {}, 'flexura view results.h5'), ' makes the report anew.',
);
