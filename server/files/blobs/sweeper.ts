import type { Logger } from 'pino'
import { finishInterrupted, sweepExpired, sweepStorage } from './sweep-expired.ts'
import type { UploadDeps } from '#server/files/uploads/upload-deps.ts'

/** Runs the sweep beside the requests. */
export type Sweeper = {
  readonly start: () => void
  /** Waits for the sweep under way. */
  readonly stop: () => Promise<void>
}

/** How often uploads are finished that were interrupted by a storage that did not answer. */
const MINUTE_MS = 60 * 1000

/** How often what is over is removed. */
const MINUTES_BETWEEN_SWEEPS = 60

/** The storage itself is looked through at the start and then every so many minutes. */
const MINUTES_BETWEEN_STORAGE_SCANS = 24 * 60

/** A sweeper for the uploads of this server: all of it at the start. What fails is tried with the next round. */
export function createSweeper(needs: UploadDeps & { readonly log: Logger }): Sweeper {
  let timer: NodeJS.Timeout | undefined
  let sweeping: Promise<void> = Promise.resolve()
  let minutes = 0

  const sweep = async (): Promise<void> => {
    const minute = minutes
    minutes += 1
    await finishInterrupted(needs)
    if (minute % MINUTES_BETWEEN_SWEEPS === 0) await sweepExpired(needs)
    if (minute % MINUTES_BETWEEN_STORAGE_SCANS === 0) await sweepStorage(needs)
  }
  const sweepNext = (): void => {
    sweeping = sweeping.then(sweep).then(undefined, (error: unknown) => {
      needs.log.error({ err: error }, 'cleanup of expired uploads failed')
    })
  }
  return {
    start: () => {
      sweepNext()
      timer = setInterval(sweepNext, MINUTE_MS)
      timer.unref()
    },
    stop: async () => {
      clearInterval(timer)
      await sweeping
    },
  }
}
