import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './scripts/build/precompress.ts'
import { withoutSummaries } from './scripts/build/without-summaries.ts'

/** Where `npm run dev` serves the page; the server behind it keeps its own port. */
const DEV_PORT = 4200

const serverUrl = `http://127.0.0.1:${process.env['PORT'] ?? '4100'}`

export default defineConfig({
  root: 'web',
  cacheDir: '../.cache/vite',
  plugins: [react(), withoutSummaries(), precompress()],
  // In the browser the schemas of `api/` are types only; see the file that stands in for them.
  resolve: { alias: { zod: fileURLToPath(new URL('web/client/schemas-stand-in.ts', import.meta.url)) } },
  server: {
    host: '127.0.0.1',
    port: DEV_PORT,
    strictPort: true,
    proxy: { '/api': { target: serverUrl, ws: true }, '/metrics': { target: serverUrl } },
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    license: true,
    // The strict content policy allows neither inline scripts nor data: addresses for scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
