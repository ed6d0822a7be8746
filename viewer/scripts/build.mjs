// Makes the pages in dist/: that of a report and that of a sweep, each with its scripts and styles inside. --verify: fails if one would change.
import { build } from 'esbuild';
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const marks = ['<!--flexura-title-->', '<!--flexura-data-->'];

const packageNotice = (name) => {
  const about = JSON.parse(read(`node_modules/${name}/package.json`));
  const title = { uplot: 'uPlot', three: 'three.js' }[name] ?? name;
  return { name: `${title} ${about.version}`, licence: about.license, text: read(`node_modules/${name}/LICENSE`).trim() };
};
// Colours of fields, src/scene3d/colormap.ts.
const maps = [
  {
    name: 'viridis',
    licence: 'CC0-1.0',
    text: `Colour map by Nathaniel J. Smith, Stéfan van der Walt and Eric Firing (https://github.com/BIDS/colormap), released
under the CC0 public domain dedication: https://creativecommons.org/publicdomain/zero/1.0/`,
  },
  {
    name: 'RdBu of ColorBrewer',
    licence: 'Apache-2.0',
    text: `Copyright (c) 2002 Cynthia Brewer, Mark Harrower, and The Pennsylvania State University (https://colorbrewer2.org).

Licensed under the Apache License, Version 2.0: https://www.apache.org/licenses/LICENSE-2.0

Changed: turned round, without its darkest ends, grey in the middle and colours between.`,
  },
];

async function pageOf({ entry, packages, title }) {
  const licences = [...packages.map(packageNotice), ...maps];
  const result = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    outdir: 'dist',
    format: 'iife',
    target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    define: { LICENCES: JSON.stringify(licences) },
  });
  const text = (ending) => result.outputFiles.find((f) => f.path.endsWith(ending)).text.trim();

  // Neither may end its element, nor hold what is replaced when a report is made.
  const script = text('.js').replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const style = text('.css').replaceAll('</style', '<\\/style');
  const notice = licences.map((l) => `${l.name} (${l.licence})\n\n${l.text}`).join('\n\n----\n\n').replaceAll('--', '- -');
  const page = read('src/template.html')
    .replace('<!--LICENCES-->', () => `<!--\nFlexura's viewer, Apache-2.0. It holds:\n\n${notice}\n-->`)
    .replace('/*CSS*/', () => style)
    .replace('/*JS*/', () => script);
  for (const mark of marks) {
    if (page.split(mark).length !== 2) throw new Error(`${mark} does not stand once in the page of ${title}`);
  }
  return page;
}

const pages = {
  'dist/viewer.html': { title: 'a report', entry: 'src/main.ts', packages: ['three', 'uplot', 'fflate'] },
  'dist/sweep.html': { title: 'a sweep', entry: 'src/sweep/main.ts', packages: ['fflate'] },
};
for (const [target, what] of Object.entries(pages)) {
  const page = await pageOf(what);
  if (process.argv.includes('--verify')) {
    let committed = '';
    try {
      committed = read(target);
    } catch {
      // Reported below.
    }
    if (committed !== page) {
      console.error(`viewer/${target} is not what its sources give: run "npm run build" in viewer/ and commit it`);
      process.exit(1);
    }
    console.log(`viewer/${target} matches its sources`);
  } else {
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(join(root, target), page);
    const kib = (n) => `${Math.round(n / 1024)} KiB`;
    console.log(`viewer/${target}: ${kib(Buffer.byteLength(page))}, compressed ${kib(gzipSync(page).length)}`);
  }
}
