/**
 * Material of what moves: soft light, its own colour per vertex, or the colour of a field.
 *
 * The attribute `value` holds the field between 0 and 1 and is looked up per fragment, so that colours do not bend
 * between vertices; below 0: no value there, drawn grey. With SHELL the vertices are drawn twice (attribute `side`, ±1 per
 * instance), each time moved by half the thickness along the normal.
 */
import * as THREE from 'three';

import { colours, type MapName, mapSize } from './colormap.ts';

/** Shared by the materials of a view, so that one assignment changes all. */
export interface PaintUniforms {
  uField: { value: number };
  uMap: { value: THREE.DataTexture };
  uNone: { value: THREE.Color };
}

const textures = new Map<MapName, THREE.DataTexture>();

export function mapTexture(map: MapName): THREE.DataTexture {
  let texture = textures.get(map);
  if (texture === undefined) {
    texture = new THREE.DataTexture(colours(map), mapSize, 1, THREE.RGBAFormat, THREE.UnsignedByteType);
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.minFilter = THREE.LinearFilter;
    texture.magFilter = THREE.LinearFilter;
    texture.needsUpdate = true;
    textures.set(map, texture);
  }
  return texture;
}

export function makePaintUniforms(): PaintUniforms {
  return { uField: { value: 0 }, uMap: { value: mapTexture('sequential') }, uNone: { value: new THREE.Color('#9aa3ad') } };
}

/** Lit as matt plastic. */
export function matt(): THREE.MeshStandardMaterialParameters {
  return { roughness: 0.55, metalness: 0 };
}

export function paintedMaterial(uniforms: PaintUniforms, isShell: boolean): THREE.MeshStandardMaterial {
  const material = new THREE.MeshStandardMaterial({
    ...matt(),
    vertexColors: true,
    side: isShell ? THREE.DoubleSide : THREE.FrontSide,
  });
  if (isShell) material.defines = { ...material.defines, SHELL: '' };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace(
        '#include <common>',
        `#include <common>
        attribute float value;
        varying float vValue;
        varying float vHas;
        #ifdef SHELL
          attribute float side;
          attribute float half_thickness;
        #endif`,
      )
      .replace(
        '#include <begin_vertex>',
        `#include <begin_vertex>
        vValue = value;
        vHas = value < 0.0 ? 0.0 : 1.0;
        #ifdef SHELL
          transformed += objectNormal * (side * half_thickness);
        #endif`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        `#include <common>
        uniform float uField;
        uniform sampler2D uMap;
        uniform vec3 uNone;
        varying float vValue;
        varying float vHas;`,
      )
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
        if (uField > 0.5) {
          float at = (0.5 + clamp(vValue, 0.0, 1.0) * ${mapSize - 1}.0) / ${mapSize}.0;
          diffuseColor.rgb = vHas > 0.999 ? texture2D(uMap, vec2(at, 0.5)).rgb : uNone;
        }`,
      );
  };
  material.customProgramCacheKey = () => (isShell ? 'painted-shell' : 'painted');
  return material;
}
