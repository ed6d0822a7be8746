// Runs the unit tests: each test/*.test.ts is bundled for Node and run by its own test runner.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tests = readdirSync(join(root, 'test')).filter((f) => f.endsWith('.test.ts'));
const folder = mkdtempSync(join(tmpdir(), 'flexura-viewer-'));
try {
  await build({
    absWorkingDir: root,
    entryPoints: tests.map((f) => `test/${f}`),
    bundle: true,
    outdir: folder,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
  });
  const files = tests.map((f) => join(folder, f.replace(/\.ts$/, '.mjs')));
  const { status } = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
