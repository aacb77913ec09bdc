import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Bytes of a rejected body that are still read, so that the client reads the response. */
export const MAX_DRAINED_BYTES = 64 * 1024 * 1024

/** 5 MB at 1 Mbit/s. */
const MAX_DRAIN_MS = 60_000

const CHECK_INTERVAL_MS = 100

/**
 * Reads and discards the rest of a body after an early response, within limits. Browsers read a response only after
 * sending everything, and closing the connection earlier would lose it.
 */
export function drainUnreadBodies(room: FastifyInstance): void {
  room.addHook('onResponse', (request, _reply, done) => {
    if (!request.raw.complete) drain(request)
    done()
  })
}

function drain({ raw }: FastifyRequest): void {
  const { socket } = raw
  // Injected requests have no socket.
  if (!(socket instanceof Socket)) return
  const readBefore = socket.bytesRead
  const endsAtMs = performance.now() + MAX_DRAIN_MS
  // A disconnected client may have left the body paused.
  raw.removeAllListeners('data')
  raw.removeAllListeners('readable')
  raw.on('error', () => undefined)
  raw.resume()
  const watch = setInterval(() => {
    if (raw.complete || socket.destroyed) return clearInterval(watch)
    if (socket.bytesRead - readBefore <= MAX_DRAINED_BYTES && performance.now() < endsAtMs) return
    clearInterval(watch)
    socket.destroy()
  }, CHECK_INTERVAL_MS)
  watch.unref()
}
