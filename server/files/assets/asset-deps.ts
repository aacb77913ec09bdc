import type { Clock } from '#domain/shared/clock.ts'
import type { DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import type { CookieActor } from '#server/identity/sign-in/cookie-actor.ts'
import type { Thumbnails } from '#server/files/images/thumbnails.ts'

export type AssetDeps = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly clock: Clock
  readonly keys: KeyRing
  readonly blobs: BlobStorage
  readonly pictures: Thumbnails
  /** Authenticates images of a page by cookie. */
  readonly cookieActor: CookieActor
}
