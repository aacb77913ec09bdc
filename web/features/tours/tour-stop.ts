import type { QueryClient } from '@tanstack/react-query'
import type { CollectionBody } from '#api/collections.ts'
import { listRecords } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { collectionPath, recordPath } from '#web/shared/navigation/app-link.tsx'

/** The page's URL depends on the workspace. */
export type TourPage = 'home' | 'collection' | 'collection-settings' | 'record' | 'roles' | 'people'

/** The collection with rich text and files, otherwise the first. */
export function richestCollection(collections: readonly CollectionBody[]): CollectionBody | undefined {
  const has = ({ fields }: CollectionBody, kind: string) => fields.some((field) => field.kind === kind)
  const telling = collections.find((one) => has(one, 'rich-text') && has(one, 'files'))
  return telling ?? collections[0]
}

const FIXED: { readonly [Page in TourPage]?: string } = {
  home: sessionConfig.routes.home,
  roles: '/settings/roles',
  people: '/settings/users',
}

/** Home if the workspace has no such page. */
export async function tourStop(page: TourPage, queryClient: QueryClient): Promise<string> {
  const fixed = FIXED[page]
  if (fixed !== undefined) return fixed
  const collection = richestCollection(await queryClient.ensureQueryData(collectionsQuery))
  if (!collection) return sessionConfig.routes.home
  const list = collectionPath(collection.name)
  if (page === 'collection') return list
  if (page === 'collection-settings') return `${list}/settings`
  const query = { perPage: 1, count: 'none' } as const
  const { items } = await call(listRecords, { params: { collection: collection.name }, query })
  return items[0] ? recordPath(collection.name, items[0].id) : list
}
