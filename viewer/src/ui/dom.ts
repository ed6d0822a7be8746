/** Elements of the page, made in one expression. */

type Listener = (event: never) => void;
export type Attributes = Record<string, string | number | boolean | undefined | Listener>;
export type Child = Node | string | number | null | undefined | false;

/** Attributes that begin with "on" are listeners; false and undefined ones are left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as unknown as EventListener);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

const shapes: Record<string, string> = {
  play: '<path d="M6 3.8v12.4L16 10z" fill="currentColor" stroke-linejoin="round"/>',
  pause: '<path d="M6.5 4v12M13.5 4v12" stroke-width="2.6"/>',
  start: '<path d="M5 4.5v11M15 4.8v10.4L8 10z" fill="currentColor" stroke-linejoin="round"/>',
  end: '<path d="M15 4.5v11M5 4.8v10.4L12 10z" fill="currentColor" stroke-linejoin="round"/>',
  back: '<path d="M12.5 4.5 7 10l5.5 5.5"/>',
  forward: '<path d="M7.5 4.5 13 10l-5.5 5.5"/>',
  loop: '<path d="M4 9V8a2.5 2.5 0 0 1 2.5-2.5H16M13.5 3 16 5.5 13.5 8M16 11v1a2.5 2.5 0 0 1-2.5 2.5H4M6.5 17 4 14.5 6.5 12"/>',
  camera: '<path d="M3 6.5h3l1.3-2h5.4l1.3 2h3v9H3z"/><circle cx="10" cy="10.8" r="2.7"/>',
  video: '<rect x="2.5" y="5.5" width="10" height="9" rx="1.5"/><path d="m12.5 9 5-2.6v7.2l-5-2.6z"/>',
  full: '<path d="M4 7.5V4h3.5M12.5 4H16v3.5M16 12.5V16h-3.5M7.5 16H4v-3.5"/>',
  layers: '<path d="m10 3.5 7 3.7-7 3.7-7-3.7zM3.5 10.3 10 13.7l6.5-3.4M3.5 13.3l6.5 3.4 6.5-3.4"/>',
  download: '<path d="M10 3.5v9M6.3 9.2 10 12.9l3.7-3.7M4 16.5h12"/>',
  image: '<rect x="3" y="4" width="14" height="12" rx="1.5"/><circle cx="7.2" cy="8.2" r="1.3"/><path d="m4 14.5 4-3.6 2.6 2.2 2.8-3L16.5 14"/>',
  overlay: '<path d="M3.5 15.5c3 0 4-9 7-9s3 5 6 5"/><circle cx="5" cy="6" r=".8" fill="currentColor"/><circle cx="9.5" cy="11.5" r=".8" fill="currentColor"/><circle cx="15" cy="7" r=".8" fill="currentColor"/>',
  list: '<path d="M8 5.5h9M8 10h9M8 14.5h9M3.5 5.5h1.2M3.5 10h1.2M3.5 14.5h1.2"/>',
  sun: '<circle cx="10" cy="10" r="3.3"/><path d="M10 2.5v2M10 15.5v2M2.5 10h2M15.5 10h2M4.7 4.7l1.4 1.4M13.9 13.9l1.4 1.4M15.3 4.7l-1.4 1.4M6.1 13.9l-1.4 1.4"/>',
  moon: '<path d="M16 12.2A6.8 6.8 0 0 1 7.8 4a6.8 6.8 0 1 0 8.2 8.2z"/>',
  auto: '<circle cx="10" cy="10" r="6.5"/><path d="M10 3.5v13a6.5 6.5 0 0 0 0-13z" fill="currentColor" stroke="none"/>',
  help: '<circle cx="10" cy="10" r="7"/><path d="M7.9 8a2.1 2.1 0 1 1 3.2 1.8c-.8.5-1.1.9-1.1 1.7M10 14v.1"/>',
  warning: '<path d="M10 3.5 17.5 16h-15zM10 8.3v3.6M10 13.8v.1"/>',
  close: '<path d="m5 5 10 10M15 5 5 15"/>',
  copy: '<rect x="7" y="7" width="9.5" height="9.5" rx="1.5"/><path d="M13 7V4.5A1 1 0 0 0 12 3.5H4.5a1 1 0 0 0-1 1V12a1 1 0 0 0 1 1H7"/>',
  search: '<circle cx="9" cy="9" r="5"/><path d="m13 13 4 4"/>',
};

export function icon(name: keyof typeof shapes | string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  svg.innerHTML = shapes[name] ?? '';
  return svg;
}

/** A button with an icon; `label` is its tooltip and its name for screen readers. */
export function iconButton(name: string, label: string, onclick: (event: MouseEvent) => void, attributes: Attributes = {}) {
  return h('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick, ...attributes }, icon(name));
}

export function setIcon(button: HTMLElement, name: string, label: string): void {
  button.replaceChildren(icon(name));
  button.setAttribute('aria-label', label);
  button.title = label;
}

export function select(
  label: string,
  options: { value: string; text: string }[],
  onchange: (value: string) => void,
  attributes: Attributes = {},
): HTMLSelectElement {
  const element = h(
    'select',
    { 'aria-label': label, title: label, ...attributes, onchange: () => onchange(element.value) },
    ...options.map((o) => h('option', { value: o.value }, o.text)),
  );
  return element;
}

export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = h('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A name that every file system takes. */
export function fileName(...parts: string[]): string {
  return parts.join('-').replace(/[^\p{L}\p{N}._-]+/gu, '_').replace(/^_+|_+$/g, '').slice(0, 120);
}

/** Says something in passing, to screen readers too. */
export function toast(message: string): void {
  let host = document.querySelector<HTMLElement>('.toasts');
  if (!host) {
    host = h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });
    document.body.append(host);
  }
  const item = h('div', { class: 'toast' }, message);
  host.append(item);
  setTimeout(() => item.remove(), 5000);
}

/** Into the clipboard. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast('Copied.');
  } catch {
    const area = h('textarea', { class: 'offscreen', readonly: true });
    area.value = text;
    document.body.append(area);
    area.select();
    toast(document.execCommand('copy') ? 'Copied.' : 'The browser did not allow copying.');
    area.remove();
  }
}

/** A button that opens a small panel beneath it. */
export function popover(button: HTMLButtonElement, panel: HTMLElement): HTMLElement {
  const box = h('div', { class: 'popover-host' }, button, panel);
  panel.classList.add('popover');
  panel.hidden = true;
  button.setAttribute('aria-expanded', 'false');
  button.setAttribute('aria-haspopup', 'true');
  const close = (refocus: boolean) => {
    if (panel.hidden) return;
    panel.hidden = true;
    button.setAttribute('aria-expanded', 'false');
    if (refocus) button.focus();
  };
  button.addEventListener('click', () => {
    if (!panel.hidden) return close(false);
    panel.hidden = false;
    button.setAttribute('aria-expanded', 'true');
    const anchor = button.getBoundingClientRect();
    panel.style.left = '0px';
    const width = panel.offsetWidth;
    const left = Math.min(anchor.left, document.documentElement.clientWidth - width - 8);
    panel.style.left = `${Math.max(8, left)}px`;
    panel.style.top = `${anchor.bottom + 4}px`;
    panel.style.maxHeight = `${Math.max(160, window.innerHeight - anchor.bottom - 16)}px`;
    panel.querySelector<HTMLElement>('input, button, select')?.focus({ preventScroll: true });
  });
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !panel.hidden) {
      event.stopPropagation();
      close(true);
    }
  });
  document.addEventListener('pointerdown', (event) => {
    if (!box.contains(event.target as Node)) close(false);
  });
  box.addEventListener('focusout', (event) => {
    if (event.relatedTarget instanceof Node && !box.contains(event.relatedTarget)) close(false);
  });
  return box;
}
