import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Bytes of an unwanted body that are still read, so that the client reads the answer. */
export const MAX_DRAINED_BYTES = 64 * 1024 * 1024

/** And for how long, in ms: a chunk of 5 MB at 1 Mbit/s is through by then. */
const MAX_DRAIN_MS = 60_000

const CHECK_INTERVAL_MS = 100

/**
 * A request that was answered before its body was read is read on, within bounds, and what comes is thrown away:
 * browsers look at an answer only once they have sent everything, and a connection closed before that loses it. Beyond
 * the bounds the connection is closed.
 */
export function drainUnreadBodies(room: FastifyInstance): void {
  room.addHook('onResponse', (request, _reply, done) => {
    if (!request.raw.complete) drain(request)
    done()
  })
}

function drain({ raw }: FastifyRequest): void {
  const { socket } = raw
  // A request that came over no connection has nothing left to come.
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
