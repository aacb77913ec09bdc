import { Readable } from 'node:stream'
import * as api from '#api/workspace.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Database, Reader } from '#server/platform/database/database.ts'
import { canByHand, open } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { DiskCache } from '#server/platform/storage/disk/disk-cache.ts'
import {
  loadLogo,
  loadWorkspaceName,
  removeStoredLogo,
  storeLogo,
  storeWorkspaceName,
} from '#server/identity/branding/workspace-branding.ts'
import type { PictureProcess } from '#server/files/images/picture-process.ts'
import { THUMBNAIL_TYPE } from '#server/files/images/thumbnails.ts'

export type BrandingDeps = {
  readonly database: Database
  /** For the file that the image process reads. */
  readonly cache: Pick<DiskCache, 'borrow'>
  readonly pictureProcess: PictureProcess
}

const LOGO_WIDTH = 256

/** Vector graphics can contain scripts, so the browser renders them and sends pixels. */
const FORMATS = ['png', 'jpeg', 'webp']

const ONE_YEAR_SECONDS = 31_536_000

const PUBLIC = 'the sign-in page shows the name and the logo'

async function showBranding(db: Reader): Promise<api.Branding> {
  const [name, logo] = [await loadWorkspaceName(db), await loadLogo(db)]
  return { name, logo: logo === undefined ? null : `${api.readLogo.path}?v=${logo.version}` }
}

export const brandingRoutes = (deps: BrandingDeps): readonly Route[] => [
  route(api.readBranding, open(PUBLIC), async () => showBranding(deps.database.read)),
  route(api.changeBranding, canByHand('workspace:manage'), async ({ body }) => {
    await deps.database.write(({ db }) => storeWorkspaceName(db, body.name))
    return showBranding(deps.database.read)
  }),
  route(api.readLogo, open(PUBLIC), async ({ query, reply }) => {
    const logo = await loadLogo(deps.database.read)
    if (logo === undefined) throw new Problem('not-found', 'This workspace has no logo.')
    const isCurrent = query.v === logo.version
    await reply
      .headers({
        'content-type': THUMBNAIL_TYPE,
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': isCurrent ? `public, max-age=${ONE_YEAR_SECONDS}, immutable` : 'no-cache',
      })
      .send(logo.bytes)
  }),
  route(api.changeLogo, canByHand('workspace:manage'), async ({ body }) => {
    const drawn = await drawLogo(deps, await readLimited(body))
    await deps.database.write(({ db }) => storeLogo(db, drawn))
    return showBranding(deps.database.read)
  }),
  route(api.removeLogo, canByHand('workspace:manage'), async () => {
    await deps.database.write(({ db }) => removeStoredLogo(db))
    return showBranding(deps.database.read)
  }),
]

async function readLimited(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of stream as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > api.MAX_LOGO_BYTES)
      throw new Problem('too-large', 'A logo can be at most 1 MB. Choose a smaller image.')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Re-encoded in a separate process, which strips everything but the pixels. */
async function drawLogo({ cache, pictureProcess }: BrandingDeps, bytes: Buffer): Promise<Uint8Array> {
  const drawn = await cache.borrow(Readable.from([bytes]), async (path) => {
    const header = await pictureProcess.header(path)
    return header && FORMATS.includes(header.format) ? pictureProcess.draw(path, LOGO_WIDTH) : undefined
  })
  if (drawn === undefined) {
    throw new Problem('file-type-refused', 'A logo must be a PNG, JPEG or WebP image. Nothing was changed.')
  }
  return drawn
}
