import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { GrantLabels } from '#domain/access/describe-grant.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { useFindCollection } from '#web/shared/conditions/describe-condition.ts'
import { type TypedCollection, typedCollection } from '#web/shared/fields/typed-collection.ts'
import { peopleQuery } from '#web/shared/lookups/search-options.ts'
import { EVERY_COLLECTION, describeIn } from '#web/features/roles/matrix/matrix.ts'

const NONE: readonly TypedCollection[] = []

export function useKnownCollections(): readonly TypedCollection[] {
  const { data } = useQuery(collectionsQuery)
  return useMemo(() => data?.map(typedCollection) ?? NONE, [data])
}

/** Null stands for all collections. */
export function useGrantLabels(): (collection: string | null) => GrantLabels {
  const findCollection = useFindCollection()
  const { data: people } = useQuery(peopleQuery)
  return useCallback(
    (collection) => {
      const known = collection === null ? undefined : findCollection(collection)
      const personOf = (id: string) => people?.find((person) => person.id === id)?.name
      return describeIn(known ?? EVERY_COLLECTION, { findCollection, personOf })
    },
    [findCollection, people],
  )
}
