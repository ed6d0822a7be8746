/** Light or dark: as the system has it, or as the reader has chosen. */
import type { Theme } from '../palette.ts';
import { iconButton, setIcon } from './dom.ts';

type Choice = 'auto' | Theme;
const key = 'flexura-theme';
const order: Choice[] = ['auto', 'light', 'dark'];
const icons = { auto: 'auto', light: 'sun', dark: 'moon' };

export class ThemeSwitch {
  readonly button: HTMLButtonElement;
  private choice_: Choice;
  private theme_: Theme;
  private readonly dark_ = window.matchMedia('(prefers-color-scheme: dark)');

  /** `first`: what the address asks for. `onchange` is called when the colours become others, not for those at the start. */
  constructor(
    first: string | undefined,
    private readonly onchange_: (theme: Theme) => void,
  ) {
    this.choice_ = choiceOf(first ?? stored());
    this.theme_ = this.resolved();
    document.documentElement.dataset['theme'] = this.theme_;
    this.button = iconButton('auto', '', () => this.next());
    this.showChoice();
    this.dark_.addEventListener('change', () => this.set(this.choice_));
  }

  get theme(): Theme {
    return this.theme_;
  }

  set(choice: string): void {
    this.choice_ = choiceOf(choice);
    this.showChoice();
    const theme = this.resolved();
    if (theme === this.theme_) return;
    this.theme_ = theme;
    document.documentElement.dataset['theme'] = theme;
    this.onchange_(theme);
  }

  private next(): void {
    this.set(order[(order.indexOf(this.choice_) + 1) % order.length]!);
    try {
      localStorage.setItem(key, this.choice_);
    } catch {
      // Kept for this visit only.
    }
  }

  private resolved(): Theme {
    return this.choice_ === 'auto' ? (this.dark_.matches ? 'dark' : 'light') : this.choice_;
  }

  private showChoice(): void {
    setIcon(this.button, icons[this.choice_], `Colours: ${this.choice_ === 'auto' ? 'as the system has them' : this.choice_}`);
  }
}

function choiceOf(text: string | null | undefined): Choice {
  return text === 'light' || text === 'dark' ? text : 'auto';
}

function stored(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
