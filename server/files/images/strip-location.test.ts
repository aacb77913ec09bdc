import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { perTier } from '#tests/support/test-tier.ts'
import { stripLocation } from './strip-location.ts'

const FORMATS = ['jpeg', 'png', 'webp', 'avif', 'tiff'] as const
type Format = (typeof FORMATS)[number]

const XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/"
 exif:GPSLatitude="48,12.5N"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`

type Notes = { readonly isPlaced: boolean; readonly xmp?: string; readonly orientation?: number }

/** A small photo with camera metadata and a location. */
async function aPhoto(format: Format, { isPlaced, xmp, orientation = 6 }: Notes): Promise<Buffer> {
  const place = {
    GPSLatitudeRef: 'N',
    GPSLatitude: '4813/97 30/1 3230/100',
    GPSLongitudeRef: 'E',
    GPSLongitude: '16/1 7/1 9/1',
  }
  const pixels = Buffer.from(Array.from({ length: 40 * 30 * 3 }, (_, at) => (at * 7919) % 251))
  const picture = sharp(pixels, { raw: { width: 40, height: 30, channels: 3 } })
    .withIccProfile('p3')
    .withMetadata({ orientation })
    .withExifMerge({ IFD0: { Make: 'Otter Camera', Copyright: 'Seven otters' }, ...(isPlaced && { IFD3: place }) })
  return (xmp === undefined ? picture : picture.withXmp(xmp)).toFormat(format, { quality: 90 }).toBuffer()
}

const pixelsOf = (bytes: Buffer): Promise<Buffer> => sharp(bytes).raw().toBuffer()

/** Location data, searched independently of the implementation: the GPS tag in both byte orders, and its values. */
async function leftOf(bytes: Buffer): Promise<readonly string[]> {
  const { exif, xmp } = await sharp(bytes).metadata()
  const left = [bytes, exif ?? Buffer.alloc(0)].flatMap((some) => [
    ...(some.includes(Buffer.from('258804000100', 'hex')) ? ['the tag'] : []),
    ...(some.includes(Buffer.from('882500040000', 'hex')) ? ['the tag'] : []),
    ...(some.includes(Buffer.from('cd12000061000000', 'hex')) ? ['the latitude'] : []),
    ...(some.includes(Buffer.from('000012cd00000061', 'hex')) ? ['the latitude'] : []),
  ])
  return [...left, ...(xmp?.includes('GPSLatitude') ? ['the xmp'] : [])]
}

describe.each(FORMATS)('removing the location from a %s', (format) => {
  test('keeps pixels, orientation, colors and other metadata', async () => {
    const photo = await aPhoto(format, { isPlaced: true, xmp: XMP })
    expect(await leftOf(photo)).not.toEqual([])
    const { hadLocation, bytes } = await stripLocation(Buffer.from(photo))
    expect(hadLocation).toBe(true)
    expect(await leftOf(bytes)).toEqual([])
    expect((await pixelsOf(bytes)).equals(await pixelsOf(photo))).toBe(true)
    const [before, after] = [await sharp(photo).metadata(), await sharp(bytes).metadata()]
    expect([after.orientation, after.width, after.icc?.toString('hex')]).toEqual([
      before.orientation,
      before.width,
      before.icc?.toString('hex'),
    ])
    expect(bytes.includes('Otter Camera')).toBe(photo.includes('Otter Camera'))
  })

  test('doesn’t change a photo without location data', async () => {
    const photo = await aPhoto(format, { isPlaced: false })
    const { hadLocation, bytes } = await stripLocation(Buffer.from(photo))
    expect([hadLocation, bytes.equals(photo)]).toEqual([false, true])
  })

  test('removes all location data in a single pass', async () => {
    const { bytes } = await stripLocation(await aPhoto(format, { isPlaced: true, xmp: XMP }))
    expect((await stripLocation(Buffer.from(bytes))).hadLocation).toBe(false)
  })
})

test('removes only the PNG text chunk that contains hidden metadata', async () => {
  const photo = await aPhoto('png', { isPlaced: false })
  const text = Buffer.concat([Buffer.from('zTXtRaw profile type exif\0\0'), deflateSync(Buffer.from('exif 1 2'))])
  const chunk = Buffer.concat([Buffer.alloc(4), text, Buffer.alloc(4)])
  chunk.writeUInt32BE(text.length - 4)
  const hiding = Buffer.concat([photo.subarray(0, 33), chunk, photo.subarray(33)])
  const { hadLocation, bytes } = await stripLocation(hiding)
  expect([hadLocation, bytes.equals(photo)]).toEqual([true, true])
})

test('blanks XMP that continues in additional JPEG segments', async () => {
  const photo = await aPhoto('jpeg', { isPlaced: false })
  const text = Buffer.from('<exif:GPSLongitude>16,7.1E</exif:GPSLongitude>')
  const payload = Buffer.concat([Buffer.from('http://ns.adobe.com/xmp/extension/\0'), Buffer.alloc(40, 65), text])
  const part = Buffer.concat([Buffer.from([0xff, 0xe1, 0, payload.length + 2]), payload])
  const { hadLocation, bytes } = await stripLocation(Buffer.concat([photo.subarray(0, 2), part, photo.subarray(2)]))
  expect([hadLocation, bytes.includes('GPSLongitude')]).toEqual([true, false])
  expect((await pixelsOf(bytes)).equals(await pixelsOf(photo))).toBe(true)
})

test('for any input, stripping terminates, keeps the length except in PNG, and leaves no location for a second pass', async () => {
  const marks = fc.constantFrom(
    '49492a0008000000',
    '4d4d002a00000008',
    '0100258804000100000008000000',
    '3c7264663a524446',
  )
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((some) => Buffer.from(some)),
    marks.map((hex) => Buffer.from(hex, 'hex')),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const input = Buffer.concat(pieces)
      const { bytes } = await stripLocation(Buffer.from(input))
      expect(bytes.length).toBe(input.length)
      expect((await stripLocation(Buffer.from(bytes))).hadLocation).toBe(false)
    }),
    { numRuns: perTier(300) },
  )
})

test('never makes a damaged photo larger', async () => {
  const photo = await aPhoto('jpeg', { isPlaced: true, xmp: XMP })
  await fc.assert(
    fc.asyncProperty(fc.nat(photo.length - 1), fc.nat(255), async (at, byte) => {
      const damaged = Buffer.from(photo)
      damaged[at] = byte
      expect((await stripLocation(damaged)).bytes.length).toBe(photo.length)
    }),
    { numRuns: perTier(200) },
  )
})
