import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { typedCollection } from '#web/shared/fields/typed-collection.ts'
import type { FindCollection } from './path-fields.ts'

/** Finds collections by id among those that whoever is signed in may see. */
export function useFindCollection(): FindCollection {
  const { data } = useQuery(collectionsQuery)
  const byId = useMemo(() => new Map((data ?? []).map((body) => [body.id, typedCollection(body)])), [data])
  return useCallback((id) => byId.get(id), [byId])
}
