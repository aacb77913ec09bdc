import type { FastifyBaseLogger } from 'fastify'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** One Ctrl-C or one stop by the system may arrive twice: from the terminal and through whoever started us. */
const DUPLICATE_SIGNAL_MS = 500
const PARENT_CHECK_MS = 100

/** Stops politely on the first signal and at once on the second. */
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
  // npm passes a signal only to the shell that started us: when it is gone, we have another parent.
  const parent = process.ppid
  const watch = (): void => {
    if (process.ppid !== parent && stoppingSinceMs === undefined) onSignal('SIGTERM')
  }
  if (process.env['npm_lifecycle_event'] !== undefined) setInterval(watch, PARENT_CHECK_MS).unref()
}
