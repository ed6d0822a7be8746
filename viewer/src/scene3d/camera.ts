/** The camera: perspective and turning for spatial models (Z up), flat and sliding for planar ones. */
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

/** From where each view looks at the model; as on robots, x points forward, y to the left, z up. */
export const spatialViews: Record<string, readonly [number, number, number]> = {
  iso: [0.72, -1, 0.62],
  front: [1, 0, 0],
  back: [-1, 0, 0],
  right: [0, -1, 0],
  left: [0, 1, 0],
  top: [0, 0, 1],
};
const margin = 1.14; // of planar models
const spatialMargin = 1.08;
const footer = 70; // [px]
const turnTime = 320; // [ms]

export interface PictureShape {
  /** Tangents of half the angles of view, up and down and to the sides. */
  up: number;
  across: number;
  /** Share of the height that is left free at the bottom. */
  foot: number;
}

/**
 * Where a camera stands that looks along −`direction` and has all points in its picture, as near as it can; with it, how far
 * it is from the points' middle. Exact: each point and side of the picture is one linear inequality in the place.
 */
export function standOff(
  points: readonly THREE.Vector3[],
  direction: THREE.Vector3,
  right: THREE.Vector3,
  { up: tanUp, across, foot }: PictureShape,
): { position: THREE.Vector3; target: THREE.Vector3 } {
  const up = new THREE.Vector3().crossVectors(direction, right);
  const below = tanUp * (1 - 2 * foot);
  const most = { left: -Infinity, right: -Infinity, top: -Infinity, bottom: -Infinity };
  let near = -Infinity;
  let far = Infinity;
  for (const p of points) {
    const [x, y, z] = [p.dot(right), p.dot(up), p.dot(direction)];
    most.right = Math.max(most.right, x + across * z);
    most.left = Math.max(most.left, -x + across * z);
    most.top = Math.max(most.top, y + tanUp * z);
    most.bottom = Math.max(most.bottom, -y + below * z);
    near = Math.max(near, z);
    far = Math.min(far, z);
  }
  const z = Math.max((most.left + most.right) / (2 * across), (most.top + most.bottom) / (tanUp + below), near);
  const x = (most.right - most.left) / 2;
  const y = (most.top - most.bottom + (below - tanUp) * z) / 2;
  const middle = Math.min((near + far) / 2, z - 1e-9 * Math.max(Math.abs(z), 1e-9));
  const at = (depth: number): THREE.Vector3 =>
    new THREE.Vector3().addScaledVector(right, x).addScaledVector(up, y).addScaledVector(direction, depth);
  return { position: at(z), target: at(middle) };
}

interface Pose {
  position: THREE.Vector3;
  target: THREE.Vector3;
  zoom: number;
}

function cornersOf(box: THREE.Box3): THREE.Vector3[] {
  const pick = (k: number): THREE.Vector3 => (k ? box.max : box.min);
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new THREE.Vector3(pick(k & 1).x, pick(k & 2).y, pick(k & 4).z));
}

export class Camera {
  readonly camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  readonly controls: OrbitControls;
  private view_: string;
  private isOwn_ = false;
  private width_ = 1;
  private height_ = 1;
  private move_: { from: Pose; to: Pose; start: number } | null = null;
  /** What the picture is to hold; empty: the box. */
  private points_: readonly THREE.Vector3[] = [];
  private readonly box_ = new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));

  constructor(
    private readonly isPlanar_: boolean,
    element: HTMLElement,
    onChange: () => void,
  ) {
    this.camera = isPlanar_
      ? new THREE.OrthographicCamera(-1, 1, 1, -1, 0.1, 100)
      : new THREE.PerspectiveCamera(26, 1, 0.01, 100);
    if (!isPlanar_) this.camera.up.set(0, 0, 1);
    this.view_ = isPlanar_ ? 'fit' : 'iso';
    const controls = new OrbitControls(this.camera, element);
    controls.enableDamping = true;
    controls.dampingFactor = 0.14;
    controls.zoomToCursor = true;
    controls.zoomSpeed = 1.3;
    controls.screenSpacePanning = true;
    if (isPlanar_) {
      controls.enableRotate = false;
      controls.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.PAN };
      controls.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_PAN };
    }
    controls.addEventListener('start', () => {
      this.isOwn_ = true;
      this.move_ = null;
    });
    controls.addEventListener('change', onChange);
    this.controls = controls;
  }

  views(): string[] {
    return this.isPlanar_ ? ['fit', 'front'] : Object.keys(spatialViews);
  }

  /** Looks at a box as before, or anew where nobody has moved the camera. */
  setBox(box: THREE.Box3, points: readonly THREE.Vector3[] = []): void {
    this.box_.copy(box);
    this.points_ = points;
    if (!this.isOwn_) this.jump();
    this.setDepth();
  }

  setView(name: string): void {
    if (!this.views().includes(name)) return;
    this.view_ = name;
    this.isOwn_ = false;
    const isStill = typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;
    const to = this.poseOf(name);
    if (isStill) this.apply(to);
    else this.move_ = { from: this.pose(), to, start: performance.now() };
  }

  setSize(width: number, height: number): void {
    this.width_ = Math.max(width, 1);
    this.height_ = Math.max(height, 1);
    const aspect = this.width_ / this.height_;
    if (this.camera instanceof THREE.PerspectiveCamera) this.camera.aspect = aspect;
    else {
      const half = (this.camera.top - this.camera.bottom) / 2;
      this.camera.left = -half * aspect;
      this.camera.right = half * aspect;
    }
    this.camera.updateProjectionMatrix();
    if (!this.isOwn_) this.jump();
  }

  /** Goes along with something, without turning. */
  shift(by: THREE.Vector3): void {
    this.box_.translate(by);
    this.points_ = this.points_.map((p) => p.clone().add(by));
    for (const pose of this.move_ === null ? [] : [this.move_.from, this.move_.to]) {
      pose.position.add(by);
      pose.target.add(by);
    }
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.camera.lookAt(this.controls.target);
    this.setDepth();
  }

  /** Ends a move to another view at once. */
  settle(): void {
    if (this.move_ !== null) this.apply(this.move_.to);
    this.move_ = null;
  }

  /** Moves on; is there more to come? */
  update(): boolean {
    if (this.move_ !== null) {
      const { from, to, start } = this.move_;
      const t = Math.min((performance.now() - start) / turnTime, 1);
      const s = t * t * (3 - 2 * t);
      if (t >= 1) this.settle();
      else this.blend(from, to, s);
      this.setDepth();
      return this.move_ !== null;
    }
    const moved = this.controls.update();
    this.setDepth();
    return moved;
  }

  /** Metres per pixel in the middle of what is looked at. */
  perPixel(height = this.height_): number {
    if (this.camera instanceof THREE.OrthographicCamera) {
      return (this.camera.top - this.camera.bottom) / this.camera.zoom / height;
    }
    const distance = this.camera.position.distanceTo(this.controls.target);
    return (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / height;
  }

  private jump(): void {
    this.move_ = null;
    this.apply(this.poseOf(this.view_));
  }

  private pose(): Pose {
    return { position: this.camera.position.clone(), target: this.controls.target.clone(), zoom: this.camera.zoom };
  }

  /** Turns about the target, so that the model keeps its size on the way. */
  private blend(from: Pose, to: Pose, s: number): void {
    const a = from.position.clone().sub(from.target);
    const b = to.position.clone().sub(to.target);
    const length = a.length() + s * (b.length() - a.length());
    const turn = new THREE.Quaternion().setFromUnitVectors(a.clone().normalize(), b.clone().normalize());
    const part = new THREE.Quaternion().slerp(turn, s);
    const offset = a.normalize().applyQuaternion(part).setLength(length);
    if (this.isPlanar_) offset.copy(b);
    const target = from.target.clone().lerp(to.target, s);
    this.apply({ position: target.clone().add(offset), target, zoom: from.zoom + s * (to.zoom - from.zoom) });
  }

  private apply(pose: Pose): void {
    this.controls.target.copy(pose.target);
    this.camera.position.copy(pose.position);
    this.camera.zoom = pose.zoom;
    this.camera.lookAt(pose.target);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.setDepth();
  }

  /** Where the camera stands so that the box fills the picture. */
  private poseOf(name: string): Pose {
    const center = this.box_.getCenter(new THREE.Vector3());
    const size = this.box_.getSize(new THREE.Vector3());
    const aspect = this.width_ / this.height_;
    if (this.camera instanceof THREE.OrthographicCamera) {
      // Above the axes and the scale bar in the corner.
      const foot = Math.min(footer, 0.2 * this.height_);
      const perPixel = margin * Math.max(size.y / (this.height_ - foot), size.x / this.width_, 1e-9 / this.height_);
      const half = (perPixel * this.height_) / 2;
      const shown = (this.camera.top - this.camera.bottom) / 2;
      center.y -= 0.5 * foot * perPixel;
      const position = center.clone();
      position.z += 10 * Math.max(size.length(), 1e-9);
      return { position, target: center, zoom: shown / half };
    }
    const direction = new THREE.Vector3(...(spatialViews[name] ?? spatialViews['iso']!)).normalize();
    // From exactly above, up would not be defined: a hair to the front.
    if (name === 'top') direction.set(0, -1e-4, 1).normalize();
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize();
    const points = this.points_.length > 0 ? this.points_ : cornersOf(this.box_);
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360) / spatialMargin;
    const foot = Math.min(footer, 0.1 * this.height_) / this.height_;
    const stand = standOff(points, direction, right, { up: tangent, across: tangent * aspect, foot });
    return { ...stand, zoom: 1 };
  }

  private setDepth(): void {
    const size = Math.max(this.box_.getSize(new THREE.Vector3()).length(), 1e-9);
    const distance = this.camera.position.distanceTo(this.box_.getCenter(new THREE.Vector3()));
    this.camera.near = this.isPlanar_ ? 0.01 * size : Math.max(distance - 4 * size, 0.004 * distance, 1e-4 * size);
    this.camera.far = distance + (this.isPlanar_ ? 60 : 8) * size;
    this.camera.updateProjectionMatrix();
  }

  dispose(): void {
    this.controls.dispose();
  }
}
