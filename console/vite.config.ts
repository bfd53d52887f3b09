import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Hashed files and a manifest, from which the service writes the page. */
export default defineConfig({
  root: at('.'),
  base: '/console/',
  build: {
    outDir: at('../dist/console'),
    emptyOutDir: true,
    manifest: true,
    license: { fileName: 'licences.md' },
    // Plots are loaded with the first screen that has one.
    rollupOptions: { input: at('src/main.tsx') },
    modulePreload: { polyfill: false },
  },
});
