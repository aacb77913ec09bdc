import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

export const sampleImage = (width: number, height: number, format: 'png' | 'jpeg' | 'webp' = 'png'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#2f6f4f' } })
    .toFormat(format)
    .toBuffer()

/** A photo with GPS metadata, and the bytes of that metadata. */
export async function photoWithGps(): Promise<{ readonly photo: Buffer; readonly latitude: Buffer }> {
  const place = { GPSLatitudeRef: 'N', GPSLatitude: '4813/97 30/1 3230/100' }
  const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#456' } })
    .withExif({ IFD0: { Make: 'Otter Camera' }, IFD3: place })
    .jpeg()
    .toBuffer()
  return { photo, latitude: Buffer.from('cd12000061000000', 'hex') }
}

/** A rotated photo as saved by a camera, with orientation metadata. */
export const rotatedPhoto = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#2f6f4f' } })
    .jpeg()
    .withExif({ IFD0: { Copyright: 'Ada', Orientation: '6' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()

/** A PNG that contains only zeros: a small file that decodes to a large image. */
export function decompressionBomb(side: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // One bit per pixel, grayscale.
  header.set([1, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc((Math.ceil(side / 8) + 1) * side)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
