// Script per frame of a surface of 20 000 quads, each vertex a combination of 12 slots: node test/bench.mjs
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'flexura-viewer-'));
try {
  const outfile = join(folder, 'bench.mjs');
  await build({ absWorkingDir: root, entryPoints: ['test/bench_surface.ts'], bundle: true, outfile, format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning' });
  process.exitCode = spawnSync(process.execPath, [outfile], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
