import { readdir, readFile } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'
import { join } from 'node:path'

const THREADS = '/proc/self/task'

/** Thread name that Node's libuv uses. */
const POOL_THREAD = 'libuv-worker'

/** They get a third of the CPU when other threads are busy. */
const NICE_STEPS = 5

/**
 * Lowers the priority of Node's thread pool, which hashes passwords on all cores: otherwise requests wait 8 ms behind
 * each sign-in. Linux only, because it needs a priority per thread.
 */
export async function lowerPoolPriority(): Promise<void> {
  if (process.platform !== 'linux') return
  const threads = await readdir(THREADS)
  for (const thread of threads) {
    // A thread may end after it was listed.
    const name = await readFile(join(THREADS, thread, 'comm'), 'utf8').then(undefined, () => '')
    if (name.trim() === POOL_THREAD) setPriority(Number(thread), Math.min(19, getPriority() + NICE_STEPS))
  }
}
