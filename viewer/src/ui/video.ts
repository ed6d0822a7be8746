/** Video of the playback, recorded by the browser as it is played. */
import { h } from './dom.ts';

export function videoType(): string | null {
  if (typeof MediaRecorder === 'undefined') return null;
  const types = ['video/mp4;codecs=avc1.42E01F', 'video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];
  return types.find((t) => MediaRecorder.isTypeSupported(t)) ?? null;
}

export class Recording {
  private readonly canvas_: HTMLCanvasElement;
  private readonly recorder_: MediaRecorder;
  private readonly parts_: Blob[] = [];

  constructor(
    private readonly source_: HTMLCanvasElement,
    private readonly decorate_: (ctx: CanvasRenderingContext2D, width: number, height: number) => void,
    readonly type: string,
  ) {
    // Even numbers of pixels, as encoders want them.
    this.canvas_ = h('canvas', { width: source_.width & ~1, height: source_.height & ~1 });
    this.recorder_ = new MediaRecorder(this.canvas_.captureStream(60), { mimeType: type, videoBitsPerSecond: 12_000_000 });
    this.recorder_.addEventListener('dataavailable', (event) => this.parts_.push(event.data));
    this.recorder_.start(500);
  }

  /** Directly after the view was drawn. */
  frame(): void {
    const ctx = this.canvas_.getContext('2d')!;
    ctx.drawImage(this.source_, 0, 0, this.canvas_.width, this.canvas_.height);
    this.decorate_(ctx, this.canvas_.width, this.canvas_.height);
  }

  get extension(): string {
    return this.type.includes('mp4') ? 'mp4' : 'webm';
  }

  finish(): Promise<Blob> {
    return new Promise((done) => {
      this.recorder_.addEventListener('stop', () => done(new Blob(this.parts_, { type: this.type })));
      this.recorder_.stop();
    });
  }
}
