import type { FastifyReply } from 'fastify'

/** Aborts when the client disconnects. Reads stop; a started write completes. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const look = (): void => {
    if (!raw.writableFinished) gone.abort()
  }
  raw.once('close', look)
  // The client may have disconnected during authentication.
  if (raw.destroyed) look()
  return gone.signal
}
