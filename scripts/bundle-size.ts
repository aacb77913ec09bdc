import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const FOLDER = 'dist/web'

/** One file of Vite's manifest. */
type Chunk = { readonly file: string; readonly imports?: readonly string[] }
type Manifest = { readonly [source: string]: Chunk }

/** What a browser has run by the time somebody sees a page: the parts, on top of what every page begins with. */
const LOGIN = ['pages/guest/login-page.tsx']
const INSIDE = [...LOGIN, 'app/frame/shell.tsx']
const RECORD = [...INSIDE, 'pages/records/record-page.tsx']

/** The pages whose weight is promised or watched. */
export const MEASURED_PAGES = {
  login: LOGIN,
  home: [...INSIDE, 'pages/home/home-page.tsx'],
  grid: [...INSIDE, 'pages/records/records-page.tsx'],
  record: RECORD,
  editor: [...RECORD, 'ui/editor/editor.tsx'],
} as const

/** Most a browser may have to run, in kB of gzip. */
export const MAX_KILOBYTES: { readonly [Page in keyof typeof MEASURED_PAGES]?: number } = { login: 170, grid: 280 }

/** How much JavaScript a page needs, and in how many files. */
export type PageWeight = { readonly kilobytes: number; readonly files: number }

/** Weighs the built interface, as whoever comes for the first time is sent it. */
export function measurePage(page: keyof typeof MEASURED_PAGES): PageWeight {
  // Vite writes it so.
  const manifest = JSON.parse(readFileSync(join(FOLDER, '.vite/manifest.json'), 'utf8')) as Manifest
  const scripts = [...filesOf(manifest, MEASURED_PAGES[page])].filter((file) => file.endsWith('.js'))
  const bytes = scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join(FOLDER, file)), { level: 9 }).length, 0)
  return { kilobytes: bytes / 1000, files: scripts.length }
}

function filesOf(manifest: Manifest, sources: readonly string[]): ReadonlySet<string> {
  const byFile = new Map(Object.values(manifest).map((chunk) => [chunk.file, chunk]))
  const html = readFileSync(join(FOLDER, 'index.html'), 'utf8')
  const waiting = [...html.matchAll(/"\/(assets\/[^"]+\.js)"/g)].flatMap(([, file]) => file ?? [])
  for (const source of sources) {
    // A page that was renamed must not weigh nothing; one that comes with every page has no file of its own.
    if (!existsSync(join('web', source))) throw new Error(`There is no ${source} any more.`)
    const chunk = manifest[source]
    if (chunk) waiting.push(chunk.file)
  }
  const found = new Set<string>()
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue
    found.add(file)
    waiting.push(...(byFile.get(file)?.imports ?? []).flatMap((name) => manifest[name]?.file ?? []))
  }
  return found
}
