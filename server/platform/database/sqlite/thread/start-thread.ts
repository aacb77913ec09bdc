import { Worker } from 'node:worker_threads'
import { databaseUnavailable } from '#server/platform/database/database-errors.ts'
import { toDatabaseError, isCorruptionFault } from '#server/platform/database/sqlite/sqlite-errors.ts'
import type {
  Message,
  ThreadNotice,
  ThreadReply,
  ThreadRequest,
  ThreadResult,
  ThreadSettings,
} from './thread-messages.ts'

export type Thread = {
  /** `moved`: buffers that are transferred instead of copied; the sender can no longer read them. */
  readonly ask: (question: ThreadRequest, moved?: readonly ArrayBuffer[]) => Promise<ThreadResult>
  readonly tell: (remark: ThreadNotice) => void
  readonly isAlive: () => boolean
  readonly abandon: () => void
  readonly close: () => Promise<void>
  /** Resolves when the thread has exited; an abandoned thread first completes its statement. */
  readonly ended: Promise<void>
}

type Waiting = { readonly resolve: (answer: ThreadResult) => void; readonly reject: (error: Error) => void }

const OPENING = 0

/**
 * Memory limit in MB, so that excessive memory use stops the thread instead of the server. A thread only holds the rows
 * of one result.
 */
const HEAP = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 }

/**
 * Characters after which messages are posted at once: the thread executes them while others are being made, and its
 * memory is limited.
 */
const MAX_POSTED_CHARACTERS = 10_000

const charactersIn = (message: Message): number =>
  message.type === 'run'
    ? message.parameters.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0)
    : 0

/** Posts together whatever is queued before the current code has to wait for an answer. */
function createOutbox(worker: Worker, onFailure: (error: unknown) => void) {
  const messages: Message[] = []
  const buffers: ArrayBuffer[] = []
  let characters = 0

  function post(): void {
    if (messages.length === 0) return
    characters = 0
    try {
      worker.postMessage(messages.splice(0), buffers.splice(0))
    } catch (error) {
      onFailure(error)
    }
  }

  return (message: Message, moved: readonly ArrayBuffer[] = []): void => {
    if (messages.length === 0) process.nextTick(post)
    messages.push(message)
    buffers.push(...moved)
    characters += charactersIn(message)
    if (characters > MAX_POSTED_CHARACTERS) post()
  }
}

export async function startThread(settings: ThreadSettings, onDamage: () => void = () => undefined): Promise<Thread> {
  const worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), {
    workerData: settings,
    execArgv: [],
    resourceLimits: HEAP,
  })
  const waiting = new Map<number, Waiting>()
  const ended = Promise.withResolvers<void>()
  let lastId = OPENING
  let isAlive = true

  function end(error: Error): void {
    isAlive = false
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }

  function receive(reply: ThreadReply): void {
    const clientId = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('answer' in reply) return clientId?.resolve(reply.answer)
    if (isCorruptionFault(reply.fault)) onDamage()
    clientId?.reject(toDatabaseError(reply.fault))
  }

  worker.on('message', (replies: readonly ThreadReply[]) => {
    for (const reply of replies) receive(reply)
  })
  worker.on('error', (error) => end(Object.assign(databaseUnavailable(), { cause: error })))
  worker.on('exit', () => {
    end(databaseUnavailable())
    ended.resolve()
  })

  const answerTo = (id: number): Promise<ThreadResult> =>
    new Promise((resolve, reject) => {
      if (isAlive) waiting.set(id, { resolve, reject })
      else reject(databaseUnavailable())
    })

  const tell = createOutbox(worker, abandon)

  function ask(question: ThreadRequest, moved: readonly ArrayBuffer[] = []): Promise<ThreadResult> {
    lastId += 1
    const answer = answerTo(lastId)
    tell({ ...question, id: lastId }, moved)
    return answer
  }

  function abandon(cause?: unknown): void {
    end(Object.assign(databaseUnavailable(), { cause }))
    void worker.terminate()
  }

  await answerTo(OPENING)
  return {
    ask,
    tell,
    isAlive: () => isAlive,
    abandon: () => abandon(),
    ended: ended.promise,
    close: async () => {
      if (isAlive) await ask({ type: 'close' })
      isAlive = false
      await worker.terminate()
    },
  }
}
