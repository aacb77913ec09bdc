import { type ChildProcess, fork } from 'node:child_process'
import type { PictureHeader } from '#domain/assets/picture-limits.ts'
import type { PictureReply, PictureTask } from './picture-tasks.ts'

/** Has a process of its own open pictures; undefined is answered for a file that is none, or that ends the process. */
export type PictureProcess = {
  readonly header: (path: string) => Promise<PictureHeader | undefined>
  readonly draw: (path: string, width: number) => Promise<Uint8Array | undefined>
}

/** How long it stays without anything to do: what its decoders have taken of memory goes back with it. */
const IDLE_MS = 30_000

/** A picture beside which the process ended may not have been the cause: it is tried once more. */
const MAX_ATTEMPTS = 2

/** Few pools of memory: by default each thread of the decoders would keep one of its own. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2' }

type Waiting = (reply: PictureReply | 'ended') => void

/** The process is started with the first picture, and again when it is needed. */
export function openPictureProcess(): PictureProcess {
  const waiting = new Map<number, Waiting>()
  let running: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let count = 0

  const ended = (child: ChildProcess): void => {
    if (running !== child) return
    running = undefined
    const left = [...waiting.values()]
    waiting.clear()
    for (const tell of left) tell('ended')
  }
  const restLater = (): void => {
    clearTimeout(idle)
    idle = setTimeout(() => running?.disconnect(), IDLE_MS).unref()
  }
  const start = (): ChildProcess => {
    const child = fork(new URL('./picture-worker.ts', import.meta.url), {
      serialization: 'advanced',
      execArgv: [],
      env: { ...process.env, ...ENVIRONMENT },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child.on('message', (reply: PictureReply) => {
      waiting.get(reply.nth)?.(reply)
      waiting.delete(reply.nth)
      if (waiting.size === 0) restLater()
    })
    // One that cannot be started says so, and once more of what was sent to it.
    child.on('error', () => ended(child))
    child.once('disconnect', () => ended(child))
    // It never keeps the server from ending.
    child.unref()
    child.channel?.unref()
    return child
  }
  const askOnce = (task: Omit<PictureTask, 'nth'>): Promise<PictureReply | 'ended'> => {
    clearTimeout(idle)
    running ??= start()
    const { promise, resolve } = Promise.withResolvers<PictureReply | 'ended'>()
    const nth = (count += 1)
    waiting.set(nth, resolve)
    running.send({ ...task, nth } satisfies PictureTask)
    return promise
  }
  const ask = async (task: Omit<PictureTask, 'nth'>): Promise<PictureReply | undefined> => {
    for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
      const reply = await askOnce(task)
      if (reply !== 'ended') return reply
    }
    return undefined
  }
  return {
    header: async (path) => (await ask({ path }))?.header,
    draw: async (path, width) => (await ask({ path, width }))?.bytes,
  }
}
