import type { IncomingMessage } from 'node:http'
import type { FaultName } from './faults.ts'

/** What one client sent through the proxy, and the results. */
export type Traffic = {
  /** File bytes in request bodies, including repeated ones. */
  fileBytes: number
  readonly requests: Map<string, number>
  readonly statuses: Map<number, number>
  readonly faults: Map<FaultName, number>
  /** Acknowledged bytes that were later lost; must stay empty. */
  readonly lost: string[]
}

/** Counters at zero. */
export const noTraffic = (): Traffic => ({
  fileBytes: 0,
  requests: new Map(),
  statuses: new Map(),
  faults: new Map(),
  lost: [],
})

/** Increments a named count. */
export const countOne = <Name>(counts: Map<Name, number>, name: Name): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1)

const CHUNK_TYPE = 'application/offset+octet-stream'

/** Whether the body contains file bytes: a chunk, or a form that doesn't just start a chunked upload. */
export function bearsFile({ headers, method }: IncomingMessage): boolean {
  const type = headers['content-type'] ?? ''
  if (type.startsWith(CHUNK_TYPE)) return true
  return method === 'POST' && type.startsWith('multipart/form-data') && headers['upload-length'] === undefined
}

/** Whether a request creates or continues an upload. */
export const sendsToUpload = ({ method = '', url = '' }: IncomingMessage): boolean =>
  ['POST', 'PATCH'].includes(method) && /^\/api\/(?:tus|uploads)\b/.test(url)

/** The upload that a request belongs to, from its URL: in the path (tus) or as `patch` (FilePond). */
function uploadIn(address: string): string | undefined {
  const { pathname, searchParams } = new URL(address, 'http://localhost')
  return searchParams.get('patch') ?? /^\/api\/tus\/([^/]+)$/.exec(pathname)?.[1]
}

/** Stores the acknowledged offset of each upload and reports a later response with a smaller one. */
export function openOffsetCheck() {
  const acknowledged = new Map<string, number>()
  return {
    /** A response with an offset. `isHeard`: the client received all of it. */
    note: (address: string, offset: number, isHeard: boolean): string | undefined => {
      const id = uploadIn(address)
      if (id === undefined) return undefined
      const before = acknowledged.get(id) ?? 0
      if (isHeard) acknowledged.set(id, Math.max(before, offset))
      return offset < before ? `${id}: ${before} bytes were acknowledged, later only ${offset}` : undefined
    },
  }
}
