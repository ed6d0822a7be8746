/** In the corner of the picture: the directions of the axes, and a bar of a round length. */
import * as THREE from 'three';

import { lengthText, roundLength } from './stage.ts';
import { accents, type Theme } from './theme.ts';
import { plain } from './shapes.ts';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';

const reach = 34; // of the axes [px]
const corner = new THREE.Vector2(52, 56);

/** Text as a sprite, in pixels. */
class Label {
  readonly sprite: THREE.Sprite;
  private readonly canvas_ = document.createElement('canvas');
  private text_ = '';
  private colour_ = '';

  constructor(private readonly size_: number, private readonly weight_: number) {
    const texture = new THREE.CanvasTexture(this.canvas_);
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.minFilter = THREE.LinearFilter;
    texture.generateMipmaps = false;
    this.sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: texture, depthTest: false, depthWrite: false }));
    this.sprite.renderOrder = 2;
  }

  set(text: string, colour: string): void {
    if (text === this.text_ && colour === this.colour_) return;
    this.text_ = text;
    this.colour_ = colour;
    const scale = 3;
    const pen = this.canvas_.getContext('2d')!;
    const font = `${this.weight_} ${this.size_ * scale}px system-ui, "Segoe UI", Helvetica, Arial, sans-serif`;
    pen.font = font;
    const width = Math.ceil(pen.measureText(text).width) + 4 * scale;
    const height = Math.ceil(1.5 * this.size_ * scale);
    this.canvas_.width = width;
    this.canvas_.height = height;
    pen.font = font;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillStyle = colour;
    pen.fillText(text, width / 2, height / 2);
    this.sprite.scale.set(width / scale, height / scale, 1);
    const map = this.sprite.material.map!;
    map.dispose(); // its size has changed
    map.needsUpdate = true;
  }

  dispose(): void {
    this.sprite.material.map?.dispose();
    this.sprite.material.dispose();
  }
}

export class Hud {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.OrthographicCamera(0, 100, 100, 0, -500, 500);
  private readonly axes_: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
  private readonly letters_: Label[];
  private readonly bar_: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
  private readonly length_ = new Label(12, 500);
  private text_ = '#000';
  private readonly direction_ = new THREE.Vector3();

  constructor(isPlanar: boolean) {
    const parts: THREE.BufferGeometry[] = [];
    const count = isPlanar ? 2 : 3;
    for (let i = 0; i < count; ++i) {
      const arrow = mergeGeometries([
        plain(new THREE.CylinderGeometry(1.5, 1.5, reach - 9, 16).translate(0, (reach - 9) / 2, 0)),
        plain(new THREE.ConeGeometry(4.2, 11, 20).translate(0, reach - 4.5, 0)),
      ]);
      if (i === 0) arrow.rotateZ(-Math.PI / 2);
      if (i === 2) arrow.rotateX(Math.PI / 2);
      const colour = new THREE.Color(accents.axis[i]);
      const colours = new Float32Array(3 * arrow.attributes['position']!.count);
      for (let k = 0; k < colours.length; k += 3) colour.toArray(colours, k);
      arrow.setAttribute('color', new THREE.BufferAttribute(colours, 3));
      parts.push(arrow);
    }
    this.axes_ = new THREE.Mesh(mergeGeometries(parts), new THREE.MeshBasicMaterial({ vertexColors: true }));
    this.axes_.position.set(corner.x, corner.y, 0);
    this.axes_.matrixAutoUpdate = true;
    this.letters_ = Array.from({ length: count }, () => new Label(12, 600));
    const bar = new THREE.BufferGeometry();
    this.bar_ = new THREE.Mesh(bar, new THREE.MeshBasicMaterial({ depthTest: false }));
    this.scene.add(this.axes_, this.bar_, this.length_.sprite, ...this.letters_.map((l) => l.sprite));
  }

  setTheme(theme: Theme): void {
    this.text_ = theme.text;
    this.bar_.material.color.set(theme.text);
  }

  /** `perPixel`: metres per pixel at the middle of the model; `width`, `height` in pixels. */
  update(camera: THREE.Camera, width: number, height: number, perPixel: number): void {
    this.camera.right = width;
    this.camera.top = height;
    this.camera.updateProjectionMatrix();
    this.axes_.quaternion.copy(camera.quaternion).invert();
    this.letters_.forEach((letter, i) => {
      letter.set('XYZ'[i]!, accents.axis[i]!);
      const d = this.direction_.set(i === 0 ? 1 : 0, i === 1 ? 1 : 0, i === 2 ? 1 : 0);
      d.applyQuaternion(this.axes_.quaternion).multiplyScalar(reach + 11);
      letter.sprite.position.set(corner.x + d.x, corner.y + d.y, d.z);
    });
    const length = roundLength(Math.min(130, 0.3 * width) * perPixel);
    const pixels = length / perPixel;
    const left = 2 * corner.x + 14;
    this.length_.set(lengthText(length), this.text_);
    this.length_.sprite.position.set(left + pixels / 2, 36, 1);
    this.setBar(left, 22, pixels);
  }

  private setBar(left: number, bottom: number, pixels: number): void {
    const rectangles: [number, number, number, number][] = [
      [left, bottom, pixels, 1.5],
      [left, bottom, 1.5, 7],
      [left + pixels - 1.5, bottom, 1.5, 7],
    ];
    let attribute = this.bar_.geometry.attributes['position'] as THREE.BufferAttribute | undefined;
    if (attribute === undefined) {
      attribute = new THREE.BufferAttribute(new Float32Array(12 * rectangles.length), 3);
      this.bar_.geometry.setAttribute('position', attribute);
      this.bar_.geometry.setIndex(rectangles.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((v) => 4 * i + v)));
      this.bar_.frustumCulled = false;
    }
    const places = attribute;
    rectangles.forEach(([x, y, w, h], i) => {
      places.setXYZ(4 * i, x, y, 0);
      places.setXYZ(4 * i + 1, x + w, y, 0);
      places.setXYZ(4 * i + 2, x + w, y + h, 0);
      places.setXYZ(4 * i + 3, x, y + h, 0);
    });
    places.needsUpdate = true;
  }

  dispose(): void {
    this.axes_.geometry.dispose();
    this.axes_.material.dispose();
    this.bar_.geometry.dispose();
    this.bar_.material.dispose();
    for (const label of [this.length_, ...this.letters_]) label.dispose();
  }
}
