import type { FastifyBaseLogger } from 'fastify'
import { readFile, readdir, stat } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** The same Ctrl-C can arrive twice: from the terminal and from the parent process. */
const DUPLICATE_SIGNAL_MS = 500
const PARENT_CHECK_MS = 100

/** Shuts down gracefully on the first signal and immediately on the second. */
export function shutDownOnSignals(stop: () => Promise<void>, log: FastifyBaseLogger): void {
  let stoppingSinceMs: number | undefined
  const onSignal = (signal: string): void => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs > DUPLICATE_SIGNAL_MS) process.exit(1)
      return
    }
    stoppingSinceMs = performance.now()
    log.info({ signal }, 'shutting down')
    void stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed')
        process.exit(1)
      },
    )
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  // npm only signals its shell; when the shell exits, our parent process ID changes.
  const parent = process.ppid
  const watch = (): void => {
    if (process.ppid !== parent && stoppingSinceMs === undefined) onSignal('SIGTERM')
  }
  if (process.env['npm_lifecycle_event'] !== undefined) setInterval(watch, PARENT_CHECK_MS).unref()
}

const GROUP_AND_OTHERS_MASK = 0o077

/** Makes all new files and folders private to the process's user. */
export const keepNewFilesPrivate = (): void => void process.umask(GROUP_AND_OTHERS_MASK)

/** Returns a warning if other users can access the data folder; not supported on Windows. */
export async function warningIfShared(folder: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined
  const { mode } = await stat(folder)
  if ((mode & GROUP_AND_OTHERS_MASK) === 0) return undefined
  return `DOSSIER_DATA: ${folder} contains the database and its keys and is readable by other users. Run: chmod -R go= "${folder}"`
}

/**
 * Collects garbage once the heap is 1.6 times as large as after the last collection; by default, up to four times. Under
 * load, this saves 130 MB; with 8 MB for new objects (see `scripts/boot.mjs`), it costs no speed.
 */
export const limitHeapGrowth = (): void => setFlagsFromString('--heap-growing-percent=60')

const START_SETTLES_MS = 1000

/** Frees the memory that only the start needed, about 12 MB, which V8 would keep until the heap grows. */
export function freeMemoryOfStart(): void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('() => gc({ type: "major", execution: "sync", flavor: "last-resort" })')
  setTimeout(() => collect(), START_SETTLES_MS).unref()
}

const THREADS = '/proc/self/task'

/** Thread name of Node's libuv thread pool. */
const POOL_THREAD = 'libuv-worker'

/** Gives pool threads about a third of the CPU while other threads are busy. */
const NICE_STEPS = 5

/**
 * Lowers the priority of Node's thread pool, which hashes passwords on all cores; otherwise, each sign-in delays other
 * requests by 8 ms. Linux only, because priorities must be set per thread.
 */
export async function lowerPoolPriority(): Promise<void> {
  if (process.platform !== 'linux') return
  const threads = await readdir(THREADS)
  for (const thread of threads) {
    // The thread may have ended after it was listed.
    const name = await readFile(join(THREADS, thread, 'comm'), 'utf8').then(undefined, () => '')
    if (name.trim() === POOL_THREAD) setPriority(Number(thread), Math.min(19, getPriority() + NICE_STEPS))
  }
}
