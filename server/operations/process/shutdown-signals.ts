import type { FastifyBaseLogger } from 'fastify'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** One Ctrl-C can arrive twice: from the terminal and through the parent process. */
const DUPLICATE_SIGNAL_MS = 500
const PARENT_CHECK_MS = 100

/** Shuts down gracefully on the first signal and at once on the second. */
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
  // npm signals only its shell; when that exits, our parent changes.
  const parent = process.ppid
  const watch = (): void => {
    if (process.ppid !== parent && stoppingSinceMs === undefined) onSignal('SIGTERM')
  }
  if (process.env['npm_lifecycle_event'] !== undefined) setInterval(watch, PARENT_CHECK_MS).unref()
}
