import type { Logger } from 'pino'
import { sweepExpired, sweepStorage } from './sweep-expired.ts'
import type { UploadNeeds } from './upload-needs.ts'

/** Runs the sweep beside the requests. */
export type Sweeper = {
  readonly start: () => void
  /** Waits for the sweep under way. */
  readonly stop: () => Promise<void>
}

const HOUR_MS = 60 * 60 * 1000

/** The storage itself is looked through at the start and then every so many hours. */
const HOURS_BETWEEN_SEARCHES = 24

/** A sweeper for the uploads of this server: once at the start, then hourly. A sweep that fails is tried with the next. */
export function openSweeper(needs: UploadNeeds & { readonly log: Logger }): Sweeper {
  let timer: NodeJS.Timeout | undefined
  let sweeping: Promise<void> = Promise.resolve()
  let round = 0

  const sweep = async (): Promise<void> => {
    await sweepExpired(needs)
    if (round % HOURS_BETWEEN_SEARCHES === 0) await sweepStorage(needs)
    round += 1
  }
  const sweepNext = (): void => {
    sweeping = sweeping.then(sweep).then(undefined, (error: unknown) => {
      needs.log.error({ err: error }, 'sweeping expired uploads failed')
    })
  }
  return {
    start: () => {
      sweepNext()
      timer = setInterval(sweepNext, HOUR_MS)
      timer.unref()
    },
    stop: async () => {
      clearInterval(timer)
      await sweeping
    },
  }
}
