import type { Page } from '@playwright/test'

/** WebM element IDs (RFC 9559). */
const ID = {
  ebml: 0x1a45dfa3,
  docType: 0x4282,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  codec: 0x86,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cuePositions: 0xb7,
  cueTrack: 0xf7,
  cueCluster: 0xf1,
} as const

const idBytes = (id: number): Buffer =>
  Buffer.from(id.toString(16).padStart(id > 0xffffff ? 8 : id > 0xffff ? 6 : id > 0xff ? 4 : 2, '0'), 'hex')

/** Encodes a WebM element: ID, length in eight bytes, content. */
function element(id: number, ...parts: readonly (Buffer | number | string)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(part)
      if (typeof part !== 'number') return part
      const bytes = Buffer.alloc(8)
      bytes.writeBigUInt64BE(BigInt(part))
      return bytes
    }),
  )
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE((1n << 56n) | BigInt(body.length))
  return Buffer.concat([idBytes(id), length, body])
}

const SIDE = { width: 640, height: 360 }
const FRAMES_PER_SECOND = 10

/** A video with one key frame per second, large enough to be sent in several ranges. */
export async function sampleVideo(page: Page, seconds: number): Promise<Buffer> {
  const frames = await page.evaluate(drawFrames, { ...SIDE, seconds, rate: FRAMES_PER_SECOND })
  const duration = Buffer.alloc(8)
  duration.writeDoubleBE(seconds * 1000)
  const info = element(ID.info, element(ID.timestampScale, 1_000_000), element(ID.duration, duration))
  const video = element(ID.video, element(ID.pixelWidth, SIDE.width), element(ID.pixelHeight, SIDE.height))
  const track = [
    element(ID.trackNumber, 1),
    element(ID.trackUid, 1),
    element(ID.trackType, 1),
    element(ID.codec, 'V_VP8'),
  ]
  const tracks = element(ID.tracks, element(ID.trackEntry, ...track, video))
  const clusters = Array.from({ length: seconds }, (_, second) =>
    element(
      ID.cluster,
      element(ID.timestamp, second * 1000),
      ...frames.slice(second * FRAMES_PER_SECOND, (second + 1) * FRAMES_PER_SECOND).map((frame, at) => {
        const head = Buffer.from([0x81, 0, 0, at === 0 ? 0x80 : 0])
        head.writeInt16BE((at * 1000) / FRAMES_PER_SECOND, 1)
        return element(ID.simpleBlock, Buffer.concat([head, Buffer.from(frame, 'base64')]))
      }),
    ),
  )
  const cuesOf = (before: number): Buffer => {
    let at = before
    const points = clusters.map((cluster, second) => {
      const place = element(ID.cuePositions, element(ID.cueTrack, 1), element(ID.cueCluster, at))
      at += cluster.length
      return element(ID.cuePoint, element(ID.cueTime, second * 1000), place)
    })
    return element(ID.cues, ...points)
  }
  const before = info.length + tracks.length
  // The size of the cues doesn't depend on the positions they contain.
  const cues = cuesOf(before + cuesOf(0).length)
  return Buffer.concat([
    element(ID.ebml, element(ID.docType, 'webm')),
    element(ID.segment, info, tracks, cues, ...clusters),
  ])
}

/** Runs in the page: encodes video frames with one key frame per second; returns them as base64. */
async function drawFrames({
  width,
  height,
  seconds,
  rate,
}: {
  width: number
  height: number
  seconds: number
  rate: number
}) {
  const encoded: string[] = []
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength)
      chunk.copyTo(bytes)
      encoded.push(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')))
    },
    error: (error) => {
      throw error
    },
  })
  encoder.configure({ codec: 'vp8', width, height, bitrate: 4_000_000, framerate: rate })
  const canvas = new OffscreenCanvas(width, height)
  const pen = canvas.getContext('2d')
  for (let at = 0; pen && at < seconds * rate; at += 1) {
    const sky = pen.createLinearGradient(0, 0, 0, height)
    sky.addColorStop(0, `hsl(${200 + at / 2} 45% 72%)`)
    sky.addColorStop(1, '#f3ead8')
    pen.fillStyle = sky
    pen.fillRect(0, 0, width, height)
    pen.fillStyle = '#17594a'
    pen.beginPath()
    pen.arc(60 + ((at * 7) % 520), 250 - 40 * Math.sin(at / 6), 26, 0, 7)
    pen.fill()
    pen.fillRect(0, 300, width, 60)
    const frame = new VideoFrame(canvas, { timestamp: (at * 1_000_000) / rate })
    encoder.encode(frame, { keyFrame: at % rate === 0 })
    frame.close()
  }
  await encoder.flush()
  encoder.close()
  return encoded
}
