import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { GrantWords } from '#domain/access/grant-in-words.ts'
import { collectionsQuery } from '#web/client/collections-query.ts'
import { useFindCollection } from '#web/fields/conditions/use-find-collection.ts'
import { type TypedCollection, typedCollection } from '#web/fields/known-field.ts'
import { peopleQuery } from '#web/fields/user/people-query.ts'
import { EVERY_COLLECTION, describeIn } from './matrix.ts'

const NONE: readonly TypedCollection[] = []

/** Every collection whoever is signed in may see. */
export function useKnownCollections(): readonly TypedCollection[] {
  const { data } = useQuery(collectionsQuery)
  return useMemo(() => data?.map(typedCollection) ?? NONE, [data])
}

/** How grants are said in words, collection by collection (null: in every one). */
export function useGrantLabels(): (collection: string | null) => GrantWords {
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
