import { Readable } from 'node:stream'
import * as api from '#api/workspace.ts'
import { userIdOf } from '#domain/access/actor.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Clock } from '#domain/shared/time.ts'
import { type AuditActor, type AuditEntry, writeAudit } from '#server/access/audit/audit-log.ts'
import type { Database, Reader, Transaction } from '#server/platform/database/database.ts'
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
  readonly clock: Clock
  readonly newId: IdGenerator
  /** Stores the temporary file that the image process reads. */
  readonly cache: Pick<DiskCache, 'borrow'>
  readonly pictureProcess: PictureProcess
}

const LOGO_WIDTH = 256

/** SVG files can contain scripts, so the browser renders them and uploads pixels. */
const FORMATS = ['png', 'jpeg', 'webp']

const ONE_YEAR_SECONDS = 31_536_000

const PUBLIC = 'the sign-in page shows the name and the logo'

async function showBranding(db: Reader): Promise<api.Branding> {
  const [name, logo] = [await loadWorkspaceName(db), await loadLogo(db)]
  return { name, logo: logo === undefined ? null : `${api.readLogo.path}?v=${logo.version}` }
}

export const brandingRoutes = (deps: BrandingDeps): readonly Route[] => [
  route(api.readBranding, open(PUBLIC), async () => showBranding(deps.database.read)),
  route(api.changeBranding, canByHand('workspace:manage'), ({ actor, body, request }) =>
    changeBranding(deps, { actor, address: request.ip }, async ({ db }) => {
      const before = await loadWorkspaceName(db)
      if (before === body.name) return
      await storeWorkspaceName(db, body.name)
      return { kind: 'workspace-renamed', details: { before, after: body.name } }
    }),
  ),
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
  route(api.changeLogo, canByHand('workspace:manage'), async ({ actor, body, request }) => {
    const drawn = await drawLogo(deps, await readLimited(body))
    return changeBranding(deps, { actor, address: request.ip }, async ({ db }) => {
      if ((await loadLogo(db))?.bytes.equals(drawn)) return
      await storeLogo(db, drawn)
      return { kind: 'logo-changed' }
    })
  }),
  route(api.removeLogo, canByHand('workspace:manage'), ({ actor, request }) =>
    changeBranding(deps, { actor, address: request.ip }, async ({ db }) =>
      (await removeStoredLogo(db)) ? { kind: 'logo-removed' } : undefined,
    ),
  ),
]

async function changeBranding(
  deps: BrandingDeps,
  { actor, address }: AuditActor,
  change: (transaction: Transaction) => Promise<Pick<AuditEntry, 'kind' | 'details'> | undefined>,
): Promise<api.Branding> {
  await deps.database.write(async (transaction) => {
    const entry = await change(transaction)
    if (entry !== undefined) await writeAudit(transaction.db, deps, { ...entry, userId: userIdOf(actor), address })
  })
  return showBranding(deps.database.read)
}

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

/** Re-encoded in a separate process, which removes everything except the pixels. */
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
