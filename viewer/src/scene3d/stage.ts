/** What stands around the model: background, light, and the grid on the ground or behind a planar model. */
import * as THREE from 'three';

import type { Theme } from './theme.ts';

/** A round number (1, 2 or 5 times a power of ten) not above `length`. */
export function roundLength(length: number): number {
  if (!(length > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(length) + 1e-9);
  const share = length / power;
  return (share >= 5 ? 5 : share >= 2 ? 2 : 1) * power;
}

/** A length as people write it: 50 mm, 2 m, 5 km. */
export function lengthText(metres: number): string {
  const [factor, unit] =
    metres >= 1000 ? [1e-3, 'km'] : metres >= 1 ? [1, 'm'] : metres >= 1e-3 ? [1e3, 'mm'] : metres >= 1e-6 ? [1e6, 'µm'] : [1e9, 'nm'];
  return `${Number((metres * factor).toPrecision(3))} ${unit}`;
}

const backgroundVertex = `
varying vec2 vAt;
void main() { vAt = position.xy * 0.5 + 0.5; gl_Position = vec4(position.xy, 1.0, 1.0); }`;

const backgroundFragment = `
uniform vec3 uTop; uniform vec3 uBottom; varying vec2 vAt;
void main() {
  gl_FragColor = vec4(mix(uBottom, uTop, smoothstep(0.0, 1.0, vAt.y)), 1.0);
  #include <colorspace_fragment>
}`;

const gridVertex = `
varying vec3 vWorld;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vWorld = world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

/** Lines of a cell and, stronger, of every fifth; faded with the distance where uFade is finite. */
const gridFragment = `
uniform vec3 uColor; uniform float uOpacity; uniform float uCell; uniform vec2 uCenter; uniform float uFade;
varying vec3 vWorld;
float lines(vec2 at, float cell, float width) {
  vec2 c = at / cell;
  vec2 w = max(fwidth(c), 1e-6);
  vec2 d = abs(fract(c - 0.5) - 0.5) / w;
  float line = 1.0 - min(min(d.x, d.y) / width, 1.0);
  return line * (1.0 - smoothstep(0.25, 0.7, max(w.x, w.y)));
}
void main() {
  float a = max(0.42 * lines(vWorld.xy, uCell, 1.0), lines(vWorld.xy, 5.0 * uCell, 1.15));
  float fade = 1.0 - smoothstep(0.25 * uFade, uFade, length(vWorld.xy - uCenter));
  gl_FragColor = vec4(uColor, a * uOpacity * fade);
  #include <colorspace_fragment>
}`;

export class Stage {
  readonly group = new THREE.Group();
  readonly light = new THREE.DirectionalLight('#ffffff', 1.65);
  /** Length of a cell of the grid [m]. */
  cell = 1;
  private readonly sky_ = new THREE.HemisphereLight('#ffffff', '#8f97a3', 1.6);
  private readonly fill_ = new THREE.DirectionalLight('#dfe8ff', 0.35);
  private readonly background_: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
  private readonly grid_: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
  private readonly shadow_: THREE.Mesh<THREE.PlaneGeometry, THREE.ShadowMaterial>;

  constructor(private readonly isPlanar_: boolean) {
    const triangle = new THREE.BufferGeometry();
    triangle.setAttribute('position', new THREE.BufferAttribute(Float32Array.of(-1, -1, 0, 3, -1, 0, -1, 3, 0), 3));
    this.background_ = new THREE.Mesh(
      triangle,
      new THREE.ShaderMaterial({
        vertexShader: backgroundVertex,
        fragmentShader: backgroundFragment,
        uniforms: { uTop: { value: new THREE.Color() }, uBottom: { value: new THREE.Color() } },
        depthTest: false,
        depthWrite: false,
      }),
    );
    this.background_.frustumCulled = false;
    this.background_.renderOrder = -10;
    this.grid_ = new THREE.Mesh(
      new THREE.PlaneGeometry(2, 2),
      new THREE.ShaderMaterial({
        vertexShader: gridVertex,
        fragmentShader: gridFragment,
        uniforms: {
          uColor: { value: new THREE.Color() },
          uOpacity: { value: 0.3 },
          uCell: { value: 1 },
          uCenter: { value: new THREE.Vector2() },
          uFade: { value: 1e9 },
        },
        transparent: true,
        depthWrite: false,
        side: THREE.DoubleSide,
      }),
    );
    this.grid_.renderOrder = -5;
    this.shadow_ = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), new THREE.ShadowMaterial({ depthWrite: false }));
    this.shadow_.receiveShadow = true;
    this.shadow_.renderOrder = -6;
    this.group.add(this.background_, this.grid_, this.sky_, this.light, this.light.target, this.fill_);
    if (!isPlanar_) this.group.add(this.shadow_);
    for (const mesh of [this.background_, this.grid_, this.shadow_]) mesh.raycast = () => {};
  }

  /** Sets the grid and the light for a model within a box. */
  fit(box: THREE.Box3): void {
    const center = box.getCenter(new THREE.Vector3());
    const size = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-9);
    this.cell = roundLength(size / 8);
    const uniforms = this.grid_.material.uniforms;
    uniforms['uCell']!.value = this.cell;
    uniforms['uCenter']!.value.set(center.x, center.y);
    uniforms['uFade']!.value = this.isPlanar_ ? 1e12 : 2.6 * size;
    const toLight = this.isPlanar_ ? new THREE.Vector3(-0.5, 0.75, 1.3) : new THREE.Vector3(0.45, -0.55, 1.25);
    toLight.normalize();
    this.light.position.copy(center).addScaledVector(toLight, 2 * size);
    this.light.target.position.copy(center);
    this.fill_.position.set(-0.8, 0.6, 0.4);
    if (this.isPlanar_) {
      this.grid_.position.set(center.x, center.y, box.min.z - 20 * size);
      this.grid_.scale.setScalar(40 * size);
      return;
    }
    this.sky_.position.set(0, 0, 1);
    const ground = box.min.z - 0.015 * size;
    this.grid_.position.set(center.x, center.y, ground);
    this.grid_.scale.setScalar(2.6 * size);
    this.shadow_.position.set(center.x, center.y, ground - 0.0005 * size);
    this.shadow_.scale.setScalar(2.6 * size);
    this.light.castShadow = true;
    const shadow = this.light.shadow;
    shadow.mapSize.set(2048, 2048);
    const reach = 0.75 * size;
    Object.assign(shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.2 * size, far: 4 * size });
    shadow.camera.updateProjectionMatrix();
    shadow.radius = 5;
    shadow.bias = -0.0006;
    shadow.normalBias = 0.004 * size;
  }

  /** Planar: cells that suit the magnification, given metres per pixel. */
  setMagnification(perPixel: number): void {
    if (!this.isPlanar_) return;
    this.cell = roundLength(40 * perPixel);
    this.grid_.material.uniforms['uCell']!.value = this.cell;
  }

  set isBackgroundShown(on: boolean) {
    this.background_.visible = on;
  }

  set isGridShown(on: boolean) {
    this.grid_.visible = on;
  }

  setTheme(theme: Theme): void {
    this.background_.material.uniforms['uTop']!.value.set(theme.top);
    this.background_.material.uniforms['uBottom']!.value.set(theme.bottom);
    this.grid_.material.uniforms['uColor']!.value.set(theme.grid);
    this.grid_.material.uniforms['uOpacity']!.value = theme.gridOpacity * (this.isPlanar_ ? 0.55 : 1);
    this.shadow_.material.opacity = theme.shadow;
  }

  dispose(): void {
    for (const mesh of [this.background_, this.grid_, this.shadow_]) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    this.light.dispose();
  }
}
