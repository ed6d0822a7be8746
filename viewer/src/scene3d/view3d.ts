/** Stands in for the 3D view. */
import type { Run } from '../payload.ts';

export interface FieldInfo {
  name: string;
  unit: string;
  doc: string;
}
export type Layer = 'ghost' | 'trails' | 'loads' | 'joints' | 'frames' | 'sensors' | 'grid';
export interface Legend {
  name: string;
  unit: string;
  low: number;
  high: number;
  colors: string[];
}

export class View3d {
  readonly canvas: HTMLCanvasElement;
  onPick?: (info: { name: string; label: string; value?: string } | null) => void;
  private field_: string | null = null;

  constructor(
    container: HTMLElement,
    private readonly runs_: Run[],
    _options: { theme: 'light' | 'dark'; planar: boolean },
  ) {
    this.canvas = document.createElement('canvas');
    container.append(this.canvas);
  }
  setFrame(_stretch: number, _frame: number, _phase?: number): void {}
  fields(stretch: number): FieldInfo[] {
    return this.runs_[0]?.playback[stretch]?.fields ?? [];
  }
  setField(name: string | null): void {
    this.field_ = name;
  }
  legend(): Legend | null {
    return this.field_ === null ? null : { name: this.field_, unit: '', low: 0, high: 1, colors: ['#000', '#fff'] };
  }
  views(): string[] {
    return ['iso', 'front', 'side', 'top'];
  }
  setView(_name: string): void {}
  show(_layer: Layer, _on: boolean): void {}
  setTheme(_theme: 'light' | 'dark'): void {}
  resize(): void {}
  render(): void {}
  stats(): { drawCalls: number; triangles: number; scriptMs: number } {
    return { drawCalls: 0, triangles: 0, scriptMs: 0 };
  }
  picture(_width: number, _height: number): Promise<Blob> {
    return Promise.resolve(new Blob());
  }
  dispose(): void {}
}
