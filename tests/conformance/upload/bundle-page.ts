import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import type { OwnFile } from './fault-proxy.ts'

/** The bundled script of the page that runs the upload clients. */
export const PAGE_PATH = '/try-uploads'

const SCRIPT_PATH = '/try-uploads.js'

const styles = readFileSync(fileURLToPath(import.meta.resolve('filepond/dist/filepond.css')), 'utf8')

const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Try uploads</title>
<style>${styles} input[type=file] { display: none }</style>
<input type="file" id="chosen" multiple><script type="module" src="${SCRIPT_PATH}"></script></html>`

export async function bundlePage(): Promise<ReadonlyMap<string, OwnFile>> {
  const built = await build({
    configFile: false,
    root: fileURLToPath(new URL('page', import.meta.url)),
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rollupOptions: { input: fileURLToPath(new URL('page/main.ts', import.meta.url)) },
    },
  })
  const outputs = Array.isArray(built) ? built : [built]
  const [script] = outputs.flatMap((one) => ('output' in one ? one.output : [])).filter(({ type }) => type === 'chunk')
  if (script?.type !== 'chunk') throw new Error('The page could not be built.')
  return new Map([
    [PAGE_PATH, { type: 'text/html; charset=utf-8', body: HTML }],
    [SCRIPT_PATH, { type: 'text/javascript; charset=utf-8', body: script.code }],
  ])
}
