import type { IncomingMessage } from 'node:http'
import type { FaultName } from './faults.ts'

/** A client's traffic through the proxy. */
export type Traffic = {
  /** Number of file bytes in request bodies, including retransmitted ones. */
  fileBytes: number
  readonly requests: Map<string, number>
  readonly statuses: Map<number, number>
  readonly faults: Map<FaultName, number>
  /** Uploads that lost acknowledged bytes; must be empty. */
  readonly lost: string[]
}

export const noTraffic = (): Traffic => ({
  fileBytes: 0,
  requests: new Map(),
  statuses: new Map(),
  faults: new Map(),
  lost: [],
})

export const countOne = <Name>(counts: Map<Name, number>, name: Name): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1)

const CHUNK_TYPE = 'application/offset+octet-stream'

/**
 * Whether the body contains file bytes, either as a chunk or as a form; a form that starts a chunked upload has none.
 */
export function bearsFile({ headers, method }: IncomingMessage): boolean {
  const type = headers['content-type'] ?? ''
  if (type.startsWith(CHUNK_TYPE)) return true
  return method === 'POST' && type.startsWith('multipart/form-data') && headers['upload-length'] === undefined
}

/** Whether a request creates or continues an upload. */
export const sendsToUpload = ({ method = '', url = '' }: IncomingMessage): boolean =>
  ['POST', 'PATCH'].includes(method) && /^\/api\/(?:tus|uploads)\b/.test(url)

/** The upload ID in a request URL: in the path (tus) or as `patch` (FilePond). */
function uploadIn(address: string): string | undefined {
  const { pathname, searchParams } = new URL(address, 'http://localhost')
  return searchParams.get('patch') ?? /^\/api\/tus\/([^/]+)$/.exec(pathname)?.[1]
}

/** Tracks the acknowledged offset of each upload and reports responses with a smaller offset. */
export function openOffsetCheck() {
  const acknowledged = new Map<string, number>()
  return {
    /** Records the offset in a response. `isHeard`: the client received the complete response. */
    note: (address: string, offset: number, isHeard: boolean): string | undefined => {
      const id = uploadIn(address)
      if (id === undefined) return undefined
      const before = acknowledged.get(id) ?? 0
      if (isHeard) acknowledged.set(id, Math.max(before, offset))
      return offset < before ? `${id}: ${before} bytes were acknowledged, later only ${offset}` : undefined
    },
  }
}
