/** Joints, points, rods, loads, sensors and the triads of bodies: rigid glyphs in one batch. */
import * as THREE from 'three';

import type { Drawable, Model } from '../payload.ts';
import { Batch } from './batch.ts';
import { setAlong, setBetween, setFrame } from './frame.ts';
import { applyAxes, applyRow } from './maps.ts';
import { fieldIndex } from './tubes.ts';
import { accents, type Theme } from './theme.ts';
import { type Unit, unitGlyphs } from './unit_glyphs.ts';

export type GlyphLayer = 'always' | 'loads' | 'joints' | 'frames' | 'sensors';

/** What sizes and heights of glyphs follow from. */
export interface GlyphSetting {
  model: Model;
  isPlanar: boolean;
  /** Diagonal of the model [m]. */
  size: number;
  /** Radius of what a glyph sits on [m]. */
  radiusAt(place: THREE.Vector3): number;
  /** Planar: how far glyphs stand before the parts [m]. */
  lift: number;
  /** Is this the place where a curve ends, rather than begins? */
  isEnd(place: THREE.Vector3): boolean;
  theme: Theme;
}

/** One rigid shape of a glyph. */
interface Piece {
  batch: Batch;
  at: number;
}

interface Glyph {
  layer: GlyphLayer;
  instances: Piece[];
  update(): void;
}

export class Glyphs {
  /** Parts of the machine, which cast shadows, and what is written about it. */
  readonly solids: Batch;
  readonly notes: Batch;
  private readonly units_: Record<Unit, THREE.BufferGeometry>;
  private readonly glyphs_: Glyph[] = [];
  private readonly coloured_: { piece: Piece; index: number; own: THREE.Color }[] = [];
  private readonly themed_: { piece: Piece; key: 'joint' | 'ground' | 'bottom' }[] = [];
  private readonly isOn_: Record<GlyphLayer, boolean> = {
    always: true,
    loads: true,
    joints: true,
    frames: false,
    sensors: true,
  };
  private x_: Float64Array;
  private quantities_: Float64Array | null = null;
  private longest_: readonly number[] = [];
  private readonly p_ = new THREE.Vector3();
  private readonly q_ = new THREE.Vector3();
  private readonly n_ = new THREE.Vector3();
  private readonly m_ = new THREE.Matrix4();
  private readonly three_ = new Float64Array(3);
  private readonly spacing_: number;
  /** Where moments act in the reference. */
  private readonly moments_: THREE.Vector3[] = [];

  constructor(private readonly setting_: GlyphSetting) {
    const { model, isPlanar } = setting_;
    this.x_ = model.reference;
    this.units_ = unitGlyphs(isPlanar);
    this.spacing_ = this.spacing();
    const room = model.drawables.reduce((sum, d) => sum + 6 * Math.max(1, d.position.size > 4 ? 1 : d.position.size), 0);
    this.solids = new Batch(Object.values(this.units_), room);
    this.notes = new Batch(Object.values(this.units_), room);
    for (const drawable of model.drawables) {
      if (drawable.position.size === 0) continue;
      if (drawable.kind === 'joint') this.addJoint(drawable);
      else if (drawable.kind === 'point') this.addPoint(drawable);
      else if (drawable.kind === 'line') this.addLine(drawable);
      else if (drawable.kind === 'arrow') this.addArrow(drawable);
      else if (drawable.kind === 'sensor') this.addSensor(drawable);
      else if (drawable.kind === 'body') this.addTriad(drawable);
    }
    for (const glyph of this.glyphs_) this.showGlyph(glyph);
  }

  /** `quantities`: three numbers each; `longest`: largest of each over the run. */
  update(x: Float64Array, quantities: Float64Array | null, longest: readonly number[]): void {
    this.x_ = x;
    this.quantities_ = quantities;
    this.longest_ = longest;
    for (const glyph of this.glyphs_) if (this.isOn_[glyph.layer]) glyph.update();
  }

  show(layer: GlyphLayer, on: boolean): void {
    this.isOn_[layer] = on;
    for (const glyph of this.glyphs_) if (glyph.layer === layer) this.showGlyph(glyph);
  }

  setTheme(theme: Theme): void {
    for (const { piece, key } of this.themed_) piece.batch.mesh.setColorAt(piece.at, new THREE.Color(theme[key]));
  }

  /** Colours what a field belongs to; null: own colours. */
  paint(colourOf: ((index: number) => THREE.Color) | null): void {
    for (const { piece, index, own } of this.coloured_) {
      piece.batch.mesh.setColorAt(piece.at, colourOf === null ? own : colourOf(index));
    }
  }

  dispose(): void {
    this.solids.dispose();
    this.notes.dispose();
    for (const geometry of Object.values(this.units_)) geometry.dispose();
  }

  private showGlyph(glyph: Glyph): void {
    for (const { batch, at } of glyph.instances) batch.mesh.setVisibleAt(at, this.isOn_[glyph.layer]);
  }

  private instance(unit: Unit, colour: string, drawable: Drawable, batch = this.notes): Piece {
    return { batch, at: batch.add(this.units_[unit], new THREE.Color(colour), drawable) };
  }

  private themed(unit: Unit, key: 'joint' | 'ground' | 'bottom', drawable: Drawable): Piece {
    const piece = this.instance(unit, this.setting_.theme[key], drawable);
    this.themed_.push({ piece, key });
    return piece;
  }

  private at(map: Drawable['position'], row: number, out: THREE.Vector3, lift = 0): THREE.Vector3 {
    applyRow(map, row, this.x_, this.three_);
    return out.set(this.three_[0]!, this.three_[1]!, this.three_[2]! + (this.setting_.isPlanar ? lift : 0));
  }

  private put({ batch, at }: Piece, matrix = this.m_): void {
    batch.mesh.setMatrixAt(at, matrix);
  }

  private colourable(drawable: Drawable, pieces: readonly Piece[], samples: readonly number[]): void {
    pieces.forEach((piece, i) => {
      const index = fieldIndex(drawable, samples[i]!, Math.max(drawable.fieldCount, 1));
      if (index < 0) return;
      this.coloured_.push({ piece, index, own: piece.batch.mesh.getColorAt(piece.at, new THREE.Color()) });
    });
  }

  // Joints ------------------------------------------------------------------------------------------------------------

  private addJoint(drawable: Drawable): void {
    const { isPlanar, size, lift } = this.setting_;
    const place = this.at(drawable.position, 0, new THREE.Vector3());
    const usual = Math.min(0.0105 * size, Math.max(0.2 * this.spacing_, 0.0025 * size));
    const r = Math.min(Math.max(usual, 1.3 * this.setting_.radiusAt(place)), 0.035 * size);
    const [type = ''] = drawable.label.split(' ');
    const isGround = drawable.label.includes('ground');
    const instances: Piece[] = [];
    const puts: (() => void)[] = [];
    /** A unit along the joint's axis, `across` wide and `long` long, beginning `from` along it. */
    const along = (instance: Piece, across: number, long: number, from: number, z = 0): void => {
      instances.push(instance);
      puts.push(() => {
        const axis = this.axisOf(drawable, this.n_);
        this.at(drawable.position, 0, this.p_, lift + z).addScaledVector(axis, from);
        this.put(instance, setAlong(this.m_, this.p_, axis, across, long));
      });
    };
    const upright = (instance: Piece, scale: number, z = 0): void => {
      instances.push(instance);
      puts.push(() => {
        const p = this.at(drawable.position, 0, this.p_, lift + z);
        this.put(instance, this.m_.makeScale(scale, scale, scale).setPosition(p));
      });
    };
    if (type === 'spring') {
      along(this.instance('spiral', accents.spring, drawable), 2.4 * r, 2.4 * r, 0, 2.2 * r);
    } else if (type === 'weld' || type.startsWith('clamp')) {
      if (!isGround || drawable.tangent === undefined) along(this.themed('cube', 'joint', drawable), 0.95 * r, 0.95 * r, 0);
    } else if (/^(prismatic|cylindrical|point_on|prescribed)/.test(type) && drawable.tangent !== undefined) {
      along(this.themed('sleeve', 'joint', drawable), 1.35 * r, 3.6 * r, -1.8 * r);
    } else if (isPlanar) {
      along(this.themed('disc', 'joint', drawable), r, 0.5 * r, 0);
      along(this.themed('disc', 'bottom', drawable), 0.58 * r, 0.5 * r, 0, 0.3 * r);
    } else if (type === 'revolute') {
      along(this.themed('rod', 'joint', drawable), r, 2.6 * r, -1.3 * r);
      along(this.themed('rod', 'ground', drawable), 0.55 * r, 3.4 * r, -1.7 * r);
    } else if (type === 'planar') {
      along(this.themed('disc', 'joint', drawable), 2 * r, 0.5 * r, 0);
    } else if (type === 'universal') {
      along(this.themed('ring', 'joint', drawable), 1.15 * r, 1.15 * r, 0);
      upright(this.themed('ball', 'ground', drawable), 0.85 * r);
    } else {
      upright(this.themed('ball', 'joint', drawable), 1.1 * r);
    }
    if (isGround) {
      const isClamp = (type === 'weld' || type.startsWith('clamp')) && drawable.tangent !== undefined;
      if (isClamp) {
        const instance = this.themed('wall', 'ground', drawable);
        const sense = this.setting_.isEnd(place) ? -1 : 1;
        instances.push(instance);
        puts.push(() => {
          const axis = this.axisOf(drawable, this.n_).multiplyScalar(sense);
          this.put(instance, setAlong(this.m_, this.at(drawable.position, 0, this.p_), axis, r, r));
        });
      } else if (type === 'pin' || type === 'revolute' || type === 'spherical' || type === 'universal') {
        upright(this.themed('base', 'ground', drawable), (isPlanar ? 1.25 : 1) * r, isPlanar ? -r : 0);
      }
    }
    this.glyphs_.push({ layer: 'joints', instances, update: () => puts.forEach((put) => put()) });
  }

  /** Least distance of two joints that are not in the same place [m]. */
  private spacing(): number {
    const joints = this.setting_.model.drawables.filter((d) => d.kind === 'joint' && d.position.size > 0);
    const places = joints.slice(0, 400).map((d) => this.at(d.position, 0, new THREE.Vector3()));
    let least = Infinity;
    places.forEach((a, i) => {
      for (let k = 0; k < i; ++k) {
        const distance = a.distanceTo(places[k]!);
        if (distance > 0.002 * this.setting_.size) least = Math.min(least, distance);
      }
    });
    return least;
  }

  private axisOf(drawable: Drawable, out: THREE.Vector3): THREE.Vector3 {
    if (drawable.tangent === undefined || drawable.tangent.size === 0) return out.set(0, 0, 1);
    this.at(drawable.tangent, 0, out);
    return out.lengthSq() > 1e-18 ? out.normalize() : out.set(0, 0, 1);
  }

  // Points, rods, sensors, triads -------------------------------------------------------------------------------------

  private addPoint(drawable: Drawable): void {
    const { size, lift, isPlanar } = this.setting_;
    const isPlace = drawable.label === 'place';
    const isMass = drawable.radius > 0;
    const r = isMass ? drawable.radius : (isPlace ? 0.0045 : 0.006) * size;
    const ball = isMass ? this.instance('ball', accents.mass, drawable, this.solids) : this.themed('ball', 'joint', drawable);
    const instances = [ball];
    if (isMass) this.colourable(drawable, instances, [0]);
    const isGround = drawable.label.includes('ground');
    if (isGround) instances.push(this.themed('base', 'ground', drawable));
    this.glyphs_.push({
      layer: isPlace ? 'frames' : isMass ? 'always' : 'joints',
      instances,
      update: () => {
        this.at(drawable.position, 0, this.p_, lift);
        this.put(ball, this.m_.makeScale(r, r, r).setPosition(this.p_));
        if (isGround) {
          const s = 0.012 * size;
          if (isPlanar) this.p_.z -= s;
          this.put(instances[1]!, this.m_.makeScale(s, s, s).setPosition(this.p_));
        }
      },
    });
  }

  private addLine(drawable: Drawable): void {
    if (drawable.position.size < 2 || drawable.label.startsWith('spring')) return;
    const { size } = this.setting_;
    const a = this.p_;
    const b = this.q_;
    const ends = (): void => {
      this.at(drawable.position, 0, a, 0);
      this.at(drawable.position, 1, b, 0);
    };
    if (drawable.label.startsWith('damper')) {
      const length = this.at(drawable.position, 0, new THREE.Vector3()).distanceTo(
        this.at(drawable.position, 1, new THREE.Vector3()),
      );
      const r = Math.min(0.013 * size, 0.12 * length || 0.013 * size);
      const rod = this.instance('rod', accents.rod, drawable, this.solids);
      const pot = this.instance('rod', accents.damper, drawable, this.solids);
      const end = new THREE.Vector3();
      this.colourable(drawable, [rod, pot], [1, 0]);
      this.glyphs_.push({
        layer: 'always',
        instances: [rod, pot],
        update: () => {
          ends();
          this.put(rod, setBetween(this.m_, a, b, 0.35 * r));
          const now = a.distanceTo(b);
          const from = end.copy(a).lerp(b, now > 0 ? Math.min(0.15 * length, 0.5 * now) / now : 0);
          const share = now > 0 ? Math.min(0.5 * length, 0.9 * now) / now : 0;
          this.put(pot, setBetween(this.m_, from, b.lerpVectors(from, b, share), r));
        },
      });
      return;
    }
    const [r, colour] = drawable.label.startsWith('rod')
      ? [0.0055 * size, accents.rod]
      : drawable.label.startsWith('gear')
        ? [0.0016 * size, accents.spring]
        : [0.003 * size, accents.cord];
    const rod = this.instance('rod', colour, drawable, drawable.label.startsWith('gear') ? this.notes : this.solids);
    this.colourable(drawable, [rod], [0]);
    this.glyphs_.push({
      layer: drawable.label.startsWith('gear') ? 'joints' : 'always',
      instances: [rod],
      update: () => {
        ends();
        this.put(rod, setBetween(this.m_, a, b, r));
      },
    });
  }

  private addSensor(drawable: Drawable): void {
    const { size, lift, isPlanar } = this.setting_;
    const instance = this.instance('diamond', accents.sensor, drawable);
    const own = this.setting_.radiusAt(this.at(drawable.position, 0, this.p_));
    // Inside of a curve it would not be seen; in a planar model it stands before it.
    const r = Math.min(Math.max(0.0062 * size, isPlanar ? 0 : 0.98 * own), 0.03 * size);
    this.glyphs_.push({
      layer: 'sensors',
      instances: [instance],
      update: () => {
        this.at(drawable.position, 0, this.p_, 2 * lift);
        this.put(instance, this.m_.makeScale(r, r, r).setPosition(this.p_));
      },
    });
  }

  private addTriad(drawable: Drawable): void {
    const { size, lift } = this.setting_;
    const long = 0.055 * size;
    const rods = accents.axis.map((colour) => this.instance('rod', colour, drawable));
    const heads = accents.axis.map((colour) => this.instance('head', colour, drawable));
    const vectors = [new Float64Array(3), new Float64Array(3), new Float64Array(3)] as const;
    const frame = new THREE.Matrix4();
    this.glyphs_.push({
      layer: 'frames',
      instances: [...rods, ...heads],
      update: () => {
        applyAxes(drawable, this.x_, vectors);
        this.at(drawable.position, 0, this.p_, 1.5 * lift);
        setFrame(frame, this.p_.toArray(), ...vectors);
        rods.forEach((rod, i) => {
          this.n_.setFromMatrixColumn(frame, i);
          this.put(rod, setAlong(this.m_, this.p_, this.n_, 0.0028 * size, long));
          this.q_.copy(this.p_).addScaledVector(this.n_, long);
          this.put(heads[i]!, setAlong(this.m_, this.q_, this.n_, 0.0075 * size, 0.02 * size));
        });
      },
    });
  }

  // Loads -------------------------------------------------------------------------------------------------------------

  private addArrow(drawable: Drawable): void {
    const { size, lift } = this.setting_;
    const colour = drawable.moment ? accents.moment : accents.force;
    const parts: Unit[] = drawable.moment ? ['turn'] : ['rod', 'head'];
    const instances = parts.map((unit) => this.instance(unit, colour, drawable));
    const place = this.at(drawable.position, 0, new THREE.Vector3());
    // Moments in one place stand around each other.
    const inside = this.moments_.filter((other) => other.distanceTo(place) < 1e-3 * size).length;
    if (drawable.moment) this.moments_.push(place);
    const zero = new THREE.Matrix4().makeScale(0, 0, 0);
    this.glyphs_.push({
      layer: 'loads',
      instances,
      update: () => {
        const q = 3 * drawable.quantity;
        const v = this.quantities_;
        const most = this.longest_[drawable.quantity] ?? 0;
        if (v === null || drawable.quantity < 0) this.n_.set(0, 0, 0);
        else this.n_.set(v[q]!, v[q + 1]!, v[q + 2]!);
        const length = this.n_.length();
        const share = most > 0 ? length / most : 0;
        if (!(share > 1e-4)) {
          for (const instance of instances) this.put(instance, zero);
          return;
        }
        this.n_.divideScalar(length);
        this.at(drawable.position, 0, this.p_, 3 * lift);
        if (drawable.moment) {
          const r = (0.02 + 0.03 * share) * (1 + 0.4 * inside) * size;
          this.put(instances[0]!, setAlong(this.m_, this.p_, this.n_, r, r));
          return;
        }
        const long = 0.15 * share * size;
        const head = Math.min(0.032 * size, 0.6 * long);
        const thin = Math.min(0.0042 * size, 0.06 * long + 0.001 * size);
        this.put(instances[0]!, setAlong(this.m_, this.p_, this.n_, thin, long - head));
        this.q_.copy(this.p_).addScaledVector(this.n_, long - head);
        this.put(instances[1]!, setAlong(this.m_, this.q_, this.n_, Math.min(2.7 * thin, 0.4 * head), head));
      },
    });
  }
}
