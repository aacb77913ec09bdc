import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const FOLDER = 'dist/web'

/** An entry of Vite's manifest; `name` is a group from `chunk-groups.ts`. */
type Chunk = { readonly file: string; readonly name?: string; readonly imports?: readonly string[] }
type Manifest = { readonly [source: string]: Chunk }

/** The chunks that each page loads: group names, or the page's source path if it has its own chunk. */
export const MEASURED_PAGES = {
  login: ['first'],
  home: ['inside', 'home'],
  grid: ['inside', 'list'],
  record: ['inside', 'record'],
  editor: ['inside', 'record', 'ui/editor/editor.tsx'],
} as const

/** Limits in gzipped kB. */
export const MAX_KILOBYTES: { readonly [Page in keyof typeof MEASURED_PAGES]?: number } = { login: 170, grid: 280 }

export type PageWeight = { readonly kilobytes: number; readonly files: number }

/** Measures the JavaScript downloaded on a first visit. */
export function measurePage(page: keyof typeof MEASURED_PAGES): PageWeight {
  // Vite's manifest format.
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
    const chunks = Object.values(manifest).filter(({ name, file }) => name === source && file.endsWith('.js'))
    const chunk = manifest[source] ?? chunks[0]
    // Fails instead of reporting 0 kB for a renamed page.
    if (!chunk) throw new Error(`There is no chunk ${source} in the build.`)
    waiting.push(chunk.file)
  }
  const found = new Set<string>()
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue
    found.add(file)
    waiting.push(...(byFile.get(file)?.imports ?? []).flatMap((name) => manifest[name]?.file ?? []))
  }
  return found
}
