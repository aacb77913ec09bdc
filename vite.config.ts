import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type EnvironmentOptions } from 'vite'
import { LANGUAGES } from './domain/shared/language.ts'
import { chunkGroups } from './scripts/build/chunk-groups.ts'
import { writeOfflineFiles } from './scripts/build/offline-files.ts'
import { precompress } from './scripts/build/precompress.ts'
import { translatePlugin } from './scripts/build/translate-plugin.ts'
import { stripSummaries } from './scripts/build/strip-summaries.ts'

/** Port of `npm run dev`, which forwards API requests to the server on its own port. */
const DEV_PORT = 4200

const serverUrl = `http://127.0.0.1:${process.env['PORT'] ?? '4100'}`

const [, ...OTHERS] = LANGUAGES

/** Builds the interface in another language next to the English build; identical files are shared. */
const inLanguage = (language: string): [string, EnvironmentOptions] => [
  language,
  { consumer: 'client', build: { emptyOutDir: false, manifest: `.vite/manifest.${language}.json` } },
]

export default defineConfig(({ command }) => ({
  root: 'web',
  cacheDir: '../.cache/vite',
  plugins: [translatePlugin(), react(), stripSummaries(), precompress(), writeOfflineFiles()],
  // The browser uses the schemas of `api/` only as types, so a stub replaces zod.
  resolve: { alias: { zod: fileURLToPath(new URL('web/data/api/zod-stub.ts', import.meta.url)) } },
  server: {
    host: '127.0.0.1',
    port: DEV_PORT,
    strictPort: true,
    proxy: {
      // The API reference is a page of the app, although its URL is below /api.
      '/api': { target: serverUrl, ws: true, bypass: ({ url }) => (url === '/api/docs' ? '/index.html' : undefined) },
      '/metrics': { target: serverUrl },
    },
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    license: true,
    // The Content Security Policy allows neither inline scripts nor data: URLs for scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: { codeSplitting: { groups: chunkGroups(import.meta.dirname) } },
    },
  },
  ...(command === 'build' && {
    environments: Object.fromEntries(OTHERS.map(inLanguage)),
    builder: {
      async buildApp(builder) {
        // English first, because its build empties the output folder.
        for (const name of ['client', ...OTHERS]) {
          const environment = builder.environments[name]
          if (environment) await builder.build(environment)
        }
      },
    },
  }),
}))
