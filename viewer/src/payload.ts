/**
 * The data of a report (docs/report-format.md): decoded when it is first asked for.
 *
 * Lengths are in metres; a configuration is the list of all slots of a model, three numbers each: first the moving
 * slots, behind them the fixed ones.
 */
import { unzlibSync } from 'fflate';

// What stands in the JSON -------------------------------------------------------------------------------------------

export interface BlockJson {
  at: number;
  bytes: number;
  type: 'u16' | 'u32' | 'f32' | 'f64';
  count: number;
  shape?: number[];
  delta?: boolean;
}

type Numbers = BlockJson | number[];

export interface QuantisedJson {
  low: number[];
  step: number[];
  values: BlockJson;
}

interface MapJson {
  start: Numbers;
  slot: Numbers;
  weight: Numbers;
}

interface ShapeJson {
  type: Shape['type'];
  center?: number[];
  axes?: number[] | number[][];
  size?: number[];
  to?: number[];
  vertices?: Numbers;
  triangles?: Numbers;
}

interface DrawableJson {
  kind: Kind;
  name: string;
  label?: string;
  color?: string;
  position: MapJson;
  tangent?: MapJson;
  second?: MapJson;
  third?: MapJson;
  section?: Partial<Section>;
  sizes?: Numbers;
  thickness?: Numbers;
  quads?: Numbers;
  shapes?: ShapeJson[];
  radius?: number;
  field?: number;
  field_count?: number;
  quantity?: number;
  moment?: boolean;
}

interface ModelJson {
  slots: number;
  fixed?: number[][];
  reference: Numbers;
  field_points?: number;
  quantities?: Quantity[];
  drawables: DrawableJson[];
}

interface StretchJson {
  analysis: string;
  type: string;
  model: number;
  axis: 't' | 'load_factor' | 'mode';
  unit: string;
  at: Numbers;
  q: QuantisedJson;
  frequency?: Numbers;
  base?: Numbers;
  fields?: {
    name: string;
    unit: string;
    doc?: string;
    signed?: boolean;
    low: number;
    high: number;
    bulk?: [number, number];
    values: QuantisedJson;
  }[];
  quantities?: QuantisedJson;
}

interface TableJson {
  name: string;
  group: TableGroup;
  unit?: string;
  doc?: string;
  axis: string;
  axis_unit?: string;
  analysis?: string;
  at: Numbers;
  columns: string[];
  values: Numbers;
  thinned?: unknown;
  envelope?: { from: Numbers; to: Numbers; least: Numbers; greatest: Numbers };
}

interface RunJson {
  name: string;
  title?: string;
  program?: string;
  status?: string;
  message?: string;
  space: 'planar' | 'spatial';
  gravity?: number[];
  warnings?: string[];
  summary?: SummaryItem[];
  scene?: Partial<SceneText>;
  accuracy?: Partial<Accuracy>;
  models?: ModelJson[];
  playback?: StretchJson[];
  tables?: TableJson[];
}

interface ReportJson {
  format: string;
  version: number;
  runs: RunJson[];
  comparison?: Comparison[];
}

// What the viewer works with ----------------------------------------------------------------------------------------

export type Kind = 'curve' | 'surface' | 'body' | 'line' | 'point' | 'joint' | 'arrow' | 'sensor';
export type TableGroup = 'sensor' | 'energy' | 'violation' | 'solver' | 'joint';

export interface SummaryItem {
  group: string;
  label: string;
  value: string | number;
  unit?: string;
}

export interface SceneText {
  file: string;
  text: string;
  effective: string;
  files: string[];
  command: string;
}

export interface Accuracy {
  /** Largest error of a drawn position [m]. */
  position: number;
  thinned: { kept: number; of: number };
  text: string;
}

export interface Comparison {
  sensor: string;
  /** Of sensors by load factor. */
  analysis?: string;
  column: string;
  unit: string;
  max_difference: number;
  at: number;
  axis_unit?: string;
  /** Between the least and the largest value. */
  range?: number;
  rms: number;
}

export interface Quantity {
  name: string;
  unit: string;
}

export interface Section {
  type: 'round' | 'tube' | 'rectangle';
  radius: number;
  inner: number;
  width: number;
  height: number;
  nominal: boolean;
}

/** A solid in the frame of a body; `axes` are three unit vectors, one after the other [9]. */
export interface Shape {
  type: 'box' | 'sphere' | 'ellipsoid' | 'cylinder' | 'cone' | 'link' | 'mesh';
  center: [number, number, number];
  axes: number[];
  size: [number, number, number];
  to: [number, number, number];
  vertices: Float32Array;
  triangles: Uint32Array;
}

/** Row i is Σ weight[k] · slot[slot[k]], k from start[i] to start[i + 1]. */
export class SlotMap {
  constructor(
    readonly start: Uint32Array,
    readonly slot: Uint32Array,
    readonly weight: Float32Array,
  ) {}

  get size(): number {
    return Math.max(0, this.start.length - 1);
  }

  /** All rows of a configuration, three numbers each, into `out` from `offset` (in numbers). */
  apply(configuration: ArrayLike<number>, out: Float32Array | Float64Array, offset = 0): void {
    const { start, slot, weight } = this;
    let o = offset;
    for (let i = 0; i < start.length - 1; ++i) {
      let x = 0;
      let y = 0;
      let z = 0;
      for (let k = start[i]!; k < start[i + 1]!; ++k) {
        const s = 3 * slot[k]!;
        const w = weight[k]!;
        x += w * configuration[s]!;
        y += w * configuration[s + 1]!;
        z += w * configuration[s + 2]!;
      }
      out[o++] = x;
      out[o++] = y;
      out[o++] = z;
    }
  }
}

export interface Drawable {
  kind: Kind;
  name: string;
  label: string;
  /** Of the scene, #rrggbb; empty: of the palette. */
  color: string;
  position: SlotMap;
  tangent?: SlotMap;
  second?: SlotMap;
  third?: SlotMap;
  section?: Section;
  /** Of a curve that tapers: radius and inner, or width and height, per sample [m]. */
  sizes?: Float32Array;
  /** Per vertex of a surface [m]. */
  thickness?: Float32Array;
  /** [4 n] */
  quads?: Uint32Array;
  shapes: Shape[];
  radius: number;
  /** First of the numbers of a field that colour it; -1: none. */
  field: number;
  fieldCount: number;
  /** Which of the vector quantities; -1: none. */
  quantity: number;
  moment: boolean;
}

export interface Model {
  /** Number of moving slots. */
  slots: number;
  /** Number of fixed slots, numbered behind the moving ones. */
  fixedCount: number;
  /** The reference configuration with the fixed slots behind it [3 (slots + fixedCount)]. */
  reference: Float64Array;
  fieldPoints: number;
  quantities: Quantity[];
  drawables: Drawable[];
}

/** Rows of numbers stored as low + step · u16; 65535 reads as NaN where `gaps` says so. */
export class Quantised {
  private values_: Uint16Array | undefined;

  constructor(
    private readonly json_: QuantisedJson,
    private readonly blocks_: Blocks,
    readonly rows: number,
    readonly columns: number,
    readonly gaps: boolean,
    private readonly where_: string,
  ) {}

  private get raw(): Uint16Array {
    if (this.values_ === undefined) {
      const values = this.blocks_.u16(this.json_.values, this.where_, this.columns);
      if (values.length !== this.rows * this.columns) {
        throw new DamagedReport(`${this.where_} holds ${values.length} numbers in place of ${this.rows} x ${this.columns}`);
      }
      this.values_ = values;
    }
    return this.values_;
  }

  value(row: number, column: number): number {
    const u = this.raw[row * this.columns + column]!;
    if (this.gaps && u === 65535) return NaN;
    const { low, step } = this.json_;
    return (low.length > 1 ? low[column]! : low[0]!) + (step.length > 1 ? step[column]! : step[0]!) * u;
  }

  /** The row at a fractional index, between two rows linearly; out [columns]. */
  row(index: number, out: Float32Array | Float64Array): void {
    const { low, step } = this.json_;
    const raw = this.raw;
    const n = this.columns;
    const clamped = Math.min(Math.max(index, 0), this.rows - 1);
    const first = Math.floor(clamped);
    const w = clamped - first;
    const a = first * n;
    const b = w > 0 ? a + n : a;
    const many = low.length > 1;
    const manySteps = step.length > 1;
    for (let c = 0; c < n; ++c) {
      const u0 = raw[a + c]!;
      const u1 = raw[b + c]!;
      if (this.gaps && (u0 === 65535 || u1 === 65535)) {
        out[c] = NaN;
        continue;
      }
      out[c] = (many ? low[c]! : low[0]!) + (manySteps ? step[c]! : step[0]!) * (u0 + w * (u1 - u0));
    }
  }
}

export interface Field {
  name: string;
  unit: string;
  doc: string;
  /** Zero is in the middle of its colours. */
  signed: boolean;
  low: number;
  high: number;
  /** Where its colours end: a few numbers may lie beyond. */
  from: number;
  to: number;
  /** [frames, fieldPoints] */
  values: Quantised;
}

/** One analysis of a run in one model, to be played. */
export interface Stretch {
  analysis: string;
  type: string;
  /** Index into the models of its run. */
  model: number;
  axis: 't' | 'load_factor' | 'mode';
  unit: string;
  /** One number per frame, ascending. */
  at: Float64Array;
  frames: number;
  /** [frames, dim · slots] */
  q: Quantised;
  /** 2 or 3: numbers per slot in q and base. */
  dim: number;
  /** Modes: [Hz] */
  frequency?: Float64Array;
  /** Modes: the configuration they swing about [dim · slots]. */
  base?: Float64Array;
  fields: Field[];
  /** [frames, 3 · quantities of the model] */
  quantities?: Quantised;
}

export interface Table {
  name: string;
  group: TableGroup;
  unit: string;
  doc: string;
  axis: string;
  axisUnit: string;
  analysis: string;
  columns: string[];
  rows: number;
  thinned: boolean;
  /** [rows], decoded at the first call. */
  at(): Float64Array;
  /** One column [rows], decoded at the first call. */
  column(index: number): Float64Array;
  /** Ranges of all steps between samples; undefined where every step is a sample. */
  envelope?: Envelope;
}

export interface Envelope {
  from(): Float64Array;
  to(): Float64Array;
  least(column: number): Float64Array;
  greatest(column: number): Float64Array;
}

export interface Run {
  name: string;
  title: string;
  program: string;
  status: string;
  message: string;
  space: 'planar' | 'spatial';
  gravity: number[];
  warnings: string[];
  summary: SummaryItem[];
  scene: SceneText;
  accuracy: Accuracy;
  models: Model[];
  playback: Stretch[];
  tables: Table[];
}

export interface Report {
  runs: Run[];
  comparison: Comparison[];
}

/** The report cannot be read; the message says what is wrong with it. */
export class DamagedReport extends Error {
  override name = 'DamagedReport';
}

/** Takes blocks out of the base64 text, each when it is asked for. */
export class Blocks {
  private readonly text_: string;

  constructor(text: string) {
    this.text_ = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
  }

  private bytes(block: BlockJson, where: string): Uint8Array {
    const from = Math.floor(block.at / 3) * 4;
    const to = Math.ceil((block.at + block.bytes) / 3) * 4;
    if (!(block.at >= 0) || !(block.bytes >= 0) || from > this.text_.length || to > this.text_.length + 3) {
      throw new DamagedReport(`${where}: the data end too early`);
    }
    let packed: string;
    try {
      packed = atob(this.text_.slice(from, to));
    } catch {
      throw new DamagedReport(`${where}: the data are not base64 text`);
    }
    const skip = block.at % 3;
    if (packed.length < skip + block.bytes) throw new DamagedReport(`${where}: the data end too early`);
    const stream = new Uint8Array(block.bytes);
    for (let i = 0; i < block.bytes; ++i) stream[i] = packed.charCodeAt(skip + i);
    const width = widths[block.type];
    if (width === undefined) throw new DamagedReport(`${where}: numbers of type "${String(block.type)}"`);
    let planes: Uint8Array;
    try {
      planes = unzlibSync(stream);
    } catch (error) {
      throw new DamagedReport(`${where}: cannot be unpacked (${error instanceof Error ? error.message : 'zlib'})`);
    }
    if (planes.length !== width * block.count) {
      throw new DamagedReport(`${where}: ${planes.length} bytes in place of ${width * block.count}`);
    }
    const out = new Uint8Array(planes.length);
    for (let plane = 0; plane < width; ++plane) {
      for (let i = 0, o = plane, p = plane * block.count; i < block.count; ++i, o += width, ++p) out[o] = planes[p]!;
    }
    return out;
  }

  private expect(block: BlockJson, type: BlockJson['type'], where: string): ArrayBuffer {
    if (block.type !== type) throw new DamagedReport(`${where}: ${block.type} in place of ${type}`);
    return this.bytes(block, where).buffer as ArrayBuffer;
  }

  /** `columns`: length of a row, for differences between rows. */
  u16(block: BlockJson, where: string, columns: number): Uint16Array {
    const values = new Uint16Array(this.expect(block, 'u16', where));
    if (block.delta) {
      const width = block.shape && block.shape.length > 1 ? block.shape.slice(1).reduce((a, b) => a * b, 1) : columns;
      for (let i = width; i < values.length; ++i) values[i] = (values[i]! + values[i - width]!) & 0xffff;
    }
    return values;
  }

  u32(numbers: Numbers | undefined, where: string): Uint32Array {
    if (numbers === undefined) return new Uint32Array(0);
    return Array.isArray(numbers) ? Uint32Array.from(numbers) : new Uint32Array(this.expect(numbers, 'u32', where));
  }

  f32(numbers: Numbers | undefined, where: string): Float32Array {
    if (numbers === undefined) return new Float32Array(0);
    return Array.isArray(numbers) ? Float32Array.from(numbers) : new Float32Array(this.expect(numbers, 'f32', where));
  }

  f64(numbers: Numbers | undefined, where: string): Float64Array {
    if (numbers === undefined) return new Float64Array(0);
    return Array.isArray(numbers)
      ? Float64Array.from(numbers, (x) => x ?? NaN)
      : new Float64Array(this.expect(numbers, 'f64', where));
  }
}

const widths: Record<BlockJson['type'], number> = { u16: 2, u32: 4, f32: 4, f64: 8 };

function countOf(numbers: Numbers | undefined): number {
  return numbers === undefined ? 0 : Array.isArray(numbers) ? numbers.length : numbers.count;
}

/** Replaces a property by its value when it is first read. */
function lazy<T extends object, K extends keyof T>(target: T, key: K, make: () => T[K]): void {
  Object.defineProperty(target, key, {
    configurable: true,
    enumerable: true,
    get() {
      const value = make();
      Object.defineProperty(target, key, { value, enumerable: true });
      return value;
    },
  });
}

function triple(x: number[] | undefined): [number, number, number] {
  return [x?.[0] ?? 0, x?.[1] ?? 0, x?.[2] ?? 0];
}

function decodeMap(json: MapJson, blocks: Blocks, where: string): SlotMap {
  const map = new SlotMap(
    blocks.u32(json.start, `${where}.start`),
    blocks.u32(json.slot, `${where}.slot`),
    blocks.f32(json.weight, `${where}.weight`),
  );
  if (map.slot.length !== map.weight.length || (map.size > 0 && map.start[map.size]! > map.slot.length)) {
    throw new DamagedReport(`${where}: its rows and weights do not fit`);
  }
  return map;
}

function decodeShape(json: ShapeJson, blocks: Blocks, where: string): Shape {
  return {
    type: json.type,
    center: triple(json.center),
    axes: json.axes === undefined ? [1, 0, 0, 0, 1, 0, 0, 0, 1] : json.axes.flat(),
    size: triple(json.size),
    to: triple(json.to),
    vertices: blocks.f32(json.vertices, `${where}.vertices`),
    triangles: blocks.u32(json.triangles, `${where}.triangles`),
  };
}

function decodeDrawable(json: DrawableJson, blocks: Blocks): Drawable {
  const where = json.name;
  const map = (part: 'tangent' | 'second' | 'third') => {
    const m = json[part];
    return m === undefined ? undefined : decodeMap(m, blocks, `${where}.${part}`);
  };
  const s = json.section;
  return {
    kind: json.kind,
    name: json.name,
    label: json.label ?? '',
    color: json.color ?? '',
    position: decodeMap(json.position, blocks, `${where}.position`),
    tangent: map('tangent'),
    second: map('second'),
    third: map('third'),
    section: s && {
      type: s.type ?? 'round',
      radius: s.radius ?? 0,
      inner: s.inner ?? 0,
      width: s.width ?? 0,
      height: s.height ?? 0,
      nominal: s.nominal ?? false,
    },
    sizes: json.sizes && blocks.f32(json.sizes, `${where}.sizes`),
    thickness: json.thickness && blocks.f32(json.thickness, `${where}.thickness`),
    quads: json.quads && blocks.u32(json.quads, `${where}.quads`),
    shapes: (json.shapes ?? []).map((shape, i) => decodeShape(shape, blocks, `${where}.shapes[${i}]`)),
    radius: json.radius ?? 0,
    field: json.field ?? -1,
    fieldCount: json.field_count ?? 0,
    quantity: json.quantity ?? -1,
    moment: json.moment ?? false,
  };
}

function decodeModel(json: ModelJson, blocks: Blocks, where: string): Model {
  const fixed = json.fixed ?? [];
  const model: Model = {
    slots: json.slots,
    fixedCount: fixed.length,
    reference: new Float64Array(0),
    fieldPoints: json.field_points ?? 0,
    quantities: json.quantities ?? [],
    drawables: [],
  };
  lazy(model, 'reference', () => {
    const moving = blocks.f64(json.reference, `${where}.reference`);
    if (moving.length !== 3 * json.slots) throw new DamagedReport(`${where}.reference has ${moving.length} numbers`);
    const all = new Float64Array(3 * (json.slots + fixed.length));
    all.set(moving);
    fixed.forEach((p, i) => all.set(triple(p), 3 * (json.slots + i)));
    return all;
  });
  lazy(model, 'drawables', () => json.drawables.map((d) => decodeDrawable(d, blocks)));
  return model;
}

function decodeStretch(json: StretchJson, run: RunJson, blocks: Blocks, where: string): Stretch {
  const model = run.models?.[json.model];
  if (model === undefined) throw new DamagedReport(`${where}: there is no model ${json.model}`);
  const dim = run.space === 'planar' ? 2 : 3;
  const frames = countOf(json.at);
  const quantised = (q: QuantisedJson, columns: number, gaps: boolean, what: string) =>
    new Quantised(q, blocks, frames, columns, gaps, `${where}.${what}`);
  const stretch: Stretch = {
    analysis: json.analysis,
    type: json.type,
    model: json.model,
    axis: json.axis,
    unit: json.unit,
    at: new Float64Array(0),
    frames,
    q: quantised(json.q, dim * model.slots, false, 'q'),
    dim,
    fields: (json.fields ?? []).map((f) => ({
      name: f.name,
      unit: f.unit,
      doc: f.doc ?? '',
      signed: f.signed ?? false,
      low: f.low,
      high: f.high,
      from: f.bulk?.[0] ?? f.low,
      to: f.bulk?.[1] ?? f.high,
      values: quantised(f.values, model.field_points ?? 0, true, `fields.${f.name}`),
    })),
    quantities: json.quantities && quantised(json.quantities, 3 * (model.quantities?.length ?? 0), true, 'quantities'),
  };
  lazy(stretch, 'at', () => blocks.f64(json.at, `${where}.at`));
  if (json.frequency !== undefined) lazy(stretch, 'frequency', () => blocks.f64(json.frequency, `${where}.frequency`));
  if (json.base !== undefined) lazy(stretch, 'base', () => blocks.f64(json.base, `${where}.base`));
  return stretch;
}

function decodeTable(json: TableJson, blocks: Blocks): Table {
  const rows = countOf(json.at);
  const where = `table ${json.name}`;
  let at: Float64Array | undefined;
  let columns: Float64Array[] | undefined;
  const splitInto = (numbers: Numbers, key: string, count: number): Float64Array[] => {
    const values = blocks.f64(numbers, `${where}.${key}`);
    const n = json.columns.length;
    if (values.length !== count * n) throw new DamagedReport(`${where} holds ${values.length} numbers in place of ${count} x ${n}`);
    return json.columns.map((_, c) => Float64Array.from({ length: count }, (_unused, i) => values[i * n + c]!));
  };
  const split = (): Float64Array[] => splitInto(json.values, 'values', rows);
  const envelopeOf = (ranges: NonNullable<TableJson['envelope']>): Envelope => {
    let from: Float64Array | undefined;
    let to: Float64Array | undefined;
    let least: Float64Array[] | undefined;
    let greatest: Float64Array[] | undefined;
    const begins = (): Float64Array => (from ??= blocks.f64(ranges.from, `${where}.envelope.from`));
    return {
      from: begins,
      to: () => (to ??= blocks.f64(ranges.to, `${where}.envelope.to`)),
      least: (c) => (least ??= splitInto(ranges.least, 'envelope.least', begins().length))[c]!,
      greatest: (c) => (greatest ??= splitInto(ranges.greatest, 'envelope.greatest', begins().length))[c]!,
    };
  };
  return {
    name: json.name,
    group: json.group,
    unit: json.unit ?? '',
    doc: json.doc ?? '',
    axis: json.axis,
    axisUnit: json.axis_unit ?? '',
    analysis: json.analysis ?? '',
    columns: json.columns,
    rows,
    thinned: Boolean(json.thinned),
    at: () => (at ??= blocks.f64(json.at, `${where}.at`)),
    column: (index) => (columns ??= split())[index]!,
    envelope: json.envelope && envelopeOf(json.envelope),
  };
}

function decodeRun(json: RunJson, index: number, blocks: Blocks): Run {
  const where = `runs[${index}]`;
  return {
    name: json.name,
    title: json.title ?? json.name,
    program: json.program ?? '',
    status: json.status ?? 'unfinished',
    message: json.message ?? '',
    space: json.space,
    gravity: json.gravity ?? [],
    warnings: json.warnings ?? [],
    summary: json.summary ?? [],
    scene: { file: '', text: '', effective: '', files: [], command: '', ...json.scene },
    accuracy: { position: 0, thinned: { kept: 0, of: 0 }, text: '', ...json.accuracy },
    models: (json.models ?? []).map((m, i) => decodeModel(m, blocks, `${where}.models[${i}]`)),
    playback: (json.playback ?? []).map((s, i) => decodeStretch(s, json, blocks, `${where}.playback[${i}]`)),
    tables: (json.tables ?? []).map((t) => decodeTable(t, blocks)),
  };
}

/** Reads the two data elements of a page. Throws DamagedReport. */
export function decodeReport(json: string, data: string): Report {
  let parsed: ReportJson;
  try {
    parsed = JSON.parse(json) as ReportJson;
  } catch (error) {
    throw new DamagedReport(`its description is not JSON (${error instanceof Error ? error.message : ''})`);
  }
  if (parsed?.format !== 'flexura-report') throw new DamagedReport('its description is not that of a report');
  if (parsed.version !== 1) throw new DamagedReport(`it is of version ${parsed.version}; this page reads version 1`);
  if (!Array.isArray(parsed.runs) || parsed.runs.length === 0) throw new DamagedReport('it holds no run');
  const blocks = new Blocks(data);
  return { runs: parsed.runs.map((run, i) => decodeRun(run, i, blocks)), comparison: parsed.comparison ?? [] };
}

/** Room for a configuration, holding the reference. */
export function makeConfiguration(model: Model): Float64Array {
  return Float64Array.from(model.reference);
}

/**
 * The configuration of a stretch at a fractional frame, into `out` [3 (slots + fixedCount)] (from makeConfiguration,
 * which holds the fixed slots). Modes: base + amplitude · sin(phase) · shape of the mode round(frame).
 */
export function configure(
  model: Model,
  stretch: Stretch,
  frame: number,
  out: Float64Array,
  phase = 0,
  amplitude = 1,
): void {
  const { dim } = stretch;
  const n = dim * model.slots;
  const scratch = scratchOf(n);
  const isMode = stretch.axis === 'mode' && stretch.base !== undefined;
  stretch.q.row(isMode ? Math.round(frame) : frame, scratch);
  if (isMode) {
    const factor = amplitude * Math.sin(phase);
    const base = stretch.base!;
    for (let i = 0; i < n; ++i) scratch[i] = base[i]! + factor * scratch[i]!;
  }
  if (dim === 3) {
    for (let i = 0; i < n; ++i) out[i] = scratch[i]!;
    return;
  }
  for (let s = 0; s < model.slots; ++s) {
    out[3 * s] = scratch[2 * s]!;
    out[3 * s + 1] = scratch[2 * s + 1]!;
    out[3 * s + 2] = 0;
  }
}

let scratch_ = new Float64Array(0);
function scratchOf(n: number): Float64Array {
  if (scratch_.length < n) scratch_ = new Float64Array(n);
  return scratch_;
}
