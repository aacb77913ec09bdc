import type { UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import type { LinkedProvider } from '#server/identity/factors/factor-deps.ts'
import type { ProviderRegistry } from './provider-registry.ts'
import { listIdentities } from './store.ts'

/** The configured providers that a user has linked; a removed provider no longer authenticates. */
export const createLinkedProviderFinder =
  (providers: ProviderRegistry) =>
  async (db: Reader, userId: UserId): Promise<LinkedProvider[]> => {
    const linked = new Set((await listIdentities(db, userId)).map(({ provider }) => provider))
    return providers.list().filter(({ name }) => linked.has(name))
  }
