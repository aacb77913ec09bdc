import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type EnvironmentOptions } from 'vite'
import { LANGUAGES } from './domain/shared/language.ts'
import { chunkGroups } from './scripts/build/chunk-groups.ts'
import { writeOfflineFiles } from './scripts/build/offline-files.ts'
import { precompress } from './scripts/build/precompress.ts'
import { translatePlugin } from './scripts/build/translate-plugin.ts'
import { stripSummaries } from './scripts/build/strip-summaries.ts'

/** Where `npm run dev` serves the page; the server behind it keeps its own port. */
const DEV_PORT = 4200

const serverUrl = `http://127.0.0.1:${process.env['PORT'] ?? '4100'}`

const [, ...OTHERS] = LANGUAGES

/** The page in another language, built beside the English one; what is the same in both has one file. */
const inLanguage = (language: string): [string, EnvironmentOptions] => [
  language,
  { consumer: 'client', build: { emptyOutDir: false, manifest: `.vite/manifest.${language}.json` } },
]

export default defineConfig(({ command }) => ({
  root: 'web',
  cacheDir: '../.cache/vite',
  plugins: [translatePlugin(), react(), stripSummaries(), precompress(), writeOfflineFiles()],
  // In the browser the schemas of `api/` are types only; see the file that stands in for them.
  resolve: { alias: { zod: fileURLToPath(new URL('web/data/api/zod-stub.ts', import.meta.url)) } },
  server: {
    host: '127.0.0.1',
    port: DEV_PORT,
    strictPort: true,
    proxy: {
      // The page that explains the interface for programs lies among its addresses.
      '/api': { target: serverUrl, ws: true, bypass: ({ url }) => (url === '/api/docs' ? '/index.html' : undefined) },
      '/metrics': { target: serverUrl },
    },
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
    rolldownOptions: {
      output: { codeSplitting: { groups: chunkGroups(import.meta.dirname) } },
    },
  },
  ...(command === 'build' && {
    environments: Object.fromEntries(OTHERS.map(inLanguage)),
    builder: {
      async buildApp(builder) {
        // English first: it empties the folder.
        for (const name of ['client', ...OTHERS]) {
          const environment = builder.environments[name]
          if (environment) await builder.build(environment)
        }
      },
    },
  }),
}))
