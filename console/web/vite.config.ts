import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// areaOf names the chunk of a view: all views of an area are one file. What an area says
// of itself (index.ts) is needed at once, and stays in console.js.
function areaOf(id: string): string | null {
  return /\/src\/areas\/([a-z-]+)\/(?!index\.ts$)/.exec(id)?.[1] ?? null;
}

// The server puts one version in front of all names, so they carry no hash and import
// each other by plain names.
export default defineConfig({
  base: './',
  logLevel: 'warn',
  plugins: [svelte()],
  build: {
    outDir: 'build',
    emptyOutDir: true,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      input: { console: 'src/main.ts' },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        assetFileNames: ({ names }) => (names.some((name) => name.endsWith('.css')) ? 'console.css' : '[name][extname]'),
        codeSplitting: {
          groups: [
            // First, since a group takes along what its modules import.
            { name: 'base', test: /\/src\/(?!areas\/|main\.ts|App\.svelte|ui\/[Cc]hart\b)|\/node_modules\/(?!uplot\/)/, priority: 3 },
            { name: 'chart', test: /\/uplot\/|\/src\/ui\/[Cc]hart\b/, priority: 2 },
            { name: areaOf, debugName: 'areas', priority: 1 },
          ],
        },
      },
    },
  },
});
