import type { FastifyBaseLogger } from 'fastify'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Stops politely on the first signal and at once on the second. */
export function stopOnSignals(stop: () => Promise<void>, log: FastifyBaseLogger): void {
  let isStopping = false
  const onSignal = (signal: string): void => {
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ signal }, 'stopping')
    void stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
}
