import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** SHA-256 of what a stream carries, in hex. */
export async function hashOf(bytes: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(bytes, hash)
  return hash.digest('hex')
}

/** SHA-256 of a file as it lies on the disk, in hex. */
export const hashOfFile = (path: string): Promise<string> =>
  hashOf(createReadStream(path, { highWaterMark: 1024 * 1024 }))
