import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { FIRST_LOAD, TO_THE_GRID } from '../budgets.ts'
import { lineOfFigure } from '../line.ts'
import type { Measurement } from '../measure.ts'

const FOLDER = 'dist/web'

/** One chunk of Vite's manifest. */
type Chunk = { readonly file: string; readonly imports?: readonly string[]; readonly isEntry?: boolean }
type Manifest = { readonly [source: string]: Chunk }

/** A chunk and everything it imports before it can run. */
function filesOf(manifest: Manifest, source: string, files = new Set<string>()): Set<string> {
  const chunk = manifest[source]
  if (!chunk || files.has(chunk.file)) return files
  files.add(chunk.file)
  for (const one of chunk.imports ?? []) filesOf(manifest, one, files)
  return files
}

function gzipKilobytes(manifest: Manifest, sources: readonly string[]): number {
  const files = new Set(sources.flatMap((source) => [...filesOf(manifest, source)]))
  const scripts = [...files].filter((file) => file.endsWith('.js'))
  return scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join(FOLDER, file)), { level: 9 }).length, 0) / 1000
}

/** The sources whose path says that they belong to a page. */
const sourcesOf = (manifest: Manifest, page: RegExp): string[] =>
  Object.keys(manifest).filter((source) => page.test(source))

/** What a browser must fetch and run before a person can do anything. */
export const webMeasurement: Measurement = {
  name: 'web',
  run: async () => {
    const file = join(FOLDER, '.vite/manifest.json')
    if (!existsSync(file)) return []
    // Vite writes it so.
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
    const entries = Object.keys(manifest).filter((source) => manifest[source]?.isEntry)
    const login = [...entries, ...sourcesOf(manifest, /pages\/(?:sign-in|login)/)]
    const grid = [...login, ...sourcesOf(manifest, /pages\/(?:shell|collection|records)/)]
    return [
      lineOfFigure(FIRST_LOAD, gzipKilobytes(manifest, login), 'kB'),
      lineOfFigure(TO_THE_GRID, gzipKilobytes(manifest, grid), 'kB'),
    ]
  },
}
