import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { EDITOR_ON_TOP, FIRST_LOAD, READ_A_RECORD, TO_THE_GRID } from '../budgets.ts'
import type { Part } from '../measure.ts'
import { rowOfSingles } from '../result.ts'

const FOLDER = 'dist/web'

/** One chunk of Vite's manifest. */
type Chunk = { readonly file: string; readonly imports?: readonly string[] }
type Manifest = { readonly [source: string]: Chunk }

/** A chunk and everything it imports before it can run. */
function filesOf(manifest: Manifest, source: string, files = new Set<string>()): Set<string> {
  const chunk = manifest[source]
  // A page that was renamed must not weigh nothing.
  if (!chunk) throw new Error(`The built interface has no ${source}.`)
  if (files.has(chunk.file)) return files
  files.add(chunk.file)
  for (const one of chunk.imports ?? []) filesOf(manifest, one, files)
  return files
}

function gzipKilobytes(manifest: Manifest, sources: readonly string[]): number {
  const files = new Set(sources.flatMap((source) => [...filesOf(manifest, source)]))
  const scripts = [...files].filter((file) => file.endsWith('.js'))
  return scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join(FOLDER, file)), { level: 9 }).length, 0) / 1000
}

/** What a browser runs before a person can sign in, and what comes on top until there is a grid. */
const LOGIN = ['index.html', 'pages/login-page.tsx']
const GRID = [...LOGIN, 'app/shell.tsx', 'pages/records-page.tsx']
const RECORD = [...LOGIN, 'app/shell.tsx', 'pages/record-page.tsx']
const EDITOR = [...RECORD, 'kit/editor/editor.tsx']

/** What a browser must fetch and run before a person can do anything; it has no database. */
export const webPart: Part = {
  name: 'web',
  run: ({ stages }) => {
    // Vite writes it so.
    const manifest = JSON.parse(readFileSync(join(FOLDER, '.vite/manifest.json'), 'utf8')) as Manifest
    const weigh = (sources: readonly string[], there: readonly string[] = []) => {
      const kilobytes = gzipKilobytes(manifest, sources) - gzipKilobytes(manifest, there)
      return new Map(stages.slice(0, 1).map(({ dialect }) => [dialect, { figure: kilobytes, unit: 'kB' }]))
    }
    return Promise.resolve([
      rowOfSingles(FIRST_LOAD, weigh(LOGIN)),
      rowOfSingles(TO_THE_GRID, weigh(GRID)),
      rowOfSingles(READ_A_RECORD, weigh(RECORD)),
      rowOfSingles(EDITOR_ON_TOP, weigh(EDITOR, RECORD)),
    ])
  },
}
