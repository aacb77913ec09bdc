import { type ChildProcess, fork } from 'node:child_process'
import type { PictureHeader } from '#domain/assets/picture-limits.ts'
import type { PictureReply, PictureTask } from './picture-worker.ts'

/** Opens images in a separate process; undefined if the file isn't an image or crashes the process. */
export type PictureProcess = {
  readonly header: (path: string) => Promise<PictureHeader | undefined>
  readonly draw: (path: string, width: number) => Promise<Uint8Array | undefined>
}

/** Exits after this idle time, so that its memory is returned to the operating system. */
const IDLE_MS = 30_000

/** Retries once, because the image may not have caused the crash. */
const MAX_ATTEMPTS = 2

/** By default, each decoder thread has its own memory pool. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2' }

type Waiting = (reply: PictureReply | 'ended') => void

/** Starts the process for the first image and restarts it when needed. */
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
    // A failed start emits one error for the start and another for the message sent.
    child.on('error', () => ended(child))
    child.once('disconnect', () => ended(child))
    // Lets the server exit while the process is idle.
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
