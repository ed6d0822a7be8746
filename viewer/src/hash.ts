/** What the address of the page asks for: #t=1.2&stretch=0&view=iso&field=strain&play=0&ui=none */
export interface PageState {
  time?: number;
  stretch?: number;
  view?: string;
  field?: string;
  play?: boolean;
  theme?: string;
  ui?: string;
  legend?: boolean;
  /** What the camera goes along with. */
  follow?: string;
}

export function parseHash(hash: string): PageState {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const state: PageState = {};
  const numeric = (name: string): number | undefined => {
    const text = values.get(name);
    const x = text === null || text === '' ? NaN : Number(text);
    return Number.isFinite(x) ? x : undefined;
  };
  const flag = (name: string): boolean | undefined => (values.has(name) ? values.get(name) !== '0' && values.get(name) !== 'false' : undefined);
  const t = numeric('t');
  if (t !== undefined) state.time = t;
  const stretch = numeric('stretch');
  if (stretch !== undefined) state.stretch = stretch;
  for (const name of ['view', 'field', 'theme', 'ui', 'follow'] as const) {
    const text = values.get(name);
    if (text !== null && text !== '') state[name] = text;
  }
  const play = flag('play');
  if (play !== undefined) state.play = play;
  const legend = flag('legend');
  if (legend !== undefined) state.legend = legend;
  return state;
}
