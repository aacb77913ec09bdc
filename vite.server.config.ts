import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

const WORKER_URL = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g

/** Bundles the entry files of worker threads and child processes next to the file that starts them. */
function workers(): Plugin {
  return {
    name: 'workers',
    enforce: 'pre',
    transform(code, id) {
      if (!code.includes('import.meta.url')) return undefined
      return code.replaceAll(WORKER_URL, (_, name: string) => {
        const file = fileURLToPath(new URL(`./${name}.ts`, `file://${id}`))
        this.emitFile({ type: 'chunk', id: file, fileName: `${basename(name)}.js` })
        return `new URL('./${name}.js', import.meta.url)`
      })
    },
  }
}

/**
 * Packages of hundreds of modules, of which the server needs a part: bundled, they use 9 MB less. Other packages are not
 * bundled.
 */
const BUNDLED_PACKAGES = ['kysely', 'zod']

/** Node keeps the code in memory, with two bytes per character if a file contains others than ASCII. */
const ASCII = { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } }

/** Bundles the server as JavaScript in one folder. */
export default defineConfig({
  plugins: [workers()],
  cacheDir: '.cache/vite-server',
  publicDir: false,
  ssr: { noExternal: BUNDLED_PACKAGES },
  build: {
    ssr: true,
    license: true,
    outDir: 'dist/server',
    target: 'node24',
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['server/main.ts', 'server/cli.ts'],
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', comments: false, minify: ASCII },
    },
  },
})
