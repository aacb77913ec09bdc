import { crc32 } from 'node:zlib'

export type Unzipped = { readonly path: string; readonly bytes: Buffer }

/** Reads an archive using its central directory and throws if it is inconsistent. Supports only uncompressed files. */
export function readZip(archive: Buffer): Unzipped[] {
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006'))
  if (end < 0) throw new Error('There is no end of an archive.')
  const count = archive.readUInt16LE(end + 10)
  const files: Unzipped[] = []
  let at = archive.readUInt32LE(end + 16)
  for (let read = 0; read < count; read += 1) {
    if (archive.readUInt32LE(at) !== 0x02_01_4b_50) throw new Error(`There is no entry at ${at}.`)
    const [sum, bytes] = [archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 24)]
    const [nameLength, extraLength] = [archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30)]
    const path = archive.toString('utf8', at + 46, at + 46 + nameLength)
    files.push({ path, bytes: contentAt(archive, archive.readUInt32LE(at + 42), { path, sum, bytes }) })
    at += 46 + nameLength + extraLength
  }
  if (at !== end) throw new Error('The directory is not where the end begins.')
  return files
}

type Said = { readonly path: string; readonly sum: number; readonly bytes: number }

function contentAt(archive: Buffer, at: number, { path, sum, bytes }: Said): Buffer {
  const [nameLength, extraLength] = [archive.readUInt16LE(at + 26), archive.readUInt16LE(at + 28)]
  const from = at + 30 + nameLength + extraLength
  const content = archive.subarray(from, from + bytes)
  if (archive.toString('utf8', at + 30, at + 30 + nameLength) !== path) throw new Error(`${path} has another name.`)
  if (crc32(content) !== sum) throw new Error(`${path} has another sum.`)
  return content
}
