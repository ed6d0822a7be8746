import '../style.css';
import './sweep.css';
import { h } from '../ui/dom.ts';
import { startPage } from '../ui/page.ts';
import { decodeSweep } from './data.ts';
import { showSweep, type SweepPage } from './page.ts';

declare global {
  interface Window {
    flexuraSweep?: SweepPage;
  }
}

startPage(
  (json, blocks, root) => {
    window.flexuraSweep = showSweep(decodeSweep(json, blocks), root);
  },
  'page',
  'The tables beside it hold everything; ', h('code', {}, 'flexura sweep STUDY --resume'), ' makes the page anew.',
);
