import { readdir, readFile } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'
import { join } from 'node:path'

const THREADS = '/proc/self/task'

/** What Node's own library names the threads of its pool. */
const POOL_THREAD = 'libuv-worker'

/** How far they step back, in the system's steps of "nice": they get a third of what others get, when all want to run. */
const NICE_STEPS = 5

/**
 * Lets the threads of Node's pool step back behind those that answer requests. Passwords are compared there, on every
 * processor there is: without it everybody else waits behind whoever signs in, 8 ms at a time. Only Linux can do it for
 * single threads; where it is not possible, all goes on as before.
 */
export async function lowerPoolPriority(): Promise<void> {
  if (process.platform !== 'linux') return
  const threads = await readdir(THREADS)
  for (const thread of threads) {
    // A thread may end between the listing and the reading.
    const name = await readFile(join(THREADS, thread, 'comm'), 'utf8').then(undefined, () => '')
    if (name.trim() === POOL_THREAD) setPriority(Number(thread), Math.min(19, getPriority() + NICE_STEPS))
  }
}
