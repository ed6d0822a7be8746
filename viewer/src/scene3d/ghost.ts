/** The reference shape, seen through: one silhouette, denser towards its edges. */
import * as THREE from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';

const vertex = `
varying vec3 vNormal; varying vec3 vView;
void main() {
  vec4 at = modelViewMatrix * vec4(position, 1.0);
  vNormal = normalMatrix * normal;
  vView = -at.xyz;
  gl_Position = projectionMatrix * at;
}`;

const fragment = `
uniform vec3 uColor; uniform float uFlat; varying vec3 vNormal; varying vec3 vView;
void main() {
  vec3 view = mix(normalize(vView), vec3(0.0, 0.0, 1.0), uFlat);
  float facing = abs(dot(normalize(vNormal), view));
  gl_FragColor = vec4(uColor, mix(0.62, 0.2, facing));
  #include <colorspace_fragment>
}`;

export class Ghost {
  readonly group = new THREE.Group();
  private readonly geometry_: THREE.BufferGeometry;
  private readonly depth_: THREE.MeshBasicMaterial;
  private readonly material_: THREE.ShaderMaterial;

  constructor(parts: readonly THREE.BufferGeometry[], isPlanar: boolean) {
    this.geometry_ = mergeGeometries([...parts]);
    const behind = { polygonOffset: true, polygonOffsetFactor: 1.5, polygonOffsetUnits: 4 };
    this.depth_ = new THREE.MeshBasicMaterial({ colorWrite: false, transparent: true, side: THREE.DoubleSide, ...behind });
    this.material_ = new THREE.ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      uniforms: { uColor: { value: new THREE.Color() }, uFlat: { value: isPlanar ? 1 : 0 } },
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      ...behind,
    });
    [this.depth_, this.material_].forEach((material, i) => {
      const mesh = new THREE.Mesh(this.geometry_, material);
      mesh.renderOrder = 5 + i;
      mesh.raycast = () => {};
      this.group.add(mesh);
    });
  }

  set colour(colour: string) {
    this.material_.uniforms['uColor']!.value.set(colour);
  }

  dispose(): void {
    this.geometry_.dispose();
    this.depth_.dispose();
    this.material_.dispose();
  }
}

/** What a mesh shows now, as it stands: places, normals and triangles. */
export function frozen(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const out = new THREE.BufferGeometry();
  for (const name of ['position', 'normal']) {
    out.setAttribute(name, new THREE.BufferAttribute(Float32Array.from(geometry.attributes[name]!.array), 3));
  }
  out.setIndex(new THREE.BufferAttribute(Uint32Array.from(geometry.index!.array), 1));
  return out;
}
