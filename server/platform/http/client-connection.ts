import { isIPv6 } from 'node:net'
import type { FastifyReply } from 'fastify'

/** An IPv6 customer usually has a whole /64 block, so it counts as one address. */
export function clientAddressKey(address: string): string {
  const plain = address.split('%', 1)[0] ?? ''
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(plain)) return plain
  const [front = '', back] = plain.split('::')
  const given = front.split(':').filter(Boolean)
  const missing = back === undefined ? 0 : 8 - given.length - back.split(':').filter(Boolean).length
  const groups = [...given, ...Array<string>(missing).fill('0'), ...(back ?? '').split(':').filter(Boolean)]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** Aborts when the client disconnects. Reads are then canceled; a write that has already started is completed. */
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
