import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Place } from './places.ts'

export type CommandEnd = {
  /** The exit code; null if the command was killed. */
  readonly exitCode: number | null
  readonly printed: string
  /** The operations that the command performed, in order. */
  readonly points: readonly string[]
}

/** The compile cache halves the startup time, which is otherwise spent on parsing. */
const compiled = mkdtemp(join(tmpdir(), 'dossier-crash-program-'))

const PRELOAD = new URL('crash-preload.ts', import.meta.url).href

/** Runs `npm run dossier -- …` in a place; kills it at the given operation, if any. */
export async function runCommand(place: Place, words: readonly string[], crashAt?: number): Promise<CommandEnd> {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-crash-trace-'))
  const trace = join(folder, 'points')
  const child = spawn(process.execPath, ['--import', PRELOAD, 'dist/server/cli.js', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: await compiled,
      ...place.env,
      CRASH_TRACE: trace,
      ...(crashAt !== undefined && { CRASH_AT: String(crashAt) }),
    },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  await once(child, 'close')
  const listed = await readFile(trace, 'utf8').then(undefined, () => '')
  await rm(folder, { recursive: true, force: true })
  return { exitCode: child.exitCode, printed, points: listed.split('\n').filter((line) => line !== '') }
}
