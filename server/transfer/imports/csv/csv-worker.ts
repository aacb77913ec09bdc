/** Runs in a thread of its own: whatever reads a whole CSV does it here, so that no request waits for it. */
import { parentPort, workerData } from 'node:worker_threads'
import { unreachable } from '#domain/shared/assert-never.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { CsvReply, CsvTask, ReadTask } from './csv-tasks.ts'
import { collectOptions } from './collect-options.ts'
import { inspectCsv } from './inspect-csv.ts'
import { rowsToCells } from './rows-to-cells.ts'
import { writeErrorFile } from './write-error-file.ts'

/** Batches sent ahead of those that are stored: as many as are written together, and as many that wait meanwhile. */
const MAX_BATCHES_AHEAD = 8

const send = (reply: CsvReply, moved: readonly ArrayBuffer[] = []): void => parentPort?.postMessage(reply, [...moved])

async function perform(task: CsvTask): Promise<unknown> {
  switch (task.type) {
    case 'look':
      return inspectCsv(task)
    case 'choices':
      return collectOptions(task)
    case 'refusals':
      await writeErrorFile(task)
      return null
    case 'read':
      await sendRows(task)
      return null
    default:
      return unreachable(task)
  }
}

/** Sends batches, never more ahead than the other side can take. */
async function sendRows(task: ReadTask): Promise<void> {
  let ahead = 0
  let goOn: (() => void) | undefined
  parentPort?.on('message', () => {
    ahead -= 1
    goOn?.()
  })
  for await (const batch of rowsToCells(task)) {
    send({ type: 'batch', batch }, [batch.packed.buffer])
    ahead += 1
    if (ahead < MAX_BATCHES_AHEAD) continue
    await new Promise<void>((resolve) => {
      goOn = resolve
    })
  }
}

// runCsvTask hands over exactly this.
perform(workerData as CsvTask).then(
  (answer) => send({ type: 'answer', answer }),
  (error: unknown) => {
    if (!(error instanceof Problem)) throw error
    send({ type: 'refused', detail: error.message })
  },
)
