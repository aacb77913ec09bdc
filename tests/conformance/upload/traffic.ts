import type { IncomingMessage } from 'node:http'
import type { FaultName } from './faults.ts'

/** What one client sent through the proxy, and what became of it. */
export type Traffic = {
  /** Bytes of files in the bodies of requests, however often they came. */
  fileBytes: number
  readonly requests: Map<string, number>
  readonly statuses: Map<number, number>
  readonly faults: Map<FaultName, number>
  /** What was acknowledged and then not there any more; must stay empty. */
  readonly lost: string[]
}

/** Counts of nothing yet. */
export const noTraffic = (): Traffic => ({
  fileBytes: 0,
  requests: new Map(),
  statuses: new Map(),
  faults: new Map(),
  lost: [],
})

/** One more of something that is counted by name. */
export const countOne = <Name>(counts: Map<Name, number>, name: Name): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1)

const CHUNK_TYPE = 'application/offset+octet-stream'

/** Whether its body is bytes of a file: a chunk, or a form that is not only the beginning of a chunked upload. */
export function bearsFile({ headers, method }: IncomingMessage): boolean {
  const type = headers['content-type'] ?? ''
  if (type.startsWith(CHUNK_TYPE)) return true
  return method === 'POST' && type.startsWith('multipart/form-data') && headers['upload-length'] === undefined
}

/** Whether a request begins an upload or sends to one. */
export const sendsToUpload = ({ method = '', url = '' }: IncomingMessage): boolean =>
  ['POST', 'PATCH'].includes(method) && /^\/api\/(?:tus|uploads)\b/.test(url)

/** The upload a request is about, where its address says so: in the path (tus) or as `patch` (FilePond). */
function uploadIn(address: string): string | undefined {
  const { pathname, searchParams } = new URL(address, 'http://localhost')
  return searchParams.get('patch') ?? /^\/api\/tus\/([^/]+)$/.exec(pathname)?.[1]
}

/** Remembers how far each upload was acknowledged, and says when a later answer takes that back. */
export function openWitness() {
  const acknowledged = new Map<string, number>()
  return {
    /** An answer that names an offset. `isHeard`: it reached the client as a whole. */
    note: (address: string, offset: number, isHeard: boolean): string | undefined => {
      const id = uploadIn(address)
      if (id === undefined) return undefined
      const before = acknowledged.get(id) ?? 0
      if (isHeard) acknowledged.set(id, Math.max(before, offset))
      return offset < before ? `${id}: ${before} bytes were acknowledged, later only ${offset}` : undefined
    },
  }
}
