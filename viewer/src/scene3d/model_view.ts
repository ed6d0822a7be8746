/** One model of a run, drawn: all that is carried by its configuration. */
import * as THREE from 'three';

import { type Drawable, makeConfiguration, type Model } from '../payload.ts';
import { Bodies } from './body.ts';
import { coilStrand } from './coil.ts';
import { colours, type MapName, mapSize } from './colormap.ts';
import { frozen, Ghost } from './ghost.ts';
import { type GlyphLayer, Glyphs } from './glyphs.ts';
import { makePaintUniforms, mapTexture, type PaintUniforms } from './painted.ts';
import { isSurface, SurfaceMesh } from './surface.ts';
import { accents, Palette, type Theme } from './theme.ts';
import { profileOfSection, scaleOf } from './tube.ts';
import { curveStrand, fieldIndex, type Strand, TubeMesh } from './tubes.ts';

export interface Hit {
  drawable: Drawable;
  /** Which of the numbers of a field belongs to the place; -1: none. */
  index: number;
  distance: number;
}

export class ModelView {
  readonly group = new THREE.Group();
  readonly configuration: Float64Array;
  /** Planar: how far glyphs stand before the parts [m]. */
  readonly lift: number;
  private readonly uniforms_: PaintUniforms = makePaintUniforms();
  private readonly tubes_: TubeMesh | null = null;
  private readonly surfaces_: SurfaceMesh | null = null;
  private readonly bodies_: Bodies | null = null;
  private readonly glyphs_: Glyphs | null = null;
  private ghost_: Ghost | null = null;
  private map_: MapName = 'sequential';
  private readonly colour_ = new THREE.Color();
  private values_ = new Float64Array(0);

  /** `size`: diagonal of the model [m]; `isCompared`: a second run, drawn over the first. */
  constructor(
    readonly model: Model,
    private readonly isPlanar_: boolean,
    private readonly size_: number,
    private theme_: Theme,
    isCompared: boolean,
  ) {
    this.configuration = makeConfiguration(model);
    this.uniforms_.uNone.value.set(theme_.none);
    const palette = new Palette();
    const colourOf = (d: Drawable): THREE.Color => new THREE.Color(isCompared ? accents.compared : palette.next(d));
    const drawables = model.drawables;
    const curves = drawables.filter((d) => d.kind === 'curve' && d.position.size > 1);
    const strands = curves.map((d) => this.strandOf(d, curves.length, colourOf(d)));
    const springs = drawables.filter((d) => d.kind === 'line' && d.label.startsWith('spring') && d.position.size === 2);
    for (const d of springs) {
      const radius = Math.min(0.017 * size_, 0.16 * this.lengthOf(d) || 0.017 * size_);
      strands.push(coilStrand(d, radius, new THREE.Color(isCompared ? accents.compared : accents.spring)));
    }
    if (strands.length > 0) this.tubes_ = new TubeMesh(strands, this.uniforms_);
    const surfaces = drawables.filter((d) => d.kind === 'surface' && isSurface(d));
    if (surfaces.length > 0) {
      const parts = surfaces.map((drawable) => ({ drawable, colour: colourOf(drawable) }));
      this.surfaces_ = new SurfaceMesh(parts, this.uniforms_, 1e-3 * size_, model.reference);
    }
    const bodies = drawables.filter((d) => d.kind === 'body' && d.shapes.length > 0);
    if (bodies.length > 0) {
      this.bodies_ = new Bodies(bodies.map((drawable) => ({ drawable, colour: colourOf(drawable) })), isPlanar_, size_);
    }
    const thickest = Math.max(0, ...strands.map(({ profile }) => Math.max(...profile.x, ...profile.y)));
    this.lift = isPlanar_ ? 1.2 * thickest + 0.04 * size_ : 0;
    if (!isCompared) {
      this.glyphs_ = new Glyphs({
        model,
        isPlanar: isPlanar_,
        size: size_,
        lift: this.lift,
        theme: theme_,
        ...this.neighbourhood(curves),
      });
    }
    for (const mesh of this.meshes) {
      const isNote = mesh === this.glyphs_?.notes.mesh;
      mesh.castShadow = !isPlanar_ && !isCompared && !isNote;
      mesh.receiveShadow = !isPlanar_ && !isCompared && !isNote;
      if (isCompared) {
        const material = mesh.material as THREE.MeshStandardMaterial;
        material.transparent = true;
        material.opacity = 0.5;
        mesh.renderOrder = 3;
      }
    }
    if (this.tubes_) this.group.add(this.tubes_.mesh);
    if (this.surfaces_) this.group.add(this.surfaces_.group);
    if (this.bodies_) this.group.add(this.bodies_.batch.mesh);
    if (this.glyphs_) this.group.add(this.glyphs_.solids.mesh, this.glyphs_.notes.mesh);
  }

  private get meshes(): THREE.Mesh[] {
    return [
      ...(this.tubes_ ? [this.tubes_.mesh] : []),
      ...((this.surfaces_?.group.children ?? []) as THREE.Mesh[]),
      ...(this.bodies_ ? [this.bodies_.batch.mesh] : []),
      ...(this.glyphs_ ? [this.glyphs_.solids.mesh, this.glyphs_.notes.mesh] : []),
    ];
  }

  private strandOf(drawable: Drawable, count: number, colour: THREE.Color): Strand {
    const sides = count > 200 ? 8 : count > 40 ? 12 : 24;
    const least = 0.0024 * this.size_;
    const scale = scaleOf(drawable.sizes, drawable.section, least);
    return curveStrand(drawable, profileOfSection(drawable.section, least, sides), colour, this.isPlanar_, scale);
  }

  private lengthOf(line: Drawable): number {
    const ends = new Float64Array(6);
    line.position.apply(this.model.reference, ends);
    return Math.hypot(ends[3]! - ends[0]!, ends[4]! - ends[1]!, ends[5]! - ends[2]!);
  }

  /** What is around a place in the reference: how thick, and do curves end there? */
  private neighbourhood(curves: readonly Drawable[]): {
    radiusAt: (place: THREE.Vector3) => number;
    isEnd: (place: THREE.Vector3) => boolean;
  } {
    const places = curves.map((d) => {
      const out = new Float64Array(3 * d.position.size);
      d.position.apply(this.model.reference, out);
      return out;
    });
    // A rectangle: as it is seen in its plane, or from about.
    const radii = curves.map(({ section: s }) => {
      if (s === undefined) return 0;
      if (s.type !== 'rectangle') return s.radius;
      return this.isPlanar_ ? s.width / 2 : (s.width + s.height) / 4;
    });
    const near = 1e-3 * this.size_;
    return {
      radiusAt: (place) => {
        let most = 0;
        places.forEach((p, i) => {
          const reach = (radii[i]! + near) ** 2;
          for (let k = 0; k < p.length; k += 3) {
            const square = (p[k]! - place.x) ** 2 + (p[k + 1]! - place.y) ** 2 + (p[k + 2]! - place.z) ** 2;
            if (square < reach) {
              most = Math.max(most, radii[i]!);
              break;
            }
          }
        });
        return most;
      },
      isEnd: (place) =>
        places.some((p) => Math.hypot(p.at(-3)! - place.x, p.at(-2)! - place.y, p.at(-1)! - place.z) < near),
    };
  }

  /** Moves everything to this.configuration. */
  update(quantities: Float64Array | null, longest: readonly number[]): void {
    const x = this.configuration;
    this.tubes_?.update(x);
    this.surfaces_?.update(x);
    this.bodies_?.update(x);
    this.glyphs_?.update(x, quantities, longest);
  }

  /** `values`: of all field points; null: own colours. */
  paint(values: Float64Array | null, low: number, high: number, isSigned: boolean): void {
    this.uniforms_.uField.value = values === null ? 0 : 1;
    this.map_ = isSigned ? 'diverging' : this.theme_.sequential;
    this.uniforms_.uMap.value = mapTexture(this.map_);
    if (values === null) {
      this.bodies_?.paint(null);
      this.glyphs_?.paint(null);
      return;
    }
    const scale = 1 / (high - low);
    if (this.values_.length !== values.length) this.values_ = new Float64Array(values.length);
    for (let i = 0; i < values.length; ++i) this.values_[i] = (values[i]! - low) * scale;
    this.tubes_?.paint(this.values_);
    this.surfaces_?.paint(this.values_);
    this.bodies_?.paint(this.colourAt);
    this.glyphs_?.paint(this.colourAt);
  }

  private readonly colourAt = (index: number): THREE.Color => {
    const value = index < 0 ? NaN : this.values_[index]!;
    if (!(value === value)) return this.colour_.copy(this.uniforms_.uNone.value);
    const bytes = colours(this.map_);
    const at = 4 * Math.round(Math.min(Math.max(value, 0), 1) * (mapSize - 1));
    return this.colour_.setRGB(bytes[at]! / 255, bytes[at + 1]! / 255, bytes[at + 2]! / 255, THREE.SRGBColorSpace);
  };

  show(layer: GlyphLayer, on: boolean): void {
    this.glyphs_?.show(layer, on);
  }

  /** The shape in a configuration, made when it is first shown. */
  showGhost(on: boolean, x: Float64Array): void {
    if (on && this.ghost_ === null) {
      this.tubes_?.update(x);
      this.surfaces_?.update(x);
      this.bodies_?.update(x);
      const parts = [
        ...(this.tubes_ ? [frozen(this.tubes_.mesh.geometry)] : []),
        ...(this.surfaces_ ? [frozen(this.surfaces_.faces.geometry)] : []),
        ...(this.bodies_?.bake() ?? []),
      ];
      if (parts.length === 0) return;
      this.ghost_ = new Ghost(parts, this.isPlanar_);
      this.ghost_.colour = this.theme_.ghost;
      this.group.add(this.ghost_.group);
    }
    if (this.ghost_ !== null) this.ghost_.group.visible = on;
  }

  setTheme(theme: Theme): void {
    this.theme_ = theme;
    this.uniforms_.uNone.value.set(theme.none);
    this.glyphs_?.setTheme(theme);
    if (this.ghost_) this.ghost_.colour = theme.ghost;
  }

  /** What a ray meets first. */
  pick(ray: THREE.Raycaster): Hit | null {
    let best: Hit | null = null;
    const offer = (drawable: Drawable | null | undefined, index: number, distance: number): void => {
      if (drawable && (best === null || distance < best.distance)) best = { drawable, index, distance };
    };
    const first = (mesh: THREE.Object3D | undefined): THREE.Intersection | undefined =>
      mesh === undefined ? undefined : ray.intersectObject(mesh, false)[0];
    const tube = first(this.tubes_?.mesh);
    if (tube) {
      const found = this.tubes_!.find(tube.faceIndex!);
      if (found) offer(found.drawable, fieldIndex(found.drawable, found.sample, found.samples), tube.distance);
    }
    const face = first(this.surfaces_?.faces);
    if (face) {
      const found = this.surfaces_!.find(face.face!.a);
      if (found) offer(found.drawable, found.index, face.distance);
    }
    for (const batch of [this.bodies_?.batch, this.glyphs_?.solids, this.glyphs_?.notes]) {
      const hit = first(batch?.mesh);
      if (hit?.batchId === undefined) continue;
      const drawable = batch!.drawables[hit.batchId];
      if (drawable) offer(drawable, fieldIndex(drawable, 0, Math.max(drawable.fieldCount, 1)), hit.distance);
    }
    return best;
  }

  dispose(): void {
    this.tubes_?.dispose();
    this.surfaces_?.dispose();
    this.bodies_?.dispose();
    this.glyphs_?.dispose();
    this.ghost_?.dispose();
  }
}
