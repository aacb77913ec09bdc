import type { Clock } from '#domain/shared/clock.ts'
import type { DefinitionsCache } from '#server/collections/definitions-cache.ts'
import type { Database } from '#server/database/database.ts'
import type { KeyRing } from '#server/keys/key-ring.ts'
import type { BlobStorage } from '#server/storage/blob-storage.ts'
import type { CookieActor } from '#server/sessions/cookie-actor.ts'
import type { Thumbnails } from './pictures.ts'

/** What serving files needs. */
export type AssetDeps = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly clock: Clock
  readonly keys: KeyRing
  readonly blobs: BlobStorage
  readonly pictures: Thumbnails
  /** Whose browser asks, for a page's pictures. */
  readonly cookieActor: CookieActor
}
