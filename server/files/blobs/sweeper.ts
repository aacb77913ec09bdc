import type { Logger } from 'pino'
import { finishInterrupted, sweepExpired, sweepStorage } from './sweep-expired.ts'
import type { UploadDeps } from '#server/files/uploads/upload-deps.ts'

export type Sweeper = {
  readonly start: () => void
  /** Waits for the cleanup in progress. */
  readonly stop: () => Promise<void>
}

/** Interval for finishing interrupted uploads. */
const MINUTE_MS = 60 * 1000

const MINUTES_BETWEEN_SWEEPS = 60

const MINUTES_BETWEEN_STORAGE_SCANS = 24 * 60

/** Runs all cleanups at the start and then on their intervals; failures are retried by the next run. */
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
